#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the relative RMS error of all-pairs engines on every preset; see docs/measuring.md.

    python3 bench/accuracy.py build/release/app/orrery cuda accuracy.csv
    python3 bench/accuracy.py build/release/app/orrery cpu accuracy.csv --bodies 4096,16384

Runs one process after another and writes each row to disk at once. Fails if an error exceeds 5e-7.
"""
import argparse
import csv
import json
import subprocess
import sys

LIMIT = 5e-7
COLUMNS = ["scene", "engine", "backend", "precision", "deterministic", "bodies", "rms_error", "p99_error", "max_error",
           "error_samples", "median_ms", "choice", "device", "version", "commit"]


def orrery(program, *words):
    done = subprocess.run([program, *map(str, words), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def rows(program, backend, sizes):
    runs = [["--engines", "direct,half"]]
    if backend == "cuda":
        runs.append(["--engines", "half", "--deterministic"])
    for preset in orrery(program, "list")["presets"]:
        if preset["family"] == "Atoms and ions":
            continue  # other laws
        for bodies in [None] if preset["fixed_count"] else sizes:
            count = ["--bodies", bodies] if bodies else []
            for run in runs:
                yield from orrery(program, "bench", preset["id"], "--backend", backend, "--precision", "single,mixed",
                                  "--repeat", 1, *count, *run)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program")
    options.add_argument("backend", choices=["cuda", "cpu"])
    options.add_argument("csv")
    options.add_argument("--bodies", default="4096,16384,131072,1048576")
    given = options.parse_args()
    worst = 0
    with open(given.csv, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        for row in rows(given.program, given.backend, given.bodies.split(",")):
            table.writerow(row)
            file.flush()
            worst = max(worst, row["rms_error"])
    print(f"largest rms_error: {worst:.2g}")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
