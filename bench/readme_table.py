# SPDX-License-Identifier: MIT
"""Generates the README's table of speeds from bench/results: readme_table.py [--write | --check]; prints it by default."""
import csv
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- made by bench/readme_table.py -->\n", "<!-- end -->\n"
CPU = "xeon-avx512-2core"

# Each column: its header, the folder of results, bodies, threads (0: on a device).
COLUMNS = [(f"H200: {n:,}".replace(",", " "), "h200", n, 0) for n in (16384, 65536, 262144, 1048576)]
COLUMNS += [("CPU, 1 core: 16 384", CPU, 16384, 1), ("CPU, 2 cores: 16 384", CPU, 16384, 2)]

# Each row: its label, the files it may come from (the first match wins), and the values required of the line.
HALF = {"engine": "half", "map": "lambda", "root": "sqrt"}
ROWS = [
    ("`direct`, single", ["table", "one_thread", "two_threads"], {"engine": "direct", "precision": "single"}),
    ("`half`, single, equal masses", ["table", "one_thread", "two_threads"], HALF | {"precision": "single"}),
    ("`half`, single, any masses", ["table", "one_thread_any", "two_threads_any"],
     HALF | {"precision": "single", "equal_masses": "false"}),
    ("`half`, single, `--deterministic`", ["table"],
     HALF | {"precision": "single", "deterministic": "true"}),
    ("`direct`, mixed", ["table"], {"engine": "direct", "precision": "mixed"}),
    ("`half`, mixed, equal masses", ["table"], HALF | {"precision": "mixed"}),
    ("`direct`, double", ["table", "one_thread", "two_threads"], {"engine": "direct", "precision": "double"}),
    ("`half`, double, equal masses", ["table", "one_thread", "two_threads"], HALF | {"precision": "double"}),
    ("`tree`, single", ["table", "one_thread_tree", "two_threads_tree"],
     {"engine": "tree", "precision": "single", "accuracy": ("0", "0.0", "0.001"), "alpha": ("0", "0.0"),
      "theta": ("0", "0.0")}),
    ("`fmm`, single", ["table"], {"engine": "fmm", "precision": "single"}),
]
CELLS = ("tree", "fmm")  # engines that compute no pair of all bodies: their rows have times
# Values for files that lack a column because they are older.
DEFAULTS = {"equal_masses": "true", "deterministic": "false"}


def fits(line, wanted):
    for key, value in wanted.items():
        if line.get(key, DEFAULTS.get(key)) not in (value if isinstance(value, tuple) else (value,)):
            return False
    return True


def find(folder, files, wanted):
    for file in files:
        path = root / "bench/results" / folder / f"{file}.csv"
        if not path.exists():
            continue
        for line in csv.DictReader(path.open()):
            if fits(line, wanted):
                return line
    return None


def three_digits(value, unit=""):
    """1870000000000 as "1.87 T", like the program's own tables."""
    for prefix in ("", "k", "M", "G", "T"):
        if value < 999.5:
            break
        value /= 1000
    return f"{value:.{max(0, 3 - len(str(int(value))))}f} {prefix}{unit}".rstrip()


def cell(line):
    """Pairs per second of all-pairs engines; the time of the others."""
    if line is None:
        return "–"
    if line["engine"] in CELLS:
        return f"{float(line['median_ms']):.3g} ms"
    return three_digits(float(line["pairs_per_second"]))


def energy_cell(line):
    """Pairs per joule, of the others bodies per joule; files that are older, or of machines without a counter, have none."""
    column, unit = ("bodies_per_joule", "bodies") if line and line["engine"] in CELLS else ("pairs_per_joule", "")
    value = line and line.get(column)
    return three_digits(float(value)) + f" {unit}".rstrip() if value else "–"


def table():
    rows = []
    for label, files, wanted in ROWS:
        lines = [find(folder, files, wanted | {"scene": "plummer", "bodies": str(bodies), "threads": str(threads)})
                 for _, folder, bodies, threads in COLUMNS]
        if any(lines):
            rows.append((label, lines))
    # One more column: energy, for the last of those above in which some was measured.
    measured = [i for i in range(len(COLUMNS)) if any(energy_cell(lines[i]) != "–" for _, lines in rows)][-1:]
    heads = [head for head, *_ in COLUMNS] + [f"{COLUMNS[i][0]}, per joule" for i in measured]
    text = "| engine | " + " | ".join(heads) + " | error up to |\n" + "|---|" + "---|" * (len(heads) + 1) + "\n"
    for label, lines in rows:
        error = max(float(line["rms_error"]) for line in lines if line)
        cells = [cell(line) for line in lines] + [energy_cell(lines[i]) for i in measured]
        text += f"| {label} | " + " | ".join(cells) + f" | {error:.1e} |\n"
    return text.replace("e-0", "e-")


readme = root / "README.md"
text = readme.read_text()
before, rest = text.split(BEGIN)
made = before + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]
if "--write" in sys.argv:
    readme.write_text(made)
elif "--check" in sys.argv:
    if made != text:
        sys.exit("README.md: the table differs from bench/results; run python3 bench/readme_table.py --write")
else:
    print(table(), end="")
