"""check_progress.py CUGANTT: a bar on a terminal when an import takes longer than a second, nothing in a pipe."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time

EVENT = '{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"x": "%s"}},\n' % ("y" * 400)


def slow_trace(path):
    path.write_text('{"traceEvents": [' + EVENT * 60_000 + "{}]}")
    return path


def bar_shown(path, delay):
    """Stops the import after `delay` for longer than the bar waits. Where that was too early or too late there is no bar."""
    master, slave = pty.openpty()
    process = subprocess.Popen([sys.argv[1], "info", "--json", path], stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    time.sleep(delay)
    process.send_signal(signal.SIGSTOP)
    time.sleep(1.2)
    process.send_signal(signal.SIGCONT)
    told = json.loads(process.stdout.read())
    assert process.wait() == 0 and told["devices"] == []
    shown = b""
    try:
        while chunk := os.read(master, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(master)
    assert shown == b"" or shown.endswith(b"\r\x1b[K"), shown[-200:]
    return b"reading [" in shown


with tempfile.TemporaryDirectory() as name:
    path = slow_trace(pathlib.Path(name) / "slow.json")
    piped = subprocess.run([sys.argv[1], "info", path], capture_output=True, text=True, check=True)
    assert piped.stderr == "", piped.stderr
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:  # a bare chroot has no terminals to give
        print(f"only the pipe was tested: {error}")
        sys.exit(77)
    assert any(bar_shown(path, 0.005 * 1.5**attempt) for attempt in range(10))
print("ok")
