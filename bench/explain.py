"""explain.py BUILD [BUILD...] [--operations N] [--rounds N]: what explain takes for a large trace, made by bench/gen.

Wall and processor time and memory beyond the file, medians of rounds in turns, so that builds can be compared in one run.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("builds", nargs="+", type=pathlib.Path, metavar="BUILD")
arguments.add_argument("--operations", type=int, default=10_000_000)
arguments.add_argument("--rounds", type=int, default=5)
options = arguments.parse_args()


def explain(build, trace):
    begin = time.perf_counter()
    with open(os.devnull, "w") as null:
        process = subprocess.Popen([build / "cugantt", "explain", trace], stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{build}: explain failed")
    beyond = usage.ru_maxrss * 1024 - trace.stat().st_size
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, beyond / options.operations


with tempfile.TemporaryDirectory() as directory:
    trace = pathlib.Path(directory) / "large.cgt"
    subprocess.run([options.builds[0] / "bench/gen", str(options.operations), trace], check=True)
    print(f"{options.operations:,} operations, {trace.stat().st_size / 1e9:.2f} GB, {os.cpu_count()} processors, {options.rounds} rounds")
    runs = {build: [] for build in options.builds}
    for _ in range(options.rounds):
        for build in options.builds:
            runs[build].append(explain(build, trace))
    for build, results in runs.items():
        wall, processor, memory = (statistics.median(column) for column in zip(*results))
        least = min(result[0] for result in results)
        print(f"{build}: {wall:.2f} s (least {least:.2f}), {processor:.2f} s of processors, {memory:.0f} bytes an operation beyond the file")
