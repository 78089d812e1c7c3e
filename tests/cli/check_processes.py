"""check_processes.py CUGANTT ASSEMBLE [--no-render]: several files of one run, from outside."""
import json
import pathlib
import subprocess
import sys
import tempfile

cugantt, assemble = sys.argv[1:3]
RENDERS = "--no-render" not in sys.argv

RANK = """property rank {rank}
property pid {pid}
device 0 name=Card
context 1 null=7
stream 13 blocking
call 1 {t}us {t1}us cudaLaunchKernel
kernel 1 13 {t1}us {t2}us spin
end 9ms
"""


def run(*arguments):
    done = subprocess.run([cugantt, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 1, 2), done
    return done


def write(directory, name, text):
    recipe, trace = directory / f"{name}.recipe", directory / f"{name}.cgt"
    recipe.write_text(text)
    subprocess.run([assemble, recipe, trace], check=True)
    return trace


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    traces = [write(directory, f"r{i}", RANK.format(rank=i, pid=100 + i, t=100 * i, t1=100 * i + 10, t2=100 * i + 310)) for i in range(2)]
    told = json.loads(run("explain", "--json", *traces).stdout)
    assert told["wall_ns"] == 400_000, told["wall_ns"]  # one clock: from 10 to 410 us
    assert [p["name"] for p in told["processes"]] == ["rank 0", "rank 1"], told["processes"]
    assert all(p["wall_ns"] == 300_000 for p in told["processes"])
    text = run("explain", *traces).stdout
    assert "2 processes on one clock" in text and "rank 1" in text, text
    known = json.loads(run("info", "--json", *traces).stdout)
    assert [d["process"] for d in known["devices"]] == ["rank 0", "rank 1"], known
    assert "rank 1, device 0 Card" in run("info", *traces).stdout
    # one file stays as it was
    alone = json.loads(run("explain", "--json", traces[0]).stdout)
    assert "processes" not in alone
    assert run("explain", traces[0], directory / "missing.cgt").returncode == 1
    if RENDERS:
        assert run("render", *traces, "-o", directory / "ranks.svg").returncode == 0
        assert run("render", traces[0], "-o", directory / "alone.svg").returncode == 0
        # the aligned figure reaches to 400 us, the single one to 300
        assert (directory / "ranks.svg").read_text().count("<") > (directory / "alone.svg").read_text().count("<")
print("ok")
