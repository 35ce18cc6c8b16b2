#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures steps per second, without and with drawing; see docs/measuring.md.

    python3 bench/steps.py run    build/release/app/orrery steps.csv
    python3 bench/steps.py frames build/release/app/orrery frames.csv

Runs one process after another and writes each row to disk at once.
"""
import csv
import json
import subprocess
import sys

# Engine, bodies, steps; each takes some seconds.
RUNS = [("direct", 1024, 200_000), ("direct", 4096, 100_000), ("direct", 16_384, 15_000),
        ("half", 1024, 100_000), ("half", 4096, 60_000), ("half", 16_384, 20_000),
        ("tree", 16_384, 3000), ("tree", 65_536, 3000), ("tree", 262_144, 2000),
        ("tree", 1_048_576, 1500), ("tree", 4_194_304, 500), ("tree", 16_777_216, 200)]
RUN_COLUMNS = ["engine", "backend", "precision", "bodies", "steps", "steps_per_second", "force_ms", "device", "version",
               "commit"]

# Bodies, and frames drawn per second; 0: unlimited.
FRAMES = [(bodies, fps) for bodies in (1_048_576, 4_194_304, 16_777_216) for fps in (60,)]
FRAME_COLUMNS = ["engine", "backend", "precision", "bodies", "width", "height", "max_fps", "seconds", "frames_per_second",
                 "median_frame_ms", "p99_frame_ms", "longest_frame_ms", "gl_ms", "states", "steps_per_second", "force_ms",
                 "steps_by_second", "way", "device", "driver", "compiler", "version", "commit"]


def orrery(program, *words):
    done = subprocess.run([program, *map(str, words), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def run(program):
    info = orrery(program, "info")
    machine = {"device": info["cuda"]["devices"][0]["name"], "version": info["version"], "commit": info["commit"]}
    for engine, bodies, steps in RUNS:
        yield machine | orrery(program, "run", "plummer", "--engine", engine, "--backend", "cuda", "--bodies", bodies,
                               "--steps", steps, "--no-energy")


def frames(program):
    for bodies, fps in FRAMES:
        limit = ["--max-fps", fps] if fps else []
        line = orrery(program, "frames", "plummer", "--engine", "tree", "--backend", "cuda", "--bodies", bodies, "--width",
                      1920, "--height", 1080, "--seconds", 8, *limit)
        line["steps_by_second"] = " ".join(f"{n:.1f}" for n in line["steps_by_second"])
        yield line


def main():
    what, program, path = sys.argv[1:]
    lines, columns = {"run": (run, RUN_COLUMNS), "frames": (frames, FRAME_COLUMNS)}[what]
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        for line in lines(program):
            table.writerow(line)
            file.flush()
            print(" ".join(f"{line[c]:.6g}" if isinstance(line[c], float) else str(line[c]) for c in columns), flush=True)


if __name__ == "__main__":
    main()
