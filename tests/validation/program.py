# SPDX-License-Identifier: MIT
"""Runs Orrery like a user, and reads its output."""
import csv
import json
import math
import pathlib
import subprocess
import tempfile

folder = pathlib.Path(tempfile.gettempdir())  # for the CSV files; page.py sets a temporary one
binary = "orrery"
quick = False


class Body:
    def __init__(self, m, x, v):
        self.m, self.x, self.v = m, x, v


def orrery(*arguments):
    """Returns standard output; exits with the program's own message if it fails."""
    done = subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise SystemExit(f"orrery {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def run(scene, *arguments, out="out.csv"):
    """Returns bodies and time at the end, and the report of --json."""
    said = json.loads(orrery("run", scene, *arguments, "--json", "-o", out))
    bodies, time = read(out)
    return bodies, time, said


def write(name, bodies, softening=0.0, time=0.0):
    head = f"# orrery: bodies={len(bodies)} G=1 softening={softening!r} dt=0.01 time={time!r}\nm,x,y,z,vx,vy,vz\n"
    rows = (",".join(repr(float(n)) for n in (b.m, *b.x, *b.v)) for b in bodies)
    (folder / name).write_text(head + "\n".join(rows) + "\n")
    return name


def read(name):
    lines = (folder / name).read_text().splitlines()
    time = float(lines[0].split("time=")[1].split()[0])
    bodies = []
    for row in csv.DictReader(lines[1:]):
        n = [float(row[key]) for key in ("m", "x", "y", "z", "vx", "vy", "vz")]
        bodies.append(Body(n[0], n[1:4], n[4:7]))
    return bodies, time


def table(name):
    """Columns of a diagnostics table; NaN for empty cells."""
    with open(folder / name) as file:
        rows = list(csv.DictReader(file))
    return {key: [float(row[key] or "nan") for row in rows] for key in rows[0]}


def minus(a, b):
    return [p - q for p, q in zip(a, b)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def power(xs, ys):
    """The exponent with which y grows with x, by a least-squares fit of the logarithms."""
    lx, ly = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mx, my = sum(lx) / len(lx), sum(ly) / len(ly)
    return sum((a - mx) * (b - my) for a, b in zip(lx, ly)) / sum((a - mx) ** 2 for a in lx)


class Case:
    """A section of the page: published result, measured result, and whether it is within bounds."""

    def __init__(self, title, text, head):
        self.title, self.text, self.head, self.rows, self.after, self.failed = title, text, head, [], "", []
        self.commands = []

    def expect(self, what, value, low, high):
        if not low <= value <= high:
            self.failed.append(f"{self.title}: {what} is {value!r}, not within {low:g} to {high:g}")
