#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws I over the number k of tiles per block for each map from a table of `orrery lab --strip`, a panel per experiment.

    bench/strips_figure.py bench/results/h100/strips.csv docs/pictures/lab/h100-strips.svg
"""
import csv
import math
import sys

import paper_figures

NAMES = {"dummy": "Dummy kernel", "edm": "EDM, {} features", "collision": "Collision in {}D",
         "collision-rows": "Collision in {}D, as published", "automaton": "Cellular automaton"}
COLORS = {"lambda": "#d62728", "rb": "#1f77b4", "bb": "#333333"}


def panel(title, rows):
    """A curve per form in strips, which begins at k = 1 with its map of one tile per block."""
    curves = []
    for name, color in COLORS.items():
        single = [row for row in rows if row["map"] == name and row["improvement"]]
        points = [(math.log2(float(row["strip"])), float(row["improvement"])) for row in rows
                  if row["map"] == f"{name}-strip" and row["improvement"]]
        if points:
            curves.append(paper_figures.curve(f"{name}-strip", color,
                                              [(0, float(row["improvement"])) for row in single[:1]] + points))
    return {"title": title, "x": "log2 of k, tiles per block", "y": "I = time(bb) / time(map)", "curves": curves,
            "reference": 1, "log_y": False, "x_shown": [], "y_shown": []}


def figure(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["experiment"], row["dimensions"]), []).append(row)
    drawn = []
    for (experiment, dimensions), of in groups.items():
        title = NAMES[experiment].format(dimensions)
        note = f"N = {max(int(row['bodies']) for row in of)}, ρ = {of[0]['rho']}, {of[0]['device']}"
        drawn.append(paper_figures.plot("", note, panel(title, of)))
    return beside(drawn)


def beside(drawn):
    """Panels in rows of two, as one SVG."""
    height = max(int(text.split('height="')[1].split('"')[0]) for text in drawn)
    lines = (len(drawn) + 1) // 2
    width = 2 * paper_figures.WIDTH
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{lines * height}" '
           f'viewBox="0 0 {width} {lines * height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n'
           '<rect width="100%" height="100%" fill="#ffffff"/>\n')
    for i, text in enumerate(drawn):
        inside = text[text.index("<text"):text.rindex("</svg>")]  # after its own element and its paper
        x, y = i % 2 * paper_figures.WIDTH, i // 2 * height
        svg += f'<g transform="translate({x} {y})">\n{inside}</g>\n'
    return svg + "</svg>\n"


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(figure(rows))


if __name__ == "__main__":
    main()
