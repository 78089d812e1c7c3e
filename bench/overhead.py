"""overhead.py BUILD [--rounds N] [--json FILE]: what recording costs a program, tool by tool, on this machine's GPU.

Runs every program under every tool, one after another and round after round, so that drift of the machine falls on all alike.
Prints medians of the time per operation, their spread, and what each tool adds over the untraced program, as Markdown.
Tools: nothing; cugantt (BUILD/cugantt record); a bare CUPTI client that throws its records away (bench/floor.c); nsys, where found
(-t cuda -s none); for PyTorch also torch.profiler (CUDA only) and Triton's proton."""
import argparse
import glob
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

RUN_LIMIT_S = 60  # one program under one tool; set-up of a tool counts too
HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ["untraced", "floor", "cugantt", "nsys", "kineto", "proton"]
PROGRAMS = ["launches", "threads", "pinned-copies", "pageable-copies", "graph"]
NSYS_PLACES = ["/opt/nvidia/nsight-systems/*/bin/nsys", "/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys"]


def cuda_root():
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return pathlib.Path(os.environ.get("CUDA_HOME") or pathlib.Path(nvcc).resolve().parent.parent)


def build(work):
    root = cuda_root()
    places = [root, root / "targets/x86_64-linux", root / "extras/CUPTI"]
    flags = [f"-I{p}/include" for p in places]
    for place in places:
        for lib in (place / "lib64", place / "lib"):
            if lib.is_dir():
                flags += [f"-L{lib}", f"-Wl,-rpath,{lib}"]
    subprocess.run(["nvcc", "-O2", "-std=c++17", "-arch=native", HERE / "programs.cu", "-o", work / "programs"], check=True)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", HERE / "floor.c", "-o", work / "floor.so", *flags, "-lcupti", "-lpthread"],
                   check=True)


def find_nsys():
    found = [shutil.which("nsys")] + [path for place in NSYS_PLACES for path in sorted(glob.glob(place))]
    return next((path for path in found if path), None)


def tools(arguments, work):
    """name -> (command prefix, environment)"""
    cugantt = str(pathlib.Path(arguments.build, "cugantt").resolve())
    found = {
        "untraced": ([], {}),
        "cugantt": ([cugantt, "record", "-o", str(work / "bench-%p.cgt"), "--"], {}),
        "floor": ([], {"CUDA_INJECTION64_PATH": str(work / "floor.so")}),
    }
    nsys = find_nsys()
    if nsys:
        found["nsys"] = ([nsys, "profile", "-t", "cuda", "-s", "none", "--force-overwrite", "true", "-o", str(work / "nsys")], {})
    return found


def measure(command, environment, failures):
    try:
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        failures.append(f"{' '.join(map(str, command))}: took more than {RUN_LIMIT_S} s")
        return None, ""
    for line in done.stdout.splitlines():
        try:
            return float(line), done.stderr
        except ValueError:
            continue
    failures.append(f"{' '.join(map(str, command))}: status {done.returncode}: {(done.stderr or done.stdout)[-300:]}")
    return None, done.stderr


def runs(arguments, work):
    """(program, tool, command, environment)"""
    torch = [sys.executable, str(HERE / "torch_ops.py")]
    known = tools(arguments, work)
    for program in arguments.programs:
        for tool in arguments.tools:
            if program == "torch" and tool in ("kineto", "proton"):
                yield program, tool, [*torch, tool], {}
            elif tool in known:
                prefix, environment = known[tool]
                command = [*torch, "none"] if program == "torch" else [str(work / "programs"), program]
                yield program, tool, [*prefix, *command], environment


def table(times):
    names = [name for name in TOOLS if any(name in row for row in times.values())]
    print("| program | " + " | ".join(f"{n}, ns" if n == "untraced" else f"{n}, + ns" for n in names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for program, row in times.items():
        base = statistics.median(row["untraced"]) if row.get("untraced") else 0
        cells = []
        for name in names:
            values = row.get(name) or []
            if not values:
                cells.append("–")
                continue
            middle = statistics.median(values) - (0 if name == "untraced" else base)
            cells.append(f"{middle:.0f} ({min(values) - (0 if name == 'untraced' else base):.0f} to "
                         f"{max(values) - (0 if name == 'untraced' else base):.0f})")
        print(f"| {program} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="raw times, written as they come")
    parser.add_argument("--limit", type=float, default=float("inf"), help="start nothing new after this many seconds")
    parser.add_argument("--programs", nargs="+", default=PROGRAMS + ["torch"], help="only these")
    parser.add_argument("--tools", nargs="+", default=TOOLS, help="only these")
    parser.add_argument("--many", type=int, default=0, help="at the end, record this many launches once and count what is lost")
    arguments = parser.parse_args()
    times, failures, told = {}, [], {}
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        build(work)
        begin = time.monotonic()
        for number, (program, tool, command, environment) in (
                (number, run) for number in range(arguments.rounds) for run in runs(arguments, work)):
            started = time.monotonic()
            if started - begin > arguments.limit:
                break
            value, stderr = measure(command, environment, failures)
            print(f"round {number + 1}: {program} under {tool}: {value} ns, {time.monotonic() - started:.1f} s", file=sys.stderr)
            if value is None:
                continue
            times.setdefault(program, {}).setdefault(tool, []).append(value)
            if arguments.json:
                pathlib.Path(arguments.json).write_text(json.dumps(times))
            for trace in work.glob("bench-*.cgt"):
                told[program] = f"{trace.stat().st_size} bytes; {(stderr.strip().splitlines() or [''])[-1]}"
                trace.unlink()
        table(times)
        print("\nTraces:")
        for program, line in told.items():
            print(f"  {program}: {line}")
        if arguments.many:
            prefix, environment = tools(arguments, work)["cugantt"]
            value, stderr = measure([*prefix, str(work / "programs"), "launches", str(arguments.many)], environment, failures)
            sizes = [trace.stat().st_size for trace in work.glob("bench-*.cgt")]
            print(f"\n{arguments.many} launches: {value} ns each, {sizes} bytes; {stderr.strip()}")
    print("\n".join(failures), file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
