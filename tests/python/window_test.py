# SPDX-License-Identifier: MIT
"""The window of a notebook: starts the program, which serves the page with the bodies, and stops it."""
import contextlib
import http.cookiejar
import http.server
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

import orrery
from support import PROGRAM, plummer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "serve"))
from browser import Browser, chromium  # noqa: E402

CHROMIUM = chromium()
KEEP = os.environ.get("ORRERY_KEEP_PICTURES")  # folder for screenshots of the browser

SERVES = any(line.startswith("window in a browser: yes") for line in orrery.built_with().splitlines())


def pixels(browser, folder):
    """Distinct pieces of eight bytes in a screenshot's file: few for a page of one colour."""
    path = pathlib.Path(folder) / "screenshot.png"
    browser.screenshot(path)
    data = path.read_bytes()
    return {data[at:at + 8] for at in range(0, len(data), 8)} if len(data) > 40_000 else set()


@unittest.skipUnless(SERVES, "a build that cannot serve")
class Windows(unittest.TestCase):
    def test_shows_the_bodies(self):
        sim = plummer(300, engine="tree")
        sim.step(3)
        with orrery.show(sim, width=320, height=240) as window:
            self.assertRegex(window.link, r"^http://127\.0\.0\.1:\d+/\?token=")
            page = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())).open(window.link)
            self.assertIn("Orrery", page.read().decode())
            process = window._process
        self.assertIsNotNone(process.returncode)
        self.assertTrue(window.closed)
        with self.assertRaisesRegex(orrery.UsageError, "closed"):
            window.link
        window.close()

    def test_is_a_frame_of_the_page(self):
        with orrery.Window(orrery.scene("figure-eight"), width=320, height=240) as window:
            frame = window._repr_html_()
            self.assertIn(f":{window.port}/?token=", frame)
            self.assertIn("<iframe", frame)
            self.assertIn("location.hostname", frame)
        self.assertNotIn("<iframe", window._repr_html_())

    @unittest.skipUnless(CHROMIUM, "Chromium is not installed")
    def test_a_browser_shows_bodies_in_the_frame(self):
        """In a page of another port, like that of a notebook, under both names of this machine."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.closing(Browser(CHROMIUM, folder)) as browser:
            for host in ("127.0.0.1", "localhost"):
                times = pathlib.Path(folder) / "times.csv"
                with orrery.show(plummer(300, engine="direct"), width=320, height=240, arguments=["--times", str(times)]) as window:
                    page = f"<!doctype html><body>{window._repr_html_()}</body>".encode()

                    class Page(http.server.BaseHTTPRequestHandler):
                        def do_GET(self):
                            self.send_response(200)
                            self.send_header("Content-Type", "text/html")
                            self.end_headers()
                            self.wfile.write(page)

                        def log_message(self, *_):
                            pass

                    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
                    threading.Thread(target=server.serve_forever, daemon=True).start()
                    try:
                        first = window.link
                        browser.open(f"http://{host}:{server.server_port}/")
                        browser.wait(lambda: window.link != first)  # used; another one is printed
                        # The page is displayed, its socket is open, and the window has requested frames of its size.
                        browser.wait(lambda: len(pixels(browser, folder)) > 20)
                        if KEEP:
                            browser.screenshot(pathlib.Path(KEEP) / f"frame_{host}.png")
                    finally:
                        server.shutdown()
                        server.server_close()
                self.assertGreater(times.read_text().count("\n"), 1)  # titles and a frame

    def test_a_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            with self.assertRaisesRegex(orrery.MachineError, "orrery serve: .*port"):
                orrery.show(plummer(10), port=taken.getsockname()[1])

    def test_ends_with_python(self):
        said = subprocess.run([sys.executable, "-c", "import orrery\n"
                               "w = orrery.show(orrery.scene('plummer', bodies=50), width=320, height=240)\n"
                               "print(w.port)\n"], capture_output=True, text=True, check=True)
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen(f"http://127.0.0.1:{int(said.stdout)}/", timeout=5)


class Program(unittest.TestCase):
    def run_python(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-m", "orrery", *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment})

    def test_the_module_starts_the_program(self):
        wanted = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(self.run_python("--version").stdout, wanted)
        self.assertEqual(self.run_python("run").returncode, 2)

    def test_another_program_is_refused(self):
        done = self.run_python("--version", ORRERY_PROGRAM="/bin/echo")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(re.search("was not found.*/bin/echo is version", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
