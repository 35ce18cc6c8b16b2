#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the figures and tables of the papers as one HTML page, published and measured values side by side.

The published values are in bench/papers/figures.json, the authors' raw times on a GTX 765M in bench/papers/gtx765m.csv
(github.com/crinavar/gpumaps 965640890, 2-simplex/old/*/results/full_results.dat), the measured ones in a file of `orrery
lab --figures … --csv FILE`:
  orrery lab --figures all --csv lab.csv
  bench/paper_figures.py lab.csv --page figures.html
  000, 001  C. A. Navarro, B. Bustos, N. Hitschfeld: A non-linear GPU thread map for triangular domains, arXiv 1609.01490
            (000 is the same text)
  002       L. Nyland, M. Harris, J. Prins: Fast N-body simulation with CUDA, GPU Gems 3, ch. 31
  003       C. A. Navarro, N. Hitschfeld: Improving the GPU space of computation under triangular domain problems
  004       M. Pavlović: Rješavanje problema n tijela pomoću GPU, thesis, Zagreb 2016
"""
import argparse
import csv
import json
import math
import pathlib
import sys

PAPERS = pathlib.Path(__file__).parent / "papers"
FIGURES = json.loads((PAPERS / "figures.json").read_text(encoding="utf-8"))
with open(PAPERS / "gtx765m.csv", encoding="utf-8", newline="") as raw_file:
    RAW = list(csv.DictReader(raw_file))  # milliseconds, of the experiments of 001, by map
STYLE = ("body{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;margin:2em;max-width:1400px;color:#222}"
         "section{border-top:1px solid #ccc;padding:1em 0}.pair{display:flex;flex-wrap:wrap;gap:1em}"
         ".pair>div{flex:1 1 600px}svg{max-width:100%;height:auto}td,th{padding:.2em .8em;text-align:right}"
         "td:first-child,th:first-child{text-align:left}")
KILO = 1024  # the papers' axis is N in 2¹⁰
LABELS = {"gain": ("N (2¹⁰)", "I = time(bb) / time(map)"), "gain-features": ("features", "I = time(bb) / time(map)"),
          "wasted-blocks": ("N (2¹⁰)", "wasted blocks"), "wasted-threads": ("N (2¹⁰)", "wasted threads"),
          "wasted-triples": ("N", "wasted blocks"), "rate-unrolling": ("unrolling u", "GFLOP/s at 20 flop a pair"),
          "rate-bodies": ("N", "GFLOP/s at 20 flop a pair"), "rate-tile": ("block size p", "GFLOP/s at 20 flop a pair"),
          "rate-split": ("threads per body q", "GFLOP/s at 20 flop a pair"), "seconds": ("N", "seconds of a step")}
TILE_COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#e08000", "#8c564b", "#17becf")


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# Plots: a panel is a dict of title, x, y, curves, reference, log_y, x_shown, y_shown; a curve of label, color, dashes,
# points, and of a band of values its upper edge `top`.

WIDTH, HEIGHT, RIGHT, TOP, BOTTOM = 620, 420, 40, 50, 60  # pixels
HEAD, LEGEND_LINE = 58, 24
GLYPH = 8.6  # pixels per character at size 15, not less than the mean of DejaVu Sans


def words(x, y, anchor, text, size=15, more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"{more}>'
            f'{escaped(text)}</text>\n')


def line(x1, y1, x2, y2, color, width, dashes=""):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
            f'stroke-width="{width:g}"{dashed}/>\n')


def round_step(span, parts):
    """The smallest step of 1, 2 or 5 times a power of ten that divides `span` into at most `parts`."""
    power = 10.0 ** math.floor(math.log10(span / parts) + 1e-9)
    return next((f * power for f in (1, 2, 5) if f * power >= span / parts * (1 - 1e-9)), 10 * power)


class Scale:
    """The range of an axis, with its round numbers."""

    def __init__(self, values, logarithmic, parts, margin):
        self.log = logarithmic
        on = [math.log10(v) if logarithmic else v for v in values if v > 0 or not logarithmic]
        low, high = (min(on), max(on)) if on else (0, 0)
        if low == high:
            high = low + 1
        step = round_step(high - low if logarithmic or margin == 0 else max(high - low, 0.2), parts)
        step = max(1.0, step) if logarithmic else step
        if margin > 0 and logarithmic:
            low, high = math.floor(low), math.ceil(high)
        elif margin > 0:
            least = math.floor(low / step - margin)
            low, high = step * (least if low < 0 else max(least, 0)), step * math.ceil(high / step + margin)
        self.low, self.high, self.step = low, high + (step if low == high else 0), step

    def share(self, value):
        return ((math.log10(value) if self.log else value) - self.low) / (self.high - self.low)

    def ticks(self):
        first, last = math.ceil(self.low / self.step - 1e-6), math.floor(self.high / self.step + 1e-6)
        values = [i * self.step for i in range(first, last + 1)]
        if not self.log:
            return values
        if len(values) > 1:
            return [10.0 ** round(v) for v in values]
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)  # less than two
        return [f * 10.0 ** d for d in decades for f in (1, 2, 5)
                if self.low - 1e-9 <= math.log10(f * 10.0 ** d) <= self.high + 1e-9]

    def text(self, value):
        if self.log and (value < 0.009 or value > 99999):
            power = math.log10(value)
            if abs(power - round(power)) < 1e-6:
                return f"1e{round(power)}"
        return f"{value:g}"


def legend_of(panel):
    """A curve per label, in order. A curve of zeros cannot be drawn on a logarithmic axis, so its label says so."""
    entries = list({curve["label"]: curve for curve in reversed(panel["curves"])}.values())[::-1]
    empty = [panel["log_y"] and all(p[1] <= 0 for p in each["points"]) for each in entries]
    return [each | {"label": each["label"] + ": 0 everywhere"} if zero else each for each, zero in zip(entries, empty)]


def legend_columns(entries):
    """As many columns as the longest label leaves room for."""
    longest = max((len(each["label"]) for each in entries), default=0)
    return max(1, int((WIDTH - 30) // (62 + GLYPH * longest)))


def plot(title, note, panel):
    """One panel as SVG, with a legend."""
    log_y, reference = panel["log_y"], panel["reference"]
    shown = [[p for p in curve["points"] if p[1] > 0 or not log_y] for curve in panel["curves"]]
    points = [p for curve in shown for p in curve]
    x_scale = Scale([0] + [p[0] for p in points] + panel["x_shown"], False, 6, 0)
    tops = [curve["top"] for curve in panel["curves"] if "top" in curve]
    y_scale = Scale(([] if reference is None else [reference]) + [p[1] for p in points] + tops + panel["y_shown"], log_y,
                    7, 0.1)
    ticks = max((len(y_scale.text(value)) for value in y_scale.ticks()), default=1)
    label_x = 20
    left, right, top, bottom = label_x + 20 + GLYPH * ticks, WIDTH - RIGHT, HEAD + TOP, HEAD + HEIGHT - BOTTOM

    def at(point):
        return left + x_scale.share(point[0]) * (right - left), bottom - y_scale.share(point[1]) * (bottom - top)

    legend = legend_of(panel)
    columns, below = legend_columns(legend), HEAD + HEIGHT
    height = below + LEGEND_LINE * (math.ceil(len(legend) / columns) + 1)
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
           'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<rect width="100%" height="100%" '
           'fill="#ffffff"/>\n')
    svg += words(WIDTH / 2, 22, "middle", title, 17) + words(WIDTH / 2, 44, "middle", note)
    for value in y_scale.ticks():
        y = bottom - y_scale.share(value) * (bottom - top)
        svg += line(left, y, right, y, "#dddddd", 1) + words(left - 8, y + 5, "end", y_scale.text(value))
    for value in x_scale.ticks():
        x = left + x_scale.share(value) * (right - left)
        svg += line(x, bottom, x, bottom + 5, "#333333", 1) + words(x, bottom + 22, "middle", x_scale.text(value))
    if reference is not None:
        y = bottom - y_scale.share(reference) * (bottom - top)
        svg += line(left, y, right, y, "#000000", 2)
    svg += (f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" fill="none" '
            'stroke="#333333"/>\n')
    middle = (left + right) / 2, (top + bottom) / 2
    svg += words(middle[0], top - 14, "middle", panel["title"], 18, ' font-weight="bold"')
    svg += words(middle[0], bottom + 46, "middle", panel["x"])
    svg += words(label_x, middle[1], "middle", panel["y"], 15,
                 f' transform="rotate(-90 {label_x:.1f} {middle[1]:.1f})"')
    for curve, drawn in zip(panel["curves"], shown):
        if not drawn:
            continue
        dashed = f' stroke-dasharray="{curve["dashes"]}"' if curve["dashes"] else ""
        if "top" in curve:
            (x1, y1), (x2, y2) = at((drawn[0][0], curve["top"])), at(drawn[-1])
            svg += (f'<rect x="{x1:.1f}" y="{y1:.1f}" width="{x2 - x1:.1f}" height="{y2 - y1:.1f}" '
                    f'fill="{curve["color"]}" fill-opacity="0.35"/>\n')
            continue
        path = "".join(f"{x:.1f},{y:.1f} " for x, y in map(at, drawn))
        svg += f'<polyline points="{path}" fill="none" stroke="{curve["color"]}" stroke-width="2"{dashed}/>\n'
        if len(curve["points"]) <= 60:
            svg += "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{curve["color"]}"/>\n'
                           for x, y in map(at, drawn))
    for i, curve in enumerate(legend):
        x = 30 + (WIDTH - 30) // columns * (i % columns)
        y = below + LEGEND_LINE * (0.5 + i // columns)
        svg += line(x, y, x + 40, y, curve["color"], 3, curve["dashes"]) + words(x + 48, y + 5, "start", curve["label"])
    return svg + "</svg>\n"


# Panels from the rows of the laboratory, which are dicts of text.

def number(row, column):
    try:
        return float(row.get(column) or 0)
    except ValueError:
        return 0.0


def most_bodies(rows):
    return max((number(row, "bodies") for row in rows), default=0)


def curve(label, color, points, dashes=""):
    return {"label": label, "color": color, "dashes": dashes, "points": sorted(points, key=lambda p: p[0])}


def is_of(row, wanted):
    return row.get("map") == wanted["id"] and (row.get("root") or "") == wanted["root"]


def bound(panel, row):
    """The largest possible gain of a map whose blocks cost as much as bb's, of m rows of tiles: 2m/(m + 1), of triples
    6m²/((m + 1)(m + 2))."""
    if panel["experiment"] == "triplet":
        m = math.ceil(number(row, "bodies") / 8)
        return 6 * m * m / ((m + 1) * (m + 2))
    span = {"collision": 4, "collision-rows": 8}.get(panel["experiment"], 1)
    rows = math.ceil(number(row, "bodies") / (span * max(1.0, number(row, "rho"))))
    return 2 * rows / (rows + 1)


def gains(panel, rows):
    features, triples = panel["axes"] == "gain-features", panel["experiment"] == "triplet"
    most, unit, curves = most_bodies(rows), 1 if triples else KILO, []
    for each in panel["curves"]:
        points = []
        for row in rows:
            gain, dimensions = number(row, "improvement"), number(row, "dimensions")
            if not is_of(row, each) or gain == 0:
                continue
            if features and number(row, "bodies") == most:
                points.append((dimensions, gain))
            if not features and dimensions == panel.get("dimensions", 0):
                points.append((number(row, "bodies") / unit, gain))
        curves.append(curve(each["label"], each["color"], points, each.get("dashes", "")))
    if not features and any(c["points"] for c in curves):
        bounds = {number(row, "bodies") / unit: bound(panel, row) for row in reversed(rows)}
        curves.append(curve("bound 6m²/((m + 1)(m + 2))" if triples else "bound 2m/(m + 1)", "#888888", bounds.items(),
                            "3 3"))
    return curves


def waste(panel, rows):
    column = panel["axes"].replace("-", "_")
    return [curve(each["label"], each["color"],
                  [(number(row, "bodies") / KILO, number(row, column)) for row in rows if row.get("map") == each["id"]],
                  each.get("dashes", "")) for each in panel["curves"]]


def tetrahedral(m):
    return m * (m + 1) * (m + 2) // 6


def cubic_side(m):
    """⌈T_m^(1/3)⌉"""
    return next(e for e in range(m + 1) if e ** 3 >= tetrahedral(m))


def wasted_triples():
    sizes = range(64, 1025, 64)
    return [curve("cube", "#333333", [(n, (n // 8) ** 3 - tetrahedral(n // 8)) for n in sizes]),
            curve("λ on a cubic grid", "#d62728", [(n, cubic_side(n // 8) ** 3 - tetrahedral(n // 8)) for n in sizes])]


def rates(panel, rows):
    """The figure's parameter along x, a curve per N if there are several, other parameters as in the chapter."""
    most, by_bodies = most_bodies(rows), {}
    for row in rows:
        p, q, u, bodies = (number(row, c) for c in ("tile_p", "tile_q", "tile_u", "bodies"))
        default_p, default_u = p == 256 and q == 1, u == 4
        belongs, x, key = {"rate-unrolling": (default_p and bodies == most, u, bodies),
                           "rate-bodies": (default_p and default_u, bodies, 0),
                           "rate-tile": (q == 1 and default_u, p, bodies),
                           "rate-split": (p * q == 256 and default_u, q, bodies)}[panel["axes"]]
        if belongs:
            by_bodies.setdefault(key, []).append((x, number(row, "gflops")))
    return [curve("p 256, u 4, q 1" if bodies == 0 else f"N = {bodies:g}", TILE_COLORS[i % len(TILE_COLORS)], points)
            for i, (bodies, points) in enumerate(sorted(by_bodies.items()))]


def seconds(panel, rows):
    return [curve(f"{each['label']}, {precision}", each["color"],
                  [(number(row, "bodies"), 1e-3 * number(row, "median_ms")) for row in rows
                   if row.get("program") == each["id"] and row.get("precision") == precision and
                   number(row, "median_ms") > 0], dashes)
            for each in panel["curves"] for precision, dashes in (("double", each.get("dashes", "")), ("single", "7 4"))]


def with_axes(panel, curves):
    x, y = LABELS[panel["axes"]]
    if panel["experiment"] == "triplet":
        x, y = "N", "I = time(cube) / time(map)"
    return {"title": panel["title"], "x": x, "y": y, "curves": [c for c in curves if c["points"]],
            "reference": 1 if panel["axes"].startswith("gain") else None,
            "log_y": panel["axes"] == "seconds" or panel["axes"].startswith("wasted"),
            "x_shown": [], "y_shown": panel.get("y_shown", [])}


def measured_panel(panel, tables):
    axes, rows = panel["axes"], tables.get(panel["experiment"], [])
    if axes == "wasted-triples":
        return with_axes(panel, wasted_triples())
    make = {"gain": gains, "gain-features": gains, "wasted-blocks": waste, "wasted-threads": waste,
            "seconds": seconds}.get(axes, rates)
    return with_axes(panel, make(panel, rows) if rows else [])


def printed(each):
    """A value with its relation: as printed, "up to", "more than", or a range."""
    if "line" in each:
        return each["label"]
    if "low" in each:
        return f"{each['label']}: {each['low']:.4g} to {each['high']:.4g}"
    return f"{each['label']}: {each.get('relation', '')}{' ' if 'relation' in each else ''}{each['value']:.4g}"


def raw_curves(panel):
    """I of the authors' raw times on a GTX 765M."""
    rows = [row for row in RAW if row["experiment"] == {"roots": "dummy"}.get(panel["experiment"], panel["experiment"]) and
            row["dimensions"] == str(panel.get("dimensions", ""))]
    return [curve(f"{label}, raw data, GTX 765M", color,
                  [(float(row["bodies"]) / KILO, float(row["bb"]) / float(row[column])) for row in rows], "2 4")
            for column, label, color in panel.get("raw", [])]


def published_panel(panel):
    """The published values as lines or bands across the axes of the measured panel, and the raw data."""
    curves = []
    for each in panel.get("published", []):
        low = each.get("low", each.get("value"))
        ends = dict.fromkeys((each.get("from", 1), each.get("to", 30)))
        drawn = curve(printed(each), each["color"], each.get("line", [(x, low) for x in ends]),
                      "8 4" if each.get("source") == "program" else "")
        curves.append(drawn | ({"top": each["high"]} if "high" in each else {}))
    return with_axes(panel, curves + raw_curves(panel))


def share_axes(panels):
    """Gives panels that stand side by side the same ranges; a logarithmic axis if they differ by more than a decade."""
    values = [p[1] for panel in panels for c in panel["curves"] for p in c["points"]]
    values += [c["top"] for panel in panels for c in panel["curves"] if "top" in c]
    xs = [p[0] for panel in panels for c in panel["curves"] for p in c["points"]]
    positive = [v for v in values if v > 0]
    for panel in panels:
        panel["y_shown"], panel["x_shown"] = panel["y_shown"] + values, xs
        panel["log_y"] = panel["log_y"] or (panel["reference"] is None and bool(positive) and
                                            max(positive) > 20 * min(positive))


# Maps, evaluated: a tile or triple for each block, which is useful if it lies in the domain.

def triangular(m):
    return m * (m + 1) // 2


def lambda_tile(omega):
    row = (math.isqrt(8 * omega + 1) - 1) // 2
    return row, omega - triangular(row)


def recursive_tiles(m):
    """The diagonal, then level by level the tiles whose row and column first differ in that bit."""
    tiles = [(i, i) for i in range(m)]
    for level in range((m - 1).bit_length()):
        tiles += [(row, (row >> level + 1 << level + 1) + column) for row in range(m) if row >> level & 1
                  for column in range(1 << level)]
    return tiles


def tiles_of(name, m):
    """The width of the grid in the drawing, and the tile of each block."""
    side = math.isqrt(triangular(m) - 1) + 1
    if name == "bb":
        return m, [(i // m, i % m) for i in range(m * m)]
    if name == "lambda-grid":
        return side, [lambda_tile(i) for i in range(side * side)]
    if name == "rb":
        width, extra = (m + 1) // 2, 1 - m % 2
        blocks = [(x, y) for y in range(m | 1) for x in range(width)]
        return width, [(y - extra, x) if y >= x + extra else (m - 1 - y, m - extra - x) for x, y in blocks]
    return side, recursive_tiles(m)  # a line of blocks, folded


def triples_of(name, m):
    """The edge of the cubic grid, and the triple (i, j, k) of each block."""
    if name == "cube":
        return m, [(b % m, b // m % m, b // m // m) for b in range(m ** 3)]
    edge, triples = cubic_side(m), []
    for omega in range(edge ** 3):
        k = next(k for k in range(m + 1) if k == m or tetrahedral(k + 1) > omega)
        j, i = lambda_tile(omega - tetrahedral(k))
        triples.append((i, j, k))
    return edge, triples


def light_of(block, blocks, useful):
    """A block and its tile share a shade, darker from block to block; without work it is white."""
    return 235 - 150 * block // max(1, blocks) if useful else 255


def captioned(text, width, height, svg):
    return (f'<div><p>{text}</p><svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">\n'
            f'{svg}</svg></div>\n')


def triangle_drawing(name, m=8, cell=22, gap=40):
    columns, tiles = tiles_of(name, m)
    useful = [col <= row < m for row, col in tiles]
    block_of = {tile: i for i, tile in enumerate(tiles) if useful[i]}

    def square(column, row, block, works, left):
        light = light_of(block, len(tiles), works)
        x, y = left + column * cell, row * cell
        return (f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="rgb({light},{light},255)" '
                f'stroke="#666"/>\n<text x="{x + cell // 2}" y="{y + cell // 2 + 3}" font-size="9" '
                f'text-anchor="middle">{block if works else "×"}</text>\n')

    second = columns * cell + gap
    svg = "".join(square(i % columns, i // columns, i, useful[i], 0) for i in range(len(tiles)))
    svg += "".join(square(col, row, block_of[row, col], True, second) for row in range(m) for col in range(row + 1))
    lines = max(math.ceil(len(tiles) / columns), m)
    return captioned(f"{name}: blocks launched, and the tiles that they take; m = {m}, "
                     f"{len(tiles) - triangular(m)} blocks wasted", second + m * cell + 2, lines * cell + 2, svg)


def cubes_svg(cubes, lines, slices, blocks, edge, left):
    """Unit cubes (x, y, z, block, useful) in isometric view, z upwards; those without work are outlines."""
    faces = ((((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)), 1), (((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)), 0.85),
             (((0, 1, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)), 0.7))
    svg, width, height = "", 0.0, 0.0
    for x, y, z, block, useful in sorted(cubes, key=lambda c: c[0] + c[1] + c[2]):
        for corners, light in faces:
            points = ""
            for dx, dy, dz in corners:
                right = 0.8660254 * (lines + x + dx - y - dy)
                down = 0.5 * (x + dx + y + dy) + slices - z - dz
                width, height = max(width, right), max(height, down)
                points += f"{left + edge * right:.1f},{1 + edge * down:.1f} "
            grey, blue = int(light * light_of(block, blocks, useful) + 1e-5), int(light * 255 + 1e-5)
            fill = f"rgb({grey},{grey},{blue})" if useful else "none"
            svg += f'<polygon points="{points}" fill="{fill}" stroke="{"#666" if useful else "#ddd"}"/>\n'
    return svg, width, height


def tetrahedron_drawing(name, m=6, edge=18, gap=40):
    side, triples = triples_of(name, m)
    useful = [i <= j <= k < m for i, j, k in triples]
    block_of = {t: b for b, t in enumerate(triples) if useful[b]}
    blocks = [(b % side, b // side % side, side - 1 - b // side // side, b, useful[b]) for b in range(len(triples))]
    taken = [(i, k - j, m - 1 - k, block_of[i, j, k], True)
             for k in range(m) for j in range(k + 1) for i in range(j + 1)]
    first, width, height = cubes_svg(blocks, side, side, len(triples), edge, 1)
    second = 1 + edge * width + gap
    other, other_width, other_height = cubes_svg(taken, m, m, len(triples), edge, second)
    return captioned(f"{name}: blocks launched, and the triples of tiles that they take; m = {m}, "
                     f"{len(triples) - tetrahedral(m)} of {len(triples)} blocks wasted",
                     int(second + edge * other_width) + 2, int(edge * max(height, other_height)) + 3, first + other)


# The page.

def row_of(cell, texts):
    return "<tr>" + "".join(f"<{cell}>{escaped(text)}</{cell}>" for text in texts) + "</tr>\n"


def gain_table(panel, tables):
    """I at the largest N, its bound 2m/(m + 1) and k = 2m/((m + 1) I), the cost of the map in units of bb's."""
    rows, html = tables.get(panel["experiment"], []), ""
    if panel["axes"] != "gain":
        return ""
    triples = panel["experiment"] == "triplet"
    most = most_bodies(rows)
    for each in panel["curves"]:
        for row in rows:
            gain, dimensions = number(row, "improvement"), number(row, "dimensions")
            if (is_of(row, each) and gain != 0 and number(row, "bodies") == most and
                    dimensions == panel.get("dimensions", 0)):
                most_gain = bound(panel, row)
                html += row_of("td", (each["label"], f"{gain:.3f}", f"{most_gain:.4f}", f"{most_gain / gain:.3f}"))
    head = row_of("th", (f"{panel['title']}, N = {most:.0f}", "I", "bound 6m²/((m + 1)(m + 2))" if triples
                         else "bound 2m/(m + 1)", "γ/α = I_bound / I" if triples else "k = I_bound / I"))
    return f"<table>{head}{html}</table>\n" if html else ""


def ratio_table(panel, tables):
    """Published ratios of two rates, and the same two rates measured."""
    html, rows = "", tables.get(panel.get("experiment"), [])
    for each in panel.get("ratios", []):
        def rate(values):
            return next((number(row, "gflops") for row in rows
                         if all(number(row, column) == value for column, value in values.items())), 0.0)
        before, after = rate(each["of"] | each["before"]), rate(each["of"] | each["after"])
        measured = f"{before:.0f} to {after:.0f} GFLOP/s, {100 * (after / before - 1):+.0f} %" if before and after else (
            "not measured")
        html += row_of("td", (each["label"], f"{100 * (each['value'] - 1):+.0f} %", measured))
    return f"<table>{row_of('th', (panel['title'], 'published', 'measured'))}{html}</table>\n" if html else ""


def measured_cell(name, bodies, rows, precision):
    """Time of a program or kernel of the tree: for the same number of bodies, otherwise for the largest measured."""
    kernel = name.endswith("_ms")
    column, factor = (name, 1) if kernel else ("median_ms", 1e-3)
    missing, best = "not measured", None
    for row in rows:
        if row.get("program") != ("tree" if kernel else name) or row.get("precision") != precision:
            continue
        size = int(number(row, "bodies"))
        if not row.get(column):
            missing = "left out: too long" if size == bodies else missing
            continue
        text = f"{factor * number(row, column):.4g}"
        if size == bodies:
            return text
        if best is None or size > best[0]:
            best = size, text
    return f"{missing}; {best[1]} with N = {best[0]}" if best else missing


def table(figure, tables):
    html = "<table>" + row_of("th", ("", "N", "published", "measured, double", "measured, single"))
    for name, bodies, value in figure["table"]:
        measured = [measured_cell(name, bodies, tables.get("programs", []), p) for p in ("double", "single")]
        html += row_of("td", (name, str(bodies), "> 1000" if value is None else f"{value:g}", *measured))
    return html + "</table>\n"


def id_of(figure):
    return f"{figure['seeds'][-3:]}:{figure['number']}"


def change_on(figure, device):
    """The sentence about the measured card, on pages of that card alone."""
    change = figure.get("change", {})
    return change.get("text") if any(card in device for card in change.get("cards", [])) else None


def published_note(panel):
    """The sources of the values in a panel."""
    kinds = ["values of the text"] if any(each.get("source") != "program" for each in panel.get("published", [])) else []
    kinds += ["dotted: the authors' raw data"] if panel.get("raw") else []
    program = any(each.get("source") == "program" for each in panel.get("published", []))
    return "; ".join(kinds + (["dashed: their program, run by us"] if program else []))


def section(figure, tables, device):
    kind = "table" if "table" in figure else "figure"
    html = (f'<section id="{id_of(figure)}"><h2>{figure["seeds"]} {kind} {figure["number"]}: '
            f'{escaped(figure["title"])}</h2>\n')
    for text in (figure.get("note"), change_on(figure, device)):
        html += f"<p>{escaped(text)}</p>\n" if text else ""
    html += table(figure, tables) if "table" in figure else ""
    html += '<div class="pair">\n'
    for name in figure.get("maps", []):
        html += tetrahedron_drawing(name) if name in ("cube", "lambda3-grid") else triangle_drawing(name)
    html += '</div>\n<div class="pair">\n'
    panels = figure.get("panels", [])
    for panel in panels:
        measured, published = measured_panel(panel, tables), published_panel(panel)
        if published["curves"]:
            share_axes([measured, published])
            html += f"<div>{plot('published, ' + figure['seeds'], published_note(panel), published)}</div>\n"
        if measured["curves"]:
            html += f"<div>{plot('measured', device, measured)}</div>\n"
        else:
            html += f"<div><p>{escaped(panel['title'])}: nothing was measured.</p></div>\n"
    rest = "".join(gain_table(panel, tables) + ratio_table(panel, tables) for panel in panels)
    return html + "</div>\n" + rest + "</section>\n"


def page(figures, tables, device):
    contents = "".join(f'<li><a href="#{id_of(f)}">{id_of(f)} {escaped(f["title"])}</a></li>\n' for f in figures)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Figures of the papers</title>'
            f'<style>{STYLE}</style></head><body>\n<h1>Figures of the papers, published and measured</h1>\n'
            f'<p>Measured on {escaped(device)}. 000 and 001: Navarro, Bustos and Hitschfeld, arXiv 1609.01490; '
            '002: GPU Gems 3, chapter 31; 003: Navarro and Hitschfeld, HPCC 2014; 004: Pavlovi&#263;, Zagreb 2016. '
            'A curve ends where the map is wrong: a wrong result has no I.</p>\n<ul>\n' + contents + "</ul>\n" +
            "".join(section(f, tables, device) for f in figures) + "</body></html>\n")


def tables_of(path):
    """The rows of each experiment in a file of orrery lab --csv, and the device that measured the last one."""
    tables, device = {}, "no device"
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            tables.setdefault(row["experiment"], []).append(row)
            device = row.get("device") or device
    return tables, device


def wanted_figures(ids):
    if ids == "all":
        return FIGURES
    known = {f"{seed}:{f['number']}": f for f in FIGURES for seed in f["seeds"].split()}
    unknown = [each for each in ids.split(",") if each not in known]
    if unknown:
        sys.exit(f"no figure '{unknown[0]}': there are {', '.join(map(id_of, FIGURES))}")
    return [known[each] for each in ids.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("csv", nargs="?", help="file of orrery lab --csv; drawings of maps do without")
    parser.add_argument("--figures", default="all", help="ids such as 001:3, separated by commas (default all)")
    parser.add_argument("--page", help="HTML file to write (default figure-SEED-NUMBER.html or figures.html)")
    arguments = parser.parse_args()
    figures = wanted_figures(arguments.figures)
    tables, device = tables_of(arguments.csv) if arguments.csv else ({}, "no device")
    path = arguments.page or (f"figure-{id_of(figures[0]).replace(':', '-')}.html" if len(figures) == 1
                              else "figures.html")
    pathlib.Path(path).write_text(page(figures, tables, device), encoding="utf-8")
    print(f"{len(figures)} figure{'' if len(figures) == 1 else 's'} in {path}")


if __name__ == "__main__":
    main()
