"""check_nsys.py CUGANTT: SQLite databases of nsys, of all schemas and in all states of disrepair; files that nothing reads."""
import pathlib
import sqlite3
import sys
import tempfile

from foreign import GLOBAL, OPERATION, PID, Cugantt, nsys, nsys_tables

cugantt = Cugantt(sys.argv[1])


def check_schema_3(directory):
    path = nsys(directory / "three.sqlite", nsys_tables())
    told = cugantt.info(path)
    device = told["devices"][0]
    assert told["source"] == "nsys" and told["calls"] == 5 and told["program"] == "python3", told
    assert (device["kernels"], device["copies"], device["memsets"], device["streams"]) == (2, 2, 1, 2), device
    assert device["name"] == "NVIDIA H200" and device["kernel_busy_ns"] == 20_000 and device["span_ns"] == 50_000, device
    assert device["pageable"] == {"count": 1, "bytes": 4096, "ns": 10_000}, device  # kinds are one lower than CUPTI's
    assert device["pinned"] == {"count": 1, "bytes": 8192, "ns": 5_000}, device
    assert not any(told["loss"].values()), told["loss"]
    assert told["recorded"] == "2023-11-14T22:13:20Z", told["recorded"]
    names = [lane["name"] for lane in told["lanes"]]
    assert names == ["thread 322", "ranges of thread 322", "stream 7 (default)", "stream 13"], names
    assert told["lanes"][1]["spans"] == 2
    assert "blocking" in cugantt.run("info", path).stdout
    assert "kernels::spin" not in cugantt.run("info", path).stdout


def check_schema_2(directory):
    """No stream table, no memory kinds, names as text, no process: what is not said is not known."""
    tables = {
        "EXPORT_META_DATA": ("name TEXT, value TEXT", []),
        "StringIds": ("id INTEGER PRIMARY KEY, value TEXT", []),
        "CUPTI_ACTIVITY_KIND_KERNEL": ("start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,"
                                       " correlationId INTEGER, demangledName TEXT",
                                       [(10, 20, 0, 1, 7, 1, "spin(float*)"), (30, 40, 0, 1, 13, 2, "spin(float*)")]),
        "CUPTI_ACTIVITY_KIND_MEMCPY": ("start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, bytes INTEGER, copyKind INTEGER",
                                       [(50, 60, 0, 13, 64, 1), (60, 70, 0, 13, 4096, 11)]),
    }
    path = nsys(directory / "two.sqlite", tables)
    device = cugantt.info(path)["devices"][0]
    assert (device["kernels"], device["copies"]) == (2, 2) and device["pageable"]["count"] == 0, device
    assert {"legacy-default-stream", "host-busy", "pageable-staging"} <= {row["id"] for row in cugantt.explain(path)["cannot_tell"]}


def check_processes(directory):
    """Correlation ids repeat across processes: each is joined with its own calls."""
    tables = nsys_tables()
    other = (1 << 48) | (999 << 24)
    for table, column in (("CUPTI_ACTIVITY_KIND_KERNEL", 6), ("CUPTI_ACTIVITY_KIND_RUNTIME", 3)):
        columns, rows = tables[table]
        tables[table] = (columns, rows + [tuple(other | (v & 0xFFFFFF) if i == column else v for i, v in enumerate(row)) for row in rows])
    path = nsys(directory / "processes.sqlite", tables)
    told = cugantt.info(path)
    assert [d["process"] for d in told["devices"]] == [f"process {PID}", "process 999"], told["devices"]
    assert [d["kernels"] for d in told["devices"]] == [2, 2] and told["loss"]["unmatched"] == 0, told
    assert [p["name"] for p in cugantt.explain(path)["processes"]] == [f"process {PID}", "process 999"]
    assert "2 processes on one clock" in cugantt.run("explain", path).stdout


def check_graphs(directory):
    tables = nsys_tables()
    tables["CUPTI_ACTIVITY_KIND_GRAPH_TRACE"] = (OPERATION + ", graphId INTEGER", [(70_000, 80_000, 0, 1, 13, 9, GLOBAL, 4)])
    assert cugantt.info(nsys(directory / "graphs.sqlite", tables))["devices"][0]["graphs"] == 1


def check_bad_rows(directory):
    tables = nsys_tables()
    columns, rows = tables["CUPTI_ACTIVITY_KIND_KERNEL"]
    bad = [(0, 0), (-(1 << 63), -(1 << 63)), (90_000, 80_000), (None, None)]
    tables["CUPTI_ACTIVITY_KIND_KERNEL"] = (columns, rows + [(*times, *rows[0][2:]) for times in bad])
    told = cugantt.info(nsys(directory / "bad.sqlite", tables))
    assert told["devices"][0]["kernels"] == 2 and told["loss"]["invalid"] == len(bad), told
    # ids out of range, strings that are missing, text where numbers belong
    tables = nsys_tables()
    tables["CUPTI_ACTIVITY_KIND_KERNEL"] = (columns, rows + [(40_000, 41_000, 1 << 40, -5, "x", 1 << 50, GLOBAL, 777, None, None, 1, 2, 3, 4, 5, 6)])
    assert cugantt.info(nsys(directory / "odd.sqlite", tables))["loss"]["invalid"] == 0
    assert cugantt.run("explain", directory / "odd.sqlite").returncode == 0


def check_missing_tables(directory):
    for missing in nsys_tables():
        tables = nsys_tables()
        del tables[missing]
        told = cugantt.info(nsys(directory / "missing.sqlite", tables))
        assert told["calls"] == (0 if missing.endswith("RUNTIME") else 5), missing
    empty = {"StringIds": ("id INTEGER PRIMARY KEY, value TEXT", []),
             "DIAGNOSTIC_EVENT": ("severity INTEGER, text TEXT", [(3, "CUDA profiling was not started")])}
    path = nsys(directory / "empty.sqlite", empty)
    said = cugantt.run("info", path).stdout
    assert "no GPU work" in said and "CUDA profiling was not started" in said, said


def check_corrupt(directory):
    tables = nsys_tables()
    columns, rows = tables["CUPTI_ACTIVITY_KIND_KERNEL"]
    tables["CUPTI_ACTIVITY_KIND_KERNEL"] = (columns, rows * 2000)
    whole = nsys(directory / "whole.sqlite", tables).read_bytes()
    lost = 0
    for page in range(1, len(whole) // 4096, 7):
        damaged = bytearray(whole)
        damaged[page * 4096:page * 4096 + 64] = b"\xff" * 64
        path = directory / "corrupt.sqlite"
        path.write_bytes(bytes(damaged))
        done = cugantt.run("info", path)
        lost += done.returncode == 1 or "ends early" in done.stdout
    assert lost > 3, lost
    path.write_bytes(whole[:len(whole) // 2])
    done = cugantt.run("info", path)
    assert done.returncode == 1 or "ends early" in done.stdout, done


def check_locked(directory):
    path = nsys(directory / "locked.sqlite", nsys_tables())
    writer = sqlite3.connect(path)
    writer.execute("BEGIN EXCLUSIVE")
    cugantt.refuses(path, "locked")
    writer.rollback()
    assert cugantt.info(path)["calls"] == 5


def check_strangers(directory):
    other = sqlite3.connect(directory / "other.sqlite")
    other.execute("CREATE TABLE people (name TEXT)")
    other.commit()
    other.close()
    cugantt.refuses(directory / "other.sqlite", "SQLite", "nsys export --type sqlite")
    strangers = {
        "a.nsys-rep": (b"\x00\x01binary", "nsys export --type sqlite"),
        "a.qdrep": (b"\x00\x01binary", "nsys export --type sqlite"),
        "a.ncu-rep": (b"NVR\x00binary", "Nsight Compute"),
        "a.json": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4\n", "git lfs pull"),
        "b.json": (b"<!DOCTYPE html>\n<html><body>404</body></html>", "web page"),
        "c.json": (b"", "empty"),
        "d.zip": (b"PK\x03\x04....", "ZIP"),
        "e.json.zst": (b"\x28\xb5\x2f\xfd....", "zstd"),
        "f.txt": (b"plain words", "not a trace"),
        "g.json": (b"{", "ends"),
    }
    for name, (content, word) in strangers.items():
        path = directory / name
        path.write_bytes(content)
        if name == "g.json":  # JSON, though nothing whole in it
            assert "ends inside" in cugantt.run("info", path).stdout
        else:
            cugantt.refuses(path, name, word)


with tempfile.TemporaryDirectory() as name:
    for check in (check_schema_3, check_schema_2, check_processes, check_graphs, check_bad_rows, check_missing_tables, check_corrupt,
                  check_locked, check_strangers):
        check(pathlib.Path(name))
print("ok")
