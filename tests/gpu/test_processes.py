#!/usr/bin/env python3
"""test_processes.py CUGANTT GPU-CASES GPU-CASES-PTDS - forks, children, scripts and threads: a trace for each process
that uses CUDA, and no program that hangs."""
import os
import struct
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from program import END, KERNEL, MEMSET, SKIPPED, Checks, count, record, records, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
WORK, LATE, MEMSETS, THREADS = 300, 100, 100, 4  # see cases.c and driver.py


def cases_of(cases):
    """Name, command, memsets in each trace (sorted), whether all traces are ended."""
    driver = [sys.executable, os.path.join(HERE, "driver.py")]
    script = 'echo begin; "$0" return; "$0" return; echo end; exit 7'
    several = '"$0" return & "$0" return & "$0" return & wait'
    yield "fork", [cases, "fork"], [WORK, WORK], True
    yield "fork-idle", [cases, "fork-idle"], [WORK + LATE], True
    yield "fork-exec", [cases, "fork-exec"], [WORK, WORK], True
    yield "script", ["sh", "-c", script, cases], [WORK, WORK], True
    yield "several", ["sh", "-c", several, cases], [WORK, WORK, WORK], True
    yield "python-fork", [*driver, "fork"], [MEMSETS] * 3, False  # its workers end by _exit()
    yield "python-spawn", [*driver, "spawn"], [MEMSETS] * 3, True
    yield "python-used-then-fork", [*driver, "used-then-fork"], [MEMSETS], True
    yield "python-terminate", [*driver, "terminate"], [MEMSETS], True


def check_case(check, cugantt, directory, case):
    name, command, wanted, ended = case
    begin = time.monotonic()
    untraced = run(command)
    before = time.monotonic()
    traced, traces = record(cugantt, os.path.join(directory, name), command)
    print(f"{name}: untraced {before - begin:.1f} s, traced {time.monotonic() - before:.1f} s\n{traced.stderr}")
    check.that(traced.returncode == untraced.returncode,
               f"{name}: status {traced.returncode}, untraced {untraced.returncode}")
    check.that(traced.stdout == untraced.stdout, f"{name}: the same output")
    found = sorted(count(trace, MEMSET) for trace in traces)
    check.that(found == wanted, f"{name}: memsets {found}, expected {wanted}")
    check.that(not ended or all(count(trace, END) == 1 for trace in traces), f"{name}: each trace is ended")
    for trace in traces:
        check.that(run([cugantt, "info", trace]).returncode == 0, f"{name}: {os.path.basename(trace)} opens")
    check.that(len(traced.stderr.splitlines()) == len(wanted), f"{name}: a line for each process")


def check_threads(check, cugantt, directory, program, per_thread):
    """Each thread works in the default stream and in one of its own."""
    name = os.path.basename(program)
    traced, traces = record(cugantt, os.path.join(directory, name), [program, "threads"])
    check.that(traced.returncode == 0 and len(traces) == 1, f"{name}: recorded: {traced.stderr}")
    for trace in traces:
        streams = {struct.unpack_from("<I", r, 28)[0] for r in records(trace, KERNEL)}
        expected = THREADS + (THREADS if per_thread else 1)
        check.that(len(streams) == expected, f"{name}: {len(streams)} streams of {expected}")
        told = run([cugantt, "info", trace]).stdout.count("per-thread default")
        check.that(told == (THREADS if per_thread else 0), f"{name}: {told} of them per-thread default streams")


def main(cugantt, cases, cases_per_thread):
    why = skip(cugantt, cases, cases_per_thread)
    if why is not None:
        print(why)
        return SKIPPED
    check = Checks()
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit(check_case, check, cugantt, directory, case) for case in cases_of(cases)]
        for job in jobs:
            job.result()
        check_threads(check, cugantt, directory, cases, False)
        check_threads(check, cugantt, directory, cases_per_thread, True)
    return check.status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
