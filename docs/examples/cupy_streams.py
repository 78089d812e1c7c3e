"""CuPy: two chunks on two streams, uploaded from NumPy's pageable memory and then from pinned memory.

    cugantt record -o cupy.cgt -- python3 docs/examples/cupy_streams.py
"""
import cupy
import numpy

CHUNK, CHUNKS = 16 << 20, 4  # 64 MiB of float32


def pinned_like(array):
    memory = cupy.cuda.alloc_pinned_memory(array.nbytes)
    pinned = numpy.frombuffer(memory, array.dtype, array.size)
    pinned[:] = array
    return pinned


def run(host, streams):
    for i in range(CHUNKS):
        with streams[i % 2] as stream:
            chunk = chunks[i % 2]
            chunk.set(host, stream=stream)
            for _ in range(20):
                cupy.sin(chunk, out=chunk)
    cupy.cuda.Device().synchronize()


pageable = numpy.ones(CHUNK, numpy.float32)
pinned = pinned_like(pageable)
streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
chunks = [cupy.empty(CHUNK, numpy.float32) for _ in range(2)]
cupy.sin(chunks[0], out=chunks[0])  # compiles
cupy.cuda.Device().synchronize()
run(pageable, streams)
run(pinned, streams)
