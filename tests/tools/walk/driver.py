# SPDX-License-Identifier: MIT
"""The program in a real window, operated by mouse and keys, for tests/tools/window_on_gpu.py."""
import glob
import json
import os
import pathlib
import shutil
import struct
import subprocess
import time
import zlib


class Failure(Exception):
    """An expected state was not reached."""


def pixels_of_xwd(dump):
    """(width, rows of RGB) of an image of 32 bits per pixel, in the format of Xvfb and xwd (XWDFile.h)."""
    head = struct.unpack(">25I", dump[:100])
    header_size, width, height, big_endian, bits, row_bytes, colours = (head[i] for i in (0, 4, 5, 7, 11, 12, 19))
    if bits != 32:
        raise Failure(f"a screen of {bits} bits per pixel")
    order = (1, 2, 3) if big_endian else (2, 1, 0)
    rows, start = [], header_size + 12 * colours
    for y in range(height):
        line = dump[start + y * row_bytes:start + y * row_bytes + 4 * width]
        row = bytearray(3 * width)
        for channel in range(3):
            row[channel::3] = line[order[channel]::4]
        rows.append(bytes(row))
    return width, rows


def png_of_rows(width, rows, path):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row for row in rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, len(rows), 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b""))


class Display:
    """The screen of DISPLAY, or a private one: Xvfb, with NVIDIA's GLX if its driver is present."""

    def __init__(self, own, width, height, folder):
        self.server, self.frames = None, None
        self.environment = dict(os.environ)
        if not own:
            return
        self.frames = folder / "screen"
        self.frames.mkdir(parents=True, exist_ok=True)
        readable, writable = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writable), "-screen", "0", f"{width}x{height}x24", "+extension", "GLX",
             "-nolisten", "tcp", "-noreset", "-fbdir", str(self.frames)],
            pass_fds=[writable], stderr=subprocess.DEVNULL)
        os.close(writable)
        with open(readable) as end:
            number = end.readline()  # contains a newline once the server accepts connections
        if not number.endswith("\n"):
            raise Failure("Xvfb did not start")
        self.environment["DISPLAY"] = ":" + number.strip()
        if os.path.exists("/proc/driver/nvidia/version") or glob.glob("/dev/nvidia[0-9]*"):
            self.environment.setdefault("__GLX_VENDOR_LIBRARY_NAME", "nvidia")

    def dump(self):
        """The whole screen in the format of xwd; None if no tool can capture it."""
        if self.frames:
            return (self.frames / "Xvfb_screen0").read_bytes()
        if not shutil.which("xwd"):
            return None
        return subprocess.run(["xwd", "-silent", "-root"], env=self.environment, check=True, capture_output=True).stdout

    def screenshot(self, path):
        """Writes the whole screen as a PNG file; False if no tool can capture it."""
        dump = self.dump()
        if dump is None:
            return False
        png_of_rows(*pixels_of_xwd(dump), path)
        return True

    def close(self):
        if self.server:
            self.server.terminate()
            self.server.wait()
            shutil.rmtree(self.frames, ignore_errors=True)


class Window:
    """One run of the program. Its UI map contains states and positions; `patience`: timeout in seconds; `fresh`:
    without the settings file."""

    def __init__(self, display, program, arguments, folder, patience, fresh=True):
        self.display, self.folder, self.patience = display, folder, patience
        self.map_file, self.errors_file = folder / "map.json", folder / "errors.txt"
        self.map_file.unlink(missing_ok=True)
        with open(self.errors_file, "w") as errors:
            self.process = subprocess.Popen(
                [str(program), *arguments, *(["--fresh"] if fresh else []), "--ui-map", str(self.map_file)],
                cwd=folder, stderr=errors, stdout=subprocess.DEVNULL, env=display.environment)
        self.window_id = None
        self.wait("bodies", lambda s: s["bodies"])
        found = self.xdotool("search", "--onlyvisible", "--name", "^Orrery").split()
        self.window_id = found[0]
        self.xdotool("windowfocus", self.window_id)
        self.wait_frames(3)

    # --- state --------------------------------------------------------------------------------------------------------
    def map(self):
        return json.loads(self.map_file.read_text())

    def state(self, name=None):
        state = self.map()["state"]
        return state if name is None else state[name]

    def wait(self, what, wanted):
        """Returns the state once `wanted` holds."""
        end, state = time.monotonic() + self.patience, {}
        while time.monotonic() < end:
            if self.map_file.exists():
                state = self.state()
                if wanted(state):
                    return state
            if self.process.poll() is not None:
                raise Failure(f"{what}: the program has ended; {self.errors()}")
            time.sleep(0.004)
        told = ("scene", "engine", "backend", "map", "precision", "step", "panel", "message")
        short = {name: state.get(name) for name in told}
        raise Failure(f"{what}: timed out; {short}")

    def wait_frames(self, count):
        now = self.state("frames") if self.map_file.exists() else 0
        self.wait("frames", lambda s: s["frames"] >= now + count)

    def errors(self):
        return self.errors_file.read_text().strip()

    def shows(self, label):
        return label in self.map()["widgets"]

    def folded(self, state):
        """Whether the fold of the rarely used controls of the open page is closed."""
        return self.shows("Advanced") and state["panel"] not in state["advanced"]

    # --- user input ---------------------------------------------------------------------------------------------------
    def xdotool(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.display.environment, check=True,
                              capture_output=True, text=True).stdout

    def move(self, x, y):
        self.xdotool("mousemove", "--window", self.window_id, round(x), round(y))
        self.wait_frames(2)

    def click_at(self, x, y, button=1):
        self.move(x, y)
        self.xdotool("click", "--delay", 0, button)  # otherwise xdotool waits for 100 ms
        self.wait_frames(2)

    def drag(self, x0, y0, x1, y1, key=None):
        self.move(x0, y0)
        if key:
            self.xdotool("keydown", key)
            self.wait_frames(2)
        self.xdotool("mousedown", 1)
        self.wait_frames(2)
        self.move((x0 + x1) / 2, (y0 + y1) / 2)
        self.move(x1, y1)
        self.xdotool("mouseup", 1)
        self.wait_frames(2)
        if key:
            self.xdotool("keyup", key)
            self.wait_frames(2)

    def away(self):
        """Moves the mouse where it covers no widget and opens no tooltip."""
        state = self.state()
        self.move(state["width"] * 0.75, state["height"] * 0.6)

    def click(self, label):
        pages = self.map().get("pages", {})
        if label in pages and self.state("group") != pages[label]:
            self.click(pages[label])
        self.wait(f"'{label}' or a closed fold", lambda s: self.shows(label) or self.folded(s))
        self.wait_frames(2)  # panels may still be growing
        if not self.shows(label) and self.folded(self.state()) and label != "Advanced":
            self.click("Advanced")
            self.wait(f"'{label}' can be clicked", lambda _: self.shows(label))
        x0, y0, x1, y1 = self.map()["widgets"][label]
        self.click_at((x0 + x1) / 2, (y0 + y1) / 2)

    def choose(self, combo, line):
        self.click(combo)
        self.click(line)

    def key(self, *names):
        for name in names:
            self.xdotool("key", "--delay", 0, name)
            self.wait_frames(2)

    def type_into(self, label, text):
        self.click(label)
        self.wait("a text field has the keyboard", lambda s: s["typing"])
        self.key("ctrl+a")
        for letter in text:  # a busy machine loses keys that come at once
            self.xdotool("type", "--", letter)
            self.wait_frames(1)
        self.key("Return")

    def quit(self):
        """The exit code after Esc, which first closes open panels; None if the program does not end."""
        for _ in range(3):
            self.xdotool("key", "Escape")
            try:
                return self.process.wait(timeout=self.patience / 3)
            except subprocess.TimeoutExpired:
                pass
        return None

    def kill(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
