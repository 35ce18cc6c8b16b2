#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Changes the sources in small ways, one at a time, and sees whether a test fails: mutation testing.

    tests/mutants.py [--sample 300] [--seed 1] [--out build/mutants] [FOLDER...]

Of the sources in FOLDER (core/physics, core/maps, core/integrators, core/formats, core/simulation) copies are made in
which each operator is a choice between itself and another: + and -, * and /, < and <=, > and >=, == and !=, && and ||,
+= and -=, *= and /=. They are compiled once; the environment says which change is in force, so a mutant costs no more
than the tests that reach it. A sample of the changes is tried. survivors.txt in --out names those that no test noticed,
with their lines; the last line that is printed says how many of the mutants were killed. Needs python3-clang-14.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import clang.cindex as clang

FOLDERS = ["core/physics", "core/maps", "core/integrators", "core/formats", "core/simulation"]
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
HEADER = """#pragma once
namespace orrery {
bool mutant_at_run_time(int number);
/// Whether this change is in force; none is while the compiler computes.
constexpr bool mutant(int number) { return __builtin_is_constant_evaluated() ? false : mutant_at_run_time(number); }
}  // namespace orrery
"""
SOURCE = """#include "core/base/mutant.hpp"

#include <cstdio>
#include <cstdlib>

namespace orrery {
namespace {
constexpr int kMost = 1 << 16;
unsigned char reached[kMost];

int chosen() {
    if (const char* log = std::getenv("ORRERY_MUTANT_LOG"); log && *log) std::atexit([] {
        std::FILE* file = std::fopen(std::getenv("ORRERY_MUTANT_LOG"), "w");
        for (int i = 0; i < kMost; ++i)
            if (reached[i]) std::fprintf(file, "%d\\n", i);
        std::fclose(file);
    });
    const char* text = std::getenv("ORRERY_MUTANT");
    return text ? std::atoi(text) : -1;
}
}  // namespace

bool mutant_at_run_time(int number) {
    static const int one = chosen();
    reached[number] = 1;
    return number == one;
}
}  // namespace orrery
"""


def sites_of(path, source, arguments):
    """(start, end, start and end of the operator) of each expression in the file with one of the operators."""
    unit = clang.Index.create().parse(str(path), args=arguments)
    found = []

    def visit(cursor):
        for child in cursor.get_children():
            if child.location.file and pathlib.Path(child.location.file.name) != path:
                continue
            if child.kind in (clang.CursorKind.STATIC_ASSERT, clang.CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
                              clang.CursorKind.ENUM_CONSTANT_DECL):
                continue
            visit(child)
            if child.kind not in (clang.CursorKind.BINARY_OPERATOR, clang.CursorKind.COMPOUND_ASSIGNMENT_OPERATOR):
                continue
            sides = list(child.get_children())
            if len(sides) != 2:
                continue
            start, end = child.extent.start.offset, child.extent.end.offset
            left, right = sides[0].extent.end.offset, sides[1].extent.start.offset
            between = source[left:right].decode(errors="replace").strip()
            if between in OTHER and start < left <= right < end and b"\n#" not in source[start:end]:
                at = left + source[left:right].index(between.encode())
                found.append((start, end, at, at + len(between)))
    visit(unit.cursor)
    return sorted(set(found))


def rewritten(source, sites, numbers):
    """Each site as a choice; what lies within a site is only changed where that one is not."""
    def text(start, end, inner):
        parts, at = [], start
        while inner:
            s, e, o, p, number = inner[0]
            within = [i for i in inner[1:] if i[1] <= e]
            inner = [i for i in inner[1:] if i[1] > e]
            plain = source[s:o] + OTHER[source[o:p].decode()].encode() + source[p:e]
            parts += [source[at:s], b"(::orrery::mutant(%d) ? (%s) : (%s))" % (number, plain, text(s, e, within))]
            at = e
        return b"".join(parts) + source[at:end]
    chosen = [(*site, number) for site, number in zip(sites, numbers) if number is not None]
    return text(0, len(source), sorted(chosen, key=lambda c: (c[0], -c[1])))


def build(options, tree, files, sites, numbers):
    """Compiles, leaving out what does not compile in its changed form. Returns the numbers that are left."""
    folder = tree / "build/mutants"
    subprocess.run(["cmake", "--preset", "cpu-only", "-B", folder, "-DORRERY_WERROR=OFF", "-DORRERY_BATCHES=OFF",
                    "-DCMAKE_CXX_FLAGS_RELEASE=-O1"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    for attempt in range(40):
        for path in files:
            source = (options.root / path).read_bytes()
            body = rewritten(source, sites[path], numbers[path])
            head = b'#include "core/base/mutant.hpp"\n' if body != source else b""
            made = body.replace(b"#pragma once\n", b"#pragma once\n" + head, 1) if b"#pragma once\n" in body else head + body
            if not (tree / path).exists() or (tree / path).read_bytes() != made:
                (tree / path).write_bytes(made)
        done = subprocess.run(["ninja", "-k", "0", "-C", folder, "core_tests"], capture_output=True, text=True)
        if done.returncode == 0:
            return folder / "tests/core/core_tests"
        dropped = 0
        for file, line in set(re.findall(r"(?:^|[\s(])(?:\.\./)*([\w/.-]+\.[hc]pp):(\d+)(?::\d+)?: (?:error|note|  )",
                                         done.stdout)):
            file = str(pathlib.Path(file)).replace(str(tree) + "/", "").lstrip("/")
            path = next((p for p in files if file.endswith(p)), None)
            if path is None:
                continue
            row = (tree / path).read_text(errors="replace").splitlines()[int(line) - 1]
            for number in map(int, re.findall(r"mutant\((\d+)\)", row)):
                if number in numbers[path]:
                    numbers[path][numbers[path].index(number)] = None
                    dropped += 1
        print(f"  build {attempt + 1}: {dropped} changes do not compile", flush=True)
        if dropped == 0:
            sys.exit(done.stdout[-4000:])
    sys.exit("it does not come to compile")


def suites_of(program):
    listed = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=-*cuda*:*Cuda*:*TenMillion*"],
                            check=True, capture_output=True, text=True).stdout
    return [line.strip() for line in listed.splitlines() if line.endswith(".")]


def run(program, suites, environment, seconds):
    try:
        done = subprocess.run([program, "--gtest_fail_fast", "--gtest_brief=1",
                               f"--gtest_filter={':'.join(s + '*' for s in suites)}-*cuda*:*TenMillion*"],
                              env=os.environ | environment, timeout=seconds, capture_output=True, errors="replace")
        return done.returncode
    except subprocess.TimeoutExpired:
        return "time"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/mutants"))
    options = parser.parse_args()
    options.root = pathlib.Path(__file__).resolve().parent.parent
    options.out.mkdir(parents=True, exist_ok=True)
    tree = options.out.resolve() / "tree"
    tracked = subprocess.run(["git", "ls-files"], cwd=options.root, check=True, capture_output=True,
                             text=True).stdout.split("\n")
    for name in filter(None, tracked):
        here, there = options.root / name, tree / name
        if not here.is_file():
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        if not there.exists() or there.read_bytes() != here.read_bytes():
            there.write_bytes(here.read_bytes())
            there.chmod(here.stat().st_mode)
    (tree / "core/base/mutant.hpp").write_text(HEADER)
    (tree / "core/base/mutant.cpp").write_text(SOURCE)
    lists = (tree / "core/CMakeLists.txt").read_text()
    if "base/mutant.cpp" not in lists:
        (tree / "core/CMakeLists.txt").write_text(lists + "target_sources(orrery_core PRIVATE base/mutant.cpp)\n")

    files = [n for n in tracked if n.endswith((".hpp", ".cpp")) and n.startswith(tuple(f + "/" for f in options.folders))
             and "/cuda/" not in n and "simd" not in n]
    arguments = ["-x", "c++", "-std=c++20", f"-I{options.root}", "-I/usr/include/hdf5/serial"]
    sites = {name: sites_of(options.root / name, (options.root / name).read_bytes(), arguments) for name in files}
    every = [(name, i) for name in files for i in range(len(sites[name]))]
    sample = set(random.Random(options.seed).sample(every, min(options.sample, len(every))))
    numbers, count = {name: [None] * len(sites[name]) for name in files}, 0
    for name, i in every:
        if (name, i) in sample:
            numbers[name][i], count = count, count + 1
    print(f"{len(every)} places in {len(files)} files, {count} of them tried", flush=True)
    program = build(options, tree, files, sites, numbers)
    place = {number: (name, sites[name][i]) for name in files for i, number in enumerate(numbers[name])
             if number is not None}

    reach, took = collections.defaultdict(list), {}
    for suite in suites_of(program):
        log = options.out / "reached"
        log.unlink(missing_ok=True)
        start = os.times().elapsed
        if run(program, [suite], {"ORRERY_MUTANT_LOG": str(log)}, 900) != 0:
            print(f"  fails without a change, left out: {suite}", flush=True)
            continue
        took[suite] = os.times().elapsed - start
        for number in map(int, log.read_text().split() if log.exists() else []):
            reach[number].append(suite)

    def one(number):
        for suite in sorted(reach[number], key=took.get):
            if run(program, [suite], {"ORRERY_MUTANT": str(number)}, 30 + 10 * took[suite]) != 0:
                return number, suite
        return number, None
    killed, survivors, by = 0, [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, suite in pool.map(one, sorted(place)):
            killed += suite is not None
            by[suite] += 1
            if suite is None:
                name, (start, end, o, p) = place[number]
                source = (options.root / name).read_bytes()
                line = source[:o].count(b"\n") + 1
                survivors.append(f"{name}:{line}: {source[o:p].decode()} -> {OTHER[source[o:p].decode()]}"
                                 f"{'' if reach[number] else ' (not reached)'}: "
                                 f"{' '.join(source[start:end].decode().split())}")
                print("  survives: " + survivors[-1], flush=True)
    (options.out / "survivors.txt").write_text("\n".join(survivors) + "\n")
    (options.out / "killed_by.json").write_text(json.dumps({str(k): n for k, n in by.most_common()}, indent=1))
    print(f"{killed} of {len(place)} mutants killed ({100 * killed / max(1, len(place)):.1f} %), {len(survivors)} survive")


if __name__ == "__main__":
    main()
