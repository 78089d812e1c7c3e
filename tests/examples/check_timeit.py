"""check_timeit.py SCRIPT: IPython times the cell below `%%timeit`, not the line it stands on, as docs/to_device.md says."""
import subprocess
import sys

try:
    import IPython  # noqa: F401
except ImportError:
    sys.exit("needs IPython: pip install ipython (scripts/test.sh does)")

output = subprocess.run([sys.executable, sys.argv[1]], check=True, capture_output=True, text=True).stdout
header, *rows = output.splitlines()
assert header.split()[:4] == ["case", "cell", "%timeit", "says"], header
numbers = {row[0]: row.split()[-3:] for row in rows}
assert sorted(numbers) == list("abcdef"), output
COPY_MS = 50
for case, (says, to_device, synchronize) in numbers.items():
    if case != "b":  # the copy ran in every one of them
        assert float(to_device) >= COPY_MS, (case, output)
    if case in "cef":
        assert float(synchronize) >= 1, (case, output)
    timed_copy = case in "adf"
    assert (float(says) >= COPY_MS) == timed_copy, (case, output)
