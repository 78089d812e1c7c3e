"""check_probe.py CUGANTT ASSEMBLE [--no-render]: what info, explain and render make of a probe's trace."""
import json
import pathlib
import subprocess
import sys
import tempfile

cugantt, assemble, no_render = sys.argv[1], sys.argv[2], "--no-render" in sys.argv
PROBE = """property host here
device 0 name=Card
property probe.rate.to_device.pageable 1024:0.25,1048576:8
property probe.rate.to_device.pinned 1024:0.5,1048576:40
property probe.rate.from_device.pageable 1024:0.25,1048576:6
property probe.rate.from_device.pinned 1024:0.5,1048576:39
property probe.waits_from.to_device 65536
property probe.waits_from.from_device 0
property probe.queue_depth 1022
"""
WORK = """context 1 null=7
stream 7 null
call 1 0us 2ms cudaMemcpy
copy 1 7 0us 2ms htod pageable device 10M
end 3ms
"""


def run(*arguments, status=0):
    done = subprocess.run([cugantt, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


with tempfile.TemporaryDirectory() as directory:
    directory = pathlib.Path(directory)
    for name, text in {"probe": PROBE + WORK, "plain": "property host here\ndevice 0 name=Card\n" + WORK}.items():
        (directory / f"{name}.recipe").write_text(text)
        subprocess.run([assemble, directory / f"{name}.recipe", directory / f"{name}.cgt"], check=True)
    probe, plain, picture = (directory / name for name in ("probe.cgt", "plain.cgt", "rates.png"))

    told = json.loads(run("info", "--json", probe))["probe"]
    assert told["to_device"]["pinned"] == [{"bytes": 1024, "bytes_per_ns": 0.5}, {"bytes": 1048576, "bytes_per_ns": 40.0}], told
    assert told["from_device"]["waits_from_bytes"] == 0 and told["to_device"]["waits_from_bytes"] == 65536
    assert told["queue_depth"] == 1022 and told["launch_ns"] is None
    assert json.loads(run("info", "--json", plain))["probe"] is None
    table = run("info", probe)
    assert "".join("1 MiB 8.00 40.00 6.00 39.00".split()) in "".join(table.split()), table
    assert max(map(len, table.splitlines())) <= 100, table
    assert "probed" not in run("info", plain)

    # 10 MiB at 40 GB/s take 262 us of the 2 ms
    finding = json.loads(run("explain", "--json", "--probe", probe, plain))["findings"][0]
    assert finding["id"] == "pageable-staging" and finding["confidence"] == "proven", finding
    assert finding["cost_ns"] == 2000000 - 10 * 1048576 // 40, finding
    assert json.loads(run("explain", "--json", plain))["findings"][0]["confidence"] == "possible"

    if not no_render:
        run("render", "--bandwidth", probe, "-o", picture)
        drawn = picture.read_bytes()
        assert drawn.startswith(b"\x89PNG") and len(drawn) > 10000
        run("render", probe, "-o", picture)
        assert picture.read_bytes() != drawn
        picture.unlink()
        assert "cugantt run probe" in run("render", "--bandwidth", plain, "-o", picture, status=1)
        run("render", "--bandwidth", "--critical-path", probe, "-o", picture, status=2)
        assert not picture.exists()
print("ok")
