"""samples_readme.py CUGANTT: prints samples/README.md anew after the samples were recorded again."""
import hashlib
import json
import pathlib
import subprocess
import sys

ROWS = [
    ("pageable", "pageable-staging and host-staging; no overlap"),
    ("pinned", "host-sync (the synchronous calls); copies at the link's rate; no staging"),
    ("default-stream", "legacy-default-stream, proven: each default-stream kernel runs alone"),
    ("explicit-stream", "over 80 % overlap; no legacy-default-stream"),
    ("pipeline-pageable", "pageable-staging and host-staging; overlap under 5 %"),
    ("pipeline-pinned", "overlap over 25 %; no staging; copies of one direction take turns"),
]
SAMPLES = pathlib.Path("samples")
first = json.loads(subprocess.run([sys.argv[1], "info", "--json", SAMPLES / "pageable.cgt"], capture_output=True, text=True).stdout)
print(f"""# Samples

Traces of the built-in workloads, recorded on one {first['devices'][0]['name']} (driver {first['driver']}, CUDA {first['cuda']}, PCIe 5 x16) on
{first['recorded'][:10]} by `sh scripts/on_gpu.sh OUT`. `cugantt info FILE` shows where each came from.

| trace | command | what it must show | sha256 |
|---|---|---|---|""")
for name, shows in ROWS:
    digest = hashlib.sha256((SAMPLES / f"{name}.cgt").read_bytes()).hexdigest()
    print(f"| [{name}.cgt]({name}.cgt) | `cugantt run {name}` | {shows} | `{digest}` |")
print("""
The test `samples` asserts the third and fourth column, and that every trace is whole, below 200 KB, has its gaps explained to
98 % or more, renders to the same bytes twice, and can be cut anywhere without a crash.""")
