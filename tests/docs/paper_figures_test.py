#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests bench/paper_figures.py and strips_figure.py: the page of an H100 is made of its results, and panels take the rows
of the paper."""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True
import paper_figures as papers  # noqa: E402
import strips_figure  # noqa: E402


def figure(name):
    return papers.wanted_figures(name)[0]


def dummy(name, root, bodies, gain):
    return {"map": name, "root": root, "rho": "16", "bodies": str(bodies), "dimensions": "", "improvement": gain}


def tables():
    rows = []
    for bodies in (1024, 2048):
        rows += [dummy("bb", "", bodies, "1"), dummy("lambda-published-grid", "rsqrt", bodies, "1.6"),
                 dummy("lambda-published-grid", "sqrt", bodies, "1.9"),  # not the root that the paper prescribes
                 dummy("utm-threads", "newton", bodies, "")]  # incorrect
    program = {"precision": "double", "build_ms": ""}
    return {"dummy": rows,
            "programs": [program | {"program": "direct", "bodies": "100000", "median_ms": "250"},
                         program | {"program": "tree", "bodies": "150000", "median_ms": "90", "build_ms": "40"},
                         program | {"program": "cpu-direct", "bodies": "100000", "median_ms": ""}]}


class PaperFigures(unittest.TestCase):
    def test_page_of_the_h100_is_made_of_its_results(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.html"
            subprocess.run([sys.executable, "-B", ROOT / "bench/paper_figures.py", ROOT / "bench/results/h100/lab.csv",
                            "--page", path], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(path.read_text(encoding="utf-8"),
                             (ROOT / "docs/figures-h100.html").read_text(encoding="utf-8"))

    def test_figures_have_ids(self):
        self.assertIs(figure("000:5"), figure("001:5"))
        self.assertEqual(papers.id_of(figure("002:31-6")), "002:31-6")
        for unknown in ("001:9", "001"):
            with self.assertRaises(SystemExit):
                figure(unknown)
        for each in papers.FIGURES:
            self.assertTrue(each.get("panels") or each.get("maps") or each.get("table"), papers.id_of(each))

    def test_curves_have_the_root_of_the_paper(self):
        panel = figure("003:5")["panels"][0]
        curves = papers.measured_panel(panel, tables())["curves"]
        self.assertEqual([c["label"] for c in curves], ["λR as published", "bound 2m/(m + 1)"])
        self.assertEqual(curves[0]["points"][1], (2, 1.6))
        self.assertAlmostEqual(curves[1]["points"][1][1], 2 * 128 / 129)
        self.assertIn(f"{2 * 128 / 129 / 1.6:.3f}", papers.gain_table(panel, tables()))
        self.assertEqual(len(papers.published_panel(panel)["curves"]), 4)

    def test_bound_counts_launched_tiles(self):
        row = dummy("lambda", "rsqrt", 30720, "1.5")
        self.assertAlmostEqual(papers.bound(figure("001:5")["panels"][2], row), 2 * 240 / 241)
        triples = figure("001:7")["panels"][0]
        self.assertAlmostEqual(papers.bound(triples, dummy("lambda3", "rsqrt", 1024, "4")), 6 * 128 ** 2 / (129 * 130))

    def test_raw_times_of_the_authors_reproduce_their_text(self):
        ends = {}
        for name in ("001:3", "001:5"):
            for panel in figure(name)["panels"]:
                for curve in papers.raw_curves(panel):
                    self.assertEqual(len(curve["points"]), 30)
                    ends[name, panel["title"], curve["label"].split(",")[0]] = curve["points"][-1]
        for key, gain in ((("001:3", "Square roots of λ", "λX"), 0.837), (("001:3", "Square roots of λ", "λN"), 0.961),
                          (("001:3", "Square roots of λ", "λR"), 1.10), (("001:5", "Dummy kernel", "RB"), 1.33),
                          (("001:5", "3D collision detection", "REC"), 0.18),
                          (("001:5", "3D collision detection", "RB"), 0.80)):
            self.assertAlmostEqual(ends[key][1], gain, delta=0.006, msg=str(key))
        self.assertEqual(len(papers.RAW), 7 * 30)

    def test_values_of_the_authors_program_are_marked_as_measured_here(self):
        with open(ROOT / "bench/papers/figures.json", encoding="utf-8") as file:
            text = file.read()
        for each in (v for f in papers.FIGURES for p in f.get("panels", []) for v in p.get("published", [])):
            program = "authors' " in each["label"]
            self.assertEqual(each.get("source") == "program", program, each)
            if program:
                self.assertIn("measured here", each["label"])
                self.assertIn("H200", each["label"])
        self.assertNotIn('"value": 204', text)
        self.assertNotIn('"value": 208', text)

    def test_ranges_relations_and_single_places_are_drawn_as_printed(self):
        edm = figure("003:5")["panels"][1]
        band = next(c for c in papers.published_panel(edm)["curves"] if c["label"].startswith("LTM"))
        self.assertEqual((band["label"], band["points"][0][1], band["top"]), ("LTM, GTX 680: 1.12 to 1.15", 1.12, 1.15))
        self.assertIn('fill-opacity="0.35"', papers.plot("", "", papers.published_panel(edm)))
        labels = [papers.printed(v) for v in figure("002:31-6")["panels"][0]["published"]]
        self.assertEqual(labels, ["8800 GTX, N > 8192: more than 200", "10 G pairs/s at N = 16 384: more than 200"])
        place = figure("001:7")["panels"][0]["published"][0]
        self.assertEqual((place["from"], place["to"]), (1024, 1024))

    def test_axes_are_those_of_the_paper(self):
        shown = [panel["y_shown"] for panel in figure("001:5")["panels"]]
        self.assertEqual(shown, [[0.2, 1.6], [0.4, 1.3], [0, 2.2], [0.2, 2.2]])

    def test_panels_side_by_side_have_the_same_ranges(self):
        rates = figure("002:31-6")["panels"][0]
        rows = [{"tile_p": "256", "tile_q": "1", "tile_u": "4", "bodies": str(n), "gflops": str(n / 2)} for n in (4096, 65536)]
        measured, published = papers.measured_panel(rates, {"tiles": rows}), papers.published_panel(rates)
        papers.share_axes([measured, published])
        ticks = [re.findall(r'text-anchor="(?:end|middle)" font-size="15">([0-9.e]+)<', papers.plot("", "", panel))
                 for panel in (measured, published)]
        self.assertGreater(len(ticks[0]), 6)
        self.assertEqual(ticks[0], ticks[1])
        self.assertTrue(measured["log_y"], "200 beside 32 768")

    def test_ratio_of_two_rates_stands_beside_the_published_one(self):
        panel = figure("002:31-8")["panels"][0]
        self.assertNotIn("published", panel)
        rows = [{"bodies": "1024", "tile_p": str(256 // q), "tile_q": str(q), "tile_u": "4", "gflops": str(100 * q)} for q in (1, 2)]
        self.assertIn("<td>+44 %</td><td>100 to 200 GFLOP/s, +100 %</td>", papers.ratio_table(panel, {"tiles": rows}))
        self.assertIn("not measured", papers.ratio_table(panel, {}))

    def test_sentences_about_a_card_are_on_its_page_alone(self):
        for each in papers.FIGURES:
            for device, there in (("NVIDIA H200", True), ("Intel Xeon", False), ("NVIDIA GeForce RTX 4090", False)):
                self.assertEqual(bool(papers.change_on(each, device)), there and "change" in each, papers.id_of(each))
            self.assertFalse(set(re.findall("H200|Hopper", each.get("note", ""))), papers.id_of(each))
        self.assertIn("here its I falls", papers.change_on(figure("003:5"), "NVIDIA H200"))

    def test_labels_fit_their_columns_and_the_y_axis(self):
        with open(ROOT / "bench/results/h100/lab.csv", encoding="utf-8", newline="") as file:
            measured = {}
            for row in papers.csv.DictReader(file):
                measured.setdefault(row["experiment"], []).append(row)
        for panel in (p for f in papers.FIGURES for p in f.get("panels", [])):
            for drawn in (papers.measured_panel(panel, measured), papers.published_panel(panel)):
                entries = papers.legend_of(drawn)
                columns = papers.legend_columns(entries)
                for each in entries:
                    self.assertLessEqual(48 + papers.GLYPH * 0.9 * len(each["label"]), (papers.WIDTH - 30) // columns + 10,
                                         each["label"])
                svg = papers.plot("", "", drawn)
                left = float(re.search(r'<rect x="([0-9.]+)"', svg).group(1))
                ticks = [t for t in re.findall(r'text-anchor="end" font-size="15">([^<]+)<', svg)]
                widest = max(map(len, ticks), default=0)
                self.assertGreater(left - 8 - papers.GLYPH * widest, 20, "the ticks end before the label of the axis")

    def test_curve_of_zeros_is_labelled(self):
        rows = [{"map": "utm-threads", "bodies": "1024", "wasted_threads": "0"},
                {"map": "bb", "bodies": "1024", "wasted_threads": "523776"}]
        panel = papers.measured_panel(figure("003:3")["panels"][2], {"waste": rows})
        self.assertEqual([e["label"] for e in papers.legend_of(panel)], ["BB", "UTM as published: 0 everywhere"])

    def test_page_shows_published_and_measured_values(self):
        page = papers.page(papers.FIGURES, tables(), "a <device>")
        for words in ("a &lt;device&gt;", 'id="002:31-8"', "758.57", "<td>0.25</td>", "left out: too long",
                      "&gt; 1000", "<td>3400</td><td>40</td>", "RB, GTX 765M: up to 1.33", "nothing was measured"):
            self.assertIn(words, page)
        self.assertEqual(page.count("<section"), len(papers.FIGURES))
        for svg in re.findall("<svg.*?</svg>", page, re.DOTALL):
            xml.etree.ElementTree.fromstring(svg)

    def test_drawings_have_every_block_and_tile(self):
        square = papers.triangle_drawing("lambda-grid")
        cube, grid = papers.tetrahedron_drawing("cube"), papers.tetrahedron_drawing("lambda3-grid")
        self.assertEqual(square.count("<rect"), 36 + 36, "m = 8: a grid of 6 x 6 without waste, and the tiles")
        self.assertEqual(cube.count("<polygon"), 3 * (216 + 56), "m = 6")
        self.assertEqual(cube.count('fill="none"'), 3 * (216 - 56))
        self.assertEqual(grid.count("<polygon"), 3 * (64 + 56))
        self.assertEqual(grid.count('fill="none"'), 3 * (64 - 56))

    def test_strips_begin_with_the_map_of_one_tile_per_block(self):
        with open(ROOT / "bench/results/h100/strips_runs.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        dummy_rows = [row for row in rows if row["experiment"] == "dummy"]
        curves = {c["label"]: c["points"] for c in strips_figure.panel("Dummy kernel", dummy_rows)["curves"]}
        self.assertEqual(sorted(curves), ["bb-strip", "lambda-strip", "rb-strip"])
        self.assertEqual([p[0] for p in curves["bb-strip"]], [0, 1, 2, 3, 4, 5, 6])
        self.assertEqual(curves["bb-strip"][0][1], 1)
        self.assertAlmostEqual(curves["lambda-strip"][0][1], 1.98, places=2)
        drawn = xml.etree.ElementTree.fromstring(strips_figure.figure(rows))
        panels = {(row["experiment"], row["dimensions"]) for row in rows}
        self.assertEqual(len(drawn.findall("{http://www.w3.org/2000/svg}g")), len(panels))


if __name__ == "__main__":
    unittest.main()
