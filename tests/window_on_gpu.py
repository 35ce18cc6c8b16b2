#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Goes through the real window as a person would, on the machine at hand, and says which step did what it should.

    tests/window_on_gpu.py [--program build/release/app/orrery] [--out window-walk] [--short] [--display]

For the owner of a GPU, and for machines without a screen: it opens an Xvfb of its own, with NVIDIA's GLX where there is that
driver; --display uses the screen that DISPLAY names, which must then be left alone. Every step looks at the state that the
program writes (--ui-map), never at a clock. Pictures of the screen, a film, a PNG sequence and report.txt stay in the
folder --out. Exit code 1 when a step failed. Needs Xvfb and xdotool (packages.txt); of a real screen, xwd for pictures.
"""
import argparse
import pathlib
import shutil
import sys
import time

from window_driver import Display, Failure, Window

ENGINES = ("direct", "half", "tree", "auto", "triplet", "tree-locks", "naive")  # of keys 1 to 7
ONLY_CUDA = ("tree-locks", "naive")


class Walk:
    """The steps. Each is a method that begins with `step_`, in the order in which they stand here."""

    def __init__(self, options, display):
        self.options, self.display, self.short = options, display, options.short
        self.out, self.window = options.out, None
        self.pictures, self.lines, self.failed = 0, [], 0
        self.best = "cpu"
        self.patience = 60 * float(options.slowness)

    # --- what steps are made of ---------------------------------------------------------------------------------------
    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def open(self, *arguments):
        if self.window:
            self.window.kill()
        size = ["--width", str(self.options.width), "--height", str(self.options.height)]
        self.window = Window(self.display, self.options.program, [*arguments, *size], self.out, self.patience)
        return self.window

    def picture(self, name):
        self.window.wait_frames(3)
        self.pictures += 1
        self.display.photograph(self.out / f"{self.pictures:02d}-{name}.png")

    def figures(self):
        s = self.window.state()
        force = "–" if s["force_ms"] is None else f"{s['force_ms']:.3g} ms"
        return (f"{s['bodies']} bodies, {s['engine']} on {s['backend']}, {s['precision']}: "
                f"{s['ui_fps'] or 0:.0f} fps, {s['steps_per_second']:.3g} steps/s, force {force}")

    def steps_taken(self, what, wanted, count=2):
        """Waits for a state, then for so many steps under it."""
        step = self.window.wait(what, wanted)["step"]
        return self.window.wait(f"{what}: a step", lambda s: wanted(s) and s["step"] >= step + count and s["force_ms"])

    def check(self, what, truth):
        if not truth:
            raise Failure(what)

    def run(self):
        for name in dir_in_order(self):
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
        """After a failure, for the steps that follow."""
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

    # --- the first minute ---------------------------------------------------------------------------------------------
    def step_first_frame(self):
        window = self.open(*([] if not self.short else ["collision", "--bodies", "2048"]))
        state = window.wait("the first step", lambda s: s["step"])
        self.best = state["backend"]
        for line in window.wait("the report", lambda s: s["first_frame_ms"]) and window.errors().splitlines():
            self.say("      " + line)
        self.check("cuda is used where it can be", ("CUDA        not used" in window.errors()) == (self.best == "cpu"))
        window.wait("frames", lambda s: s["frames"] > 30)
        self.picture("first-minute")
        return f"first frame {state['first_frame_ms']:.0f} ms; " + self.figures()

    def step_help(self):
        self.window.key("h")
        self.window.wait("help", lambda s: s["help"])
        self.picture("help")
        self.window.key("h")
        self.window.wait("no help", lambda s: not s["help"])

    def step_engine_keys(self):
        told = []
        for number, engine in enumerate(ENGINES, 1):
            if engine == "triplet":  # has a scene of its own below: its cost grows as N³
                continue
            self.window.key(str(number))
            if self.best == "cpu" and engine in ONLY_CUDA:
                self.window.wait("a refusal", lambda s: s["message"].startswith(f"Engine {engine} cannot run here"))
                continue
            self.steps_taken(engine, lambda s: s["engine"] == engine and s["backend"] == self.best)
            told.append(f"{engine} {self.window.state('force_ms'):.3g} ms")
            if engine == "half":
                self.picture("engine-half")
        return f"on {self.best}: " + ", ".join(told)

    def step_backend_key(self):
        self.window.key("2")
        self.window.wait("half", lambda s: s["engine"] == "half" and s["backend"] == self.best)
        self.window.key("b")
        if self.best == "cpu":
            self.window.wait("a refusal", lambda s: s["message"].startswith("half stays on cpu; cuda: "))
            return self.window.state("message")
        self.window.wait("half on the CPU", lambda s: s["engine"] == "half" and s["backend"] == "cpu")
        self.window.key("b")
        self.steps_taken("half on the card again", lambda s: s["engine"] == "half" and s["backend"] == "cuda")

    def step_map_key(self):
        seen = []
        self.window.click("Maps")
        for _ in range(3 if self.short else 8):
            now = self.window.state("map")
            self.window.key("m")
            state = self.steps_taken("the next map", lambda s: s["map"] not in ("", now) and s["backend"] == self.best)
            seen.append(state["map"])
        self.window.away()
        self.picture("maps")
        return " ".join(seen)

    def step_precision_key(self):
        seen = []
        for wanted in ("mixed", "double", "single"):
            self.window.key("Return")
            self.steps_taken(wanted, lambda s: s["precision"] == wanted and s["backend"] == self.best)
            seen.append(f"{wanted} {self.window.state('force_ms'):.3g} ms")
        return ", ".join(seen)

    def step_film(self):
        self.window.click("Record")
        for name in ("film.mp4", "film-%04d.png"):
            if name.endswith("mp4") and not self.options.video:
                continue
            self.window.type_into("Path", name)
            self.window.key("r")
            self.window.wait("a film", lambda s: s["recording"] and s["recorded_frames"] >= (5 if self.short else 60))
            self.window.away()
            self.picture("recording")
            self.window.key("r")
            state = self.window.wait("its end", lambda s: not s["recording"] and s["message"].startswith("Recorded "))
            frames = state["recorded_frames"]
            if name.endswith("png"):
                self.check("as many pictures as frames", len(list(self.out.glob("film-*.png"))) == frames)
            else:
                self.check("a film", (self.out / name).stat().st_size > 1000)
        return f"{frames} frames"

    def step_screenshot(self):
        before = self.window.state("last_screenshot")
        self.window.key("s")
        state = self.window.wait("a screenshot", lambda s: s["last_screenshot"] != before)
        self.check("a file", pathlib.Path(state["last_screenshot"]).stat().st_size > 1000)

    # --- every tab ----------------------------------------------------------------------------------------------------
    def step_panels(self):
        self.window.key("3")
        self.window.wait("tree", lambda s: s["engine"] == "tree" and s["rms_error"] is not None)
        tabs = {"Forces": "engine", "Maps": "maps", "Scene": "scene", "View": "view", "Camera": "camera", "Body": "hand",
                "Record": "record", "Compare": "compare", "Energy": "energy", "Structure": "structure", "Lab": "lab",
                "History": "history", "Info": "report"}
        for label, panel in tabs.items():
            self.window.click(label)
            self.window.wait(label, lambda s: s["panel"] == panel)
            if panel == "energy":
                self.window.wait("an energy", lambda s: s["energy_drift"] is not None)
            if panel == "structure":
                self.window.wait("radii", lambda s: s["structure"].get("radii"))
            if not self.short:
                self.window.away()
                self.picture("panel-" + panel)
        return self.figures()

    def step_structure_plots(self):
        self.window.click("Structure")
        for plot in ("Density", "Drift", "Virial", "Pair", "Radii"):
            self.window.click(plot)
            self.window.wait(plot, lambda s: s["structure"].get("plot", "").lower().startswith(plot.lower()[:4]))
            if plot == "Density" and not self.short:
                self.picture("structure-density")

    def step_error_against_theta(self):
        if self.short:
            return "left out"
        self.window.click("Forces")
        self.window.click("Error against θ")
        self.window.wait("all points", lambda s: s["theta_sweep"]["planned"] > 0 and not s["theta_sweep"]["running"])
        self.window.away()
        self.picture("theta")
        self.window.click("Maps")
        self.window.wait("another tab", lambda s: s["panel"] == "maps")

    # --- the picture --------------------------------------------------------------------------------------------------
    def step_octree(self):
        self.window.click("View")
        self.window.key("o")
        state = self.window.wait("cells", lambda s: s["octree"]["on"] and s["octree"]["drawn"] > 0)
        self.window.away()
        self.picture("octree")
        self.window.key("o")
        self.window.wait("no cells", lambda s: not s["octree"]["on"])
        return f"{state['octree']['drawn']} cells"

    def step_colours(self):
        modes = [("Acceleration", "acceleration"), ("Potential", "potential"), ("Density", "density"),
                 ("Tree leaf", "leaf"), ("Tree level", "level"), ("Tile", "tile"), ("Mass", "mass"), ("Speed", "speed")]
        for label, mode in modes[:3] + modes[-1:] if self.short else modes:
            self.window.choose("Colour by", label)
            self.window.wait(label, lambda s: s["color_by"] == mode and not s["no_color"])
            self.window.away()
            self.picture("colour-" + mode)

    def step_trails_and_stars(self):
        for label, name in (("Trails", "trails"), ("Stars", "stars")):
            self.window.click(label)
            self.steps_taken(label, lambda s: s[name], 20)
        self.window.away()
        self.picture("trails-stars")
        for label, name in (("Trails", "trails"), ("Stars", "stars")):
            self.window.click(label)
            self.window.wait("none", lambda s: not s[name])

    def step_drawing(self):
        before, seen = self.window.state("draw_mode"), []
        for label, mode in (("Splat", "splat"), ("Points", "points"), ("Automatic", before)):
            self.window.choose("Drawing", label)
            state = self.window.wait(label, lambda s: s["draw_mode"] == mode)
            self.window.away()
            self.picture("drawn-as-" + label.lower())
            seen.append(f"{label.lower()} {state['gpu_ms']:.2g} ms")
        return ", ".join(seen)

    # --- camera, hand, time -------------------------------------------------------------------------------------------
    def step_camera(self):
        w = self.window
        w.key("c", "f")
        w.wait("it follows", lambda s: s["follow"])
        w.key("k")
        x, y = self.options.width * 0.7, self.options.height / 2
        yaw, distance = w.state("camera_yaw"), w.state("camera_distance")
        w.drag(x, y, x + 90, y + 40)
        w.wait("turned", lambda s: s["camera_yaw"] != yaw)
        w.move(x, y)
        w.xdotool("click", 4)
        w.wait("nearer", lambda s: s["camera_distance"] < distance)
        w.key("k")
        w.wait("two keyframes", lambda s: len(s["camera"]["keys"]) == 2)
        w.key("p")
        w.wait("it flies its path", lambda s: s["camera"]["playing"])
        w.wait("its end", lambda s: not s["camera"]["playing"])
        w.key("shift+F2", "v")
        w.wait("flight", lambda s: s["camera"]["mode"] == "fly")
        w.key("v", "F2", "f", "c")
        w.wait("orbit", lambda s: s["camera"]["mode"] == "orbit" and not s["follow"])

    def step_hand(self):
        w = self.window
        w.click("Body")
        w.type_into("Pick number", "7")
        state = w.wait("a body", lambda s: s["hand"]["picked"] == 1 and s["hand"].get("body"))
        self.check("body 7", state["hand"]["body"]["id"] == 7)
        state = w.wait("its error", lambda s: s["hand"]["body"]["error"] is not None)
        w.away()
        self.picture("body")
        w.key("Escape")
        w.wait("let go", lambda s: s["hand"]["picked"] == 0)
        x, y = self.options.width / 2, self.options.height / 2
        w.drag(x - 60, y - 60, x + 120, y + 120, key="ctrl")
        group = w.wait("a box", lambda s: s["hand"]["picked"] > 1 and s["hand"].get("group"))["hand"]["group"]
        w.away()
        self.picture("box")
        w.key("Escape")
        w.wait("let go", lambda s: s["hand"]["picked"] == 0)
        return f"{group['count']} bodies in a box; force error of body 7 {state['hand']['body']['error']:.1e}"

    def step_time(self):
        w = self.window
        w.wait("a past", lambda s: len(s["timeline"]["steps"]) > 2)
        w.key("space")
        step = w.wait("a pause", lambda s: s["paused"])["step"]
        w.key("period")
        w.wait("a step", lambda s: s["step"] == step + 1)
        w.key("comma")
        w.wait("a step back", lambda s: s["step"] == step)
        for _ in range(2):  # the newest snapshot may be the present state
            done = w.state("actions_done")
            w.key("Left")
            w.wait("it is done", lambda s: s["actions_done"] > done)
        w.wait("an earlier state", lambda s: s["step"] < step)
        self.picture("past")
        w.key("z")
        w.wait("backward", lambda s: s["reversed"])
        w.key("z", "space")
        self.steps_taken("it goes on", lambda s: not s["paused"] and not s["reversed"])

    # --- comparison, laboratory ---------------------------------------------------------------------------------------
    def step_comparison(self):
        w = self.window
        w.key("x")
        state = w.wait("a comparison", lambda s: s["compare"]["on"] and s["compare"]["points"] > 1)
        self.check("B is on A's backend", state["compare"]["backend"] == self.best)
        self.check("equal settings, equal bits", state["compare"]["max"] == 0)
        w.choose("Step of B", "A's / 2")
        w.wait("they come apart", lambda s: s["compare"]["dt_power"] == -1 and (s["compare"]["max"] or 0) > 0)
        for label, mode in (("Split screen", "split"), ("Wipe", "wipe"), ("Difference", "difference"), ("Flip", "flip")):
            if w.state("compare")["mode"] != mode:
                w.choose("Seen as", label)
            w.wait(label, lambda s: s["compare"]["mode"] == mode)
            w.wait_frames(10)
            w.away()
            if not self.short or mode == "split":
                self.picture("compare-" + mode)
        w.key("x")
        w.wait("A alone", lambda s: not s["compare"]["on"])
        return f"force of B {state['compare']['force_ms'] or 0:.3g} ms"

    def step_laboratory(self):
        w = self.window
        w.key("l")
        state = w.wait("the laboratory", lambda s: s["panel"] == "lab")
        self.check(f"it measures on {self.best}", state["lab"]["chosen"]["backend"] == self.best)
        for chip in ("lambda", "rb", "sqrt"):
            w.click(chip)
        w.type_into("N to", "2048")
        w.type_into("N step", "1024")
        w.click("Start")
        w.wait("rows", lambda s: s["lab"]["rows"] > 0)
        w.away()
        state = w.wait("the end", lambda s: not s["lab"]["running"] and s["lab"]["rows"] > 0 and s["lab"]["done"] > 0)
        self.check("every map is right", state["lab"]["wrong"] == 0 and not state["lab"]["failure"])
        self.picture("laboratory")
        w.click("Export PNG")
        w.wait("a picture of it", lambda s: s["lab"]["export"].endswith(".png"))
        w.key("l")
        w.wait("closed", lambda s: s["panel"] != "lab")
        return f"{state['lab']['rows']} rows on {self.best}"

    # --- presets, scenes, attract mode --------------------------------------------------------------------------------
    def step_presets(self):
        w, seen, first = self.window, [], self.window.state("scene")
        w.click("Forces")
        while True:
            before, serial = w.state("scene"), w.state("scene_serial")
            w.key("bracketright")
            state = w.wait("the next preset", lambda s: s["scene_serial"] > serial and not s["loading"])
            scene = state["scene"]
            if scene == first or (self.short and len(seen) == 2):
                break
            self.check("another one", scene != before)
            self.steps_taken(scene, lambda s: s["scene"] == scene and s["backend"] == self.best)
            seen.append(scene)
            if not scene.startswith("orbit"):
                self.picture("preset-" + scene)
        return f"{len(seen)}, all on {self.best}"

    def step_scenes(self):
        w = self.window
        files = sorted((pathlib.Path(__file__).parent.parent / "assets/scenes").glob("*.toml"))
        for file in files[:3] if self.short else files:
            text = file.read_text()
            title = text.split('title = "')[1].split('"')[0]
            own = 'backend = "cpu"' in text
            w.click("Scene")
            w.choose("Scene file", title)
            state = self.steps_taken(title, lambda s: s["scene_file"] == file.stem and not s["loading"])
            self.check(f"{title}: on {state['backend']}", state["backend"] == ("cpu" if own else self.best))
            self.picture("scene-" + file.stem)

    def step_triplets(self):
        self.window.click("Scene")
        self.window.choose("Scene file", "Argon: forces among three")
        self.window.wait("atoms", lambda s: s["scene"] == "argon-cluster" and s["bodies"] == 512)
        for number, engine in (("1", "direct"), ("5", "triplet")):
            self.window.key(number)
            self.steps_taken(engine, lambda s: s["engine"] == engine and s["backend"] == self.best)
        told = self.figures()
        self.window.key("1")
        self.window.wait("direct", lambda s: s["engine"] == "direct")
        return told

    def step_attract_mode(self):
        w = self.window
        w.click("Info")
        w.click("Attract mode")
        state = w.wait("it", lambda s: s["attract"] and not s["panels"] and s["scene_file"])
        self.check("the first scene", state["scene_file"] == "two-galaxies")
        self.steps_taken("its scene", lambda s: s["scene"] == "collision" and s["backend"] == self.best)
        self.picture("attract")
        if not self.short:
            w.wait("the second scene", lambda s: s["scene_file"] == "tidal-tails" and s["backend"] == self.best)
            self.picture("attract-second")
        w.key("a")
        w.wait("its end", lambda s: not s["attract"] and s["panels"])

    def step_larger_text(self):
        w = self.window
        w.key("ctrl+plus", "ctrl+plus", "ctrl+plus")
        w.wait("larger letters", lambda s: s["text_scale"] > 1.3)
        self.picture("larger-text")
        w.key("ctrl+0")
        w.wait("as before", lambda s: s["text_scale"] == 1)

    # --- as large as it goes ------------------------------------------------------------------------------------------
    def step_many_bodies(self):
        counts = (4000,) if self.short else (200_000, 1_000_000) if self.best == "cpu" else (200_000, 1_000_000, 4_000_000)
        for count in counts:
            w = self.open("collision", "--bodies", str(count), "--engine", "tree")
            step = w.wait("steps", lambda s: (s["step"] or 0) >= (2 if self.best == "cpu" else 30))["step"]
            w.wait_frames(60)
            self.check("on the best backend", w.state("backend") == self.best)
            w.away()
            self.picture(f"bodies-{count}")
            self.say("      " + self.figures() + f", step {step} seen")
        return "drawn"

    def step_quit(self):
        code = self.window.quit()
        self.check(f"exit code {code}", code == 0)


def dir_in_order(walk):
    return [name for name in type(walk).__dict__ if name.startswith("step_")]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=root / "build/release/app/orrery")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("window-walk"))
    parser.add_argument("--short", action="store_true", help="few bodies and fewer stations, for software OpenGL")
    parser.add_argument("--display", action="store_true", help="the screen that DISPLAY names, not one of its own")
    parser.add_argument("--width", type=int, default=1600)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--no-video", dest="video", action="store_false", help="the program was built without libav")
    parser.add_argument("--slowness", default="1", help="times the patience with what does not come")
    parser.add_argument("--times", action="store_true", help="print how long each step took")
    options = parser.parse_args()
    options.program, options.out = options.program.resolve(), options.out.resolve()
    for tool in ("xdotool",) if options.display else ("xdotool", "Xvfb"):
        if not shutil.which(tool):
            sys.exit(f"window_on_gpu.py: {tool} is not there")
    options.out.mkdir(parents=True, exist_ok=True)
    for old in options.out.glob("film*"):
        old.unlink()
    display = Display(not options.display, options.width, options.height, options.out)
    walk = Walk(options, display)
    try:
        walk.run()
    finally:
        if walk.window:
            walk.window.kill()
        display.close()
        (options.out / "report.txt").write_text("\n".join(walk.lines) + "\n")
    sys.exit(1 if walk.failed else 0)


if __name__ == "__main__":
    main()
