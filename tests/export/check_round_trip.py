"""check_round_trip.py CUGANTT ASSEMBLE SAMPLES: what is exported and imported again is the same trace."""
import csv
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

cugantt, assemble, samples = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

# everything that a record can say which the diagnosis uses
RECIPE = """property program app "quoted"
property pid 510
property rank 3
device 0 name=Card sms=132 engines=3 pcie=5x16
context 1 device=0 null=7
stream 7 null
stream 13 blocking priority=-2 created=1
stream 14 non-blocking
thread 510 main
call 1 10us 12us cudaLaunchKernel thread=510
kernel 1 13 20us 120us _Z4spinPx grid=8x2x1 block=128x1x1 regs=32 shared=1024 channel=5
call 2 30us 33us cudaLaunchKernel thread=510
kernel 2 13 100us 180us overlapping
call 3 40us 90us cudaMemcpyAsync thread=510
copy 3 14 60us 88us htod pageable device 1M async=1 channel-type=2
call 4 95us 99us cuMemcpyDtoH_v2 thread=511
copy 4 14 200us 240us dtoh device pinned 4K
call 5 100us 101us cudaMemsetAsync thread=510
memset 5 7 250us 251us 256
call 9 100us 101us cudaGetDevice thread=3265820224
thread 3265820224 pthread_self
call 6 102us 103us cudaEventRecord thread=510
event 6 13 9 21
call 7 104us 105us cudaStreamWaitEvent thread=510
sync 7 104us 105us wait stream=14 event=9 id=21
sync 0 110us 130us context
sync 0 120us 150us context
range 10us 60us step thread=510
range 15us 90us crossing thread=510 type=started
range 20us 70us gemm thread=510 domain=lib
range 20us 20us here thread=511 type=mark
range 80us 120us unended thread=511 domain=other open=1
call 8 106us 107us cudaLaunchKernel thread=510
kernel 8 14 181us 190us waits
kernel 99 14 300us 310us without_call
overhead 50us 55us module thread=510
loss dropped 3
loss invalid 2
end 1ms
"""


def run(*arguments, status=0):
    done = subprocess.run([cugantt, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, done
    return done


def said(*paths):
    """All that info and explain say, but for the names of source and file."""
    info, told = json.loads(run("info", "--json", *paths).stdout), json.loads(run("explain", "--json", *paths).stdout)
    info.pop("source")
    info.pop("buses")  # samples of the PCIe link are written for viewers only
    told.pop("bus", None)
    for finding in told["findings"]:
        finding["text"] = finding["text"].split(" Sampled, the PCIe link")[0]
    info["text"] = [line for line in run("info", *paths).stdout.splitlines() if " busy " in line]  # kinds of streams too
    for process in told.get("processes", []):
        process.pop("file")
    return info, told


def check_round_trip(*traces, directory):
    before = said(*traces)
    for suffix in ("json", "json.gz", "sqlite"):
        target = directory / f"{traces[0].stem}-of-{len(traces)}.{suffix}"
        run("export", *traces, "-o", target)
        after = said(target)
        for one, other in zip(before, after):
            differences = {key: (one.get(key), other.get(key)) for key in one | other if one.get(key) != other.get(key)}
            assert not differences, (target, differences)
        again = directory / f"again.{suffix}"
        run("export", target, "-o", again)
        assert said(again) == before, again
    assert not list(directory.glob("*.part-*"))


def check_chrome(trace, directory):
    """What a viewer needs: strict JSON, rows that nest, names and order of rows, flows with both ends, findings."""
    target = directory / "chrome.json"
    run("export", trace, "-o", target)
    events = json.loads(target.read_text())["traceEvents"]
    rows = {}
    for event in events:
        if event["ph"] == "X":
            begin = round(event["ts"] * 1000)
            rows.setdefault((event["pid"], event["tid"]), []).append((begin, begin + round(event["dur"] * 1000)))
    for row, spans in rows.items():
        open_ends = []
        for begin, end in sorted(spans, key=lambda s: (s[0], -s[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1], (row, begin, end)
            open_ends.append(end)
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    ordered = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_sort_index"}
    assert all(row[1] < 1 << 32 for row in named), "Perfetto keeps 32 bits"
    used = set(rows)
    assert used and used <= named and used <= ordered, (used - named)
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = [e for e in events if e["ph"] == "f"]
    assert ends and all(e["id"] in starts and e["bp"] == "e" for e in ends)
    assert all(starts[e["id"]]["ts"] <= e["ts"] for e in ends)
    found = [e for e in events if e["ph"] == "i"]
    told = json.loads(run("explain", "--json", trace).stdout)["findings"]
    assert [e["name"] for e in found] == [f["id"] for f in told]
    assert [e["args"]["finding"] for e in found] == [f["text"] for f in told]


def check_sql(trace, directory):
    """Queries as scripts for nsys make them."""
    target = directory / "queries.sqlite"
    run("export", trace, "-o", target)
    database = sqlite3.connect(target)
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    info = json.loads(run("info", "--json", trace).stdout)
    for kind, table in (("kernels", "KERNEL"), ("copies", "MEMCPY"), ("memsets", "MEMSET")):  # nsys makes no empty tables
        assert any(d[kind] for d in info["devices"]) == (f"CUPTI_ACTIVITY_KIND_{table}" in tables), tables
    if "CUPTI_ACTIVITY_KIND_KERNEL" in tables:
        kernels = database.execute("""SELECT s.value, count(*), sum(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k
            JOIN StringIds s ON s.id = k.shortName GROUP BY 1 ORDER BY 3 DESC""").fetchall()
        assert sum(row[1] for row in kernels) == sum(d["kernels"] for d in info["devices"])
        joined = database.execute("""SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r
            ON r.correlationId = k.correlationId AND r.globalTid / 0x1000000 % 0x1000000 = k.globalPid / 0x1000000 % 0x1000000""")
        assert joined.fetchone()[0] > 0
    if "CUPTI_ACTIVITY_KIND_MEMCPY" in tables:
        pageable = database.execute("SELECT count(*), sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE 0 IN (srcKind, dstKind)").fetchone()
        of_info = [sum(d["pageable"][key] for d in info["devices"]) for key in ("count", "bytes")]
        assert [pageable[0], pageable[1] or 0] == of_info, (pageable, of_info)


def check_csv(trace, directory):
    spans, findings = directory / "spans.csv", directory / "findings.txt"
    run("export", trace, "-o", spans)
    run("export", trace, "-o", findings, "--format", "csv", "--findings")
    rows = list(csv.DictReader(spans.open()))
    info = json.loads(run("info", "--json", trace).stdout)
    assert len(rows) == sum(lane["spans"] for lane in info["lanes"])
    device = info["devices"][0]
    of_device = [r for r in rows if r["kind"] in ("kernel", "copy", "memset")]
    assert sum(r["kind"] == "kernel" for r in of_device) == device["kernels"]
    assert max(int(r["begin_ns"]) + int(r["duration_ns"]) for r in of_device) == device["span_ns"]
    told = json.loads(run("explain", "--json", trace).stdout)["findings"]
    written = list(csv.DictReader(findings.open()))
    assert [(r["id"], int(r["cost_ns"]), r["text"]) for r in written] == [(f["id"], f["cost_ns"], f["text"]) for f in told]


def check_failures(trace, directory):
    run("export", trace, status=2)
    run("export", trace, "-o", directory / "x.unknown", status=2)
    run("export", trace, "-o", directory / "x.json", "--findings", status=2)
    run("export", directory / "missing.cgt", "-o", directory / "x.json", status=1)
    for suffix in ("json", "sqlite", "pftrace", "csv"):
        done = run("export", trace, "-o", directory / "no such directory" / f"x.{suffix}", status=1)
        assert done.stderr.count("\n") == 1 and "x." in done.stderr, done
    assert not (directory / "x.json").exists()


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    recipe, made = directory / "made.recipe", directory / "made.cgt"
    recipe.write_text(RECIPE)
    subprocess.run([assemble, recipe, made], check=True)
    traces = [made, *sorted(samples.glob("*.cgt"))]
    assert len(traces) > 3
    for trace in traces:
        check_round_trip(trace, directory=directory)
        check_chrome(trace, directory)
        check_sql(trace, directory)
        check_csv(trace, directory)
    assert "per-thread default" in run("info", made).stdout
    # a program that did nothing on the GPU has its ranges still
    ranges, idle = directory / "ranges.recipe", directory / "ranges.cgt"
    kept = ("property ", "range ", "end ")
    ranges.write_text("\n".join(line for line in RECIPE.splitlines() if line.startswith(kept)))
    subprocess.run([assemble, ranges, idle], check=True)
    assert run("info", idle).stdout.count(" ranges ") == 8, run("info", idle).stdout
    check_round_trip(idle, directory=directory)
    # several processes in one file: ids of calls repeat across them
    other, second = directory / "other.recipe", directory / "other.cgt"
    other.write_text(RECIPE.replace("pid 510", "pid 900").replace("rank 3", "rank 4").replace("kernel 2 13 100us", "kernel 2 13 110us"))
    subprocess.run([assemble, other, second], check=True)
    check_round_trip(made, second, directory=directory)
    # in containers process ids repeat, too; each has its own device
    text = RECIPE.replace("rank 3", "rank 4").replace("device 0 name=Card", "device 1 name=Other")
    operations = ("kernel", "copy", "memset")
    other.write_text("\n".join(line.replace("device=0", "device=1") + " device=1" * line.startswith(operations)
                               for line in text.splitlines()))
    subprocess.run([assemble, other, second], check=True)
    check_round_trip(made, second, directory=directory)
    check_chrome(second, directory)
    check_chrome(made, directory)
    check_failures(made, directory)
print("ok")
