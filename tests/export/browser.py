"""A headless Chromium, driven over DevTools' pipe: pages, JavaScript in them, screenshots."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


class Browser:
    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def pipes():  # DevTools reads from 3 and writes to 4; the pipes' own numbers may be these
            read, write = os.dup2(commands, 103), os.dup2(answers, 104)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", "--window-size=1600,1100", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.received, self.number = b"", 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.received:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self.received += more
        text, self.received = self.received.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url=url)["targetId"]
        return Page(self, target, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])


class Page:
    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session

    def run(self, script):
        """Value of a JavaScript expression; of a promise, what it is kept with."""
        answer = self.browser.call("Runtime.evaluate", self.session, expression=script, awaitPromise=True,
                                   returnByValue=True)
        assert "exceptionDetails" not in answer, (script, answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, script, seconds=40):
        """Waits until the expression is true; pages that are not loaded know none of its names."""
        end = time.monotonic() + seconds
        while not self.run(f"(() => {{ try {{ return !!({script}) }} catch (e) {{ return false }} }})()"):
            assert time.monotonic() < end, f"waited {seconds} s in vain for {script}"
            time.sleep(0.05)

    def screenshot(self, path):
        time.sleep(1)  # until it is drawn
        path.write_bytes(base64.b64decode(self.browser.call("Page.captureScreenshot", self.session)["data"]))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
