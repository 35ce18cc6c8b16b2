#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures clouds: time to write one, time to the first frame, and smoothness of a flight through it.

    bench/clouds.py --bodies 20000000 --folder /tmp/clouds

writes a TIPSY file of a Plummer sphere with numpy, converts it, opens the window (with xvfb-run on a machine without a
display) and turns the mouse wheel over it. Prints one JSON object. Files are removed at the end, unless --keep is given;
the disk needs 36 + 28 + 16 bytes per body."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import time

import numpy

PART = 1 << 20
HEAD = struct.Struct("<diiiii4x")


def write_part(path, bodies, first):
    """Radii sampled after M. Hénon for a Plummer sphere of scale 1, cut at 100; speeds by radius, in random directions."""
    random = numpy.random.default_rng(first)
    count = min(PART, bodies - first)
    radius = 1 / numpy.sqrt(random.uniform(1e-9, 0.9998, count) ** (-2 / 3) - 1)
    rows = numpy.zeros((count, 9), "<f4")
    rows[:, 0] = 1 / bodies
    for column, size in ((1, radius), (4, 0.7 * (1 + radius**2) ** -0.25)):
        way = random.normal(size=(count, 3))
        rows[:, column : column + 3] = size[:, None] * way / numpy.linalg.norm(way, axis=1)[:, None]
    with open(path, "r+b") as file:
        file.seek(HEAD.size + first * rows.strides[0])
        rows.tofile(file)


def write_plummer(path, bodies):
    path.write_bytes(HEAD.pack(0.0, bodies, 3, 0, bodies, 0))
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for part in [pool.submit(write_part, path, bodies, first) for first in range(0, bodies, PART)]:
            part.result()


def state(path):
    try:
        return json.loads(path.read_text())["state"]
    except (OSError, ValueError, KeyError):
        return {}


def wait_for(map_path, wanted, process, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        now = state(map_path)
        if now.get("cloud") and wanted(now):
            return now
        time.sleep(0.005)
    raise SystemExit(f"the window did not get there: {state(map_path).get('cloud')}")


def fly(program, cloud, folder, seconds, arguments):
    """Measures in the window: times to the first frame and to the complete view, then frames per second in motion."""
    map_path = folder / "map.json"
    map_path.unlink(missing_ok=True)
    start = time.monotonic()
    window = subprocess.Popen([program, cloud, "--fresh", "--max-fps", "200", "--ui-map", map_path, *arguments])
    first = wait_for(map_path, lambda s: s["cloud"]["shown"] > 0, window)
    first_seconds = time.monotonic() - start
    rest = wait_for(map_path, lambda s: not s["cloud"]["reading"], window)
    rest_seconds = time.monotonic() - start
    subprocess.run(["xdotool", "mousemove", str(first["width"] * 2 // 3), str(first["height"] // 2)], check=True)
    frames = lambda: json.loads(map_path.read_text())["state"]["frames"]
    began, at_first, most_spacing = time.monotonic(), frames(), 0
    while (passed := time.monotonic() - began) < seconds:
        subprocess.run(["xdotool", "click", "4" if passed < seconds * 0.6 else "5"], check=True)
        time.sleep(0.05)
        most_spacing = max(most_spacing, state(map_path).get("cloud", {}).get("spacing", 0))
    fps = (frames() - at_first) / (time.monotonic() - began)
    peak = int(re.search(r"VmHWM:\s*(\d+)", pathlib.Path(f"/proc/{window.pid}/status").read_text())[1]) / 1024
    window.terminate()
    window.wait()
    return {"first_picture_s": round(first_seconds, 3), "refined_s": round(rest_seconds, 3),
            "shown": rest["cloud"]["shown"], "spacing_px": round(rest["cloud"]["spacing"], 2),
            "fly_fps": round(fps, 1), "fly_worst_spacing_px": round(most_spacing, 1), "window_peak_MB": round(peak)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/app/orrery")
    parser.add_argument("--bodies", type=int, default=20_000_000)
    parser.add_argument("--memory", default="1", help="GiB, of convert")
    parser.add_argument("--seconds", type=float, default=20, help="of flight")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--keep", action="store_true", help="keep the files, and reuse existing ones")
    parser.add_argument("--no-flight", action="store_true", help="only make the cloud")
    parser.add_argument("window", nargs="*", help="arguments of the window, after --")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    snapshot, cloud = options.folder / "plummer.tipsy", options.folder / "plummer.cloud"
    program = os.path.abspath(options.program)
    found = {"bodies": options.bodies}
    try:
        if not cloud.exists():
            if not snapshot.exists():
                write_plummer(snapshot, options.bodies)
            start = time.monotonic()
            convert = subprocess.Popen([program, "convert", snapshot, "-o", cloud, "--memory", options.memory],
                                       stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(convert.pid, 0)
            if status != 0:
                raise SystemExit("convert failed")
            seconds, peak = time.monotonic() - start, usage.ru_maxrss / 1024
            found |= {"convert_s": round(seconds, 1), "convert_Mbodies_per_s": round(options.bodies / seconds / 1e6, 2),
                      "convert_peak_MB": round(peak)}
        found |= {"cloud_MB": round(cloud.stat().st_size / 1e6)}
        if not options.no_flight:
            found |= fly(program, cloud, options.folder, options.seconds, options.window)
        print(json.dumps(found))
    finally:
        if not options.keep:
            for file in (snapshot, cloud, options.folder / "map.json"):
                file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
