#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `orrery serve` without a browser: frames per second received, milliseconds from a key to the first frame
that reflects it, and the program's costs of a frame.

    tests/serve/measure.py build/release/app/orrery [--codec h264] [--seconds 10] [--viewers 1] [-- plummer --bodies 20000]

With --free, steps are not limited, and their rate with viewers is compared with that of
`orrery run`, before and after."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from viewer import KEY, Program, Viewer, redeem

KEY_I = 73  # toggles large numerals


def watch(viewer, end):
    while time.monotonic() < end:
        viewer.next(0.1)


def unlimited(folder, scene):
    """A scene file for this scene without a speed limit."""
    path = pathlib.Path(folder) / "free.toml"
    path.write_text(f'[scene]\npreset = "{scene[0]}"\nspeed = 0\n')
    return [str(path), *scene[1:]]


def alone(program, scene, seconds):
    """Steps per second of `orrery run`, measured for about so long."""
    steps = 50
    while True:
        told = subprocess.run([program, "run", *scene, "--steps", str(steps), "--json"], check=True, capture_output=True, text=True)
        rate = json.loads(told.stdout)["steps_per_second"]
        if steps >= 0.5 * rate * seconds:
            return rate
        steps = int(rate * seconds)


def step_of(program):
    while True:
        try:
            return json.loads(program.ui_map.read_text())["state"]["step"]
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--codec", choices=["jpeg", "h264"], default="h264")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=720)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--viewers", type=int, default=1)
    parser.add_argument("--free", action="store_true", help="do not limit steps; compare their rate with `orrery run`")
    parser.add_argument("--out", help="folder for the CSV of the frames (default: a temporary one)")
    mine, _, scene = "\0".join(sys.argv[1:]).partition("\0--\0")
    options = parser.parse_args(mine.split("\0"))
    folder = options.out or tempfile.mkdtemp()
    program_path, scene = str(pathlib.Path(options.program).resolve()), scene.split("\0") if scene else ["collision"]
    if options.free:
        scene = unlimited(folder, scene)
        before = alone(program_path, scene, options.seconds)
    with Program(program_path, folder, *scene, "--codec",
                 options.codec, "--times", "times.csv", "--width", options.width, "--height", options.height) as program:
        viewer = Viewer(program.host, program.port, redeem(program.links[0]), options.codec == "h264", options.width,
                        options.height)
        viewer.until(lambda: viewer.pictures > 20)
        end = time.monotonic() + options.seconds
        others = [Viewer(program.host, program.port, redeem(program.next_link()), options.codec == "h264")
                  for _ in range(options.viewers - 1)]
        threads = [threading.Thread(target=watch, args=(other, end)) for other in others]
        for thread in threads:
            thread.start()
        first_step = step_of(program)
        first, start, latencies, waits, next_key = viewer.pictures, time.monotonic(), [], None, time.monotonic()
        while (now := time.monotonic()) < end:
            if waits is None and now >= next_key:
                viewer.input(KEY, "HBB", KEY_I, 1, 0)
                waits, sent = viewer.inputs, time.monotonic()
                viewer.input(KEY, "HBB", KEY_I, 0, 0)
            picture = viewer.next(1)
            if picture and waits is not None and picture.driver == viewer.id and picture.inputs >= waits:
                latencies.append(1e3 * (picture.at - sent))
                waits, next_key = None, time.monotonic() + 0.2
        rate = (viewer.pictures - first) / (time.monotonic() - start)
        steps = (step_of(program) - first_step) / (time.monotonic() - start)
        for thread in threads:
            thread.join()
        print(f"{options.codec}, {picture.width} x {picture.height}: {rate:.1f} frames per second at the viewer; key to "
              f"frame: median {statistics.median(latencies):.0f} ms, largest {max(latencies):.0f} ms of {len(latencies)}")
        for other in others:
            print(f"another viewer: {other.pictures / options.seconds:.1f} frames per second")
        print(program.end().strip())
    if options.free:
        after = alone(program_path, scene, options.seconds)
        print(f"steps per second: {steps:.1f} with viewers; {before:.1f} before and {after:.1f} after by `orrery run`: "
              f"{200 * steps / (before + after):.1f} %")


if __name__ == "__main__":
    main()
