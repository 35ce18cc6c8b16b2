# SPDX-License-Identifier: MIT
"""The window in a notebook: runs `orrery serve` as a child process and displays it in a frame of the page."""
import atexit
import html
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import weakref
from typing import Any, List, Optional, Union

from ._core import MachineError, Scene, Simulation, UsageError, _write_window_scene
from ._program import find_program

_LINK = re.compile(r"https?://\S+")
_PATIENCE = 60.0  # seconds for the first link, while the program opens its scene
_LIVING: "weakref.WeakSet[Window]" = weakref.WeakSet()


class Window:
    """A window on a copy of a simulation's bodies, with its engine, displayed in a browser.

    The window has its own simulation in its own process: changes there do not affect this one, unless they are saved to a
    file. In a notebook the object is displayed as a frame; elsewhere open `link`, which works for one browser, see
    docs/serve.md. `close()`, the end of a `with` block and the end of Python end the program.
    """

    def __init__(self, bodies: Union[Simulation, Scene], *, port: int = 0, width: int = 1280, height: int = 720,
                 arguments: Optional[List[str]] = None) -> None:
        """Starts the program. `port` 0: any free port; `width` and `height`: maximum size in pixels; `arguments` are
        those of `orrery serve`. Raises MachineError, with its message, if the program is missing or cannot serve."""
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="orrery-"))
        self._links: List[str] = []
        self._news = threading.Condition()
        self._ended = False
        self._process: Optional["subprocess.Popen[str]"] = None
        self._reader: Optional[threading.Thread] = None
        self._height, self._port = height, port
        self._proxied = any(argument.split("=")[0] == "--base-url" for argument in arguments or [])
        try:
            program = find_program()
            scene = _write_window_scene(bodies, self._folder)
            with open(self._folder / "stderr", "w", encoding="utf-8") as errors:
                self._process = subprocess.Popen(
                    [str(program), "serve", str(scene), "--fresh", "--in-frames", "--port", str(port), "--width", str(width), "--height",
                     str(height), *(arguments or [])],
                    cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
                    start_new_session=True)
            self._reader = threading.Thread(target=self._read, name="orrery-links", daemon=True)
            self._reader.start()
            self._wait_for_link()
        except BaseException:
            self.close()
            raise
        _LIVING.add(self)

    def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        for line in self._process.stdout:
            found = _LINK.search(line)
            if found:
                with self._news:
                    self._links.append(found.group(0))
                    self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _wait_for_link(self) -> None:
        with self._news:
            self._news.wait_for(lambda: self._links or self._ended, timeout=_PATIENCE)
            if self._links:
                return
        output = (self._folder / "stderr").read_text(encoding="utf-8").strip()
        why = output.splitlines()[-1] if output else f"no link was printed within {_PATIENCE:.0f} s"
        raise MachineError(f"orrery serve: {why}")

    @property
    def link(self) -> str:
        """The newest link, for one browser. Raises UsageError after close()."""
        if self.closed:
            raise UsageError("this window is closed")
        with self._news:
            return self._links[-1]

    @property
    def port(self) -> int:
        """The TCP port on this machine."""
        if self._proxied:
            return self._port
        found = re.search(r":(\d+)/", self.link)
        assert found is not None
        return int(found.group(1))

    @property
    def closed(self) -> bool:
        """True if the program has ended."""
        return self._process is None or self._process.poll() is not None

    def close(self) -> None:
        """Ends the program. A second call does nothing."""
        process, self._process = self._process, None
        if process is not None:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if self._reader is not None:
                self._reader.join()
            if process.stdout is not None:
                process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        _LIVING.discard(self)

    def __enter__(self) -> "Window":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<orrery.Window, closed>" if self.closed else f"<orrery.Window at {self.link}>"

    def _repr_html_(self) -> str:
        """An HTML frame. With --base-url among the arguments its address is the link. Otherwise it uses the host of the page,
        so that it also works through a tunnel of this port, and the browser treats both as one site and sends the cookie."""
        if self.closed:
            return "<p>This window is closed.</p>"
        rest = re.sub(r"^https?://[^:/]+", "", self.link)
        if self._proxied:
            return (f'<iframe src="{html.escape(self.link)}" style="width: 100%; height: {self._height}px; border: 0" '
                    'allow="fullscreen; clipboard-write"></iframe>')
        name = f"orrery-{self.port}"
        return (f'<iframe id="{name}" style="width: 100%; height: {self._height}px; border: 0" allow="fullscreen; '
                'clipboard-write"></iframe><script>(() => {\n'
                '  const host = location.protocol.startsWith("http") ? location.hostname : "127.0.0.1";\n'
                f'  document.getElementById("{name}").src = "http://" + host + {json.dumps(rest)};\n'
                f'}})()</script><noscript><a href="{html.escape(self.link)}">the window</a></noscript>')


def show(bodies: Union[Simulation, Scene], **options: Any) -> Window:
    """A Window on these bodies: show(sim) as the last line of a cell. Options as in Window."""
    return Window(bodies, **options)


@atexit.register
def _close_all() -> None:
    for window in list(_LIVING):
        window.close()
