"""numba_to_device.py CASE: the question's experiments with Numba itself, one letter each (a to i; g also as g-stream, g-pinned and
g-stream-pinned). Prints what each timed part took on the host. Record it:

    cugantt record -o numba-a.cgt -- python3 docs/examples/numba_to_device.py a
"""
import sys
import time

import numpy

if not hasattr(numpy, "row_stack"):  # gone in NumPy 2.5, and Numba asks for it while it is imported
    numpy.row_stack = numpy.vstack

from numba import cuda  # noqa: E402

SIDE, MATRIX, PRODUCTS, ROUNDS = 10_000, 2048, 60, 3


@cuda.jit
def product(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


def timed(what, call):
    begin = time.perf_counter()
    result = call()
    print(f"{what}: {(time.perf_counter() - begin) * 1e3:.3f} ms")
    return result


def copies(array, stream=0):
    for _ in range(ROUNDS):
        timed("to_device", lambda: cuda.to_device(array, stream=stream))
        cuda.synchronize()


def synchronise_after(array, stream=0):
    for _ in range(ROUNDS):
        cuda.to_device(array, stream=stream)  # the line of %%timeit: set-up, not timed
        timed("synchronize", cuda.synchronize)


def synchronise_first(array, stream):
    for _ in range(ROUNDS):
        cuda.synchronize()
        timed("to_device", lambda: cuda.to_device(array, stream=stream))


def behind_kernels(array, stream=0):
    a, b = (cuda.to_device(numpy.ones((MATRIX, MATRIX), numpy.float32)) for _ in range(2))
    c = cuda.device_array((MATRIX, MATRIX), numpy.float32)
    target = cuda.device_array(array.shape, array.dtype)
    launch = product[(MATRIX // 16, MATRIX // 16), (16, 16)]
    launch(a, b, c)  # compiles
    cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(PRODUCTS):
        launch(a, b, c)
    print(f"launches: {(time.perf_counter() - begin) * 1e3:.3f} ms")
    target.copy_to_device(array, stream=stream)
    print(f"and to_device: {(time.perf_counter() - begin) * 1e3:.3f} ms")
    cuda.synchronize()
    print(f"and synchronize: {(time.perf_counter() - begin) * 1e3:.3f} ms")


def main(case):
    letter, *more = case.split("-")
    pinned = letter == "i" or "pinned" in more
    array = cuda.pinned_array((SIDE, SIDE)) if pinned else numpy.empty((SIDE, SIDE))
    array[:] = 1
    stream = cuda.stream() if letter in "def" or "stream" in more else 0
    cuda.synchronize()
    if letter == "b":
        cuda.to_device(array)
        cuda.synchronize()
        for _ in range(ROUNDS):
            timed("synchronize", cuda.synchronize)
    elif letter in "adh":
        copies(array, stream)
    elif letter in "ce":
        synchronise_after(array, stream)
    elif letter == "f":
        synchronise_first(array, stream)
    elif letter == "g":
        behind_kernels(array, stream)
    elif letter == "i":
        copies(array)
        copies(array, cuda.stream())


main(sys.argv[1])
