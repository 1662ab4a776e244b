"""What the scripts of tests/serve share: a server of a database, and a browser on its pages."""
import base64
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
_loader = importlib.machinery.SourceFileLoader("look", os.path.join(ROOT, "tests/view/look"))
look = importlib.util.module_from_spec(importlib.util.spec_from_loader("look", _loader))
_loader.exec_module(look)


def check(good, sentence):
    if not good:
        raise SystemExit("serve: not so: " + sentence)


class Server:
    def __init__(self, program, db, *args):
        self.program = subprocess.Popen([program, "serve", "--db", db, "--port", "0", *args], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        line = self.program.stdout.readline()
        if not line:
            raise SystemExit("serve: " + self.program.stderr.read())
        self.url = line.strip()
        self.port = int(re.search(r":(\d+)/", line).group(1))

    def memory_kB(self):
        with open(f"/proc/{self.program.pid}/status", encoding="ascii") as f:
            return int(re.search(r"VmHWM:\s+(\d+)", f.read()).group(1))

    def processor_s(self):
        """Seconds that it computed so far, in its own code and the kernel's."""
        with open(f"/proc/{self.program.pid}/stat", encoding="ascii", errors="replace") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        """Its exit code, and what it said on standard error."""
        self.program.terminate()
        said = self.program.communicate(timeout=60)[1]
        return self.program.returncode, said


class Browser(look.Browser):
    def resize(self, width, height=900):
        self.width = width
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def shade(self, name):
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def wait(self, text, what, seconds=30):
        """Until the expression is true on the page; an error on the page ends it."""
        end = time.time() + seconds
        while time.time() < end:
            try:
                got = self.value(text)
            except RuntimeError:
                got = None  # between two pages
            if self.errors:
                raise SystemExit(f"serve: an error on the page: {self.errors[0]}")
            if got:
                return got
            time.sleep(0.03)
        raise SystemExit(f"serve: not so after {seconds} s: {what}")

    def go(self, url):
        self.value("window.servedLeft = true")
        self.ask("Page.navigate", url=url)
        self.arrive(url)

    def arrive(self, what="the next page"):
        """Waits for the page after the one that was marked as left."""
        self.wait("document.readyState === 'complete' && !window.servedLeft", what)
        self.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def text(self):
        return self.value("document.body.innerText")

    def key(self, name, code=0, text=None, shift=False):
        more = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code, modifiers=8 if shift else 0, **more)

    def mouse(self, kind, x, y, held=False):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" and not held else "left",
                 buttons=1 if held or kind == "mousePressed" else 0, clickCount=0 if kind == "mouseMoved" else 1)

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)

    def press(self, selector):
        """A real click on the middle of an element."""
        x, y = self.value(f"(() => {{ const e = {selector}; e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();"
                          " return [r.left + r.width / 2, r.top + r.height / 2]; })()")
        self.click(x, y)

    def type(self, selector, text):
        self.value(f"{selector}.focus(); {selector}.value = ''")
        self.ask("Input.insertText", text=text)

    def overflow(self):
        """By how many pixels the page is wider than its window."""
        return self.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def whole(self, path):
        """A picture of the whole page."""
        got = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as f:
            f.write(base64.b64decode(got["data"]))

    def print(self, path):
        got = self.ask("Page.printToPDF", printBackground=False, preferCSSPageSize=True)
        with open(path, "wb") as f:
            f.write(base64.b64decode(got["data"]))
