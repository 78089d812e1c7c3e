"""torch_ops.py none|kineto|proton: 100,000 tiny PyTorch operations; prints "torch" and the nanoseconds that one took."""
import contextlib
import os
import sys
import tempfile
import time

import torch

COUNT = 100_000
a = torch.ones(8, device="cuda")


def work(count):
    for _ in range(count):
        torch.add(a, a, out=a)
    torch.cuda.synchronize()


@contextlib.contextmanager
def kineto():
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA], acc_events=True):
        yield


@contextlib.contextmanager
def proton():
    import triton.profiler as profiler
    profiler.start(os.path.join(tempfile.mkdtemp(), "proton"))
    yield
    profiler.finalize()


work(1000)
with {"none": contextlib.nullcontext, "kineto": kineto, "proton": proton}[sys.argv[1]]():
    work(1000)
    begin = time.perf_counter_ns()
    work(COUNT)
    print("torch", (time.perf_counter_ns() - begin) / COUNT)
