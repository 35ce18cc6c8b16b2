#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `orrery serve` in headless Chromium, through a network with a delay:

    tests/serve/browser_test.py build/release/app/orrery [FOLDER]

Bodies move, keys and clicks switch engine and map, keys of a German keyboard and of a Mac are understood, other keys
reach the browser, a narrow page suits a phone, the wheel zooms, the window follows the page's size, a video is recorded
and downloaded, a snapshot is uploaded and opened, and everything continues after the connection was cut. Exit code 77,
a skip for ctest, if Chromium is not installed."""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from browser import Browser, Network, chromium
from viewer import Program

HASH = """(() => { const c = document.getElementById('view'), d = c.getContext('2d').getImageData(420, 80, c.width - 700,
c.height - 200).data; let h = 0; for (let i = 0; i < d.length; i += 4) h = (h * 31 + d[i] + 3 * d[i + 1]) | 0; return h; })()"""
DELAY = 0.02  # seconds each way


class Page:
    def __init__(self, program, browser):
        self.program, self.browser = program, browser

    def map(self):
        while True:
            try:
                return json.loads(self.program.ui_map.read_text())
            except (FileNotFoundError, json.JSONDecodeError):
                time.sleep(0.02)

    def state(self, name):
        return self.map()["state"][name]

    def until(self, what, holds):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if found := holds():
                print(f"good: {what}", flush=True)
                return found
            time.sleep(0.05)
        self.browser.screenshot("failed.png")
        told = ("scene", "engine", "map", "precision", "bodies", "step", "panel", "message", "camera_distance", "width")
        state = self.map()["state"]
        raise AssertionError(f"{what}: {({name: state[name] for name in told})}")

    def click(self, label):
        """Opens the widget's group and clicks the widget at its position in the map; the page has the window's size."""
        group = self.map()["pages"].get(label, "")
        if group and self.map()["state"]["group"] != group:
            self.click(group)
        place = self.until(f"there is {label}", lambda: self.settled_place(label))
        self.browser.click((place[0] + place[2]) / 2, (place[1] + place[3]) / 2 + self.bar())

    def settled_place(self, label):
        """The place of a widget, or None while it still moves: a row of pages may be laid out again when one opens."""
        place = self.map()["widgets"].get(label)
        time.sleep(0.3)
        return place if place == self.map()["widgets"].get(label) else None

    def bar(self):
        """Height of the page's bar above the picture, in points."""
        return self.browser.value("document.getElementById('stage').getBoundingClientRect().top")


def moves(page):
    page.until("pictures come", lambda: page.browser.value("(window.orrery || {}).pictures > 5"))
    seen = page.browser.value(HASH)
    page.until("bodies move", lambda: page.browser.value(HASH) != seen)
    print("codec:", page.browser.value("orrery.codec"), flush=True)


def switches(page):
    page.browser.key("Digit2", "2")
    page.until("a key switches the engine", lambda: page.state("engine") == "half")
    before = page.state("map")
    page.click("Maps")
    page.until("a click opens a panel", lambda: page.state("panel") == "maps")
    page.browser.key("KeyM", "m")
    page.until("a key switches the map", lambda: page.state("map") != before)
    page.click("Forces")
    page.until("the first panel again", lambda: page.state("panel") == "engine")
    before = page.state("precision")
    page.browser.key("Enter", "Enter")
    page.until("Enter switches the precision", lambda: page.state("precision") != before)
    far = page.state("camera_distance")
    page.browser.wheel(700, 300, -300)
    page.until("the wheel zooms", lambda: page.state("camera_distance") < far)


def resizes(page):
    def is_large(width, height):
        # H.264 requires even sizes.
        wanted = width, int(height - page.bar()) // 2 * 2
        return lambda: (page.state("width"), page.state("height")) == wanted

    page.browser.resize(1000, 640)
    page.until("the window takes the size of the page below its bar", is_large(1000, 640))
    page.browser.resize(900, 560)  # small, because what follows is drawn, encoded and decoded in software
    page.until("and another", is_large(900, 560))


def gives_keys_back(page):
    """Keys that the window does not use reach the browser, and the keyboard reaches the buttons."""
    def taken(key, **mods):
        init = json.dumps({"key": key, "cancelable": True, "bubbles": True, **mods})
        return not page.browser.value(f"document.getElementById('view').dispatchEvent(new KeyboardEvent('keydown', {init}))")

    for key in ("F5", "F12", "F11", "CapsLock", "ContextMenu"):
        assert not taken(key), key
    for key in ("r", "l", "+", "-", "0", "t", "w"):
        assert not taken(key, ctrlKey=True) and not taken(key, metaKey=True), key
    assert not taken("ArrowLeft", altKey=True) and not taken("I", ctrlKey=True, shiftKey=True)
    for key in ("F2", "q", "PageDown"):
        assert taken(key), key
    assert taken("z", ctrlKey=True) and taken("Z", ctrlKey=True, shiftKey=True)
    focus = "document.activeElement.id"
    page.browser.value("document.getElementById('view').focus()")
    page.browser.key("Tab", "Tab")
    page.browser.key("Tab", "Tab")  # hides and shows the panels
    assert page.browser.value(focus) == "view"
    page.browser.key("Escape", "Escape")
    page.browser.key("Tab", "Tab")
    assert page.browser.value(focus) == "send", page.browser.value(focus)
    page.browser.key("Tab", "Tab")
    assert page.browser.value(focus) == "keyboard"
    page.browser.value("document.getElementById('view').focus()")
    names = page.browser.value("[...document.querySelectorAll('#view, #send, #take, #keyboard, #typing')].map("
                               "e => e.getAttribute('aria-label') || e.textContent)")
    assert all(len(name) > 3 for name in names) and "Esc" in names[0], names
    assert page.browser.value("document.getElementById('view').getAttribute('role')") == "application"
    assert page.browser.value("['state', 'notice'].every(i => document.getElementById(i).getAttribute('aria-live') === 'polite')")
    assert page.browser.value("document.documentElement.lang") == "en"
    print("good: keys are given back, and Esc, then Tab leads to the buttons", flush=True)


def fits_a_phone(page):
    """The sidebar is closed, the bar covers no part of the window, and two fingers pan and zoom."""
    page.browser.be_phone(390, 844)
    page.until("a narrow page closes the sidebar", lambda: page.state("width") < page.state("height") and page.state("panel") == "")
    page.browser.screenshot(page.program.folder / "phone.png")
    box = page.browser.value("(r => [r.left, r.top, r.right, r.bottom])(document.getElementById('view').getBoundingClientRect())")
    assert box[0] <= 1 and box[1] >= page.bar() and box[3] <= 845, box
    assert page.browser.value("getComputedStyle(document.getElementById('bar')).opacity") == "1"
    far, panel = page.state("camera_distance"), page.state("panel")
    page.browser.touch("touchStart", (150, 400))
    page.browser.touch("touchStart", (150, 400), (240, 400))
    for spread in range(0, 60, 10):
        page.browser.touch("touchMove", (150 - spread, 400), (240 + spread, 400))
    page.browser.touch("touchEnd")
    page.until("two fingers zoom", lambda: page.state("camera_distance") < 0.7 * far)
    assert page.state("panel") == panel  # no body was picked, which would open its page
    page.browser.be_phone(844, 390)
    page.until("it turns", lambda: page.state("width") > page.state("height"))
    page.browser.screenshot(page.program.folder / "landscape.png")
    page.browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    page.browser.resize(900, 560)
    page.until("and is large again", lambda: page.state("width") == 900)


def reads_keyboards(page):
    """Letter keys by their labels: German layout, and Cmd on a Mac."""
    key = page.browser.key
    control, command = 2, 4
    key("KeyY", "z")
    page.until("Z of a German keyboard reverses time", lambda: page.state("reversed"))
    key("KeyY", "z")
    page.until("and again", lambda: not page.state("reversed"))
    undos = page.state("hand")["undos"]
    key("Backspace", "Backspace")
    page.until("a restart", lambda: page.state("hand")["undos"] == undos + 1)
    key("KeyY", "z", control)
    page.until("Ctrl + Z of a German keyboard undoes it", lambda: page.state("hand")["undos"] == undos)
    key("Digit3", '"')
    page.until("digits go by their place", lambda: page.state("engine") == "tree")
    key("Digit2", "2")
    page.until("as before", lambda: page.state("engine") == "half")
    agent = page.browser.value("navigator.userAgent")
    page.browser.call("Emulation.setUserAgentOverride", userAgent=agent, platform="MacIntel")
    page.browser.call("Page.reload")
    page.until("the page is a Mac's", lambda: page.browser.value(
        "navigator.platform === 'MacIntel' && (window.orrery || {}).pictures > 2"))
    # The previous page's connection may still be the controller.
    page.until("it is the controller", lambda: page.browser.value("drives || (document.getElementById('take').click(), false)"))
    key("Backspace", "Backspace")
    page.until("a restart", lambda: page.state("hand")["undos"] == undos + 1)
    held = {"code": "MetaLeft", "key": "Meta"}
    page.browser.call("Input.dispatchKeyEvent", type="keyDown", modifiers=command, **held)
    page.browser.call("Input.dispatchKeyEvent", type="keyDown", code="KeyZ", key="z", modifiers=command)
    page.browser.call("Input.dispatchKeyEvent", type="keyUp", **held)  # no keyUp for Z, as on a Mac
    page.until("Cmd + Z undoes it", lambda: page.state("hand")["undos"] == undos)
    key("KeyZ", "z")
    page.until("no key stays down", lambda: page.state("reversed"))
    key("KeyZ", "z")
    page.until("as before", lambda: not page.state("reversed"))


def drags_quickly(page):
    """A movement and the following release in one frame are a drag and pick nothing."""
    yaw = page.state("camera_yaw")
    page.browser.value("""(async () => {
      const view = document.getElementById('view'), box = view.getBoundingClientRect();
      const send = (type, x, y) => view.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', button: 0,
        clientX: box.left + x * box.width, clientY: box.top + y * box.height }));
      const pause = ms => new Promise(done => setTimeout(done, ms));
      send('pointermove', 0.6, 0.4);
      await pause(500);
      send('pointerdown', 0.6, 0.4);
      await pause(500);
      send('pointermove', 0.75, 0.4);
      send('pointerup', 0.75, 0.4);
    })()""")
    page.until("a quick drag turns the camera", lambda: abs(page.state("camera_yaw") - yaw) > 0.01)
    assert page.state("hand")["picked"] == 0


def records(page):
    page.browser.key("KeyR", "r")
    page.until("it records", lambda: page.state("recorded_frames") > 10)
    page.browser.key("KeyR", "r")
    page.until("the page offers the video", lambda: page.browser.value("document.querySelectorAll('#files a').length") == 1)
    page.browser.value("document.querySelector('#files a').click()")
    made = next(pathlib.Path(page.program.folder).glob("orrery-*.*"))
    got = page.browser.downloads / made.name
    page.until("it is downloaded", lambda: got.exists() and got.stat().st_size == made.stat().st_size)
    assert hashlib.sha256(got.read_bytes()).digest() == hashlib.sha256(made.read_bytes()).digest()
    if made.suffix == ".mp4":
        assert got.read_bytes()[4:8] == b"ftyp"


def uploads(page, orrery):
    snapshot = pathlib.Path(page.program.folder) / "mine.tipsy"
    subprocess.run([orrery, "run", "hernquist", "--bodies", "321", "--steps", "1", "-o", snapshot], check=True, stdout=subprocess.DEVNULL)
    page.browser.choose_files("#chosen", snapshot)
    page.until("a snapshot is sent and opened", lambda: page.state("bodies") == 321)
    page.until("it waits for a start, for its dt is guessed", lambda: page.state("waits_for_start"))
    page.browser.key("Space", " ")
    page.until("it runs", lambda: not page.state("paused"))


def survives(page, network):
    before, step = page.browser.value("orrery.pictures"), page.state("step")
    network.cut()
    page.until("the page has noticed the cut", lambda: page.browser.value("orrery.reconnects") >= 1)
    page.until("it comes back by itself", lambda: page.browser.value("orrery.pictures") > before + 10)
    assert page.state("step") >= step and page.state("bodies") == 321
    page.browser.key("Space", " ")
    page.until("and drives", lambda: page.state("paused"))
    page.browser.key("Space", " ")
    page.until("as before", lambda: not page.state("paused"))


def tells_latency(page):
    times = sorted(page.browser.value("orrery.latencies"))
    print(f"input to picture through {2e3 * DELAY:.0f} ms of network: median {times[len(times) // 2]:.0f} ms of "
          f"{len(times)}", flush=True)
    assert times[0] >= 2e3 * DELAY  # measured, not invented


def main():
    path = chromium()
    if not path:
        print("skipped: Chromium is not installed (Debian: chromium)")
        return 77
    orrery, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(*sys.argv[2:3] or [tempfile.mkdtemp()])
    shutil.rmtree(folder, ignore_errors=True)
    browser = None
    with Program(orrery, folder, "plummer", "--bodies", "1000", "--max-fps", "12") as program:
        network = Network(program.host, program.port, DELAY)
        try:
            browser = Browser(path, folder)
            browser.open(program.links[0].replace(f":{program.port}", f":{network.port}"))
            page = Page(program, browser)
            moves(page)
            resizes(page)
            switches(page)
            gives_keys_back(page)
            reads_keyboards(page)
            drags_quickly(page)
            browser.screenshot(folder / "page.png")
            records(page)
            uploads(page, orrery)
            survives(page, network)
            tells_latency(page)
            fits_a_phone(page)
        finally:
            if browser:
                browser.close()
            network.close()
        print(program.end().strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
