# SPDX-License-Identifier: MIT
"""Steps of tests/tools/window_on_gpu.py: the first minute, every tab, and the view settings."""
import pathlib

from walk.walk import Walk

ENGINES = ("direct", "half", "tree", "auto", "triplet", "tree-locks", "naive", "fmm")  # of keys 1 to 8
ONLY_CPU = ("fmm",)
TABS = {"Forces": "engine", "Maps": "maps", "Setup": "scene", "View": "view", "Camera": "camera", "Body": "hand",
        "Recording": "record", "Compare": "compare", "Energy": "energy", "Structure": "structure", "Lab": "lab",
        "History": "history", "Info": "report"}


class FirstMinute(Walk):
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
        times = []
        for number, engine in enumerate(ENGINES, 1):
            if engine == "triplet":  # has its own scene below, because its cost grows as N³
                continue
            self.window.key(str(number))
            self.steps_taken(engine, lambda s: s["engine"] == engine and
                             s["backend"] == ("cpu" if engine in ONLY_CPU else self.best))
            times.append(f"{engine} {self.window.state('force_ms'):.3g} ms")
            if engine == "half":
                self.picture("engine-half")
        return f"on {self.best}: " + ", ".join(times)

    def step_backend_key(self):
        self.window.key("2")
        self.window.wait("half", lambda s: s["engine"] == "half" and s["backend"] == self.best)
        self.window.key("b")
        if self.best == "cpu":
            self.window.wait("half on OpenGL, or a refusal", lambda s: s["backend"] == "gl" or
                             s["message"].startswith("Half matrix stays on cpu; cuda: "))
            message = self.window.state("message")
            if self.window.state("backend") == "gl":
                self.steps_taken("half on OpenGL", lambda s: s["engine"] == "half" and s["backend"] == "gl")
                self.window.key("b")
                self.window.wait("half on the CPU", lambda s: s["engine"] == "half" and s["backend"] == "cpu")
            return message
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
        self.window.click("Recording")
        for name in ("film.mp4", "film-%04d.png"):
            if name.endswith("mp4") and not self.options.video:
                continue
            self.window.type_into("Path", name)
            self.window.key("r")
            self.window.wait("a film", lambda s: s["recording"] and s["recorded_frames"] >= (5 if self.short else 60))
            self.picture("recording")
            self.window.key("r")
            state = self.window.wait("its end", lambda s: not s["recording"] and s["message"].startswith("Saved "))
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
        for label, panel in TABS.items():
            self.window.click(label)
            self.window.wait(label, lambda s: s["panel"] == panel)
            if panel == "energy":
                self.window.wait("an energy", lambda s: s["energy_drift"] is not None)
            if panel == "structure":
                self.window.wait("radii", lambda s: s["structure"].get("radii"))
            if not self.short:
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
            return "skipped"
        self.window.click("Forces")
        self.window.click("Error against θ")
        self.window.wait("all points", lambda s: s["theta_sweep"]["planned"] > 0 and not s["theta_sweep"]["running"])
        self.picture("theta")
        self.window.click("Maps")
        self.window.wait("another tab", lambda s: s["panel"] == "maps")

    # --- the picture --------------------------------------------------------------------------------------------------
    def step_octree(self):
        self.window.click("View")
        self.window.key("o")
        state = self.window.wait("cells", lambda s: s["octree"]["on"] and s["octree"]["drawn"] > 0)
        self.picture("octree")
        self.window.key("o")
        self.window.wait("no cells", lambda s: not s["octree"]["on"])
        return f"{state['octree']['drawn']} cells"

    def step_colours(self):
        modes = [("Acceleration", "acceleration"), ("Potential", "potential"), ("Density", "density"),
                 ("Tree leaf", "leaf"), ("Tree level", "level"), ("Mass", "mass"), ("Speed", "speed")]
        for label, mode in modes[:3] + modes[-1:] if self.short else modes:
            self.window.choose("Colour by", label)
            self.window.wait(label, lambda s: s["color_by"] == mode and not s["no_color"])
            self.picture("colour-" + mode)

    def step_trails_and_stars(self):
        for label, name in (("Trails", "trails"), ("Stars", "stars")):
            self.window.click(label)
            self.steps_taken(label, lambda s: s[name], 20)
        self.picture("trails-stars")
        for label, name in (("Trails", "trails"), ("Stars", "stars")):
            self.window.click(label)
            self.window.wait("none", lambda s: not s[name])

    def step_drawing(self):
        before, seen = self.window.state("draw_mode"), []
        for label, mode in (("Splat", "splat"), ("Points", "points"), ("Automatic", before)):
            self.window.choose("Drawing", label)
            state = self.window.wait(label, lambda s: s["draw_mode"] == mode)
            self.picture("drawn-as-" + label.lower())
            seen.append(f"{label.lower()} {state['gpu_ms']:.2g} ms")
        return ", ".join(seen)
