"""check_samples.py CUGANTT SAMPLES: every shipped trace opens whole, matches its checksum, and shows what it must.

What each must show is the table in SAMPLES/README.md; the bounds here are the same in numbers."""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

cugantt, samples = sys.argv[1], pathlib.Path(sys.argv[2])
RENDERS = "--no-render" not in sys.argv[3:]

# finding ids that must be there, that must not, and bounds of the overlap
EXPECTED = {
    "pageable": ({"pageable-staging", "host-staging"}, {"legacy-default-stream"}, (0, 0.05)),
    "pinned": ({"host-sync"}, {"pageable-staging", "host-staging"}, (0, 0.05)),
    "default-stream": ({"legacy-default-stream"}, {"pageable-staging"}, (0.15, 0.5)),
    "explicit-stream": (set(), {"legacy-default-stream", "pageable-staging"}, (0.8, 1)),
    "pipeline-pageable": ({"pageable-staging", "host-staging"}, {"legacy-default-stream"}, (0, 0.05)),
    "pipeline-pinned": (set(), {"pageable-staging", "host-staging", "legacy-default-stream"}, (0.25, 1)),
    "staging": ({"pageable-staging"}, {"legacy-default-stream"}, (0, 0.05)),
    "both-ways": (set(), {"pageable-staging", "host-staging"}, (0.15, 0.5)),
    "numba-to-device": ({"pageable-staging"}, {"legacy-default-stream"}, (0, 0.05)),
}
# with samples of the PCIe link: share of staged uploads in which it is idle, share of its raw rate that pinned copies reach
ON_THE_BUS = {"staging": (0.6, 0.95), "numba-to-device": (0.6, 0.95), "both-ways": None}
PINNED_SHARE = (0.7, 0.95)
# what the wall time would be without a finding, against the trace that was recorded without it
TWINS = {("default-stream", "legacy-default-stream"): "explicit-stream", ("pageable", "pageable-staging"): "pinned",
         ("pipeline-pageable", "host-staging"): "pipeline-pinned", ("pipeline-pageable", "pageable-staging"): "pipeline-pinned"}
PREDICTED_WITHIN = 0.1
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def run(*arguments):
    return subprocess.run([cugantt, *map(str, arguments)], capture_output=True, text=True)


def check_findings(name, path):
    wanted, unwanted, (low, high) = EXPECTED[name]
    told = json.loads(run("explain", "--json", "--critical-path", path).stdout)
    check(told["replayed_wall_ns"] == told["wall_ns"], f"{name}: replayed with nothing removed, it is another")
    critical = told["critical_path"]
    check(sum(part["ns"] for part in critical["parts"]) == told["wall_ns"], f"{name}: the critical path is the wall time")
    ends = [0] + [step["end_ns"] for step in critical["steps"]]
    check([step["begin_ns"] for step in critical["steps"]] == ends[:-1], f"{name}: its steps lie end to end")
    found = {finding["id"]: finding for finding in told["findings"]}
    check(wanted <= found.keys(), f"{name}: finds {sorted(found)}, must find {sorted(wanted)}")
    check(not unwanted & found.keys(), f"{name}: must not find {sorted(unwanted & found.keys())}")
    check(low <= told["overlap"] <= high, f"{name}: overlap {told['overlap']}, expected {low} to {high}")
    lost = dict(told["lost_by_cause"])
    check(lost.get("unexplained", 0) <= 0.02 * told["gap_ns"], f"{name}: {lost.get('unexplained')} ns unexplained")
    for cause in ("pageable-staging", "stream-order"):
        lost.pop(cause, None)
    check(sum(lost.values()) == told["gap_ns"], f"{name}: the causes sum to {sum(lost.values())}, the gaps to {told['gap_ns']}")
    if "legacy-default-stream" in wanted:
        check(found["legacy-default-stream"]["confidence"] == "proven", f"{name}: legacy-default-stream is not proven")


def check_predictions():
    names = {name for name, _ in TWINS} | set(TWINS.values())
    told = {name: json.loads(run("explain", "--json", samples / f"{name}.cgt").stdout) for name in names}
    for (name, cause), twin in TWINS.items():
        predicted = {finding["id"]: finding for finding in told[name]["findings"]}[cause]["predicted_wall_ns"]
        measured = told[twin]["wall_ns"]
        check(abs(predicted - measured) <= PREDICTED_WITHIN * measured,
              f"{name} without {cause}: predicted {predicted}, {twin} measured {measured}")


def check_bus(name, path):
    report = json.loads(run("explain", "--json", path).stdout).get("bus")
    check(report is not None, f"{name}: was not sampled")
    sums = {(part["direction"], part["memory"]): part for part in report["sums"]} if report else {}
    pinned = sums.get(("to_device", "pinned"), {"gb_per_s_busy": 0})["gb_per_s_busy"] / report["peak_gb_per_s"]
    check(PINNED_SHARE[0] < pinned < PINNED_SHARE[1], f"{name}: pinned uploads reach {pinned:.2f} of the link's rate")
    if ON_THE_BUS[name] is None:
        check(report["both_directions"] is not None, f"{name}: no copies in both directions at once")
        return
    low, high = ON_THE_BUS[name]
    staged = sums["to_device", "pageable"]
    check(low < staged["idle_share"] < high, f"{name}: the link is idle for {staged['idle_share']:.2f} of staged uploads")
    check(staged["chunk_bytes"] > 0, f"{name}: the staging chunk is not known")


def check_render(name, path, directory):
    charts = [pathlib.Path(directory, f"{name}-{i}.png") for i in range(2)]
    for chart in charts:
        check(run("render", path, "-o", chart).returncode == 0, f"{name}: does not render")
    one, two = (chart.read_bytes() for chart in charts)
    check(one == two, f"{name}: rendered twice, different bytes")
    check(int.from_bytes(one[16:20], "big") == 1600, f"{name}: not 1600 px wide")


def cut_offsets(data):
    """Every block's first byte and the bytes around it, and some others: about 200 offsets a file."""
    offset, cuts = 24, set(range(0, len(data), max(1, len(data) // 100)))
    while offset + 48 <= len(data):
        cuts.update((offset - 1, offset, offset + 1, offset + 47, offset + 48))
        offset += 48 + int.from_bytes(data[offset + 16:offset + 24], "little")
    return sorted(cut for cut in cuts if 0 <= cut < len(data))


def check_cuts(name, path, directory):
    data = path.read_bytes()
    short = pathlib.Path(directory, "cut.cgt")
    for cut in cut_offsets(data):
        short.write_bytes(data[:cut])
        for command in ("explain", "info", "check"):
            status = run(command, short).returncode
            check(status in (0, 1), f"{name} cut at {cut}: {command} ends with {status}")


readme = (samples / "README.md").read_text()
with tempfile.TemporaryDirectory() as directory:
    for name in EXPECTED:
        path = samples / f"{name}.cgt"
        data = path.read_bytes()
        check(len(data) < 200_000, f"{name}: {len(data)} bytes")
        check(hashlib.sha256(data).hexdigest() in readme, f"{name}: README.md has another sha256")
        check(run("check", path).returncode == 0, f"{name}: not whole")
        check(not re.search(rb"/(work|home|root)/", data), f"{name}: holds a path of the machine that recorded it")
        check_findings(name, path)
        if name in ON_THE_BUS:
            check_bus(name, path)
        check_cuts(name, path, directory)
        if RENDERS:
            check_render(name, path, directory)
check_predictions()
print("\n".join(failures) or f"{len(EXPECTED)} samples")
sys.exit(bool(failures))
