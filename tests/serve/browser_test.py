#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `orrery serve` in Chromium without a display, through a network with a delay:

    tests/serve/browser_test.py build/release/app/orrery [FOLDER]

Bodies move, keys and clicks switch engine and map, the wheel zooms, the window takes the page's size, a film is recorded
and downloaded, a snapshot is sent and opened, and after the connection was cut everything goes
on. Exit code 77, a skip to ctest, where Chromium is not installed."""
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
        self.browser.photograph("failed.png")
        told = ("scene", "engine", "map", "precision", "bodies", "step", "panel", "message", "camera_distance", "width")
        state = self.map()["state"]
        raise AssertionError(f"{what}: {({name: state[name] for name in told})}")

    def click(self, label):
        """Its widget, where the map says it is; the page has the window's size. Of a page of another group, that group first."""
        group = self.map()["pages"].get(label, "")
        if group and self.map()["state"]["group"] != group:
            self.click(group)
        place = self.until(f"there is {label}", lambda: dict(self.map()["widgets"]).get(label))
        self.browser.click((place[0] + place[2]) / 2, (place[1] + place[3]) / 2)


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
    page.browser.resize(1000, 640)
    page.until("the window takes the page's size", lambda: (page.state("width"), page.state("height")) == (1000, 640))
    page.browser.resize(900, 560)  # small, since software draws, encodes and decodes what follows
    page.until("and another", lambda: (page.state("width"), page.state("height")) == (900, 560))


def records(page):
    page.browser.key("KeyR", "r")
    page.until("it records", lambda: page.state("recorded_frames") > 10)
    page.browser.key("KeyR", "r")
    page.until("the page offers the film", lambda: page.browser.value("document.querySelectorAll('#files a').length") == 1)
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
    assert times[0] >= 2e3 * DELAY  # it is measured, not made up


def main():
    path = chromium()
    if not path:
        print("skipped: Chromium is not installed (Debian: chromium)")
        return 77
    orrery, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(*sys.argv[2:3] or [tempfile.mkdtemp()])
    shutil.rmtree(folder, ignore_errors=True)
    browser = None
    with Program(orrery, folder, "plummer", "--bodies", "1000") as program:
        network = Network(program.host, program.port, DELAY)
        try:
            browser = Browser(path, folder)
            browser.open(program.links[0].replace(f":{program.port}", f":{network.port}"))
            page = Page(program, browser)
            moves(page)
            resizes(page)
            switches(page)
            browser.photograph(folder / "page.png")
            records(page)
            uploads(page, orrery)
            survives(page, network)
            tells_latency(page)
        finally:
            if browser:
                browser.close()
            network.close()
        print(program.end().strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
