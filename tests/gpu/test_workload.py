#!/usr/bin/env python3
"""test_workload.py CUGANTT WORKLOAD - records a workload on this machine's GPU and checks what its trace must show.

Exit status 77 (skipped) where there is no GPU or the workloads were not built.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

# Per workload: kernels, copies from and to pageable and pinned memory, findings that must be there and must not,
# bounds of the overlap (0 to 1). Counts follow from the workload's defaults.
STAGED = ["pageable-staging"]
EXPECTED = {
    "pageable": dict(kernels=0, pageable=8, pinned=0, has=STAGED, lacks=["legacy-default-stream"], overlap=(0, 0.05)),
    "pinned": dict(kernels=0, pageable=0, pinned=8, has=[], lacks=STAGED + ["host-staging"], overlap=(0, 0.05)),
    "default-stream": dict(kernels=9, pageable=0, pinned=0, has=["legacy-default-stream"], lacks=STAGED,
                           overlap=(0.1, 0.6)),
    "explicit-stream": dict(kernels=9, pageable=0, pinned=0, has=[], lacks=["legacy-default-stream"],
                            overlap=(0.8, 1)),
    "pipeline-pageable": dict(kernels=8, pageable=16, pinned=0, has=STAGED + ["host-staging"], lacks=[],
                              overlap=(0, 0.05)),
    "pipeline-pinned": dict(kernels=8, pageable=0, pinned=16, has=[], lacks=STAGED + ["host-staging"],
                            overlap=(0.25, 1)),
}
SKIPPED = 77


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    print("$", *command, "->", done.returncode)
    print(done.stderr, end="")
    return done


class Checks:
    """Collects failures, so that one run tells all of them."""

    def __init__(self):
        self.failed = 0

    def that(self, condition, what):
        self.failed += not condition
        print("ok  " if condition else "FAIL", what)


def records(trace, kind):
    """Payloads of the records of one kind: read here afresh, with nothing of the product (timeline/format.h)."""
    data, at = open(trace, "rb").read(), 24
    while at + 48 <= len(data):
        block_kind, _, count, size, payload = struct.unpack_from("<HHIIQ", data, at + 4)
        if block_kind == kind:
            yield from (data[at + 48 + i * size:at + 48 + (i + 1) * size] for i in range(count))
        at += 48 + payload


def check_order(check, trace):
    """Every operation has its call, and begins after it."""
    calls = {struct.unpack_from("<I", r, 16)[0]: struct.unpack_from("<q", r)[0] for r in records(trace, 19)}
    late = unmatched = 0
    for record in [*records(trace, 16), *records(trace, 17)]:
        begin, end, correlation = struct.unpack_from("<qqI", record)
        unmatched += correlation not in calls
        late += not calls.get(correlation, 0) <= begin <= end
    check.that(unmatched == 0, f"operations without a call: {unmatched}")
    check.that(late == 0, f"operations that begin before their call: {late}")


def check_info(check, info, expected):
    device = info["devices"][0] if len(info["devices"]) == 1 else None
    check.that(device is not None, f"one device does the work: {len(info['devices'])}")
    if device is None:
        return
    check.that(device["kernels"] == expected["kernels"], f"kernels: {device['kernels']}")
    for memory in ("pageable", "pinned"):
        check.that(device[memory]["count"] == expected[memory], f"{memory} copies: {device[memory]['count']}")
    check.that(device["copies"] == expected["pageable"] + expected["pinned"], f"no other copies: {device['copies']}")
    check.that(device["memsets"] == 0, "no memsets")
    for name, count in info["loss"].items():
        check.that(not count, f"loss, {name}: {count}")
    check.that(info["calls"] >= device["kernels"] + device["copies"], f"calls: {info['calls']}")
    check.that(info["driver"] != "" and info["cuda"] != "", f"driver {info['driver']}, CUDA {info['cuda']}")


def check_explain(check, explain, expected):
    findings = {finding["id"]: finding["confidence"] for finding in explain["findings"]}
    print("findings:", findings)
    for name in expected["has"]:
        check.that(name in findings, f"has {name}")
    for name in expected["lacks"]:
        check.that(name not in findings, f"lacks {name}")
    if "legacy-default-stream" in expected["has"]:
        check.that(findings.get("legacy-default-stream") == "proven", "legacy-default-stream is proven")
    low, high = expected["overlap"]
    check.that(low <= explain["overlap"] <= high, f"overlap {explain['overlap']:.3f} within {low} and {high}")
    unexplained = explain["lost_by_cause"].get("unexplained", 0)
    check.that(unexplained <= 0.02 * explain["gap_ns"], f"unexplained {unexplained} ns of {explain['gap_ns']} ns")


def main(cugantt, name):
    if not os.path.exists("/dev/nvidiactl"):
        print("no GPU")
        return SKIPPED
    if "cannot run here" in run(cugantt, "run", "--list").stderr:
        return SKIPPED
    check = Checks()
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, name + ".cgt")
        recorded = run(cugantt, "run", name, "-o", trace)
        check.that(recorded.returncode == 0, "the workload is recorded")
        check.that("0 lost" in recorded.stderr, "nothing is lost")
        check.that(run(cugantt, "check", trace).returncode == 0, "the file is whole")
        check.that(os.path.getsize(trace) < 200_000, f"the trace is small: {os.path.getsize(trace)} bytes")
        check_order(check, trace)
        check_info(check, json.loads(run(cugantt, "info", "--json", trace).stdout), EXPECTED[name])
        check_explain(check, json.loads(run(cugantt, "explain", "--json", trace).stdout), EXPECTED[name])
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
