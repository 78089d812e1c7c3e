#!/usr/bin/env python3
"""test_exits.py CUGANTT GPU-CASES - programs that end in every way: what their traces have, and what the shell sees."""
import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from program import END, MEMSET, SKIPPED, Checks, count, record, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
EARLY, LATE = 200, 100  # memsets, see cases.c
MEMSETS = 100           # see driver.py

# Memsets that the trace must have at least, and whether it is ended.
WHOLE, CUT = (EARLY + LATE, True), (EARLY, False)
CASES = {
    "return": WHOLE, "exit-thread": WHOLE, "abort": WHOLE, "segv": WHOLE, "term": WHOLE, "int": WHOLE,
    "reset": (EARLY, True), "reset-kill": (2 * EARLY + LATE, False), "exit-now": CUT, "kill": CUT,
}
PYTHON_CASES = {"exception": (MEMSETS, True), "exit-from-thread": (MEMSETS, True)}
# Programs that a time limit ends: command in front of them, the signal, and what the trace has.
LIMITS = {
    ("endless", "TERM"): (signal.SIGTERM, WHOLE), ("endless", "KILL"): (signal.SIGKILL, CUT),
    ("launching", "TERM"): (signal.SIGTERM, WHOLE), ("launching", "INT"): (signal.SIGINT, WHOLE),
}


def check_trace(check, cugantt, name, traces, wanted):
    memsets, ended = wanted
    check.that(len(traces) == 1, f"{name}: one trace: {traces}")
    for trace in traces:
        check.that(run([cugantt, "info", trace]).returncode == 0, f"{name}: the trace opens")
        found = count(trace, MEMSET)
        check.that(found >= memsets, f"{name}: {found} memsets of {memsets}")
        check.that(count(trace, END) == ended, f"{name}: ended: {ended}")


def check_case(check, cugantt, directory, command, name, wanted):
    untraced = run(command)
    begin = time.monotonic()
    traced, traces = record(cugantt, os.path.join(directory, name), command)
    print(f"{name}: {time.monotonic() - begin:.1f} s, {traced.stderr.strip()}")
    check.that(traced.returncode == untraced.returncode,
               f"{name}: status {traced.returncode}, untraced {untraced.returncode}")
    check.that(traced.stdout == untraced.stdout, f"{name}: the same output")
    check_trace(check, cugantt, name, traces, wanted)


def check_limit(check, cugantt, directory, command, name, limit):
    """timeout(1) tells the recorder; the recorder tells the program. Killed, it takes the program along."""
    number, wanted = limit
    traces_in = os.path.join(directory, name)
    os.mkdir(traces_in)
    begin = time.monotonic()
    done = run(["timeout", "-s", name.split("-")[1], "4", cugantt, "record", "-o", os.path.join(traces_in, "t.cgt"),
                "--", *command])
    took = time.monotonic() - begin
    print(f"{name}: {took:.1f} s, {done.stderr.strip()}")
    check.that(done.returncode == (124 if number != signal.SIGKILL else -signal.SIGKILL),
               f"{name}: status {done.returncode}")
    check.that(took < 7, f"{name}: ends soon after the signal: {took:.1f} s")
    time.sleep(0.5)
    check_trace(check, cugantt, name, [os.path.join(traces_in, f) for f in os.listdir(traces_in)], wanted)
    check.that(not alive(traces_in), f"{name}: the program is gone")


def alive(text):
    """Processes with `text` in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if text.encode() in file.read():
                    found.append(pid)
        except OSError:
            pass
    return found


def main(cugantt, cases):
    why = skip(cugantt, cases)
    if why is not None:
        print(why)
        return SKIPPED
    check = Checks()
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(6) as pool:
        driver = [sys.executable, os.path.join(HERE, "driver.py")]
        jobs = [pool.submit(check_case, check, cugantt, directory, [cases, name], name, wanted)
                for name, wanted in CASES.items()]
        jobs += [pool.submit(check_case, check, cugantt, directory, [*driver, name], "python-" + name, wanted)
                 for name, wanted in PYTHON_CASES.items()]
        jobs += [pool.submit(check_limit, check, cugantt, directory, [cases, name], f"{name}-{how}", limit)
                 for (name, how), limit in LIMITS.items()]
        for job in jobs:
            job.result()
    return check.status()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
