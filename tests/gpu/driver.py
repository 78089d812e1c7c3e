"""driver.py CASE: Python programs that use the GPU through the driver alone: no package for that is everywhere."""
import ctypes
import multiprocessing
import os
import sys

MEMSETS = 100


def memsets(number):
    cuda = ctypes.CDLL("libcuda.so.1")
    context, memory = ctypes.c_void_p(), ctypes.c_uint64()
    for result in (cuda.cuInit(0), cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
                   cuda.cuCtxSetCurrent(context), cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(4096))):
        assert result == 0, result
    for i in range(number):
        assert cuda.cuMemsetD8Async(memory, ctypes.c_ubyte(i), ctypes.c_size_t(4096), None) == 0
    assert cuda.cuCtxSynchronize() == 0


def case_exception():
    memsets(MEMSETS)
    raise RuntimeError("nobody catches this")


def case_exit_from_thread():
    import threading
    memsets(MEMSETS)
    threading.Thread(target=os.abort).start()


def spread(method):
    """Three workers, each of its own; they outlive their work by a few flushes, since forked ones end by _exit()."""
    context = multiprocessing.get_context(method)
    workers = [context.Process(target=worker) for _ in range(3)]
    for process in workers:
        process.start()
    for process in workers:
        process.join()
    sys.exit(sum(process.exitcode != 0 for process in workers))


def worker():
    import time
    memsets(MEMSETS)
    time.sleep(0.4)


def case_fork():
    spread("fork")


def case_spawn():
    spread("spawn")


def case_used_then_fork():
    """The parent has used CUDA; its workers do not, and must end at once."""
    memsets(MEMSETS)
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=len, args=("",)) for _ in range(3)]
    for process in workers:
        process.start()
    for process in workers:
        process.join(20)
    sys.exit(sum(process.exitcode != 0 for process in workers))


def case_terminate():
    """A worker that is told to end in the middle of its work."""
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=until_terminated, args=(ready,))
    process.start()
    ready.wait(30)
    process.terminate()
    process.join(20)
    sys.exit(process.exitcode != -15)


def until_terminated(ready):
    import time
    memsets(MEMSETS)
    ready.set()
    time.sleep(20)


if __name__ == "__main__":
    globals()["case_" + sys.argv[1].replace("-", "_")]()
