#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the include graph of folders, lowest layer first, and fails if folders include each other in a cycle.

    tests/tools/include_graph.py                                    the graph; exit code 1 with the includes of a cycle
    tests/tools/include_graph.py --reach core/engines/engine.hpp    the translation units that include a header

A folder is python/, or a first-level folder of core/ or app/ including its subfolders: core/engines/cuda/tree belongs to
core/engines."""
import argparse
import collections
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS, HEADERS = (".cpp", ".cu"), (".hpp", ".cuh", ".h")
INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:core|app|python|tests)/[^"]+)"', re.MULTILINE)


def includes_of(*tops):
    files = (file for top in tops for file in sorted((ROOT / top).rglob("*")) if file.suffix in UNITS + HEADERS)
    return {str(file.relative_to(ROOT)): INCLUDE.findall(file.read_text()) for file in files}


def folder(file):
    if file.startswith("python/"):
        return "python"
    return "/".join(file.split("/")[:2]) if file.count("/") > 1 else file.split("/")[0] + "/main"


def folders(includes):
    """The includes from one folder to another: {from: {to: [(file, header), ...]}}."""
    graph = {folder(file): collections.defaultdict(list) for file in includes}
    for file, headers in includes.items():
        for header in headers:
            if folder(header) != folder(file):
                graph[folder(file)][folder(header)].append((file, header))
    return graph


def layers(graph):
    """The layer of each folder (longest path below it), and the folders that a cycle leaves without one."""
    level, left = {}, dict(graph)
    while True:
        free = [name for name, to in left.items() if all(other in level for other in to)]
        if not free:
            return level, left
        for name in free:
            level[name] = 1 + max((level[other] for other in left[name]), default=-1)
        left = {name: to for name, to in left.items() if name not in level}


def below(graph, name):
    found, wait = set(), [name]
    while wait:
        for other in graph[wait.pop()]:
            if other not in found:
                found.add(other)
                wait.append(other)
    return found


def print_cycles(graph, left):
    print("\nFolders that include each other, directly or through others:", file=sys.stderr)
    for name, to in left.items():
        for other in sorted(to):
            if name in below(graph, other):
                for file, header in to[other]:
                    print(f"  {file} includes {header}", file=sys.stderr)


def reach(includes, header):
    @functools.cache
    def all_of(file):
        return frozenset().union(*({one} | all_of(one) for one in includes.get(file, ())))

    return [file for file in includes if file.endswith(UNITS) and header in all_of(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reach", metavar="HEADER", help="count the translation units that include it, tests too")
    options = parser.parse_args()
    if options.reach:
        units = reach(includes_of("core", "app", "python", "tests"), options.reach)
        print("\n".join(units + [f"{len(units)} translation units include {options.reach}"]))
        return 0
    graph = folders(includes_of("core", "app", "python"))
    level, left = layers(graph)
    width = max(map(len, graph))
    for name in sorted(level, key=lambda one: (level[one], one)):
        print(f"{level[name]:2}  {name:{width}}  {' '.join(sorted(graph[name]))}".rstrip())
    if left:
        print_cycles(graph, left)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
