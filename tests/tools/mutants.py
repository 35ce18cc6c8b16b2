#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mutation testing: makes small changes to the sources, one at a time, and checks that a test fails.

    tests/tools/mutants.py [--sample N] [--seed 1] [--jobs N] [--again] [--report] [--out build/mutants] [FOLDER...]

The sources in FOLDER (core/physics, core/maps, core/integrators, core/formats, core/simulation) are copied with each
operator replaced by a choice between itself and another: + and -, * and /, < and <=, > and >=, == and !=, && and ||, +=
and -=, *= and /=. They are compiled once; an environment variable selects the active change. Each test is run once by
itself to record which changes it reaches and how long it takes. A change is then tested by the tests that reach it, the
likely and the cheap ones first, up to the first that fails, crashes or does not end.

Results are stored in --out, so an interrupted run can be continued: results.jsonl, a line for each change; reach.json,
the changes that each test reaches (remove it after tests have changed; new tests are added). --again retries the
survivors, --report only counts. survivors.txt lists the changes that no test noticed. --jobs processes run tests in
parallel; prefix `taskset -c 1` to use one core. Needs python3-clang-14.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import clang.cindex as clang

FOLDERS = ["core/physics", "core/maps", "core/integrators", "core/formats", "core/simulation"]
PROGRAMS = {"core_tests": "tests/core/core_tests", "cloud_tests": "tests/core/cloud/cloud_tests",
            "property_tests": "tests/core/properties/property_tests"}
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
MOST = 1 << 14  # changes
LONGEST = 2.0  # seconds of a core: longer tests are left out
MOST_PER_MUTANT = 10.0  # seconds of tests per change, as measured without a change
CHECKED = b"#define _GLIBCXX_ASSERTIONS\n"  # bounds checks of the standard library
HEADER = f"""#pragma once
namespace orrery {{
enum class Reached : int {{ kNo, kYes }};
extern Reached mutants_reached[{MOST}];
extern int mutant_in_force;
/// True if this change is active; always false in constant evaluation.
constexpr bool mutant(int number) {{
    if (__builtin_is_constant_evaluated()) return false;
    mutants_reached[number] = Reached::kYes;
    return number == mutant_in_force;
}}
}}  // namespace orrery
"""
SOURCE = """#include "core/base/mutant.hpp"
#include <fcntl.h>
#include <sys/mman.h>
#include <cstdlib>
namespace orrery {
int mutant_in_force = -1;
alignas(4096) Reached mutants_reached[%d];

/// The record of reached changes is shared with the log file, and with child processes.
__attribute__((constructor(101))) void begin_mutants() {
    if (const char* text = std::getenv("ORRERY_MUTANT")) mutant_in_force = std::atoi(text);
    const char* log = std::getenv("ORRERY_MUTANT_LOG");
    const int file = log ? ::open(log, O_RDWR) : -1;
    constexpr int kBoth = PROT_READ | PROT_WRITE;
    if (file >= 0) ::mmap(mutants_reached, sizeof mutants_reached, kBoth, MAP_SHARED | MAP_FIXED, file, 0);
}
}  // namespace orrery
""" % MOST


def says_constexpr(cursor):
    return any(t.spelling == "constexpr" for t, _ in zip(cursor.get_tokens(), range(4)))


def sites_of(path, source, arguments):
    """(start, end, start and end of the operator) of each expression in the file with one of the operators, except those
    evaluated only at compile time."""
    unit = clang.Index.create().parse(str(path), args=arguments)
    kinds, found = clang.CursorKind, []

    def visit(cursor):
        children = list(cursor.get_children())
        if cursor.kind == kinds.IF_STMT and says_constexpr(cursor):
            children = children[1:]
        for child in children:
            elsewhere = child.location.file and pathlib.Path(child.location.file.name) != path
            constant = child.kind in (kinds.STATIC_ASSERT, kinds.TEMPLATE_NON_TYPE_PARAMETER, kinds.ENUM_CONSTANT_DECL)
            if elsewhere or constant or child.kind == kinds.VAR_DECL and says_constexpr(child):
                continue
            visit(child)
            sides = list(child.get_children())
            if child.kind not in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR) or len(sides) != 2:
                continue
            start, end = child.extent.start.offset, child.extent.end.offset
            left, right = sides[0].extent.end.offset, sides[1].extent.start.offset
            between = source[left:right].decode(errors="replace").strip()
            if between in OTHER and start < left <= right < end and b"\n#" not in source[start:end]:
                at = left + source[left:right].index(between.encode())
                found.append((start, end, at, at + len(between)))
    visit(unit.cursor)
    return sorted(set(found))


def rewritten(source, sites):
    """The source with each of [(start, end, operator, its end, number)] as a choice, nested in the unchanged side."""
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
    return text(0, len(source), sorted(sites, key=lambda c: (c[0], -c[1])))


class Mutants:
    """The changes, with a number each that is stable while the file does not change."""

    def __init__(self, root, out):
        self.root, self.known_at = root, out / "sites.json"
        known = json.loads(self.known_at.read_text()) if self.known_at.exists() else {"next": 0, "files": {}}
        listed = ["git", "ls-files", "-co", "--exclude-standard"]
        self.tracked = subprocess.check_output(listed, cwd=root, text=True).splitlines()
        self.files = [n for n in self.tracked if n.endswith((".hpp", ".cpp")) and "/cuda/" not in n
                      and n.startswith(tuple(f + "/" for f in FOLDERS)) and (root / n).exists()]
        self.sources = {name: (root / name).read_bytes() for name in self.files}
        arguments = ["-x", "c++", "-std=c++20", f"-I{root}", "-I/usr/include/hdf5/serial"]
        for name, source in self.sources.items():
            digest = hashlib.sha1(source).hexdigest()
            if known["files"].get(name, {}).get("sha1") != digest:
                sites = sites_of(root / name, source, arguments)
                known["files"][name] = {"sha1": digest, "sites": sites, "first": known["next"], "out": []}
                known["next"] += len(sites)
        known["files"] = {name: known["files"][name] for name in self.files}
        self.known, self.where = known, {of["first"] + i: (name, site) for name, of in known["files"].items()
                                         for i, site in enumerate(of["sites"]) if of["first"] + i not in of["out"]}
        self.save()

    def save(self):
        self.known_at.write_text(json.dumps(self.known))

    def drop(self, number):
        """Drops a change that does not compile."""
        name, _ = self.where.pop(number)
        self.known["files"][name]["out"].append(number)

    def text(self, name):
        source = self.sources[name]
        body = rewritten(source, [(*site, n) for n, (file, site) in self.where.items() if file == name])
        at_run_time = rb"volatile int is_\1 = 0; static const auto \1 = (void(is_\1), \2);"
        body = re.sub(rb"static constexpr auto (\w+) = (.*);", at_run_time, body)
        if body == source:
            return body
        head, once = b'#include "core/base/mutant.hpp"\n', b"#pragma once\n"
        return body.replace(once, once + head, 1) if once in body else CHECKED + head + body

    def said(self, number):
        name, (start, end, o, p) = self.where[number]
        source, operator = self.sources[name], self.sources[name][o:p].decode()
        return (f"{name}:{source[:o].count(10) + 1}: {operator} to {OTHER[operator]}: "
                f"{' '.join(source[start:o].decode().split())} [{operator}] {' '.join(source[p:end].decode().split())}")


def write(path, content, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)
        path.chmod(mode)


def build(mutants, tree):
    """Builds, dropping the changes that do not compile. Returns the folder of the programs."""
    for name in mutants.tracked:
        if (mutants.root / name).is_file() and name not in mutants.files and name != "core/CMakeLists.txt":
            write(tree / name, (mutants.root / name).read_bytes(), (mutants.root / name).stat().st_mode)
    write(tree / "core/base/mutant.hpp", HEADER.encode())
    write(tree / "core/base/mutant.cpp", SOURCE.encode())
    write(tree / "core/CMakeLists.txt", (mutants.root / "core/CMakeLists.txt").read_bytes() +
          b"target_sources(orrery_core PRIVATE base/mutant.cpp)\n")
    data = mutants.root.parent / "shared"
    if data.exists() and not (tree.parent / "shared").exists():
        (tree.parent / "shared").symlink_to(data)
    folder = tree / "build/mutants"
    for attempt in range(40):
        for name in mutants.files:
            write(tree / name, mutants.text(name))
        if attempt == 0:
            flags = ["-DCMAKE_CXX_FLAGS=-w -Wno-narrowing", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
            subprocess.run(["cmake", "--preset", "cpu-only", "-B", folder, "-DORRERY_WERROR=OFF", "-DORRERY_BATCHES=OFF",
                            *flags], cwd=tree, check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["ninja", f"-j{len(os.sched_getaffinity(0))}", "-k0", "-C", folder, *PROGRAMS],
                              capture_output=True, text=True)
        mutants.save()
        if done.returncode == 0:
            for program in PROGRAMS:  # copied, so that a later build does not disturb a run
                shutil.copy2(folder / PROGRAMS[program], tree.parent / f"{program}.new")
                os.replace(tree.parent / f"{program}.new", tree.parent / program)
            return tree.parent
        blamed = set()  # the last choice before each error
        for file, line, column in re.findall(r"([\w/.-]+\.[hc]pp):(\d+):(\d+): (?:fatal )?error", done.stdout):
            for name in (n for n in mutants.files if file.endswith(n)):
                rows = (tree / name).read_text(errors="replace").splitlines(keepends=True)
                until = "".join(rows[:int(line) - 1]) + rows[int(line) - 1][:int(column)]
                blamed |= {int(n) for n in re.findall(r"mutant\((\d+)\) \?", until[-2000:])[-1:]} & mutants.where.keys()
        print(f"build {attempt + 1}: {len(blamed)} changes do not compile", flush=True)
        if not blamed:
            sys.exit(done.stdout[-6000:])
        for number in blamed:
            mutants.drop(number)
    sys.exit("the changed sources do not compile")


class Tests:
    """The tests, the changes that each reaches, and their times."""

    def __init__(self, folder, out, jobs):
        self.folder, self.scratch, reach_at = folder, out / "scratch", out / "reach.json"
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        self.reach = json.loads(reach_at.read_text()) if reach_at.exists() else {}
        names = [f"{program} {name}" for program in PROGRAMS for name in self.listed(program)]
        for name in [n for n in self.reach if n not in names]:
            del self.reach[name]
        with ThreadPoolExecutor(jobs) as pool:
            new = [name for name in names if name not in self.reach]
            for i, (name, reach) in enumerate(zip(new, pool.map(self.reach_of, new))):
                self.reach[name] = reach
                if not reach["passed"]:
                    print(f"fails without a change, or takes too long, left out: {name}", flush=True)
                if i % 200 == 199:
                    reach_at.write_text(json.dumps(self.reach))
        reach_at.write_text(json.dumps(self.reach))
        self.of = collections.defaultdict(list)
        for name, test in sorted(self.reach.items(), key=lambda item: item[1]["took"]):
            for number in test["reaches"]:
                self.of[number].append(name)
        start = min(test["took"] for test in self.reach.values())  # of the program itself
        self.cost = {name: test["took"] - start + 1e-3 for name, test in self.reach.items()}
        self.killers = collections.defaultdict(list)  # for each file, the latest ones

    def reach_of(self, name):
        with tempfile.NamedTemporaryFile(dir=self.scratch) as log:
            log.write(bytes(4 * MOST))
            log.flush()
            by, took = self.run([name], {"ORRERY_MUTANT_LOG": log.name}, 3 * LONGEST)
            marks = memoryview(pathlib.Path(log.name).read_bytes()).cast("i") if not by and took < LONGEST else []
        return {"took": took, "passed": not by, "reaches": [n for n, mark in enumerate(marks) if mark]}

    def listed(self, program):
        suite = ""
        for line in subprocess.check_output([self.folder / program, "--gtest_list_tests"], text=True).splitlines():
            word = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = word
            elif not re.search("cuda|TenMillion|DISABLED_", suite + word):
                yield suite + word

    def run(self, names, environment, seconds):
        """Runs tests of one program. Returns the test that fails, or how the program ended, or None if all pass; and the
        CPU seconds, independent of other processes."""
        program = names[0].split()[0]
        command = ["prlimit", "--core=0", f"--as={12 << 30}", f"--fsize={2 << 30}", f"--cpu={int(seconds) + 1}",
                   self.folder / program, "--gtest_fail_fast", "--gtest_brief=1",
                   "--gtest_filter=" + ":".join(n.split()[1] for n in names)]
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder, tempfile.TemporaryFile(mode="w+", errors="replace") as out:
            settings = {"TMPDIR": folder, "ORRERY_NO_SHRINKING": "1", "ORRERY_TEST_SLOWNESS": "8"}
            process = subprocess.Popen(command, env=os.environ | settings | environment, cwd=folder, stdout=out,
                                       stderr=subprocess.DEVNULL)
            ended = threading.Timer(10 * seconds, process.kill)
            ended.start()
            _, status, usage = os.wait4(process.pid, 0)
            ended.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            took = usage.ru_utime + usage.ru_stime
            if process.returncode == 0:
                return None, took
            out.seek(0)
            failed = re.search(r"\[  FAILED  \] (\S+?),? ", out.read())
        return f"{program} {failed[1]}" if failed else f"ends with {process.returncode}", took

    def killer(self, number, name):
        """The test that detects the change, or None."""
        likely = [t for t in self.killers[name] if t in self.of[number]]
        left = likely + [t for t in self.of[number] if t not in likely]
        spent, most = 0.0, 0.1
        while left and spent < MOST_PER_MUTANT:
            program, now, later, cost = left[0].split()[0], [], [], 0.0
            for test in left:
                fits = test.split()[0] == program and (not now or cost + self.cost[test] < most)
                (now if fits else later).append(test)
                cost += self.cost[test] if fits else 0
            left = later
            by, _ = self.run(now, {"ORRERY_MUTANT": str(number)}, 2 + 5 * cost)
            if by:
                if by in now:
                    self.killers[name] = ([by] + [t for t in self.killers[name] if t != by])[:6]
                return by
            spent, most = spent + cost, 2 * most
        return None


def report(mutants, wanted, results, out):
    table, survivors = collections.defaultdict(collections.Counter), []
    for number in sorted(wanted):
        if result := results.get(number):
            kind = "killed" if result["by"] else "survive" if result["tests"] else "not reached"
            table[mutants.where[number][0].rsplit("/", 1)[0]][kind] += 1
            if not result["by"]:
                survivors.append(f"{mutants.said(number)}{'' if result['tests'] else ' (not reached)'}")
    (out / "survivors.txt").write_text("\n".join(survivors) + "\n")
    kinds, total = ["killed", "survive", "not reached"], collections.Counter()
    for folder, counts in [*sorted(table.items()), ("all", total)]:
        print(f"{folder:18}", *(f"{counts[kind]:5} {kind}" for kind in kinds),
              f"{100 * counts['killed'] / max(1, sum(counts.values())):6.1f} %")
        total.update(counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--sample", type=int, help="number of random changes; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="retry the survivors")
    parser.add_argument("--report", action="store_true", help="only count the results")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/mutants"))
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    mutants = Mutants(pathlib.Path(__file__).resolve().parents[2], out)

    def wanted():
        """In an order that is stable when other files change."""
        numbers = [n for n, (name, _) in mutants.where.items() if name.startswith(tuple(f + "/" for f in options.folders))]
        return sorted(numbers, key=lambda n: hashlib.sha1(f"{options.seed} {n}".encode()).digest())
    log = out / "results.jsonl"
    results = {r["number"]: r for r in map(json.loads, log.read_text().splitlines() if log.exists() else [])}
    if not options.report:
        tests = Tests(build(mutants, out / "tree"), out, options.jobs)
        tried = [n for n in wanted()[:options.sample]
                 if (options.again and not results[n]["by"] if n in results else not options.again)]
        print(f"{len(wanted())} changes that compile, {len(tried)} to try", flush=True)
        with log.open("a") as lines, ThreadPoolExecutor(options.jobs) as pool:
            found = pool.map(lambda number: tests.killer(number, mutants.where[number][0]), tried)
            for i, (number, by) in enumerate(zip(tried, found)):
                results[number] = {"number": number, "by": by, "tests": len(tests.of[number])}
                print(json.dumps(results[number]), file=lines, flush=True)
                if not by:
                    print(f"{i + 1}: survives {len(tests.of[number])} tests: {mutants.said(number)}", flush=True)
    report(mutants, wanted(), results, out)


if __name__ == "__main__":
    main()
