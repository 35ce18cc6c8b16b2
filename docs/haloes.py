#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes halo catalogues in the format of Rockstar for a series of CSV snapshots, for the pictures of docs/guide/haloes.md.

    docs/haloes.py LINK LEAST MASS FOLDER SNAPSHOT...

Groups of friends of friends with at least LEAST bodies are haloes; the linking length is LINK mean separations of the half
of the bodies nearest to the centre. The descendant of a halo contains most of its bodies at the next snapshot.
FOLDER/out_N.list is the catalogue of the Nth snapshot; MASS is the unit of mass of the snapshots in solar masses / h."""
import collections
import csv
import math
import pathlib
import sys


def bodies_of(path):
    with open(path) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [(float(row["x"]), float(row["y"]), float(row["z"]), float(row["m"])) for row in rows]


def separation_of(bodies):
    radii = sorted(math.dist(body[:3], (0, 0, 0)) for body in bodies)
    half = len(radii) // 2
    return radii[half] * (4 * math.pi / (3 * half)) ** (1 / 3)


def groups_of(bodies, link):
    """Lists of indices; bodies in neighbouring cells are compared."""
    cells = collections.defaultdict(list)
    for i, (x, y, z, _) in enumerate(bodies):
        cells[math.floor(x / link), math.floor(y / link), math.floor(z / link)].append(i)
    around = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]
    left, groups = set(range(len(bodies))), []
    while left:
        wait, group = [left.pop()], []
        while wait:
            i = wait.pop()
            group.append(i)
            x, y, z, _ = bodies[i]
            cell = math.floor(x / link), math.floor(y / link), math.floor(z / link)
            for step in around:
                for j in cells.get(tuple(p + q for p, q in zip(cell, step)), ()):
                    if j in left and math.dist(bodies[i][:3], bodies[j][:3]) <= link:
                        left.remove(j)
                        wait.append(j)
        groups.append(group)
    return groups


def main(link, least, unit, folder, snapshots):
    states = [bodies_of(path) for path in snapshots]
    found = [[g for g in groups_of(bodies, link * separation_of(bodies)) if len(g) >= least] for bodies in states]
    for n, (bodies, groups) in enumerate(zip(states, found)):
        later = {}
        for k, group in enumerate(found[n + 1] if n + 1 < len(found) else ()):
            later.update(dict.fromkeys(group, k))
        with open(folder / f"out_{n}.list", "w") as out:
            print("#ID DescID Mvir Rvir Np X Y Z", file=out)
            for k, group in enumerate(groups):
                mass = sum(bodies[i][3] for i in group)
                centre = [sum(bodies[i][axis] * bodies[i][3] for i in group) / mass for axis in range(3)]
                radius = sorted(math.dist(bodies[i][:3], centre) for i in group)[len(group) * 9 // 10]
                heirs = collections.Counter(later[i] for i in group if i in later)
                heir = heirs.most_common(1)[0][0] if heirs else -1
                place = (f"{x:.6g}" for x in centre)
                print(k, heir, f"{unit * mass:.6g}", f"{1000 * radius:.6g}", len(group), *place, file=out)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), pathlib.Path(sys.argv[4]), sys.argv[5:])
