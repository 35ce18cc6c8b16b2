#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `orrery serve` without a browser: pictures per second that arrive, milliseconds from a key to the first picture
that answers it, and what the program says a picture costs.

    tests/serve/measure.py build/release/app/orrery [--codec h264] [--seconds 10] [--viewers 1] [-- plummer --bodies 20000]"""
import argparse
import pathlib
import statistics
import sys
import tempfile
import threading
import time

from viewer import KEY, Program, Viewer, redeem

KEY_I = 73  # large figures on, off


def watch(viewer, end):
    while time.monotonic() < end:
        viewer.next(0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--codec", choices=["jpeg", "h264"], default="h264")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=720)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--viewers", type=int, default=1)
    parser.add_argument("--out", help="folder for the CSV of the pictures (default: a temporary one)")
    mine, _, scene = "\0".join(sys.argv[1:]).partition("\0--\0")
    options = parser.parse_args(mine.split("\0"))
    folder = options.out or tempfile.mkdtemp()
    with Program(str(pathlib.Path(options.program).resolve()), folder, *(scene.split("\0") if scene else ["collision"]), "--codec",
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
        for thread in threads:
            thread.join()
        print(f"{options.codec}, {picture.width} x {picture.height}: {rate:.1f} pictures a second at the viewer; key to "
              f"picture: median {statistics.median(latencies):.0f} ms, largest {max(latencies):.0f} ms of {len(latencies)}")
        for other in others:
            print(f"another viewer: {other.pictures / options.seconds:.1f} pictures a second")
        print(program.end().strip())


if __name__ == "__main__":
    main()
