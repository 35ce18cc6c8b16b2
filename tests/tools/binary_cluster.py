#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a Plummer sphere with hard binaries among its inner bodies, without softening, as CSV.

usage: binary_cluster.py ORRERY BODIES BINARIES OUT.csv
"""
import csv
import math
import random
import subprocess
import sys


def main(orrery, bodies, binaries, out):
    subprocess.run([orrery, "run", "plummer", "--bodies", bodies, "--steps", "0", "--precision", "double", "--no-energy",
                    "--backend", "cpu", "-o", out], check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        rows = [[float(x) for x in row] for row in csv.reader(line for line in file if line[0] not in "#m")]
    rows.sort(key=lambda row: math.dist(row[1:4], (0, 0, 0)))
    dice = random.Random(1)
    mass = rows[0][0]
    widest = 4 * mass  # the orbital speed is that of the stars: G = 1, σ² about 1/4
    inner = dice.sample(range(len(rows) // 2), int(binaries))
    for i in inner:
        m, x, v = rows[i][0], rows[i][1:4], rows[i][4:7]
        apart = widest * 5 ** -dice.random()
        e, turn = math.sqrt(dice.random()) * 0.9, dice.uniform(0, 2 * math.pi)
        along = (math.cos(turn), math.sin(turn), 0)
        across = (-math.sin(turn), math.cos(turn), 0)
        far, speed = apart * (1 + e), math.sqrt(m / apart * (1 - e) / (1 + e))  # at the apocentre
        pair = [[m / 2] + [c + s * far / 2 * a for c, a in zip(x, along)] + [c + s * speed / 2 * a for c, a in zip(v, across)]
                for s in (1, -1)]
        rows[i] = pair[0]
        rows.append(pair[1])
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"# orrery: bodies={len(rows)} G=1 softening=0 dt=0.0078125 time=0 days_per_time=0 steps_per_frame=1\n")
        file.write("m,x,y,z,vx,vy,vz\n")
        for row in rows:
            file.write(",".join(repr(x) for x in row) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
