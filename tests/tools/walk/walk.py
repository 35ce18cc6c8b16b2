# SPDX-License-Identifier: MIT
"""Base class of the steps of tests/tools/window_on_gpu.py."""
import time

from walk.driver import Failure, Window


class Walk:
    """Runs the steps: methods that begin with `step_`, base classes first, in order of definition."""

    def __init__(self, options, display):
        self.options, self.display, self.short = options, display, options.short
        self.out, self.window = options.out, None
        self.pictures, self.lines, self.failed = 0, [], 0
        self.best = "cpu"
        self.patience = 240 * options.slowness

    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def open(self, *arguments):
        if self.window:
            self.window.kill()
        size = ["--width", str(self.options.width), "--height", str(self.options.height)]
        clock = ["--clock", "steps"] if self.short else []  # software OpenGL, on a possibly busy machine
        self.window = Window(self.display, self.options.program, [*arguments, *size, *clock], self.out, self.patience)
        return self.window

    def picture(self, name):
        self.window.away()
        self.at_rest()
        self.pictures += 1
        self.display.screenshot(self.out / f"{self.pictures:02d}-{name}.png")

    def at_rest(self):
        """Waits until the camera has stopped moving."""
        before = None
        for _ in range(100):
            self.window.wait_frames(4)
            state = self.window.state()
            now = (state["camera_distance"], state["camera_pitch"], state["camera_target"])
            if now == before or state["attract"] or state["follow"]:
                return
            before = now

    def figures(self):
        s = self.window.state()
        rate = f"{s['steps_per_second']:.3g}" if s["steps_per_second"] else "–"  # unknown in the first second of an engine
        force = "–" if s["force_ms"] is None else f"{s['force_ms']:.3g} ms"
        return (f"{s['bodies']} bodies, {s['engine']} on {s['backend']}, {s['precision']}: "
                f"{s['ui_fps'] or 0:.0f} fps, {rate} steps/s, force {force}")

    def steps_taken(self, what, wanted, count=2):
        """Waits for a state, then for `count` steps in it."""
        step = self.window.wait(what, wanted)["step"]
        return self.window.wait(f"{what}: a step", lambda s: wanted(s) and s["step"] >= step + count and s["force_ms"])

    def check(self, what, truth):
        if not truth:
            raise Failure(what)

    def run(self):
        for name in self.steps():
            began = time.monotonic()
            try:
                told = getattr(self, name)() or ""
                self.say(f"pass  {name[5:].replace('_', ' '):32s} {told}")
            except Failure as failure:
                self.failed += 1
                self.say(f"FAIL  {name[5:].replace('_', ' '):32s} {failure}")
                self.recover(name[5:])
            if self.options.times:
                print(f"      {time.monotonic() - began:.1f} s", flush=True)

    def recover(self, name):
        """Restores a usable state after a failure, for the following steps."""
        if not self.window or self.window.process.poll() is not None:
            self.open("plummer", "--bodies", "2000")
            return
        self.picture("failed-" + name)
        state = self.window.state()
        for key, wanted in (("Escape", state["typing"]), ("h", state["help"]), ("a", state["attract"]),
                            ("x", state["compare"]["on"]), ("space", state["paused"]), ("3", True)):
            if wanted:
                self.window.xdotool("key", key)
                self.window.wait_frames(5)

    def steps(self):
        all_steps = [name for kind in reversed(type(self).__mro__) for name in vars(kind) if name.startswith("step_")]
        wanted = [f"step_{name}" for name in self.options.steps or []]
        for name in wanted:
            if name not in all_steps:
                raise Failure(f"unknown step {name[5:]}; steps: {', '.join(step[5:] for step in all_steps)}")
        return [name for name in all_steps if not wanted or name in wanted]
