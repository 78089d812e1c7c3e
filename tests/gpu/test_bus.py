#!/usr/bin/env python3
"""test_bus.py CUGANTT - samples the PCIe link of this machine's GPU: workloads, the program's first moments, parts, violent ends.

Exit status 77 (skipped) where there is no GPU, or where its counters cannot be had: then `record` must say why.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "samples"))
import bus_bytes  # noqa: E402

SKIPPED = 77
failed = 0


def that(condition, what):
    global failed
    failed += not condition
    print("ok  " if condition else "FAIL", what)


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    print("$", *command, "->", done.returncode, done.stderr.strip())
    return done


def told(cugantt, what, trace):
    return json.loads(run(cugantt, what, "--json", trace).stdout)


def check_workload(cugantt, trace, name, interval):
    recorded = run(cugantt, "run", name, f"--pcie={interval}", "-o", trace)
    that(recorded.returncode == 0 and "0 lost" in recorded.stderr, f"{name} is recorded, nothing is lost")
    if "not sampled" in recorded.stderr:
        sys.exit(SKIPPED)
    info = told(cugantt, "info", trace)
    samples, copies = bus_bytes.read(trace)
    that(samples[0][0] < copies[0][0] and samples[-1][1] > copies[-1][1], "samples from before the first copy to behind the last")
    that(info["buses"][0]["held_ns"] < 3e9, f"held for {info['buses'][0]['held_ns'] / 1e6:.0f} ms")
    that(bus_bytes.check(trace) is None, f"bytes under the curve: {bus_bytes.check(trace)}")


def check_staging(report):
    sums = {(s["direction"], s["memory"]): s for s in report["sums"]}
    up, pinned = sums["to_device", "pageable"], sums["to_device", "pinned"]
    that(up["idle_share"] > 0.5, f"the link is idle for {up['idle_share']:.0%} of staged uploads")
    that(up["bursts"] > 4 and up["chunk_low_bytes"] <= up["chunk_bytes"] <= up["chunk_high_bytes"],
         f"{up['bursts']} bursts of {up['chunk_bytes']} bytes")
    that(up["gb_per_s_busy"] > 0.7 * pinned["gb_per_s_busy"], "bursts run about as fast as pinned copies")
    that(0.6 < pinned["gb_per_s_busy"] / report["peak_gb_per_s"] < 1, "pinned copies reach most of the link's rate")


def check_both(report):
    both = report["both_directions"]
    that(both is not None and both["ns"] > 0, "copies in both directions at once are seen")
    for direction in ("to_device", "from_device"):
        share = both[f"{direction}_gb_per_s"] / both[f"{direction}_alone_gb_per_s"]
        that(0.5 < share < 1.05, f"{direction}: {share:.2f} of its rate alone")


def check_part(cugantt, trace):
    """Nothing is sampled while recording is off."""
    recorded = run(cugantt, "record", "--pcie", "--delay", "600ms", "--duration", "60ms", "-o", trace, "--",
                   *workload(cugantt), "pageable", "--rounds", "40")
    that(recorded.returncode == 0 and "0 lost" in recorded.stderr, "a part is recorded")
    samples, _ = bus_bytes.read(trace)
    length = (samples[-1][1] - samples[0][0]) / 1e6
    that(30 < length < 200, f"samples for {length:.0f} ms")


def workload(cugantt):
    """The program of the workloads, which lies beside cugantt in a build."""
    return [str(pathlib.Path(cugantt).resolve().parent / "workloads" / "cugantt-workloads")]


def main(cugantt):
    if not os.path.exists("/dev/nvidiactl") or "cannot run here" in run(cugantt, "run", "--list").stderr:
        print("no GPU")
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "t.cgt")
        check_workload(cugantt, trace, "staging", "2us")
        check_staging(told(cugantt, "explain", trace)["bus"])
        check_workload(cugantt, trace, "both-ways", "2us")
        check_both(told(cugantt, "explain", trace)["bus"])
        check_workload(cugantt, trace, "pageable", "5us")
        check_part(cugantt, trace)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
