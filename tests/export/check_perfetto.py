"""check_perfetto.py CUGANTT ASSEMBLE SAMPLES: the protobuf, read with the descriptors that Perfetto's own package ships."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
except ImportError:
    sys.exit("needs Perfetto's descriptors: pip install perfetto (scripts/test.sh does)")

cugantt, assemble, samples = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

RECIPE = """property pid 510
context 1 null=7
stream 13 blocking
thread 510 main
call 1 10us 12us cudaGraphLaunch thread=510
kernel 1 13 20us 120us _Z4spinPx grid=8x2x1 block=128x1x1
kernel 1 13 100us 180us overlapping
range 5us 150us step thread=510
range 5us 150us lonely thread=511
call 2 200us 201us cudaLaunchKernel thread=510
call 3 200us 202us cuLaunchKernel thread=510
kernel 3 13 210us 210us empty
bus 100ns 200ns 1000 1000
bus 100us 102us 20000 500
bus 102us 110us 0 0 samples=4
bus 120us 122us 0 110000
end 1ms
"""


def unknown_fields(message):
    """Bytes that the descriptors do not know: parsing again without them makes the message smaller."""
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    return message.ByteSize() - known.ByteSize()


def check_file(path, info):
    """Tracks by uuid, and instants; everything in it is whole, in order, and as much as the trace holds."""
    trace = pb.Trace()
    trace.ParseFromString(path.read_bytes())
    assert unknown_fields(trace) == 0
    tracks, names, open_spans, flows_out, flows_in = {}, {}, {}, set(), set()
    spans, instants, counted = 0, [], {}
    for packet in trace.packet:
        assert packet.trusted_packet_sequence_id == 1
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            assert track.uuid not in tracks
            assert not track.HasField("parent_uuid") or track.parent_uuid in tracks
            tracks[track.uuid] = track
        for name in packet.interned_data.event_names:
            names[name.iid] = name.name
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        assert event.track_uuid in tracks and packet.timestamp > 0
        stack = open_spans.setdefault(event.track_uuid, [])
        assert not stack or stack[-1] <= packet.timestamp, "spans of a track in order"
        if event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            assert names[event.name_iid] and event.categories
            stack.append(packet.timestamp)
            spans += 1
            flows_out.update(event.flow_ids)
            flows_in.update(event.terminating_flow_ids)
        elif event.type == pb.TrackEvent.TYPE_SLICE_END:
            stack.pop()
        elif event.type == pb.TrackEvent.TYPE_COUNTER:
            assert tracks[event.track_uuid].counter.unit_name == "GB/s"
            assert "device 0" in tracks[tracks[event.track_uuid].parent_uuid].name
            counted.setdefault(tracks[event.track_uuid].name, []).append((packet.timestamp, event.double_counter_value))
        else:
            assert event.type == pb.TrackEvent.TYPE_INSTANT
            instants.append((event.name, {a.name: a.string_value for a in event.debug_annotations}))
    assert not any(open_spans.values()), "every span ends"
    assert spans == sum(lane["spans"] for lane in info["lanes"])
    assert flows_out == flows_in and len(flows_in) > 0
    threads = [t.thread for t in tracks.values() if t.HasField("thread")]
    assert all(t.tid > 0 and t.thread_name for t in threads) and threads
    return tracks, instants, counted


def run(*arguments):
    return subprocess.run([cugantt, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    (directory / "made.recipe").write_text(RECIPE)
    subprocess.run([assemble, directory / "made.recipe", directory / "made.cgt"], check=True)
    for source in (directory / "made.cgt", *sorted(samples.glob("*.cgt"))):
        target = directory / f"{source.stem}.pftrace"
        run("export", source, "-o", target)
        tracks, instants, counted = check_file(target, json.loads(run("info", "--json", source)))
        told = json.loads(run("explain", "--json", source))["findings"]
        assert [(name, a["finding"]) for name, a in instants] == [(f["id"], f["text"]) for f in told]
        if source.stem == "made":  # kernels that overlap on one stream are on tracks of their own
            assert sum(t.name == "stream 13" for t in tracks.values()) == 2, tracks
            parents = {t.name: tracks[t.parent_uuid] for t in tracks.values() if t.name.startswith("ranges")}
            assert parents["ranges of thread 510"].thread.tid == 510  # with the calls of their thread
            assert parents["ranges of thread 511"].process.pid == 510
            begin = counted["PCIe to device 0"][0][0]
            upwards = [(at - begin, value) for at, value in counted["PCIe to device 0"]]
            assert upwards == [(0, 10.0), (2000, 0.0), (10000, 0.0), (20000, 0.0), (22000, 0.0)], upwards
            assert [value for _, value in counted["PCIe from device 0"]] == [0.25, 0.0, 0.0, 55.0, 0.0]
    # two processes of one number, as in containers
    (directory / "other.recipe").write_text("property rank 1\n" + RECIPE)
    subprocess.run([assemble, directory / "other.recipe", directory / "other.cgt"], check=True)
    both = [directory / "made.cgt", directory / "other.cgt"]
    run("export", *both, "-o", directory / "both.pftrace")
    tracks, _, _ = check_file(directory / "both.pftrace", json.loads(run("info", "--json", *both)))
    pids = [t.process.pid for t in tracks.values() if t.HasField("process")]
    assert len(pids) == len(set(pids)) == 2, pids
    assert all(t.thread.pid in pids for t in tracks.values() if t.HasField("thread"))
print("ok")
