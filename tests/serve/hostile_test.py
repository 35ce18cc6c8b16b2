#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`orrery serve` with malicious or unlucky viewers: it refuses or survives them, and the simulation continues.

    tests/serve/hostile_test.py build/release/app/orrery [CASE...]"""
import contextlib
import json
import os
import pathlib
import random
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

import viewer as viewers
from viewer import (BUTTON, CLIPBOARD, END, FILE, HELLO, KEY, MADE, NOTICE, PART, TAKE, Gone, Program, WebSocket, fetch,
                    redeem)

LARGE = {"width": 1280, "height": 720, "scale": 100}
ORRERY = ""
KEY_S, KEY_SPACE = 83, 32


class Viewer(viewers.Viewer):
    """A small one unless the test needs another: software OpenGL draws its frames."""

    def __init__(self, *connection, **more):
        super().__init__(*connection, **({"width": 640, "height": 360, "scale": 60} | more))


def start(*more):
    return Program(ORRERY, tempfile.mkdtemp(), "plummer", "--bodies", "500", "--codec", "jpeg", *more)


def window_map(program):
    while True:
        try:
            return json.loads(program.ui_map.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(0.02)


def state(program):
    return window_map(program)["state"]


def refused(action):
    """Checks that the server refuses or closes it, instead of leaving it waiting."""
    try:
        action()
    except (Gone, ConnectionError):
        return
    raise AssertionError("it was not refused")


def assert_continues(program, viewer):
    step = state(program)["step"]
    viewer.until(lambda: state(program)["step"] > step + 5)
    assert program.process.poll() is None


def pause(program, viewer):
    """Pauses the simulation, so that waiting costs nothing; the same key resumes it."""
    viewer.until(lambda: viewer.drives)
    viewer.key(KEY_SPACE)
    viewer.until(lambda: state(program)["paused"])


def until_gone(socket_, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if socket_.receive(0.5) is None and time.monotonic() >= end:
            break
    raise AssertionError("it was not closed")


def test_links_and_cookies():
    """Only the link's token gives a secret, once; without a secret nothing is served, and never another file."""
    with start() as program:
        host, port = program.host, program.port
        refused(lambda: redeem(program.links[0][:-1] + "x"))
        cookie = redeem(program.links[0])
        refused(lambda: redeem(program.links[0]))
        second = redeem(program.next_link())
        assert second != cookie
        assert fetch(host, port, "/")[0] == 403 and fetch(host, port, "/", "orrery-1=" + "0" * 32)[0] == 403
        status, headers, body = fetch(host, port, "/", cookie)
        assert status == 200 and b"</html>" in body and "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        for path in ("/file/1", "/file/", "/file/-1", "/file/99999999999999", "/../../etc/passwd", "/etc/passwd",
                     "/file/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/ui.json"):
            status, _, body = fetch(host, port, path, cookie)
            assert status in (400, 403, 404) and b"root:" not in body, (path, status)
        assert fetch(host, port, "/", cookie, "POST")[0] == 405
        status, headers, body = fetch(host, port, "/", cookie, "HEAD")
        assert status == 200 and int(headers["Content-Length"]) > 1000 and body == b""
        assert fetch(host, port, "/", None, "HEAD")[0] == 403 and fetch(host, port, "/file/1", cookie, "HEAD")[0] == 404
        third = program.next_link()
        assert fetch(host, port, third[third.index("/?"):], None, "HEAD")[0] == 403
        redeem(third)  # the HEAD request has not spent it
        with_both = [Viewer(host, port, one) for one in (cookie, second)]
        assert_continues(program, with_both[0])


def listening(port):
    """The addresses on which this machine listens at this TCP port."""
    found = set()
    for family, table in ((socket.AF_INET, "/proc/net/tcp"), (socket.AF_INET6, "/proc/net/tcp6")):
        for line in pathlib.Path(table).read_text().splitlines()[1:] if os.path.exists(table) else ():
            words = line.split()
            address, at = words[1].split(":")
            if words[3] == "0A" and int(at, 16) == port:
                numbers = [int(address[i:i + 8], 16) for i in range(0, len(address), 8)]
                found.add(socket.inet_ntop(family, struct.pack(f"={len(numbers)}I", *numbers)))
    return found


def reaches(host, port):
    try:
        socket.create_connection((host, port), timeout=5).close()
        return True
    except OSError:
        return False


def test_listening():
    """Listens only on the address of --bind; beyond this machine, warns and prints an address that others can use."""
    with start() as program:
        assert listening(program.port) == {"127.0.0.1"}, listening(program.port)
        assert reaches("127.0.0.1", program.port)
        assert not reaches("127.0.0.2", program.port) and not reaches("::1", program.port)
        assert "warning" not in (program.folder / "stderr").read_text()
    for bind, others in (("127.0.0.2", ("127.0.0.1", "::1")), ("::1", ("127.0.0.1", "127.0.0.2"))):
        if bind == "::1" and not os.path.exists("/proc/net/if_inet6"):
            continue
        with start("--bind", bind) as program:
            assert listening(program.port) == {bind} and reaches(bind, program.port)
            assert not any(reaches(other, program.port) for other in others), bind
    for bind in ("0.0.0.0", "::") if os.path.exists("/proc/net/if_inet6") else ("0.0.0.0",):
        with start("--bind", bind) as program:
            assert bind in listening(program.port) <= {bind, "0.0.0.0"} and reaches("127.0.0.2", program.port)
            assert reaches("::1", program.port) == (bind == "::")
            assert reaches(program.host, program.port)
            assert "the traffic is not encrypted" in (program.folder / "stderr").read_text()
            if len(os.listdir("/sys/class/net")) > 1:
                assert program.host not in ("localhost", "0.0.0.0", "::"), program.host


def test_proxied():
    """Below a proxy's path, which the proxy keeps or removes; the only valid https Origin is the proxy's."""
    with start("--base-url", "https://hub.example/user/me/proxy/1/") as program:
        port = int(listening_port(program))
        link = program.links[0]
        assert link.startswith("https://hub.example/user/me/proxy/1/?token="), link
        token = link.split("?")[1]
        status, headers, _ = fetch("127.0.0.1", port, "/user/me/proxy/1?" + token)
        cookie = headers["Set-Cookie"]
        assert status == 303 and headers["Location"] == "/user/me/proxy/1/", headers
        assert "Path=/user/me/proxy/1/" in cookie and cookie.endswith("; Secure"), cookie
        cookie = cookie.split(";")[0]
        for path in ("/", "/user/me/proxy/1/"):
            assert b"</html>" in fetch("127.0.0.1", port, path, cookie)[2], path
        assert fetch("127.0.0.1", port, "/user/me/proxy/1", cookie)[0] == 303
        assert fetch("127.0.0.1", port, "/user/me/", cookie)[0] == 404
        refused(lambda: WebSocket("127.0.0.1", port, cookie=cookie, origin=f"https://127.0.0.1:{port}"))
        refused(lambda: WebSocket("127.0.0.1", port, cookie=cookie, origin="http://hub.example"))
        viewer = Viewer("127.0.0.1", port, cookie, origin="https://hub.example", path="/user/me/proxy/1/")
        assert_continues(program, viewer)
    ends_with(2, "--base-url", "--base-url", "hub.example/x", "--port", "0")


def listening_port(program):
    """The port on which the process listens, for a program whose link names a proxy."""
    inodes = set()
    for file in pathlib.Path(f"/proc/{program.process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the program may close a file meanwhile
            inodes.add(os.readlink(file))
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == "0A" and f"socket:[{words[9]}]" in inodes:
            return int(words[1].split(":")[1], 16)
    raise AssertionError("it does not listen")


def test_token_file():
    """Its token admits any number of browsers, also after a restart, and is never printed."""
    file = pathlib.Path(tempfile.mkdtemp()) / "token"
    for _ in range(2):
        with Program(ORRERY, tempfile.mkdtemp(), "plummer", "--bodies", "100", "--codec", "jpeg", "--token-file", file) as program:
            token = file.read_text().strip()
            assert len(token) == 32 and file.stat().st_mode & 0o77 == 0 and token not in program.links[0]
            link = f"http://127.0.0.1:{program.port}/?token={token}"
            cookies = {redeem(link), redeem(link)}
            assert len(cookies) == 2
            status, _, body = fetch("127.0.0.1", program.port, "/")
            assert status == 403 and b"<form>" in body
            assert token not in program.end() + (program.folder / "stderr").read_text()
    file.chmod(0o644)
    ends_with(2, "chmod 600", "--token-file", str(file), "--port", "0")


def test_opens_a_browser():
    """--open passes the link to xdg-open, also if a token file keeps it off the standard output."""
    folder = pathlib.Path(tempfile.mkdtemp())
    opener, opened = folder / "xdg-open", folder / "opened"
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    opener.chmod(0o755)
    path = {"PATH": f"{folder}:{os.environ['PATH']}"}
    for more in ((), ("--token-file", folder / "token")):
        opened.unlink(missing_ok=True)
        with Program(ORRERY, tempfile.mkdtemp(), "plummer", "--bodies", "100", "--open", *more, env=path) as program:
            while not opened.exists():
                time.sleep(0.02)
            assert more or opened.read_text() == program.links[0]
            redeem(opened.read_text())
            refused(lambda: redeem(opened.read_text()))


def test_other_versions():
    """A page with another protocol version is closed with a message naming both versions."""
    with start() as program:
        viewer = WebSocket(program.host, program.port, redeem(program.links[0]))
        viewer.send(struct.pack("<BBBHHH", HELLO, 2, 0, 800, 600, 100))
        try:
            until_gone(viewer, 20)
        except Gone as gone:
            assert "uses version 1" in str(gone) and "this page 2" in str(gone), gone


def test_origins():
    with start() as program:
        cookie = redeem(program.links[0])
        where = program.host, program.port
        refused(lambda: WebSocket(*where))
        refused(lambda: WebSocket(*where, cookie=cookie[:-1]))
        for origin in (f"https://{where[0]}:{where[1]}", "http://evil.example", f"http://{where[0]}:{where[1] + 1}", "null", "", f"http://{where[0]}"):
            refused(lambda: WebSocket(*where, cookie=cookie, origin=origin))
        assert_continues(program, Viewer(*where, cookie))


def test_malformed_messages():
    """Each closes its sender's connection and no other."""
    hello = struct.pack("<BBBHHH", HELLO, 1, 0, 800, 600, 100)
    with start() as program:
        cookie = redeem(program.links[0])
        good = Viewer(program.host, program.port, cookie)
        for bad in (b"", b"\0", b"\xff", hello[:-1], hello + b"\0",
                    struct.pack("<BBBHHH", HELLO, 1, 0, 0, 600, 100), struct.pack("<BBBHHH", HELLO, 1, 0, 9000, 600, 100)):
            viewer = WebSocket(program.host, program.port, cookie)
            viewer.send(bad)
            refused(lambda: until_gone(viewer, 20))
        for bad in (hello, struct.pack("<BHBB", KEY, 1000, 1, 0), struct.pack("<BBBHH", BUTTON, 3, 1, 0, 0), b"\x07\xff",
                    bytes([CLIPBOARD]) + b"x" * 60001, b"\x07", bytes([PART]) + b"x" * 70000):
            viewer = Viewer(program.host, program.port, cookie)
            viewer.send(bad)
            refused(lambda: until_gone(viewer, 20))
        viewer = WebSocket(program.host, program.port, cookie)
        viewer.send_frame(1, hello)  # text
        refused(lambda: until_gone(viewer, 20))
        viewer = WebSocket(program.host, program.port, cookie)
        for _ in range(3):  # fragments whose total is too long
            viewer.send_frame(2 if _ == 0 else 0, b"\x08" + b"x" * 30000, final=False)
        refused(lambda: until_gone(viewer, 20))
        assert_continues(program, good)


def test_random_messages():
    """20 000, with ORRERY_LONG 100 000, from controllers and other viewers: only senders of invalid messages are closed."""
    random.seed(1)
    with start() as program:
        cookie = redeem(program.links[0])
        good = Viewer(program.host, program.port, cookie)
        sent, viewer = 0, None
        while sent < (100_000 if "ORRERY_LONG" in os.environ else 20_000):
            try:
                if not viewer:
                    viewer = Viewer(program.host, program.port, cookie)
                    if random.random() < 0.5:
                        viewer.send(bytes([TAKE]))
                # Most begin like valid messages; the fuzzer covers the rest.
                kinds = (2, 3, 4, 5, 9, 10, 11, 13) if random.random() < 0.999 else range(256)
                length = {2: 4, 3: 4, 4: 6, 5: 2, 9: 6, 10: 0, 11: 0, 13: 9}
                kind = random.choice(kinds)
                body = bytearray(random.randbytes(length.get(kind, random.randrange(40))))
                if kind == 4:
                    body[:2] = random.randrange(3), random.randrange(2)
                if kind == 9:
                    body = struct.pack("<HHH", random.randrange(64, 900), random.randrange(64, 900), 100)
                viewer.send(bytes([kind]) + body)
                sent += 1
                if sent % 500 == 0:
                    viewer.next(0.01)
                    good.next(0.01)
            except (Gone, ConnectionError):
                viewer = None
        if viewer:  # it may have requested control after the good viewer
            viewer.socket.close()
        # Everything it sent is read before its end is detected; on a busy machine that can take minutes.
        good.until(lambda: good.viewers == 1, timeout=400)
        good.send(bytes([TAKE]))
        good.until(lambda: good.drives)
        assert program.process.poll() is None
        if state(program)["paused"]:
            good.key(KEY_SPACE)
        assert_continues(program, good)


def test_slow_loris():
    """Endless requests and silent connections are closed; others are served meanwhile."""
    with start() as program:
        slow = []
        for i in range(60):
            one = socket.create_connection((program.host, program.port))
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" if i % 2 else b"")
            slow.append(one)
        viewer = Viewer(program.host, program.port, redeem(program.links[0]))
        pause(program, viewer)
        ended, end = 0, time.monotonic() + 60
        while slow and time.monotonic() < end:
            for one in list(slow):
                try:
                    one.setblocking(False)
                    if one.recv(100) == b"":
                        slow.remove(one)
                    continue
                except BlockingIOError:
                    pass
                except OSError:
                    slow.remove(one)
                    continue
                try:
                    one.send(b"X")
                except OSError:
                    slow.remove(one)
            viewer.next(0.2)
        assert not slow, f"{len(slow)} are still open"
        viewer.key(KEY_SPACE)
        assert_continues(program, viewer)


def test_silent_viewers():
    """Viewers that send no hello or acknowledge no frame are closed."""
    with start() as program:
        cookie = redeem(program.links[0])
        good = Viewer(program.host, program.port, cookie)
        pause(program, good)
        silent = WebSocket(program.host, program.port, cookie)
        unresponsive = Viewer(program.host, program.port, cookie)
        gone = set()
        end = time.monotonic() + 90
        while len(gone) < 2 and time.monotonic() < end:
            good.next(0.2)
            for one, take in ((silent, lambda: silent.receive(0.05)),
                              (unresponsive, lambda: unresponsive.next(0.05, acknowledge=False))):
                if one not in gone:
                    try:
                        take()
                    except Gone:
                        gone.add(one)
        assert gone == {silent, unresponsive}
        good.key(KEY_SPACE)
        assert_continues(program, good)


def test_vanishing_viewers():
    """Viewers disappear within a message, a frame or a file."""
    with start() as program:
        cookie = redeem(program.links[0])
        good = Viewer(program.host, program.port, cookie)
        for how in range(12):
            viewer = Viewer(program.host, program.port, cookie)
            viewer.send(bytes([TAKE]))
            if how % 3 == 0:
                viewer.socket.sendall(b"\x82\xfe\x10\x00\0\0\0\0abc")
            if how % 3 == 1:
                viewer.socket.recv(100)
            if how % 3 == 2:
                viewer.until(lambda: viewer.drives)
                viewer.send(struct.pack("<BQ", FILE, 100000) + b"half.tipsy")
                viewer.send(bytes([PART]) + b"x" * 1000)
            viewer.cut()
            good.next(0.1)
        good.send(bytes([TAKE]))
        good.until(lambda: good.drives)
        assert_continues(program, good)


def test_two_drivers():
    """Only one viewer controls; taking over moves the input, and keys held by the previous controller are released."""
    with start() as program:
        first = Viewer(program.host, program.port, redeem(program.links[0]), **LARGE)
        first.until(lambda: first.drives)
        second = Viewer(program.host, program.port, redeem(program.next_link()), width=900, height=700)
        second.until(lambda: second.viewers == 2)
        assert not second.drives
        second.key(KEY_SPACE)
        second.input(BUTTON, "BBHH", 0, 1, 600, 300)
        assert_continues(program, first)
        assert not state(program)["paused"] and state(program)["width"] == 1280
        first.input(BUTTON, "BBHH", 0, 1, 600, 300)
        second.send(bytes([TAKE]))
        second.until(lambda: second.drives)
        first.until(lambda: not first.drives)
        second.until(lambda: state(program)["width"] == 900)
        first.key(KEY_SPACE)
        assert_continues(program, second)
        second.key(KEY_SPACE)
        second.until(lambda: state(program)["paused"])
        second.cut()
        first.until(lambda: first.viewers == 1)
        assert not first.drives and not first.driven  # the page can show that there is no controller
        third = Viewer(program.host, program.port, redeem(program.next_link()))
        third.until(lambda: third.drives)
        third.until(lambda: third.pictures > 0)  # also for a paused simulation


def test_lesson():
    """A browser shows the window itself: the lesson follows the same keys, with its words in the window's language."""
    with start("--engine", "half", "--backend", "cpu", "--rows", "32", "--map", "bb", "--language", "de") as program:
        viewer = Viewer(program.host, program.port, redeem(program.links[0]), **LARGE)
        pause(program, viewer)

        def press(label):
            viewer.until(lambda: label in window_map(program)["widgets"])
            x0, y0, x1, y1 = window_map(program)["widgets"][label]
            viewer.click(int((x0 + x1) / 2), int((y0 + y1) / 2))

        press("Compute")
        press("Maps")
        viewer.until(lambda: (state(program)["map_shown"] or {}).get("rows") == 16)
        viewer.key(ord("U"))
        viewer.until(lambda: state(program)["map_lesson"]["walking"])
        viewer.key(ord("U"))
        viewer.until(lambda: state(program)["map_worked"] == "1 > 0")  # block 1 of the bounding box is idle
        press("Inside a tile")
        viewer.until(lambda: state(program)["tile_lesson"]["shown"])
        viewer.key(ord("L"))
        viewer.until(lambda: state(program)["panel"] == "lab")
        assert state(program)["untranslated"] == [] and state(program)["foreign_words"] == [], state(program)


def test_tls():
    """All traffic is encrypted; plain connections are refused."""
    folder = pathlib.Path(tempfile.mkdtemp())
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=orrery", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    tls = ssl.create_default_context(cafile=certificate)
    with start("--tls-certificate", certificate, "--tls-key", key) as program:
        assert program.links[0].startswith("https://")
        where = program.host, program.port
        cookie = redeem(program.links[0], tls)
        refused(lambda: redeem(program.links[0], tls))
        status, headers, body = fetch(*where, "/", cookie, tls=tls)
        assert status == 200 and b"</html>" in body
        viewer = Viewer(*where, cookie, tls=tls)
        viewer.until(lambda: viewer.pictures > 5)
        viewer.key(KEY_SPACE)
        viewer.until(lambda: state(program)["paused"])
        viewer.key(KEY_SPACE)
        refused(lambda: WebSocket(*where, cookie=cookie))
        refused(lambda: WebSocket(*where, cookie=cookie, origin=f"http://{where[0]}:{where[1]}", tls=tls))
        assert_continues(program, viewer)
    shutil.rmtree(folder)


def test_bandwidth():
    """The rate to a viewer stays below --bandwidth, and frames still arrive."""
    mbits = 1
    with start("--bandwidth", str(mbits)) as program:
        viewer = Viewer(program.host, program.port, redeem(program.links[0]))
        got, began, first = 0, None, None
        while began is None or time.monotonic() - began < 6:
            picture = viewer.next(30)
            assert picture, "no frame arrives"
            if began is None:
                began, first = picture.at, len(picture.data)
            got += len(picture.data)
        rate = 8e-6 * (got - first) / (picture.at - began)
        assert rate < 1.1 * mbits, f"{rate} Mbit/s"
        assert viewer.pictures > 10
        assert_continues(program, viewer)


def test_most_viewers():
    with start("--viewers", "2") as program:
        cookie = redeem(program.links[0])
        two = [Viewer(program.host, program.port, cookie) for _ in range(2)]
        third = Viewer(program.host, program.port, cookie)
        refused(lambda: until_gone(third, 20))
        for one in two:
            one.until(lambda: one.pictures > 5)


def test_files():
    """Uploads are opened from a private folder, within limits; files made can be downloaded, and the folder is removed."""
    temporary = pathlib.Path(tempfile.mkdtemp())
    with Program(ORRERY, tempfile.mkdtemp(), "plummer", "--bodies", "300", "--codec", "jpeg", "--upload-limit", "1",
                 env={"TMPDIR": str(temporary)}) as program:
        cookie = redeem(program.links[0])
        viewer = Viewer(program.host, program.port, cookie)
        viewer.until(lambda: viewer.drives)
        text = "# x y z vx vy vz m\n" + "".join(f"{i} 0 0 0 0 0 1\n" for i in range(77))
        viewer.upload("junk ümläut.tipsy", b"junk")
        viewer.until(lambda: "junk ümläut.tipsy" in state(program)["message"])
        assert str(temporary) not in state(program)["message"], state(program)["message"]
        viewer.upload("../../evil\\..//.mine.csv", text.encode())
        viewer.until(lambda: state(program)["bodies"] == 77)
        folders = list(temporary.glob("orrery-*"))
        assert len(folders) == 1 and folders[0].stat().st_mode & 0o77 == 0
        assert {path.name for path in folders[0].rglob("*") if path.is_file()} == {"junk ümläut.tipsy", "mine.csv"}

        def notice(part):
            return any(said[0] == NOTICE and part in said[1:].decode() for said in viewer.said)

        viewer.send(struct.pack("<BQ", FILE, 2 << 20) + b"large.csv")
        viewer.until(lambda: notice("--upload-limit"))
        viewer.send(struct.pack("<BQ", FILE, 10) + b"longer.csv")
        viewer.send(bytes([PART]) + b"x" * 11)
        viewer.until(lambda: notice("longer.csv: received more bytes"))
        viewer.key(KEY_S)
        made = viewer.until(lambda: [said for said in viewer.said if said[0] == MADE])
        number, size = struct.unpack_from("<IQ", made[0], 1)
        status, headers, body = fetch(program.host, program.port, f"/file/{number}", cookie)
        assert status == 200 and len(body) == size and body.startswith(b"\x89PNG")
        assert headers["Content-Disposition"].startswith("attachment")
        assert int(fetch(program.host, program.port, f"/file/{number}", cookie, "HEAD")[1]["Content-Length"]) == size
        assert state(program)["message"].startswith("Screenshot: orrery-"), state(program)["message"]
        assert fetch(program.host, program.port, f"/file/{number}")[0] == 403
        program.end()
        assert not list(temporary.glob("orrery-*"))
    shutil.rmtree(temporary)


def test_first_frame():
    """The time to the first frame counts from the first viewer, regardless of how long the program has waited."""
    for patience in (1, 4, 16):  # seconds until the program waits, also on a busy machine
        with start() as program:
            time.sleep(patience)
            viewer = Viewer(program.host, program.port, redeem(program.links[0]))
            report = program.folder / "stderr"
            viewer.until(lambda: viewer.pictures > 0 and "First frame" in report.read_text())  # written after the picture
            if "s after the first viewer came" in report.read_text():
                return
    raise AssertionError("the report counts from the program's start")


def test_end():
    """A signal ends the program: viewers are notified, statistics are printed and written, and the exit code is 0."""
    with start("--times", "times.csv") as program:
        viewer = Viewer(program.host, program.port, redeem(program.links[0]))
        viewer.until(lambda: viewer.pictures > 20)
        # The program writes the file at its end, so that a kill leaves no partial file.
        assert not [path for path in program.folder.iterdir() if "times" in path.name]
        program.process.terminate()
        try:
            while True:
                viewer.next(5)
        except Gone:
            pass
        assert any(said[0] == END for said in viewer.said)
        assert " frames in " in program.end(signal=False) and program.process.returncode == 0
        lines = (program.folder / "times.csv").read_text().splitlines()
        assert lines[0].startswith("seconds,step,codec") and len(lines) > 15


def ends_with(code, words, *arguments):
    done = subprocess.run([ORRERY, "serve", "plummer", "--bodies", "100", "--fresh", *arguments], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == code and words in done.stderr and done.stderr.count("\n") == 1, (arguments, done)


def test_refusals():
    """Each error is one line."""
    with start() as program:
        ends_with(3, "Address already in use", "--port", str(program.port))
    ends_with(2, "--bind nowhere", "--bind", "nowhere", "--port", "0")
    ends_with(3, "Cannot assign", "--bind", "192.0.2.1", "--port", "0")
    ends_with(2, "expected PEM", "--tls-certificate", os.devnull, "--tls-key", os.devnull, "--port", "0")
    ends_with(2, "/no/such.pem: No such file", "--tls-certificate", "/no/such.pem", "--tls-key", os.devnull, "--port", "0")
    ends_with(2, "--tls-key", "--tls-certificate", os.devnull)


def main():
    global ORRERY
    ORRERY = str(pathlib.Path(sys.argv[1]).resolve())
    temporary = tempfile.gettempdir()
    for name, test in list(globals().items()):
        if name.startswith("test_") and (not sys.argv[2:] or name[5:] in sys.argv[2:]):
            start_ = time.monotonic()
            # Temporary files of the test, and of programs that it kills, are removed with this folder.
            with tempfile.TemporaryDirectory(dir=temporary, ignore_cleanup_errors=True) as folder:
                os.environ["TMPDIR"] = tempfile.tempdir = folder
                test()
            print(f"good: {name[5:]} ({time.monotonic() - start_:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
