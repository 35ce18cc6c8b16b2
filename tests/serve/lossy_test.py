#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`orrery serve` on another host, a network namespace, with packet loss: frames arrive, a cut connection is
reopened, keys arrive. Needs root, iproute2 and nftables; not part of ctest.

    tests/serve/lossy_test.py build/release/app/orrery [PERCENT lost each way, 3]"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

from hostile_test import KEY_SPACE
from viewer import Viewer, redeem

HOST, HERE, PORT = "10.77.0.2", "10.77.0.1", "8123"
INSIDE = ["ip", "netns", "exec", "orrery-lossy"]


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


def loses(where, link, percent):
    run(*where, "nft", "add", "table", "ip", "orrery-lossy")
    run(*where, "nft", "add", "chain", "ip", "orrery-lossy", "in", "{ type filter hook input priority 0; }")
    run(*where, "nft", "add", "rule", "ip", "orrery-lossy", "in", "iifname", link, f"numgen random mod 100 < {percent}", "drop")


def watch(program):
    link = re.search(r"http://\S+", program.stdout.readline()).group(0)
    port = urllib.parse.urlsplit(link).port
    cookie = redeem(link)
    viewer = Viewer(HOST, port, cookie, timeout=60)
    viewer.until(lambda: viewer.pictures > 20)
    before, start = viewer.pictures, time.monotonic()
    while time.monotonic() < start + 10:
        viewer.next(0.5)
    print(f"{(viewer.pictures - before) / (time.monotonic() - start):.1f} frames per second")
    viewer.cut()
    again = Viewer(HOST, port, cookie, timeout=60)
    again.until(lambda: again.pictures > 20 and again.drives)
    again.key(KEY_SPACE)
    time.sleep(1)
    still = again.pictures
    print(f"reconnected after a cut; {still} frames until a key paused it")


def main():
    program, percent = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if sys.argv[2:] else 3
    run("ip", "netns", "add", "orrery-lossy")
    try:
        run("ip", "link", "add", "orrery0", "type", "veth", "peer", "name", "orrery1", "netns", "orrery-lossy")
        for where, link, address in (([], "orrery0", HERE), (INSIDE, "orrery1", HOST)):
            run(*where, "ip", "addr", "add", f"{address}/24", "dev", link)
            run(*where, "ip", "link", "set", link, "up")
        loses([], "orrery0", percent)
        loses(INSIDE, "orrery1", percent)
        with subprocess.Popen([*INSIDE, program, "serve", "plummer", "--bodies", "2000", "--fresh", "--codec", "jpeg", "--port", PORT,
                               "--bind", HOST], stdout=subprocess.PIPE, text=True, cwd=tempfile.mkdtemp()) as server:
            try:
                watch(server)
            finally:
                server.terminate()
    finally:
        subprocess.run(["nft", "delete", "table", "ip", "orrery-lossy"], check=False)
        subprocess.run(["ip", "netns", "delete", "orrery-lossy"], check=False)


if __name__ == "__main__":
    main()
