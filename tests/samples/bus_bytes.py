"""bus_bytes.py TRACE...: what the PCIe link carried while a copy ran, against the copy's own bytes.

Reads the file afresh (timeline/FORMAT.md), with nothing of the product. The counters count packets: with the usual packets of
256 bytes an upload comes with 12 bytes of header for each and asks for each with 16 the other way, a download has 16."""
import struct
import sys

WITHIN = 0.05
UPLOAD, DOWNLOAD, REQUEST = 1 + 12 / 256, 1 + 16 / 256, 16 / (256 + 12)
LEAST_BYTES = 1 << 20  # less takes but a few samples, of which the first and last lie half outside


def blocks(trace):
    with open(trace, "rb") as file:
        data = file.read()
    at = 24
    while at + 48 <= len(data):
        kind, _, count, size, payload = struct.unpack_from("<HHIIQ", data, at + 4)
        yield kind, [data[at + 48 + i * size:at + 48 + (i + 1) * size] for i in range(count)]
        at += 48 + payload


def read(trace):
    """samples: (begin, end, to, from); copies: (begin, end, bytes, is upload)"""
    samples, copies = [], []
    for kind, records in blocks(trace):
        for record in records:
            if kind == 27:
                begin, end, _, _, to, back = struct.unpack_from("<qqIIII", record)
                samples.append((begin, end, to, back))
            elif kind == 17:
                begin, end = struct.unpack_from("<qq", record)
                size, copy_kind = struct.unpack_from("<QI", record, 48)
                if copy_kind in (1, 2):
                    copies.append((begin, end, size, copy_kind == 1))
    return sorted(samples), sorted(copies)


def carried(samples, begin, end, direction):
    """bytes on the link in that time, samples at its ends in part"""
    return sum(sample[direction] * (min(sample[1], end) - max(sample[0], begin)) / (sample[1] - sample[0])
               for sample in samples if sample[1] > begin and sample[0] < end)


def ratios(trace):
    """of each copy of LEAST_BYTES or more that shares its direction with no other: (bytes, is upload, bytes of the link / bytes)"""
    samples, copies = read(trace)
    for begin, end, size, upload in copies:
        alone = sum(b < end and e > begin and u == upload for b, e, _, u in copies) == 1
        if size < LEAST_BYTES or not alone:
            continue
        to, back = carried(samples, begin, end, 2), carried(samples, begin, end, 3)
        yield size, upload, (to / UPLOAD if upload else (back - REQUEST * to) / DOWNLOAD) / size


def check(trace):
    """None, or what is wrong"""
    found = list(ratios(trace))
    off = [f"{size} bytes {'to' if upload else 'from'} the device: {ratio:.3f} of them on the link"
           for size, upload, ratio in found if abs(ratio - 1) > WITHIN]
    return f"{trace}: " + ("; ".join(off) if found else "no copies") if off or not found else None


if __name__ == "__main__":
    failures = [text for text in map(check, sys.argv[1:]) if text]
    for trace in sys.argv[1:]:
        print(trace, *(f"{size >> 10} KiB {'up' if upload else 'down'} {ratio:.3f}" for size, upload, ratio in ratios(trace)), sep="\n  ")
    sys.exit("\n".join(failures) or 0)
