#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks through the real window like a user, on this machine, and reports which steps succeeded.

    tests/tools/window_on_gpu.py [--program build/release/app/orrery] [--out window-walk] [--short] [--steps STEP...] [--display]

For owners of a GPU, and for machines without a screen: starts its own Xvfb, with NVIDIA's GLX if that driver is
installed; --display uses the screen of DISPLAY, which must not be used meanwhile. Every step checks the state that the
program writes (--ui-map), never a clock. Screenshots, a video, a PNG sequence and report.txt are left in the folder
--out. Exit code 1 if a step failed. Needs Xvfb and xdotool (packages.txt); on a real screen, xwd for screenshots. The
steps are in tests/tools/walk/.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # beside the sources

from walk.driver import Display, Failure
from walk.every_feature import EveryFeature


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=root / "build/release/app/orrery")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("window-walk"))
    parser.add_argument("--short", action="store_true", help="few bodies and fewer stations, for software OpenGL")
    parser.add_argument("--steps", nargs="+", metavar="STEP", help="only these, e.g. first_frame engine_keys; others may need them")
    parser.add_argument("--display", action="store_true", help="use the screen of DISPLAY instead of a separate one")
    parser.add_argument("--width", type=int, default=1600)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--slowness", type=float, default=float(os.environ.get("ORRERY_TEST_SLOWNESS", 1)),
                        help="factor on the timeout of 240 s")
    parser.add_argument("--times", action="store_true", help="print how long each step took")
    options = parser.parse_args()
    options.program, options.out = options.program.resolve(), options.out.resolve()
    for tool in ("xdotool",) if options.display else ("xdotool", "Xvfb"):
        if not shutil.which(tool):
            sys.exit(f"window_on_gpu.py: {tool} was not found")
    options.out.mkdir(parents=True, exist_ok=True)
    for old in (file for old in ("film*", "large-*", "[0-9][0-9]-*.png") for file in options.out.glob(old)):
        old.unlink()
    told = subprocess.run([options.program, "info", "--json"], check=True, capture_output=True, text=True).stdout
    options.video = json.loads(told)["video"]["available"]
    display = Display(not options.display, options.width, options.height, options.out)
    walk = EveryFeature(options, display)
    try:
        walk.run()
    except Failure as failure:  # nothing to continue from
        walk.say(f"FAIL  {failure}")
        walk.failed += 1
    finally:
        if walk.window:
            walk.window.kill()
        display.close()
        (options.out / "report.txt").write_text("\n".join(walk.lines) + "\n")
    sys.exit(1 if walk.failed else 0)


if __name__ == "__main__":
    main()
