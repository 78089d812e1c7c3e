"""What most Numba programs do: upload an array from NumPy's pageable memory. `cugantt record --pcie` shows what it costs."""
import numpy

if not hasattr(numpy, "row_stack"):  # gone in NumPy 2.5, and Numba asks for it while it is imported
    numpy.row_stack = numpy.vstack

from numba import cuda  # noqa: E402

values = numpy.ones(4 << 20, dtype=numpy.float32)  # 16 MiB
pinned = cuda.pinned_array_like(values)
pinned[:] = values
on_device = cuda.to_device(values)
on_device.copy_to_device(pinned)
on_device.copy_to_host(values)
cuda.synchronize()
