# SPDX-License-Identifier: MIT
"""Steps of tests/tools/window_on_gpu.py: camera, hand, time, comparison, laboratory, scenes and many bodies."""
import pathlib

from walk.first_minute import FirstMinute

SCENES = pathlib.Path(__file__).resolve().parents[3] / "assets/scenes"
MODES = {"Split screen": "split", "Wipe": "wipe", "Difference": "difference", "Flip": "flip"}


class EveryFeature(FirstMinute):
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
        self.picture("body")
        w.key("Escape")
        w.wait("let go", lambda s: s["hand"]["picked"] == 0)
        x, y = self.options.width / 2, self.options.height / 2
        w.drag(x - 60, y - 60, x + 120, y + 120, key="ctrl")
        group = w.wait("a box", lambda s: s["hand"]["picked"] > 1 and s["hand"].get("group"))["hand"]["group"]
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
        for _ in range(4):  # a slow machine has a snapshot of each of the last three states
            done = w.state("actions_done")
            w.key("Left")
            w.wait("it is done", lambda s: s["actions_done"] > done)
        w.wait("an earlier state", lambda s: s["step"] < step)
        self.picture("past")
        w.key("z")
        w.wait("backward", lambda s: s["reversed"])
        w.key("z", "space")
        self.steps_taken("it continues", lambda s: not s["paused"] and not s["reversed"])

    # --- comparison, laboratory ---------------------------------------------------------------------------------------
    def step_comparison(self):
        w = self.window
        w.key("x")
        state = w.wait("a comparison", lambda s: s["compare"]["on"] and s["compare"]["points"] > 1)
        self.check("B is on A's backend", state["compare"]["backend"] == self.best)
        self.check("equal settings, equal bits", state["compare"]["max"] == 0)
        w.choose("Step of B", "A's / 2")
        w.wait("they come apart", lambda s: s["compare"]["dt_power"] == -1 and (s["compare"]["max"] or 0) > 0)
        for label, mode in MODES.items():
            if w.state("compare")["mode"] != mode:
                w.choose("Layout", label)
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
        for chip in ("λ: row by square root", "Rectangular box", "Library root, X"):
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
        files = sorted(SCENES.glob("*.toml"))
        for file in files[:3] if self.short else files:
            text = file.read_text()
            title = text.split('title = "')[1].split('"')[0]
            own = 'backend = "cpu"' in text
            w.click("Setup")
            w.choose("Scene file", title)
            state = self.steps_taken(title, lambda s: s["scene_file"] == file.stem and not s["loading"])
            self.check(f"{title}: on {state['backend']}", state["backend"] == ("cpu" if own else self.best))
            self.picture("scene-" + file.stem)

    def step_triplets(self):
        self.window.click("Setup")
        self.window.choose("Scene file", "Argon: three-body forces")
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
        w.wait("larger text", lambda s: s["text_scale"] > 1.3)
        self.picture("larger-text")
        w.key("ctrl+0")
        w.wait("as before", lambda s: s["text_scale"] == 1)

    # --- as large as it goes ------------------------------------------------------------------------------------------
    def step_many_bodies(self):
        counts = [4000] if self.short else [200_000, 1_000_000] + [4_000_000] * (self.best == "cuda")
        for count in counts:
            w = self.open("collision", "--bodies", str(count), "--engine", "tree")
            step = w.wait("steps", lambda s: (s["step"] or 0) >= (2 if self.best == "cpu" else 30))["step"]
            w.wait_frames(60)
            self.check("on the best backend", w.state("backend") == self.best)
            self.picture(f"bodies-{count}")
            self.say("      " + self.figures() + f", step {step} seen")
        self.recorded_while_engines_change()
        return "drawn"

    def recorded_while_engines_change(self):
        """Three engines in a video of many bodies, with a screenshot of the window meanwhile."""
        w = self.open("collision", "--bodies", "4000" if self.short else "100000", "--engine", "half")
        w.wait("steps", lambda s: (s["step"] or 0) >= (2 if self.short or self.best == "cpu" else 240))
        w.click("Recording")
        w.type_into("Path", "large-%04d.png")
        w.key("r")
        for number, engine in (("1", "direct"), ("3", "tree")):
            frames = w.wait("a film", lambda s: s["recording"] and s["recorded_frames"] >= 5)["recorded_frames"]
            w.key(number)
            w.wait(f"frames by {engine}", lambda s: s["engine"] == engine and s["recorded_frames"] >= frames + 5)
        self.picture("recording-while-engines-change")
        told = self.figures()
        w.key("r")
        frames = w.wait("its end", lambda s: not s["recording"] and s["message"].startswith("Saved "))
        self.check("a picture for each frame",
                   len(list(self.out.glob("large-*.png"))) == frames["recorded_frames"])
        self.say(f"      while recording: {told}")

    def step_quit(self):
        code = self.window.quit()
        self.check(f"exit code {code}", code == 0)
