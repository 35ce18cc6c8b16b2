#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Extracts from a table of `orrery lab` the curves that the window draws behind those of a CPU: the exact λ with R.

    bench/ghost.py bench/results/h200/lab.csv > bench/results/h200/ghost.csv
"""
import csv
import sys

COLUMNS = ["experiment", "map", "root", "rho", "bodies", "dimensions", "improvement", "device"]


def main():
    rows = csv.DictReader(open(sys.argv[1], newline=""))
    print(",".join(COLUMNS))
    seen = set()
    for row in rows:
        key = tuple(row[column] for column in COLUMNS[:6])
        if row["map"] in ("lambda", "lambda3") and row["root"] == "rsqrt" and row["improvement"] and key not in seen:
            seen.add(key)
            print(",".join(row[column] for column in COLUMNS))


if __name__ == "__main__":
    main()
