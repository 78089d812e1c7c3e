#!/usr/bin/env python3
"""test_parts.py CUGANTT GPU_PARTS - records parts of programs on this machine's GPU, by every option that says what.

PyTorch and Python's nvtx take part where they are installed. Exit status 77 (skipped) where there is no GPU.
"""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = 77
KERNELS = 3  # a step, as in parts.c

TORCH = """
import torch
a = torch.ones(64, device="cuda")
torch.cuda.synchronize()
for step in range(4):
    if step == 1:
        torch.cuda.profiler.start()
    with torch.cuda.nvtx.range(f"step {step}"):
        torch.cuda.nvtx.mark("here")
        for i in range(10):
            a = a * 2
    if step == 2:
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()
torch.cuda.synchronize()
"""

PYTHON_NVTX = """
import nvtx, torch
a = torch.ones(64, device="cuda")
with nvtx.annotate("outer", color="green"):
    with nvtx.annotate("inner", domain="my domain"):
        a = a * 2
    torch.cuda.synchronize()
"""


class Checks:
    """Collects failures, so that one run tells all of them."""

    def __init__(self, cugantt, directory):
        self.cugantt, self.directory, self.failed = cugantt, directory, 0

    def that(self, condition, what):
        self.failed += not condition
        print("ok  " if condition else "FAIL", what)

    def record(self, options, *program):
        """Records, and returns what `info` says and what `record` said."""
        trace = os.path.join(self.directory, "t.cgt")
        done = subprocess.run([self.cugantt, "record", "-o", trace, *options, "--", *program], capture_output=True,
                              text=True, timeout=100)
        print("$", *options, os.path.basename(program[0]), *program[1:2], "->", done.returncode, done.stderr.strip())
        self.that(done.returncode == 0, "is recorded")
        info = subprocess.run([self.cugantt, "info", "--json", trace], capture_output=True, text=True, timeout=60)
        info = json.loads(info.stdout)
        loss = {name: count for name, count in info["loss"].items() if count}
        if "--max-size" in options:  # a launch that CUPTI was switched off in has no times
            self.that(loss.pop("invalid", 0) <= 2, "at most two operations without times")
        self.that(not loss, f"loss: {loss}")
        return info, done.stderr


def kernels(info):
    return info["devices"][0]["kernels"] if info["devices"] else 0


def ranges(info, domain=""):
    """Ranges of all threads in the domain."""
    name = (domain + " " if domain else "") + "ranges of thread"
    return sum(lane["spans"] for lane in info["lanes"] if lane["name"].startswith(name))


def check_nvtx(check, parts):
    info, _ = check.record(["--nvtx"], parts, "steps")
    check.that(ranges(info) == 6, f"four steps, what is around them, and a mark: {ranges(info)}")
    check.that(kernels(info) == 4 * KERNELS, f"kernels: {kernels(info)}")
    info, _ = check.record([], parts, "steps")
    check.that(ranges(info) == 0, "no ranges unless asked for")


def check_ranges(check, parts):
    """Kernels that were still on their way when the range was left are there."""
    info, _ = check.record(["--range", "profiler"], parts, "steps")
    check.that(kernels(info) == 2 * KERNELS, f"kernels of steps 2 and 3: {kernels(info)}")
    check.that(len(info["pauses"]) == 2, f"pauses: {info['pauses']}")
    info, _ = check.record(["--range", "nvtx:step 3", "--nvtx"], parts, "steps")
    check.that(kernels(info) == KERNELS, f"kernels of step 3: {kernels(info)}")
    check.that(ranges(info) == 2, f"step 3 and what is around it: {ranges(info)}")
    _, said = check.record(["--range", "nvtx:step 9"], parts, "steps")
    check.that("never entered" in said, "says that the range was never entered")


def check_limits(check, parts):
    info, _ = check.record(["--delay", "1s", "--duration", "500ms"], parts, "slow", "300")
    check.that(10 <= kernels(info) <= 60, f"about 50 of 300 kernels: {kernels(info)}")
    reasons = [pause["reason"] for pause in info["pauses"]]
    check.that(len(reasons) == 2, f"pauses: {reasons}")
    info, said = check.record(["--max-size", "2MiB"], parts, "launches", "400000")
    size = os.path.getsize(os.path.join(check.directory, "t.cgt"))
    check.that(2 << 20 <= size < 24 << 20, f"{size} bytes; 400,000 launches take 54 MiB")
    check.that("stopped recording at 2 MiB" in said, "says that it stopped")


def check_choices(check, parts):
    info, _ = check.record(["--graphs", "whole"], parts, "graph", "50")
    device = info["devices"][0]
    check.that(device["graphs"] == 50, f"graphs: {device['graphs']}")
    check.that(device["kernels"] == 0, f"kernels: {device['kernels']}")
    info, _ = check.record([], parts, "graph", "50")
    check.that(kernels(info) == 50 * 20, f"kernels of graphs: {kernels(info)}")
    calls = {}
    for choice in ("all", "work", "blocking", "none"):
        info, _ = check.record(["--calls", choice], parts, "slow", "20")
        check.that(kernels(info) == 20, f"--calls {choice}: {kernels(info)} kernels")
        calls[choice] = info["calls"]
    check.that(calls["all"] >= calls["work"] > calls["blocking"] + 15, f"calls: {calls}")
    check.that(calls["blocking"] > 0 == calls["none"], f"calls: {calls}")


def check_python(check):
    if importlib.util.find_spec("torch") is None:
        print("no PyTorch here")
        return
    info, _ = check.record(["--nvtx"], sys.executable, "-c", TORCH)
    check.that(ranges(info) == 8, f"PyTorch: four steps with a mark each: {ranges(info)}")
    info, _ = check.record(["--range", "profiler"], sys.executable, "-c", TORCH)
    check.that(kernels(info) == 20, f"PyTorch, two of four steps: {kernels(info)} kernels")
    if importlib.util.find_spec("nvtx") is None:
        print("no nvtx package here")
        return
    info, _ = check.record(["--nvtx"], sys.executable, "-c", PYTHON_NVTX)
    check.that(ranges(info) >= 1, f"Python's nvtx, its own domain: {ranges(info)}")
    check.that(ranges(info, "my domain") == 1, f"Python's nvtx, another domain: {ranges(info, 'my domain')}")


def main(cugantt, parts):
    if not os.path.exists("/dev/nvidiactl"):
        print("no GPU")
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        check = Checks(cugantt, directory)
        check_nvtx(check, parts)
        check_ranges(check, parts)
        check_limits(check, parts)
        check_choices(check, parts)
        check_python(check)
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
