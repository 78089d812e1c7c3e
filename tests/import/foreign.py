"""Builds files as other tools write them, and runs cugantt on them."""
import gzip
import json
import pathlib
import sqlite3
import subprocess


class Cugantt:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=300)
        assert done.returncode in (0, 1, 2), done  # anything else is a crash
        return done

    def info(self, *paths):
        done = self.run("info", "--json", *paths)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    def explain(self, *paths):
        done = self.run("explain", "--json", *paths)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    def refuses(self, path, *words):
        done = self.run("info", path)
        assert done.returncode == 1, done
        assert done.stderr.count("\n") == 1, done.stderr
        assert all(word in done.stderr for word in words), (words, done.stderr)


def kernel(ts, dur, stream=7, correlation=0, device=0, name="spin", cat="kernel", **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": device, "tid": stream, "ts": ts, "dur": dur,
            "args": {"device": device, "context": 1, "stream": stream, "correlation": correlation, "grid": [8, 2, 1],
                     "block": [128, 1, 1], "registers per thread": 32, "shared memory": 1024, **args}}


def copy(ts, dur, what, size, stream=7, correlation=0, device=0, cat="gpu_memcpy"):
    return {"ph": "X", "cat": cat, "name": f"Memcpy {what}", "pid": device, "tid": stream, "ts": ts, "dur": dur,
            "args": {"device": device, "context": 1, "stream": stream, "correlation": correlation, "bytes": size}}


def memset(ts, dur, size, stream=7, correlation=0, cat="gpu_memset"):
    return {"ph": "X", "cat": cat, "name": "Memset (Device)", "pid": 0, "tid": stream, "ts": ts, "dur": dur,
            "args": {"device": 0, "context": 1, "stream": stream, "correlation": correlation, "bytes": size}}


def call(ts, dur, name, correlation=0, tid=500, cat="cuda_runtime", pid=500):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
            "args": {"cbid": 211, "correlation": correlation}}


def kineto(path: pathlib.Path, events, **top):
    """Writes a file of today's dialect; .gz by name."""
    text = json.dumps({"schemaVersion": 1, **top, "traceEvents": events}, indent=1)
    path.write_bytes(gzip.compress(text.encode()) if path.name.endswith(".gz") else text.encode())
    return path


PID = 321
GLOBAL = (1 << 48) | (PID << 24)
OPERATION = "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER"
KERNEL_NAMES = ["kernels::spin(float*)", "spin", "_ZN7kernels4spinEPf"]


def nsys(path: pathlib.Path, tables):
    """Writes a database: {table: (columns, rows)}."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    for table, (columns, rows) in tables.items():
        database.execute(f"CREATE TABLE {table} ({columns})")
        if rows:
            database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
    database.commit()
    database.close()
    return path


def nsys_tables():
    """A small export of the 3.x schema: two kernels, a pageable and a pinned copy, a memset, calls, ranges."""
    strings = ["cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", *KERNEL_NAMES, "python3", "range by id"]
    return {
        "StringIds": ("id INTEGER PRIMARY KEY, value TEXT", list(enumerate(strings))),
        "META_DATA_EXPORT": ("name TEXT, value TEXT", [("EXPORT_SCHEMA_VERSION", "3.16.0")]),
        "TARGET_INFO_SESSION_START_TIME": ("utcEpochNs INTEGER, utcTime TEXT, systemClockNs INTEGER",
                                           [(1_700_000_000_000_000_000, "", 1000)]),
        "TARGET_INFO_GPU": ("id INTEGER, name TEXT, smCount INTEGER, computeMajor INTEGER, computeMinor INTEGER",
                            [(0, "NVIDIA H200", 132, 9, 0)]),
        "TARGET_INFO_CUDA_STREAM": ("streamId INTEGER, hwId INTEGER, processId INTEGER, contextId INTEGER, priority INTEGER, flag INTEGER",
                                    [(7, 0, PID, 1, 0, 3), (13, 0, PID, 1, -1, 1)]),
        "CUPTI_ACTIVITY_KIND_KERNEL": (OPERATION + ", demangledName INTEGER, shortName INTEGER, mangledName INTEGER, launchType INTEGER,"
                                       " registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, graphNodeId INTEGER",
                                       [(11_000, 21_000, 0, 1, 7, 1, GLOBAL, 2, 3, 4, 1, 32, 8, 2, 1, None),
                                        (22_000, 32_000, 0, 1, 13, 2, GLOBAL, 2, 3, 4, 1, 32, 8, 2, 1, None)]),
        "CUPTI_ACTIVITY_KIND_MEMCPY": (OPERATION + ", bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER",
                                       [(40_000, 50_000, 0, 1, 13, 3, GLOBAL, 4096, 1, 0, 2),
                                        (50_000, 55_000, 0, 1, 13, 4, GLOBAL, 8192, 2, 2, 1)]),
        "CUPTI_ACTIVITY_KIND_MEMSET": (OPERATION + ", value INTEGER, bytes INTEGER, memKind INTEGER",
                                       [(60_000, 61_000, 0, 1, 13, 5, GLOBAL, 0, 256, 2)]),
        "CUPTI_ACTIVITY_KIND_RUNTIME": ("start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER,"
                                        " nameId INTEGER, returnValue INTEGER",
                                        [(10_000 + i, 10_500 + i, 0, GLOBAL | 322, i, 0 if i < 3 else 1, 0) for i in range(1, 6)]),
        "NVTX_EVENTS": ("start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, globalTid INTEGER",
                        [(9_000, 30_000, 59, "step", None, GLOBAL | 322), (31_000, None, 34, None, 6, GLOBAL | 322),
                         (0, 0, 75, "a domain", None, GLOBAL | 322)]),
        "ThreadNames": ("nameId INTEGER, priority INTEGER, globalTid INTEGER", [(5, 20, GLOBAL | 322)]),
        "PROCESSES": ("globalPid INTEGER, pid INTEGER, name TEXT", [(GLOBAL, PID, "python3")]),
    }
