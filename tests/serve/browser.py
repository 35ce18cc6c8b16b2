# SPDX-License-Identifier: MIT
"""Headless Chromium, controlled through its DevTools protocol, and a network between it and the program."""
import base64
import json
import pathlib
import shutil
import socket
import subprocess
import threading
import time
import urllib.request

from viewer import WebSocket


def chromium():
    """Its path, or None if it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page. `folder` contains its profile and downloads."""

    def __init__(self, program, folder):
        self.folder = pathlib.Path(folder)
        profile = self.folder / "profile"
        profile.mkdir(parents=True, exist_ok=True)
        self.downloads = self.folder / "downloads"
        self.downloads.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
             "--disable-background-networking", "--disable-extensions", "--window-size=1000,600",
             f"--user-data-dir={profile}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = profile / "DevToolsActivePort"
        self.wait(lambda: port.exists() and port.read_text().count("\n") >= 1)
        self.port = int(port.read_text().splitlines()[0])
        pages = []

        def listed():
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json/list", timeout=10) as answer:
                pages[:] = [page for page in json.load(answer) if page["type"] == "page"]
            return pages

        self.wait(listed)
        path = pages[0]["webSocketDebuggerUrl"].split(f":{self.port}")[1]
        self.socket = WebSocket("127.0.0.1", self.port, origin="", path=path, protocol="", timeout=60)
        self.last_id = 0
        self.call("Page.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.resize(1000, 600)

    @staticmethod
    def wait(holds, patience=120):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if found := holds():
                return found
            time.sleep(0.05)
        raise AssertionError("timed out")

    def call(self, method, **parameters):
        self.last_id += 1
        self.socket.send_frame(1, json.dumps({"id": self.last_id, "method": method, "params": parameters}).encode())
        while True:
            message = self.socket.receive(60)
            if message is None:
                raise AssertionError(f"{method}: no answer")
            answer = json.loads(message)
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, script):
        """The value of this JavaScript expression; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, link):
        self.call("Page.navigate", url=link)

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def click(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def touch(self, kind, *points):
        """Sends touchStart, touchMove or touchEnd, with the fingers that are down."""
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def be_phone(self, width, height, scale=2):
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=True)

    def wheel(self, x, y, down):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=down)

    def key(self, code, key, modifiers=0):
        more = {"text": key} if len(key) == 1 and not modifiers else {}
        if key == "Tab":
            more["windowsVirtualKeyCode"] = 9  # required by Chromium to move the focus
        self.call("Input.dispatchKeyEvent", type="keyDown", code=code, key=key, modifiers=modifiers, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", code=code, key=key, modifiers=modifiers)

    def choose_files(self, selector, *paths):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Network:
    """Forwards TCP from its own port to the server's, with a delay each way in seconds; cut() drops all connections."""

    def __init__(self, host, port, delay=0.0):
        self.target, self.delay, self.lock, self.ends = (host, port), delay, threading.Lock(), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
                far = socket.create_connection(self.target)
            except OSError:
                return
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.ends += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source, sink):
        # Everything arrives `delay` after it was sent, regardless of the amount in flight.
        waiting, changed = [], threading.Condition()

        def deliver():
            while True:
                with changed:
                    while not waiting:
                        changed.wait()
                    due, data = waiting.pop(0)
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    if not data:
                        sink.shutdown(socket.SHUT_WR)
                        return
                    sink.sendall(data)
                except OSError:
                    return

        threading.Thread(target=deliver, daemon=True).start()
        while True:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            with changed:
                waiting.append((time.monotonic() + self.delay, data))
                changed.notify()
            if not data:
                return

    def cut(self):
        with self.lock:
            for end in self.ends:
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()
            self.ends = []

    def close(self):
        self.listener.close()
        self.cut()
