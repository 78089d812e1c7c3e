#!/usr/bin/env python3
"""test_profilers.py CUGANTT GPU-CASES [GPU-CLIENT] - programs under other profilers, or with one inside: they run
unharmed, and the recorder names the cause where it could not record."""
import glob
import os
import shutil
import sys
import tempfile
import time

from program import KERNEL, MEMSET, SKIPPED, Checks, count, record, run, skip

WORK = 300  # memsets, see cases.c
TORCH = """
import torch
from torch.profiler import profile, ProfilerActivity
x = torch.ones(1000, device="cuda")
def work(times):
    global x
    for _ in range(times): x = x + 1
    torch.cuda.synchronize()
def profiled():
    with profile(activities=[ProfilerActivity.CUDA]) as p: work(50)
    return sum("elementwise" in e.name for e in p.events())
work(100)
print(int(x[0].item()), "at first; kernels seen:", profiled(), "then:", profiled())
"""


def find_nsys():
    found = shutil.which("nsys") or sorted(glob.glob("/opt/nvidia/*/*/host/target-linux-x64/nsys"))[-1:]
    return found if isinstance(found, str) else next(iter(found), None)


def shown(name, done, traces, begin):
    print(f"--- {name}: status {done.returncode}, {time.monotonic() - begin:.1f} s, memsets",
          [count(trace, MEMSET) for trace in traces])
    print("stdout:", done.stdout[-600:].strip())
    print("stderr:", done.stderr[-600:].strip())


def tried(name, cugantt, directory, command, *options):
    begin = time.monotonic()
    done, traces = record(cugantt, os.path.join(directory, name), command, *options, cwd=directory)
    shown(name, done, traces, begin)
    return done, traces


def check_client(check, cugantt, client, directory):
    untraced = run([client])
    print("untraced:", untraced.stdout.strip())
    done, traces = tried("client", cugantt, directory, [client])
    check.that(done.returncode == untraced.returncode, "client: the same status")
    check.that(done.stdout == untraced.stdout, "client: it gets its records as ever")
    check.that("another profiler" in done.stderr, "client: the cause is named")


def check_sanitizer(check, cugantt, cases, directory):
    if shutil.which("compute-sanitizer") is None:
        print("compute-sanitizer is not here")
        return
    done, traces = tried("sanitizer", cugantt, directory, ["compute-sanitizer", cases, "return"])
    check.that(done.returncode == 3, "sanitizer: the program's status")
    check.that("ERROR SUMMARY: 0 errors" in done.stdout, "sanitizer: it does its work")


def check_nsys(check, cugantt, cases, directory):
    nsys = find_nsys()
    if nsys is None:
        print("nsys is not here")
        return
    nsys_command = [nsys, "profile", "-t", "cuda", "-s", "none", "--force-overwrite=true", "-o"]
    done, traces = tried("in-nsys", cugantt, directory, [*nsys_command, "a", cases, "return"])
    check.that("nsys" in done.stderr.splitlines()[-1], "nsys inside: the cause is named")
    check.that(traces == [], "nsys inside: no trace")
    begin = time.monotonic()
    trace = os.path.join(directory, "under-nsys.cgt")
    done = run([*nsys_command, "b", cugantt, "record", "-o", trace, cases, "return"], cwd=directory)
    shown("under-nsys", done, glob.glob(trace), begin)
    check.that(count(trace, MEMSET) == WORK, "nsys outside: cugantt records")
    check.that("in its place" in done.stdout + done.stderr, "nsys outside: who records is said")


def check_torch(check, cugantt, directory):
    untraced = run([sys.executable, "-c", TORCH])
    if untraced.returncode != 0:
        print("PyTorch is not here")
        return
    print("untraced:", untraced.stdout.strip())
    done, traces = tried("torch", cugantt, directory, [sys.executable, "-c", TORCH])
    check.that(done.returncode == 0, "torch: the program runs to its end")
    check.that("kernels seen: 50 then: 50" in untraced.stdout, "torch: untraced, its profiler sees all")
    check.that(done.stdout == untraced.stdout, "torch: its profiler sees all the same")
    check.that("another profiler in the program took CUPTI over" in done.stderr, "torch: the cause is named")
    check.that("unknown buffer" not in done.stderr, "torch: its profiler gets no buffer of ours")
    check.that(all(count(trace, KERNEL) >= 100 for trace in traces), "torch: what came before is in the trace")


def main(cugantt, cases, client=""):
    why = skip(cugantt, cases)
    if why is not None:
        print(why)
        return SKIPPED
    check = Checks()
    cugantt, cases, client = (os.path.abspath(path) if path else "" for path in (cugantt, cases, client))
    with tempfile.TemporaryDirectory() as directory:
        if client:
            check_client(check, cugantt, client, directory)
        check_sanitizer(check, cugantt, cases, directory)
        check_nsys(check, cugantt, cases, directory)
        check_torch(check, cugantt, directory)
    return check.status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
