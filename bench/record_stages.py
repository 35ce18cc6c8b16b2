#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the time per stage of a recording: videos and PNG sequences of three sizes, as CSV on standard output.

    bench/record_stages.py build/release/app/orrery > record.csv
    bench/record_stages.py build/release/app/orrery --frames 60 plummer --bodies 2000 --steps-per-frame 1

The options are followed by the scene and further arguments of `orrery record`; the default is the collision of 100 000
bodies with the tree. Times are in milliseconds per frame, over all frames except the first."""
import argparse
import csv
import json
import subprocess
import sys
import tempfile

SIZES = [(1280, 720), (1920, 1080), (3840, 2160)]
STAGES = ["frame", "step", "draw", "copy", "encode", "wait"]
FACTS = ["recorder", "readback", "renderer", "device", "cpu", "driver", "version", "commit"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orrery")
    parser.add_argument("--frames", type=int, default=240)
    options, scene = parser.parse_known_args()
    scene = scene or ["collision", "--bodies", "100000", "--engine", "tree", "--steps-per-frame", "1"]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["output", "width", "height", "scene", "engine", "backend", "bodies", "pictures", "seconds"]
                    + [f"{stage}_ms" for stage in STAGES] + ["gl_ms"] + FACTS)
    for width, height in SIZES:
        for output in ["film.mp4", "pictures/"]:
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [options.orrery, "record", *scene, "--frames", str(options.frames), "--width", str(width),
                     "--height", str(height), "--json", "-o", f"{folder}/{output}"],
                    check=True, stdout=subprocess.PIPE, text=True)
            made = json.loads(done.stdout)
            times = made["ms_per_picture"]
            made["recorder"] = made["recorder"].split(folder)[0].strip()
            writer.writerow([output, width, height] + [made[k] for k in ("scene", "engine", "backend", "bodies")]
                            + [made["pictures"], f"{made['seconds']:.3f}"] + [f"{times[s]:.3f}" for s in STAGES]
                            + [f"{times['gl']:.3f}"] + [made[fact] for fact in FACTS])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
