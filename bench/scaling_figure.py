#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws ranks that own their bodies: bytes that a rank receives, counted and measured, and the speed-up of several GPUs.

    bench/scaling_figure.py docs/pictures/own_ranks.svg bench/results/counts/owned_received.csv bench/results/*_x?/own.csv

Of files with the same numbers of bodies and GPUs the last one is drawn.
"""
import csv
import math
import sys

import paper_figures
import strips_figure

COLORS = {2: "#1f77b4", 4: "#d62728", 8: "#333333"}
SIZES = {1 << 24: "#2ca02c", 1 << 26: "#1f77b4", 1 << 28: "#d62728"}
POWER = 0.73  # of the counted bytes over the bodies of a rank, see bench/results/scaling.md


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(line for line in file if not line.startswith("#"))
                if row["engine"] == "fmm" and row.get("scene", "plummer") == "plummer"]


def most(row):
    return max(map(float, row["received_bytes_by_rank"].split()))


def received(counted, measured):
    curves = []
    for ranks, color in COLORS.items():
        for rows, label, dashes in ((counted, "counted on the CPU", ""), (measured, "measured on GPUs", "6 3")):
            points = [(math.log2(int(row["bodies"]) / ranks), most(row) / 1e6) for row in rows
                      if int(row["ranks"]) == ranks and row["received_bytes_by_rank"]]
            if points:
                curves.append(paper_figures.curve(f"{ranks} ranks, {label}", color, points, dashes))
    first = min(p for curve in curves for p in curve["points"])
    law = [(x, first[1] * 2 ** (POWER * (x - first[0]))) for x in range(math.ceil(first[0]), 29)]
    curves.append(paper_figures.curve(f"n^{POWER}", "#888888", law, "2 4"))
    return {"title": "Most that a rank receives", "x": "log2 of a rank's bodies n", "y": "MB in an evaluation",
            "curves": curves, "reference": None, "log_y": True, "x_shown": [], "y_shown": []}


def speed_up(measured):
    single = {(row["device"], row["bodies"]): float(row["median_ms"]) for row in measured if row["ranks"] == "1"}
    gain = {(int(row["bodies"]), int(row["ranks"])): single[row["device"], row["bodies"]] / float(row["median_ms"])
            for row in measured if (row["device"], row["bodies"]) in single}
    curves = [paper_figures.curve(f"{bodies / 1e6:.0f} million bodies", color,
                                  [(ranks, gain[bodies, ranks]) for ranks in (1, 2, 4) if (bodies, ranks) in gain])
              for bodies, color in SIZES.items()]
    curves.append(paper_figures.curve("ideal", "#888888", [(1, 1), (4, 4)], "2 4"))
    return {"title": "fmm, order 4", "x": "GPUs", "y": "times as fast as one", "curves": curves, "reference": 1,
            "log_y": False, "x_shown": [], "y_shown": []}


def main():
    counted = read(sys.argv[2])
    measured = [row for path in sys.argv[3:] for row in read(path)]
    latest = list({(row["bodies"], row["ranks"]): row for row in measured}.values())
    devices = " and ".join(sorted({row["device"] for row in measured}))
    drawn = [paper_figures.plot("", "Plummer sphere, 1e-3, --ranks own", received(counted, latest)),
             paper_figures.plot("", devices, speed_up(measured))]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(strips_figure.beside(drawn))


if __name__ == "__main__":
    main()
