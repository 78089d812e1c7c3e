"""check_kineto.py CUGANTT: traces of the PyTorch profiler, in all dialects and states of disrepair."""
import gzip
import json
import pathlib
import sys
import tempfile

from foreign import Cugantt, call, copy, kernel, kineto, memset

cugantt = Cugantt(sys.argv[1])
BASE = 1_700_000_000_000_000_000
GPU = [
    call(100.5, 3.25, "cudaLaunchKernel", 1), kernel(110.125, 20.5, 7, 1),
    call(104, 3, "cudaLaunchKernel", 2), kernel(120, 20.001, 13, 2),
    call(150, 40, "cudaMemcpyAsync", 3), copy(160, 29, "HtoD (Pageable -> Device)", 1 << 20, 13, 3),
    call(200, 2, "cudaMemcpyAsync", 4), copy(205, 10, "DtoH (Device -> Pinned)", 1 << 20, 13, 4),
    call(220, 2, "cudaMemsetAsync", 5), memset(225, 1.5, 512, 7, 5),
]


def with_calls_of(count):
    return [e for i in range(count) for e in (call(1000 + i, 0.5, "cudaLaunchKernel", 100 + i), kernel(1000.6 + i, 0.3, 7, 100 + i))]


def check_dialects(directory):
    for name in ("new.json", "new.json.gz", "any.name"):
        told = cugantt.info(kineto(directory / name, GPU, baseTimeNanoseconds=BASE, distributedInfo={"rank": 3},
                                   deviceProperties=[{"id": 0, "name": "NVIDIA H200", "numSms": 132}]))
        device = told["devices"][0]
        assert told["source"] == "kineto" and told["calls"] == 5, told
        assert (device["kernels"], device["copies"], device["memsets"], device["streams"]) == (2, 2, 1, 2), device
        assert device["name"] == "NVIDIA H200"
        assert device["kernel_busy_ns"] == 29_876 and device["span_ns"] == 116_375, device  # exact: decimals are nanoseconds
        assert device["pageable"] == {"count": 1, "bytes": 1 << 20, "ns": 29_000}
        assert device["pinned"] == {"count": 1, "bytes": 1 << 20, "ns": 10_000}
        assert not any(told["loss"].values()), told["loss"]
        assert told["recorded"].startswith("2023-11-14"), told["recorded"]
    # the base may stand behind the events, and a bare array has none
    (directory / "base-last.json").write_text('{"traceEvents": %s, "baseTimeNanoseconds": %d}' % (json.dumps(GPU), BASE))
    assert cugantt.info(directory / "base-last.json")["recorded"] == told["recorded"]
    (directory / "array.json").write_text(json.dumps(GPU))
    assert cugantt.info(directory / "array.json")["devices"][0]["kernel_busy_ns"] == 29_876
    assert cugantt.explain(directory / "array.json")["cannot_tell"][0]["id"] == "legacy-default-stream"


def check_old(directory):
    """2020: capitals, integers of microseconds since the epoch, rows and threads as strings."""
    old = [kernel(1606910596288085, 379, 7, 1, cat="Kernel"), memset(1606910596289000, 1, 64, 7, 2, cat="Memset"),
           copy(1606910596290000, 2353, "HtoD (Pageable -> Device)", 99, 7, 3, cat="Memcpy"),
           call(1606910596288000, 20, "cudaLaunchKernel", 1, "4093687616", "Runtime"),
           {"ph": "X", "cat": "Operator", "name": "aten::add", "pid": 1, "tid": "1", "ts": 1, "dur": 1}]
    for event in old[:3]:
        event["tid"] = "stream 7"
    del old[0]["args"]  # then the rows say device and stream
    told = cugantt.info(kineto(directory / "old.json", old))
    device = told["devices"][0]
    assert (device["kernels"], device["copies"], device["memsets"], told["calls"]) == (1, 1, 1, 1), told
    assert [lane["name"] for lane in told["lanes"]][0] == "thread 4093687616"
    assert device["kernel_busy_ns"] == 379_000 and told["recorded"].startswith("2020-12-02"), told


def check_amd(directory):
    events = [call(10, 1, "hipMemcpyWithStream", 1), copy(12, 5, "HtoD (Host -> Device)", 64, 0, 1)]
    events[1]["args"] = {"device": 2, "stream": 0, "correlation": 1, "kind": "HtoD", "bytes": 64}
    path = kineto(directory / "amd.json", events)
    device = cugantt.info(path)["devices"][0]
    assert device["pageable"]["count"] == device["pinned"]["count"] == 0, device
    assert "pageable-staging" in [row["id"] for row in cugantt.explain(path)["cannot_tell"]]


def check_waits(directory):
    """Waits name the call that recorded the event: the stream that waits is held by the one that recorded."""
    events = [call(0.001, 2, "cudaLaunchKernel", 1), kernel(10, 500, 7, 1), call(4, 1, "cudaEventRecord", 2),
              call(6, 1, "cudaStreamWaitEvent", 3), call(8, 2, "cudaLaunchKernel", 4), kernel(511, 500, 13, 4),
              {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 13, "ts": 6, "dur": 1,
               "args": {"cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2,
                        "wait_on_cuda_event_id": 9, "stream": 13, "correlation": 3, "device": 0, "context": 1}}]
    told = cugantt.explain(kineto(directory / "waits.json", events))
    assert told["lost_by_cause"].get("event-wait", 0) > 450_000, told["lost_by_cause"]
    assert cugantt.info(directory / "waits.json")["devices"][0]["kernels"] == 2  # a wait is no GPU work


def check_annotations(directory):
    events = GPU + [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 500, "tid": 500, "ts": 90, "dur": 200},
                    {"ph": "M", "name": "thread_name", "pid": 500, "tid": 500, "args": {"name": "thread 500 (main thread)"}}]
    path = kineto(directory / "annotated.json", events)
    assert "ranges of thread 500" in [lane["name"] for lane in cugantt.info(path)["lanes"]]
    said = cugantt.run("info", path).stdout
    assert "main thread" in said and "(main" not in said, said


def check_truncated(directory):
    text = json.dumps({"schemaVersion": 1, "traceEvents": with_calls_of(300)}).encode()
    packed = gzip.compress(text)
    for cut in range(60, len(text) - 1, 4001):
        path = directory / "cut.json"
        path.write_bytes(text[:cut])
        told, said = cugantt.info(path), cugantt.run("info", path).stdout
        count = told["calls"] + sum(d["kernels"] for d in told["devices"])
        assert told["loss"]["truncated_bytes"] > 0 and f"offset " in said and "ends inside" in said, said
        assert count == max(0, text[:cut].count(b"}}")), (cut, count)
    path = directory / "cut.json.gz"
    path.write_bytes(packed[:-100])
    told = cugantt.info(path)
    assert told["calls"] > 100 and told["loss"]["truncated_bytes"] > 0, told
    assert "gzip" in cugantt.run("info", path).stdout
    damaged = bytearray(gzip.compress(json.dumps({"traceEvents": with_calls_of(5000)}).encode()))
    damaged[-20_000] ^= 0x55
    path.write_bytes(bytes(damaged))
    told = cugantt.info(path)
    assert told["calls"] > 1000 and (told["loss"]["truncated_bytes"] > 0 or told["loss"]["malformed"] > 0), told["loss"]
    path.write_bytes(b"\x1f\x8b" + b"\xff" * 100)
    cugantt.refuses(path, "gzip data")


def check_broken(directory):
    """Each of these stands between two good halves of a trace: those must survive."""
    good = with_calls_of(4)
    cases = {  # text of one event: (kernels, loss that it must give)
        '{"ph": "X", "cat": "kernel", "name": "a "quoted" name", "pid": 0, "tid": 7, "ts": 5000, "dur": 1, "args": {}}': (1, None),
        '{"ph": "X", "cat": "kernel", "name": "tab\there\x01", "pid": 0, "tid": 7, "ts": 5000, "dur": 1, "args": {}}': (1, None),
        r'{"ph": "X", "cat": "kernel", "name": "C:\path \q \ud83d\ude00 \ud800", "pid": 0, "tid": 7, "ts": 5000, "dur": 1}': (1, None),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": "0", "tid": "7", "ts": "5000.25", "dur": "1", "args": {"stream": "7"}}': (1, None),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5e3, "dur": 1, "args": {"bytes": 10159970886766084423}}': (1, None),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5000, "dur": 0, "args": {}}': (1, None),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5000, "dur": 1, "args": {"x": %s%s}}' % ("[" * 5000, "]" * 5000): (1, None),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5000, "dur": -4, "args": {}}': (0, "invalid"),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": NaN, "dur": 1, "args": {}}': (0, "invalid"),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 99999999999999999999999999, "dur": 1}': (0, "invalid"),
        '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "dur": 1, "args": {}}': (0, "invalid"),
        '{"ph": "X", "cat": "kernel", "name": "cut in the mid': (0, "malformed"),
        '{"ph": "X", "cat": "cpu_op", "name": "x", "args": {"never": [closed': (0, "malformed"),
        '!%$garbage{{{': (0, "malformed"),
        'null, 17, "text"': (0, "malformed"),
    }
    for text, (kernels, loss) in cases.items():
        path = directory / "broken.json"
        halves = [json.dumps(e) for e in good]
        path.write_text('{"traceEvents": [' + ", ".join([*halves[:4], text, *halves[4:]]) + '], "x": 1}')
        told = cugantt.info(path)
        assert told["devices"][0]["kernels"] == 4 + kernels, (text[:90], told)
        assert told["calls"] == 4, (text[:90], told)
        losses = {key for key, value in told["loss"].items() if value and key != "unmatched"}
        assert losses == ({loss} if loss else set()), (text[:90], told["loss"])


def check_order_and_duplicates(directory):
    shuffled = GPU[::-1] + [GPU[1], GPU[5], GPU[0]]
    path = kineto(directory / "twice.json", shuffled)
    told = cugantt.info(path)
    assert told["devices"][0]["kernels"] == 2 and told["calls"] == 5, told
    assert "3 events were in the file twice" in cugantt.run("info", path).stdout
    assert told["devices"][0]["kernel_busy_ns"] == 29_876


def check_nothing(directory):
    told = cugantt.info(kineto(directory / "cpu.json", [{"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]))
    assert told["devices"] == [] and told["calls"] == 0
    assert "no GPU work" in cugantt.run("info", directory / "cpu.json").stdout
    assert cugantt.run("explain", directory / "cpu.json").returncode == 1


def check_ranks(directory):
    """Files of one job, on one clock."""
    paths = [kineto(directory / f"rank{i}.json", GPU, baseTimeNanoseconds=BASE + 1000 * i, distributedInfo={"rank": i}) for i in range(2)]
    told = cugantt.info(*paths)
    assert [d["process"] for d in told["devices"]] == ["rank 0", "rank 1"]
    assert cugantt.explain(*paths)["wall_ns"] == 116_375 + 1000


with tempfile.TemporaryDirectory() as name:
    for check in (check_dialects, check_old, check_amd, check_waits, check_annotations, check_truncated, check_broken,
                  check_order_and_duplicates, check_nothing, check_ranks):
        check(pathlib.Path(name))
print("ok")
