"""What the tests that record programs on the GPU share."""
import glob
import os
import struct
import subprocess

SKIPPED = 77
MEMSET, KERNEL, END = 18, 16, 33


def skip(*needed):
    """Why the test cannot run here, or None. `needed`: files."""
    if not os.path.exists("/dev/nvidiactl"):
        return "no GPU"
    missing = [path for path in needed if not os.path.exists(path)]
    return f"not here: {missing[0]}" if missing else None


def records(trace, kind):
    """Payloads of the records of one kind, read with nothing of the product (timeline/format.h)."""
    with open(trace, "rb") as file:
        data = file.read()
    at = 24
    while at + 48 <= len(data):
        magic, block_kind, _, count, size, payload = struct.unpack_from("<4sHHIIQ", data, at)
        assert magic == b"CGTB", f"no block at {at} of {trace}"
        if block_kind == kind and at + 48 + payload <= len(data):
            yield from (data[at + 48 + i * size:at + 48 + (i + 1) * size] for i in range(count))
        at += 48 + payload


def count(trace, kind):
    return sum(1 for _ in records(trace, kind))


def run(command, timeout=60, **options):
    """Runs a program; its returncode is negative if a signal killed it. A hang is an error."""
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, **options)


def record(cugantt, directory, command, *options, timeout=60, **more):
    """Records into `directory`, gives what the recorder gives, and the traces."""
    os.makedirs(directory, exist_ok=True)
    done = run([cugantt, "record", "-o", os.path.join(directory, "t.cgt"), *options, "--", *command], timeout, **more)
    return done, sorted(glob.glob(os.path.join(directory, "*.cgt")))


class Checks:
    """Collects failures, so that one run tells all of them."""

    def __init__(self):
        self.failed = 0

    def that(self, condition, what):
        self.failed += not condition
        print("ok  " if condition else "FAIL", what, flush=True)

    def status(self):
        return 1 if self.failed else 0
