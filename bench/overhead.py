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

HERE = pathlib.Path(__file__).resolve().parent
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
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    for line in done.stdout.splitlines():
        try:
            return float(line), done.stderr
        except ValueError:
            continue
    failures.append(f"{' '.join(map(str, command))}: status {done.returncode}: {(done.stderr or done.stdout)[-300:]}")
    return None, done.stderr


def runs(arguments, work):
    """(row, tool, command, environment)"""
    for tool, (prefix, environment) in tools(arguments, work).items():
        for program in PROGRAMS:
            yield program, tool, [*prefix, str(work / "programs"), program], environment
        if arguments.torch:
            yield "torch", tool, [*prefix, sys.executable, str(HERE / "torch_ops.py"), "none"], environment
    if arguments.torch:
        for tool in ("kineto", "proton"):
            yield "torch", tool, [sys.executable, str(HERE / "torch_ops.py"), tool], {}


def table(times):
    names = [n for n in ("untraced", "floor", "cugantt", "nsys", "kineto", "proton") if any(n in row for row in times.values())]
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
    parser.add_argument("--json")
    parser.add_argument("--no-torch", dest="torch", action="store_false")
    parser.add_argument("--many", type=int, default=0, help="at the end, record this many launches once and count what is lost")
    arguments = parser.parse_args()
    times, failures, told = {}, [], []
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        build(work)
        for number in range(arguments.rounds):
            for program, tool, command, environment in runs(arguments, work):
                value, stderr = measure(command, environment, failures)
                if value is not None:
                    times.setdefault(program, {}).setdefault(tool, []).append(value)
                for trace in work.glob("bench-*.cgt"):
                    told.append((program, trace.stat().st_size, stderr.strip().splitlines()[-1] if stderr else ""))
                    trace.unlink()
            print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr)
        table(times)
        print("\nTraces of the last round:")
        for program, size, line in told[-len(times):]:
            print(f"  {program}: {size} bytes; {line}")
        if arguments.many:
            prefix, environment = tools(arguments, work)["cugantt"]
            value, stderr = measure([*prefix, str(work / "programs"), "launches", str(arguments.many)], environment, failures)
            sizes = [trace.stat().st_size for trace in work.glob("bench-*.cgt")]
            print(f"\n{arguments.many} launches: {value} ns each, {sizes} bytes; {stderr.strip()}")
    print("\n".join(failures), file=sys.stderr)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(times))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
