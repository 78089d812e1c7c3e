"""What does IPython's %%timeit time: the line it stands on, or the cell below it? Runs the cells of the question in a real
IPython and prints, for each, what %%timeit reports and what the calls themselves took.

    python3 docs/examples/timeit_line.py            # needs IPython; to_device and synchronize are stand-ins of 50 and 1 ms
    python3 docs/examples/timeit_line.py --numba    # Numba's own, with a GPU, and 800 MB
"""
import sys
import time

from IPython.core.interactiveshell import InteractiveShell

CELLS = [  # case of the question, line, cell
    ("a", "%timeit", "to_device(A)", ""),
    ("b", "%timeit", "synchronize()", ""),
    ("c", "%%timeit", "to_device(A)", "synchronize()"),
    ("d", "%timeit", "to_device(A, stream=stream)", ""),
    ("e", "%%timeit", "to_device(A, stream=stream)", "synchronize()"),
    ("f", "%%timeit", "synchronize()", "to_device(A, stream=stream)"),
]
took_ms = {}


def noted(name, function):
    def call(*args, **kwargs):
        begin = time.perf_counter()
        function(*args, **kwargs)
        took_ms.setdefault(name, []).append((time.perf_counter() - begin) * 1e3)
    return call


def stand_ins():
    def to_device(array, stream=0):
        time.sleep(0.05)

    def synchronize():
        time.sleep(0.001)

    return {"to_device": noted("to_device", to_device), "synchronize": noted("synchronize", synchronize), "A": None, "stream": 0}


def numba_calls():
    import numpy

    if not hasattr(numpy, "row_stack"):  # gone in NumPy 2.5, and Numba asks for it while it is imported
        numpy.row_stack = numpy.vstack
    from numba import cuda

    return {"to_device": noted("to_device", cuda.to_device), "synchronize": noted("synchronize", cuda.synchronize),
            "A": numpy.ones((10_000, 10_000)), "stream": cuda.stream()}


def mean(name):
    return f"{sum(took_ms[name]) / len(took_ms[name]):.3f}" if name in took_ms else "-"


def main(names):
    shell = InteractiveShell.instance()
    shell.push(names)
    shell.run_cell("to_device(A); synchronize()")  # what the first call sets up belongs to no case
    print(f"{'case':<6}{'cell':<56}{'%timeit says':>14}{'to_device':>12}{'synchronize':>14}  (means, ms)")
    for case, magic, line, cell in CELLS:
        took_ms.clear()
        if cell:
            result = shell.run_cell_magic("timeit", "-o -q -n1 " + line, cell)
        else:
            result = shell.run_line_magic("timeit", "-o -q -n1 " + line)
        text = f"{magic} {line}" + (f" / {cell}" if cell else "")
        print(f"{case:<6}{text:<56}{result.average * 1e3:14.3f}{mean('to_device'):>12}{mean('synchronize'):>14}")


main(numba_calls() if sys.argv[1:] == ["--numba"] else stand_ins())
