"""overhead.py BUILD [--rounds N] [--json FILE]: what recording costs a program, tool by tool, on this machine's GPU.

Runs every program under every tool, one after another and round after round, so that drift of the machine falls on all alike.
Prints medians of the time per operation, their spread, and what each tool adds over the untraced program, as Markdown.
Tools: nothing; cugantt (BUILD/cugantt record), with --pcie too; a bare CUPTI client that throws its records away
(bench/floor.c); nsys, where found (-t cuda -s none; it records whole graphs); cugantt with graphs whole ("whole"); for PyTorch also torch.profiler (CUDA only) and Triton's proton."""
import argparse
import glob
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

RUN_LIMIT_S = 90  # one run under one tool; set-up of a tool counts too
HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ["untraced", "floor", "cugantt", "cugantt-pcie", "whole", "nsys", "kineto", "proton"]
SLOW = ["cugantt-pcie", "whole", "nsys", "kineto", "proton"]
PROGRAMS = ["launches", "threads", "pinned-copies", "pageable-copies", "graph", "torch"]
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
        "cugantt-pcie": ([cugantt, "record", "--pcie", "-o", str(work / "bench-%p.cgt"), "--"], {}),
        "whole": ([cugantt, "record", "--graphs", "whole", "-o", str(work / "bench-%p.cgt"), "--"], {}),
        "floor": ([], {"CUDA_INJECTION64_PATH": str(work / "floor.so")}),
    }
    nsys = find_nsys()
    if nsys:
        options = ["-t", "cuda", "-s", "none", "--force-overwrite", "true", "-o", str(work / "nsys")]
        found["nsys"] = ([nsys, "profile", *options], {})
    return found


def run(command, environment):
    """status, stdout, stderr, largest memory of any of its processes in MiB; status None: it took too long"""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env={**os.environ, **environment}, start_new_session=True)
        late = threading.Event()
        timer = threading.Timer(RUN_LIMIT_S, lambda: (late.set(), os.killpg(process.pid, signal.SIGKILL)))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        out.seek(0)
        err.seek(0)
        return None if late.is_set() else os.waitstatus_to_exitcode(status), out.read(), err.read(), usage.ru_maxrss / 1024


def measure(command, environment, failures):
    """{program: ns for an operation}, stderr, MiB"""
    status, out, err, memory = run(command, environment)
    if status != 0:
        why = f"took more than {RUN_LIMIT_S} s" if status is None else f"status {status}: {(err or out)[-300:]}"
        failures.append(f"{' '.join(map(str, command))}: {why}")
        return {}, err, memory
    found = (line.split() for line in out.splitlines())
    return {words[0]: float(words[1]) for words in found if len(words) == 2 and words[0] in PROGRAMS}, err, memory


def runs(arguments, work, number):
    """(tool, command, environment) of a round; the programs in C in one process, since starting takes longer than they"""
    torch = [sys.executable, str(HERE / "torch_ops.py")]
    basic = [str(work / "programs"), *(name for name in arguments.programs if name != "torch")]
    known = tools(arguments, work)
    for tool in arguments.tools:
        if tool in known and len(basic) > 1 and (tool not in SLOW or number < arguments.slow_rounds):
            yield tool, [*known[tool][0], *basic], known[tool][1]
    for tool in arguments.tools if "torch" in arguments.programs and number < arguments.slow_rounds else []:
        if tool in ("kineto", "proton"):
            yield tool, [*torch, tool], {}
        elif tool in known and (tool not in SLOW or arguments.all):
            yield tool, [*known[tool][0], *torch, "none"], known[tool][1]


def cell(values, base):
    """median of what is added, the least and the most of it, and of how many runs"""
    added = sorted(value - base for value in values)
    return f"{statistics.median(added):.0f} ({added[0]:.0f} to {added[-1]:.0f}; {len(added)})" if added else "–"


def table(times):
    names = [name for name in TOOLS if any(name in row for row in times.values())]
    print("| program | " + " | ".join(f"{n}, ns" if n == "untraced" else f"{n}, + ns" for n in names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for program, row in times.items():
        base = statistics.median(row["untraced"]) if row.get("untraced") else 0
        print(f"| {program} | " + " | ".join(cell(row.get(n, []), 0 if n == "untraced" else base) for n in names) + " |")


def many(arguments, work, failures):
    """One long run, from eight threads: what is lost, and how large it gets."""
    prefix, environment = tools(arguments, work)["cugantt"]
    times, err, memory = measure([*prefix, str(work / "programs"), f"threads:{arguments.many}"], environment, failures)
    for trace in work.glob("bench-*.cgt"):
        size = trace.stat().st_size
        print(f"{arguments.many} launches from 8 threads: {times.get('threads')} ns each, {size} bytes, "
              f"{size / arguments.many:.1f} a launch; memory {memory:.0f} MiB; {err.strip().splitlines()[-1]}\n")
        trace.unlink()


class Results:
    """What has been measured so far."""

    def __init__(self):
        self.times, self.traces, self.memory = {}, {}, {}

    def add(self, tool, values, memory):
        for program, value in values.items():
            self.times.setdefault(program, {}).setdefault(tool, []).append(value)
        group = "torch" if "torch" in values else "the others"
        self.memory[group, tool] = max(memory, self.memory.get((group, tool), 0))
        return group

    def show(self):
        table(self.times)
        print("\nTraces:")
        for group, line in self.traces.items():
            print(f"  {group}: {line}")
        print("\nMemory of the largest process, MiB:")
        for (group, tool), memory in self.memory.items():
            print(f"  {group}, {tool}: {memory:.0f}")


def rounds(arguments, work, results, failures):
    begin = time.monotonic()
    for number in range(arguments.rounds):
        for tool, command, environment in runs(arguments, work, number):
            started = time.monotonic()
            if started - begin > arguments.limit:
                return
            values, err, memory = measure(command, environment, failures)
            print(f"round {number + 1}: {tool}: {values} ns, {memory:.0f} MiB, {time.monotonic() - started:.1f} s", file=sys.stderr)
            group = results.add(tool, values, memory)
            if arguments.json:
                pathlib.Path(arguments.json).write_text(json.dumps(results.times))
            for trace in work.glob("bench-*.cgt"):
                results.traces[group] = f"{trace.stat().st_size} bytes; {(err.strip().splitlines() or [''])[-1]}"
                trace.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=3, help="rounds with PyTorch, and with " + ", ".join(SLOW))
    parser.add_argument("--json", help="raw times, written as they come")
    parser.add_argument("--all", action="store_true", help="also PyTorch under nsys, whose own work then takes minutes")
    parser.add_argument("--limit", type=float, default=float("inf"), help="start nothing new after this many seconds")
    parser.add_argument("--programs", nargs="+", default=PROGRAMS, help="only these")
    parser.add_argument("--tools", nargs="+", default=TOOLS, help="only these")
    parser.add_argument("--many", type=int, default=0, help="first, record this many launches once and count what is lost")
    arguments = parser.parse_args()
    results, failures = Results(), []
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        build(work)
        if arguments.many:
            many(arguments, work, failures)
        rounds(arguments, work, results, failures)
        results.show()
    print("\n".join(failures), file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
