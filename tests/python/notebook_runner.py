#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs notebooks without Jupyter: executes code cells in order, in one namespace, and collects their outputs.

    tests/python/notebook_runner.py NOTEBOOK.ipynb           runs it and compares its outputs with those in the file
    tests/python/notebook_runner.py --write NOTEBOOK.ipynb   stores its outputs in the file

Numbers in texts may differ in their last digits. Outputs of a cell tagged "varies", such as times, are compared
only by kind; so are images, whose pixels depend on the OpenGL driver."""
import ast
import base64
import contextlib
import io
import json
import pathlib
import re
import sys

NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")
RELATIVE, ABSOLUTE = 2e-2, 1e-9
KINDS = (("image/png", "_repr_png_"), ("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_"))


def shown(value):
    """Notebook data for the value of a cell's last line."""
    data = {"text/plain": repr(value)}
    for kind, method in KINDS:
        if hasattr(value, method):
            found = getattr(value, method)()
            data[kind] = base64.b64encode(found).decode() if isinstance(found, bytes) else found
    if set(data) & {"image/png", "image/svg+xml"}:
        data["text/plain"] = f"<{type(value).__name__}>"
    return data


def run_cell(source, namespace):
    """Outputs of a cell in the format of notebook files."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue()})
    if value is not None:
        outputs.append({"data": shown(value), "metadata": {}, "output_type": "execute_result"})
    return outputs


def text_of(lines):
    return "".join(lines) if isinstance(lines, list) else lines


def same_text(found, wanted):
    """True if two texts agree up to the last digits of their numbers."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", wanted):
        return False
    pairs = zip(map(float, NUMBER.findall(found)), map(float, NUMBER.findall(wanted)))
    return all(abs(a - b) <= ABSOLUTE + RELATIVE * max(abs(a), abs(b)) for a, b in pairs)


def difference(found, wanted, varies):
    """The difference between outputs of a cell; empty if they agree."""
    if [one["output_type"] for one in found] != [one["output_type"] for one in wanted]:
        return f"shows {[one['output_type'] for one in found]}, not {[one['output_type'] for one in wanted]}"
    for new, old in zip(found, wanted):
        if new["output_type"] == "stream":
            if not varies and not same_text(new["text"], text_of(old["text"])):
                return f"prints\n{new['text']}\nnot\n{text_of(old['text'])}"
            continue
        if set(new["data"]) != set(old["data"]):
            return f"shows {sorted(new['data'])}, not {sorted(old['data'])}"
        for kind, data in new["data"].items():
            if kind in ("image/png", "image/svg+xml"):
                if len(data) < 0.5 * len(text_of(old["data"][kind])):
                    return f"shows {kind} of {len(data)} bytes, which had {len(text_of(old['data'][kind]))}"
            elif not varies and not same_text(data, text_of(old["data"][kind])):
                return f"shows\n{data}\nnot\n{text_of(old['data'][kind])}"
    return ""


def run(path, write=False):
    """Runs a notebook; returns a list of differences."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    namespace, wrong, number = {"__name__": "__main__"}, [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        found = run_cell(text_of(cell["source"]), namespace)
        for one in found:
            if one["output_type"] == "execute_result":
                one["execution_count"] = number
        if write:
            cell["outputs"], cell["execution_count"] = found, number
            continue
        varies = "varies" in cell.get("metadata", {}).get("tags", [])
        if problem := difference(found, cell["outputs"], varies):
            wrong.append(f"{path.name}, cell {number}: {problem}")
    if write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return wrong


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    problems = [problem for word in words for problem in run(pathlib.Path(word), "--write" in sys.argv)]
    print("\n".join(problems) or "the notebooks agree with their files")
    sys.exit(1 if problems else 0)
