#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests bench/paper_figures.py: the page of an H200 is made of its results, and panels take the rows of the paper."""
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
    def test_page_of_the_h200_is_made_of_its_results(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.html"
            subprocess.run([sys.executable, "-B", ROOT / "bench/paper_figures.py", ROOT / "bench/results/h200/lab.csv",
                            "--page", path], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(path.read_text(encoding="utf-8"),
                             (ROOT / "docs/figures-h200.html").read_text(encoding="utf-8"))

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
        self.assertEqual(len(papers.published_panel(panel)["curves"]), 2)

    def test_bound_counts_launched_tiles(self):
        row = dummy("lambda", "rsqrt", 30720, "1.5")
        self.assertAlmostEqual(papers.bound(figure("001:5")["panels"][2], row), 2 * 240 / 241)

    def test_page_shows_published_and_measured_values(self):
        page = papers.page(papers.FIGURES, tables(), "a <device>")
        for words in ("a &lt;device&gt;", 'id="002:31-8"', "758.57", "<td>0.25</td>", "left out: too long",
                      "&gt; 1000", "<td>3400</td><td>40</td>", "RB, GTX 765M: 1.33", "nothing was measured"):
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


if __name__ == "__main__":
    unittest.main()
