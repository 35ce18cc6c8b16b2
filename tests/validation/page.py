#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/validation/page.py ORRERY [--quick]

Repeats published results of the gravitational N-body problem by running the program. Without --quick it writes
bench/results/validation.md; with it, it repeats a short form and writes nothing. Exit code 1 if a result is out of bounds. Needs
only Python.
"""
import argparse
import datetime
import json
import os
import pathlib
import sys
import tempfile
import textwrap

sys.dont_write_bytecode = True
import clusters
import few_bodies
import program

HEAD = """# Validation

Published results of the gravitational N-body problem, repeated with the program's own commands. This page is written by

    tests/validation/page.py build/release/app/orrery

which ends with exit code 1 if a result is out of its bounds; a short form, `--quick`, is part of `./test.sh`. Files named
in the commands are the initial conditions described; commands that go from snapshot to snapshot are given once.

"""


def markdown(case):
    lines = [f"## {case.title}", "", *textwrap.wrap(case.text, 120), ""]
    if case.rows:
        lines += ["| " + " | ".join(case.head) + " |", "|---" * len(case.head) + "|"]
        lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in case.rows] + [""]
    lines += [f"    {command}" for command in case.commands] + ([""] if case.commands else [])
    if case.after:
        lines += textwrap.wrap(case.after, 120) + [""]
    return "\n".join([*lines, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("orrery")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="the case whose function has this name")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    program.binary, program.quick = str(pathlib.Path(arguments.orrery).resolve()), arguments.quick
    cases = [few_bodies.pythagorean, few_bodies.figure_eight, few_bodies.lagrange, few_bodies.kepler, clusters.chaos,
             clusters.galaxies] + ([] if arguments.quick else [clusters.collapse])

    text, failed = HEAD, []
    with tempfile.TemporaryDirectory(prefix="orrery_validation_") as folder:
        program.folder = pathlib.Path(folder)
        info = json.loads(program.orrery("info", "--json"))
        text += (f"Measured on {datetime.date.today().isoformat()} with version {info['version']} "
                 f"({info['commit']}, {info['compiler']}) on {os.cpu_count()} cores of an {info['cpu']} ({info['simd']}).\n\n")
        for make in cases:
            if arguments.only not in (None, make.__name__):
                continue
            case = make()
            part = markdown(case)
            print(part, flush=True)
            text += part
            failed += case.failed
    if not arguments.quick and not arguments.only and not failed:
        (root / "bench/results/validation.md").write_text(text.rstrip() + "\n")
    print("\n".join(failed) or "all within their bounds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
