"""samples_readme.py CUGANTT: prints samples/README.md anew after the samples were recorded again."""
import hashlib
import json
import pathlib
import subprocess
import sys

# trace, what it must show, and how it was recorded if not by `cugantt run TRACE`
COMMANDS = {
    "staging": "cugantt run staging --pcie=2us",
    "both-ways": "cugantt run both-ways --pcie=2us",
    "numba-to-device": "cugantt record --pcie=2us -- python3 scripts/numba_to_device.py",
}
ROWS = [
    ("pageable", "pageable-staging and host-staging; no overlap"),
    ("pinned", "host-sync (the synchronous calls); copies at the link's rate; no staging"),
    ("default-stream", "legacy-default-stream, proven: each default-stream kernel runs alone"),
    ("explicit-stream", "over 80 % overlap; no legacy-default-stream"),
    ("pipeline-pageable", "pageable-staging and host-staging; overlap under 5 %"),
    ("pipeline-pinned", "overlap over 25 %; no staging; copies of one direction take turns"),
    ("staging", "the PCIe link idle for 60 to 95 % of staged uploads; bursts of one size; pinned uploads at 70 to 95 % of its raw rate"),
    ("both-ways", "pinned copies in both directions at once, and what each loses by that"),
    ("numba-to-device", "the same as `staging`, of a real `to_device`"),
]
SAMPLES = pathlib.Path("samples")
infos = [json.loads(subprocess.run([sys.argv[1], "info", "--json", SAMPLES / f"{name}.cgt"], capture_output=True, text=True).stdout)
         for name, _ in ROWS]
first = infos[0]
days = " and ".join(sorted({info["recorded"][:10] for info in infos}))
print(f"""# Samples

Traces of the built-in workloads, recorded on one {first['devices'][0]['name']} (driver {first['driver']}, CUDA {first['cuda']}, PCIe 5 x16) on
{days} by `sh scripts/on_gpu.sh OUT`. `cugantt info FILE` shows where each came from.

| trace | command | what it must show | sha256 |
|---|---|---|---|""")
for name, shows in ROWS:
    digest = hashlib.sha256((SAMPLES / f"{name}.cgt").read_bytes()).hexdigest()
    print(f"| [{name}.cgt]({name}.cgt) | `{COMMANDS.get(name, f'cugantt run {name}')}` | {shows} | `{digest}` |")
print("""
The test `bus-bytes` compares what the link carried during each copy with the copy's bytes, to 5 %. The test `samples` asserts the third and fourth column, and that every trace is whole, below 200 KB, has its gaps explained to
98 % or more, renders to the same bytes twice, and can be cut anywhere without a crash.""")
