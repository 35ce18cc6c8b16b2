# SPDX-License-Identifier: MIT
"""A viewer of `orrery serve` without a browser: HTTP and WebSocket (RFC 6455) on Python's sockets, and the messages of
docs/serve.md. Used by tests and measure.py."""
import base64
import dataclasses
import http.client
import os
import pathlib
import re
import select
import socket
import ssl
import struct
import subprocess
import time
import urllib.parse

HELLO, SHOWN, MOVED, BUTTON, WHEEL, KEY, TYPED, CLIPBOARD, SIZE, TAKE, LET_GO, FILE, PART = range(1, 14)
WELCOME, PICTURE, ROLE, COPIED, CURSOR, MADE, NOTICE, TITLE, END, LANGUAGE = range(1, 11)


class Gone(Exception):
    """The server has closed the connection."""


class Program:
    """`orrery serve` on a free port; its link, and the files that it writes into `folder`."""

    def __init__(self, program, folder, *arguments, env=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ui_map = self.folder / "ui.json"
        self.errors = open(self.folder / "stderr", "w+")
        self.process = subprocess.Popen(
            [program, "serve", *map(str, arguments), "--port", "0", "--fresh", "--ui-map", self.ui_map], cwd=folder,
            stdout=subprocess.PIPE, stderr=self.errors, text=True, env=dict(os.environ, **(env or {})))
        self.links = []
        self.next_link()

    def next_link(self):
        """The next printed link: the first, or that for another browser."""
        line = self.process.stdout.readline()
        found = re.search(r"(https?)://\S+", line)
        if not found:
            raise RuntimeError(f"no link: {line!r} {pathlib.Path(self.errors.name).read_text()}")
        self.links.append(found.group(0))
        parts = urllib.parse.urlsplit(self.links[-1])
        self.host, self.port = parts.hostname, parts.port
        return self.links[-1]

    def end(self, signal=True):
        """Ends the program; returns its output after the links. A second signal would kill it."""
        if signal and self.process.poll() is None:
            self.process.terminate()
        rest = self.process.communicate(timeout=60)[0]
        self.errors.close()
        return rest

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self.errors.close()


def connection(host, port, timeout, tls=None):
    if tls:
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=tls)
    return http.client.HTTPConnection(host, port, timeout=timeout)


def redeem(link, tls=None):
    """The cookie for this link; `tls`: the ssl.SSLContext of an encrypted one."""
    parts = urllib.parse.urlsplit(link)
    http_ = connection(parts.hostname, parts.port, 10, tls)
    http_.request("GET", f"{parts.path}?{parts.query}")
    answer = http_.getresponse()
    answer.read()
    cookie = answer.getheader("Set-Cookie")
    http_.close()
    if answer.status != 303 or not cookie:
        raise Gone(f"status {answer.status}")
    return cookie.split(";")[0]


def fetch(host, port, path, cookie=None, method="GET", tls=None):
    """Status, headers and body."""
    http_ = connection(host, port, 30, tls)
    http_.request(method, path, headers={"Cookie": cookie} if cookie else {})
    answer = http_.getresponse()
    body = answer.read()
    http_.close()
    return answer.status, answer.headers, body


@dataclasses.dataclass
class Picture:
    codec: str
    key: bool
    serial: int
    driver: int
    inputs: int
    width: int
    height: int
    data: bytes
    at: float


class WebSocket:
    """Sends and receives complete binary messages."""

    def __init__(self, host, port, cookie="", origin=None, path="/", protocol="orrery", timeout=10, tls=None):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=host)
        self.received = b""
        self.whole = b""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version: 13"]
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        if origin is None:
            origin = f"{'https' if tls else 'http'}://{host}:{port}"
        if origin:
            lines.append(f"Origin: {origin}")
        if cookie:
            lines.append(f"Cookie: {cookie}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.received:
            self._more()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Gone(head.split(b"\r\n")[0].decode())

    def _arrived(self, timeout):
        decrypted = isinstance(self.socket, ssl.SSLSocket) and self.socket.pending()
        return decrypted or select.select([self.socket], [], [], timeout)[0]

    def _more(self):
        try:
            part = self.socket.recv(1 << 18)
        except ConnectionError as error:
            raise Gone(str(error)) from error
        if not part:
            raise Gone("closed")
        self.received += part

    def send_frame(self, opcode, payload, final=True):
        length = len(payload)
        head = bytes([(0x80 if final else 0) | opcode])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", length)
        # A mask of zeros is valid.
        try:
            self.socket.sendall(head + b"\0\0\0\0" + payload)
        except ConnectionError as error:
            raise Gone(str(error)) from error

    def send(self, payload):
        self.send_frame(2, payload)

    def _frame(self):
        """Opcode, final flag and payload of a complete frame; None if there is none."""
        data = self.received
        if len(data) < 2:
            return None
        length, at = data[1] & 0x7F, 2
        if length == 126:
            if len(data) < 4:
                return None
            length, at = struct.unpack(">H", data[2:4])[0], 4
        elif length == 127:
            if len(data) < 10:
                return None
            length, at = struct.unpack(">Q", data[2:10])[0], 10
        if len(data) < at + length:
            return None
        self.received = data[at + length:]
        return data[0] & 0xF, bool(data[0] & 0x80), data[at:at + length]

    def receive(self, timeout=10):
        """The next message; None on timeout."""
        end = time.monotonic() + timeout
        while True:
            frame = self._frame()
            if frame:
                opcode, final, payload = frame
                if opcode == 8:
                    raise Gone(payload[2:].decode(errors="replace"))
                if opcode == 9:
                    self.send_frame(10, payload)
                if opcode in (0, 1, 2):
                    self.whole += payload
                    if final:
                        whole, self.whole = self.whole, b""
                        return whole
                continue
            left = end - time.monotonic()
            if left <= 0 or not self._arrived(left):
                return None
            self._more()

    def cut(self):
        """Resets the connection, like a failed network."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Viewer(WebSocket):
    """Sends hello and acknowledges frames."""

    def __init__(self, host, port, cookie, h264=False, width=1280, height=720, scale=100, **more):
        super().__init__(host, port, cookie, **more)
        self.id = self.inputs = 0
        self.drives, self.viewers, self.driven = False, 0, False
        self.said, self.pictures = [], 0
        self.send(struct.pack("<BBBHHH", HELLO, 1, h264, width, height, scale))

    def input(self, kind, form="", *values, tail=b""):
        self.send(struct.pack("<B" + form, kind, *values) + tail)
        self.inputs += 1

    def key(self, key, mods=0):
        self.input(KEY, "HBB", key, 1, mods)
        self.input(KEY, "HBB", key, 0, mods)

    def click(self, x, y):
        self.input(MOVED, "HH", int(x), int(y))
        self.input(BUTTON, "BBHH", 0, 1, int(x), int(y))
        self.input(BUTTON, "BBHH", 0, 0, int(x), int(y))

    def next(self, timeout=10, acknowledge=True):
        """The next frame; None on timeout. Other messages are stored in `said`."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            message = self.receive(left)
            if message is None:
                break
            if message[0] == PICTURE:
                fields = struct.unpack_from("<BBIIIHH", message, 1)
                if acknowledge:
                    self.send(struct.pack("<BI", SHOWN, fields[2]))
                self.pictures += 1
                return Picture({1: "jpeg", 2: "h264"}[fields[0]], bool(fields[1]), *fields[2:], message[19:],
                               time.monotonic())
            if message[0] == WELCOME:
                self.id = struct.unpack_from("<I", message, 2)[0]
            elif message[0] == ROLE:
                self.drives, self.viewers, self.driven = bool(message[1]), struct.unpack_from("<H", message, 2)[0], bool(message[4])
            else:
                self.said.append(message)
        return None

    def until(self, holds, timeout=60):
        """Receives frames until the condition holds; returns its value."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if found := holds():
                return found
            self.next(0.2)
        raise AssertionError("timed out")

    def upload(self, name, data):
        self.send(struct.pack("<BQ", FILE, len(data)) + name.encode())
        for at in range(0, len(data), 49152):
            self.send(bytes([PART]) + data[at:at + 49152])
