"""`cugantt render` from outside: exit status, one clear line, the same bytes twice, nothing left behind on failure."""
import pathlib
import subprocess
import sys
import tempfile

CUGANTT, ASSEMBLE, RECIPES = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
failures = []
checks = 0


def check(what, holds):
    global checks
    checks += 1
    if not holds:
        failures.append(what)


def render(*args):
    done = subprocess.run([CUGANTT, "render", *map(str, args)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def expect_failure(directory, args, status, words):
    out = directory / "bad.png"
    got, stdout, stderr = render(*[out if a == "OUT" else a for a in args])
    what = " ".join(map(str, args))
    check(f"{what}: exit {got}, expected {status}", got == status)
    check(f"{what}: {stderr!r} does not say {words!r}", words in stderr)
    check(f"{what}: more than one line: {stderr!r}", stderr.count("\n") == 1)
    check(f"{what}: something on stdout: {stdout!r}", stdout == "")
    check(f"{what}: left a file", not list(directory.glob("bad*")))


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        trace, empty = directory / "t.cgt", directory / "empty.cgt"
        subprocess.run([ASSEMBLE, RECIPES / "default-stream.recipe", trace], check=True)
        (directory / "empty.recipe").write_text("thread 5 main\ncall 1 0 10 cudaMalloc thread=5\n")
        subprocess.run([ASSEMBLE, directory / "empty.recipe", empty], check=True)

        expect_failure(directory, [trace], 2, "-o")
        expect_failure(directory, ["-o", "OUT"], 2, "which trace")
        expect_failure(directory, [trace, "-o", directory / "bad.jpg"], 2, ".png, .svg or .pdf")
        expect_failure(directory, [trace, "-o", "OUT", "--width", "7"], 2, "--width")
        expect_failure(directory, [trace, "-o", "OUT", "--dpi", "0"], 2, "--dpi")
        expect_failure(directory, [trace, "-o", "OUT", "--theme", "blue"], 2, "light or dark")
        expect_failure(directory, [trace, "-o", "OUT", "--streams", "7,,8"], 2, "--streams")
        expect_failure(directory, [trace, "-o", "OUT", "--streams", "99"], 2, "7, 13, 14")
        expect_failure(directory, [trace, "-o", "OUT", "--from", "2parsec"], 2, "--from")
        expect_failure(directory, [trace, "-o", "OUT", "--from", "2ms", "--to", "1ms"], 2, "--to")
        expect_failure(directory, [trace, "-o", "OUT", "--from", "1s"], 1, "nothing to draw")
        expect_failure(directory, [empty, "-o", "OUT"], 1, "no GPU work")
        expect_failure(directory, [directory / "none.cgt", "-o", "OUT"], 1, "none.cgt")
        expect_failure(directory, [trace, "-o", directory / "no" / "bad.png"], 1, "cannot create")

        for ending in "png", "svg", "pdf":
            files = [directory / f"{i}.{ending}" for i in range(2)]
            for file in files:
                check(f"{ending}: failed", render(trace, "-o", file)[0] == 0)
            check(f"{ending}: two runs differ", files[0].read_bytes() == files[1].read_bytes())

        wide = directory / "wide.png"
        options = ["--width", 900, "--streams", "default,13", "--title", "默认流", "--theme", "dark", "--dpi", 300]
        check("options: failed", render(trace, "-o", wide, "--from", "100us", "--to", "0.9ms", *options) == (0, "", ""))
        check("width", int.from_bytes(wide.read_bytes()[16:20], "big") == 900)
        check("two panels: failed", render(trace, trace, "-o", wide) == (0, "", ""))
        check("leftovers", not list(directory.glob("*.part")))


main()
print("\n".join(failures) or f"{checks} checks")
sys.exit(bool(failures))
