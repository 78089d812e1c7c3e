"""check_explain.py CUGANTT SAMPLES: what explain prints fits 100 columns, and says what was asked for and no more."""
import json
import pathlib
import subprocess
import sys

cugantt, samples = sys.argv[1], sorted(pathlib.Path(sys.argv[2]).glob("*.cgt"))


def run(*arguments, status=0):
    done = subprocess.run([cugantt, "explain", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def fits(text):
    wide = [line for line in text.splitlines() if len(line) > 100]
    assert not wide, wide


causes = [line.split()[0] for line in run("--id", "list").splitlines() if not line.startswith(" ")]
assert len(causes) == 19, causes
fits(run("--id", "list"))
for cause in causes:
    page = run("--id", cause)
    fits(page)
    assert f"[{cause}]" in page and "How it is known:" in page and "What to do:" in page, page
assert run("--id", "list", samples[0]) == run("--id", "list")
assert "--id list" in run("--id", "no-such-cause", status=2)

assert "cugantt run probe" in run("--probe", samples[0], samples[0], status=1)
assert "no-such-file" in run("--probe", "no-such-file", samples[0], status=1)

for sample in samples:
    fits(run("--critical-path", "--details", sample))
    for device in json.loads(run("--json", "--details", sample))["details"]["devices"]:
        assert device["busy_ns"] + sum(device["idle_by_cause"].values()) == device["span_ns"], (sample, device)
    told = json.loads(run("--json", sample))["findings"]
    costs = [finding["cost_ns"] for finding in told]
    assert costs == sorted(costs, reverse=True), (sample, costs)
    if not told:
        continue
    assert json.loads(run("--json", "--top", 1, sample))["findings"] == told[:1]
    assert json.loads(run("--json", "--min-cost", f"{costs[0]}ns", sample))["findings"] == [f for f in told if f["cost_ns"] == costs[0]]
    assert json.loads(run("--json", "--id", told[-1]["id"], sample))["findings"] == told[-1:]
    few = run("--top", 1, sample)
    assert (f"{len(told) - 1} finding" in few) == (len(told) > 1), few
    assert few.count("Fix:") <= 1
print(f"{len(samples)} samples, {len(causes)} causes")
