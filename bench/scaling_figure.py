#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws ranks that own their bodies: bytes that a rank receives, counted and measured, and the speed-up of several GPUs.

    bench/scaling_figure.py bench/results/counts/owned_received.csv bench/results/h100_x4/own.csv docs/pictures/own_ranks.svg
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
    time = {(int(row["bodies"]), int(row["ranks"])): float(row["median_ms"]) for row in measured}
    curves = [paper_figures.curve(f"{bodies / 1e6:.0f} million bodies", color,
                                  [(ranks, time[bodies, 1] / time[bodies, ranks]) for ranks in (1, 2, 4)
                                   if (bodies, ranks) in time]) for bodies, color in SIZES.items()]
    curves.append(paper_figures.curve("ideal", "#888888", [(1, 1), (4, 4)], "2 4"))
    return {"title": "fmm, order 4", "x": "GPUs", "y": "times as fast as one", "curves": curves, "reference": 1,
            "log_y": False, "x_shown": [], "y_shown": []}


def main():
    counted, measured = read(sys.argv[1]), read(sys.argv[2])
    drawn = [paper_figures.plot("", "Plummer sphere, 1e-3, --ranks own", received(counted, measured)),
             paper_figures.plot("", measured[0]["device"], speed_up(measured))]
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(strips_figure.beside(drawn))


if __name__ == "__main__":
    main()
