#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every kernel under NVIDIA's compute-sanitizer: memcheck, racecheck, initcheck, synccheck.

    tests/tools/sanitize_gpu.py [--build build/release] [--out build/sanitize-gpu] [--jobs 12] [TOOL...]

First runs commands of the program on few bodies and the tests that use the GPU, and records the kernels that they launch
(tests/inject/failing_cuda.cpp). The tools then run the cheapest set of commands, and of tests for kernels that no command
launches, that together launches all kernels. The printed table, and table.csv in the folder --out, give for each tool the
number of kernels, of runs, and of findings; kernels.txt lists kernels that nothing launches. Work left after --seconds is
continued by running the same command again. Exit code 1 if a tool found something, or a run failed or is not finished.
"""
import argparse
import csv
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

FILTER = "*cuda*:*Cuda*:*Device*-SimulationThread*:*RewindsAtFullSpeed*:*TheSameStepsAsInSlices*:*TheSameStepsAfterEvery*:*ReportsItsTrials*"
AT_A_TIME = 4  # tests per process, which takes a second to start
PRECISIONS = ("single", "mixed", "double")
# Racecheck slows kernels by factors of thousands, so bodies are few, but more than fill a block, a leaf or a tile.
COMMANDS = [
    *(f"check plummer --backend cuda --bodies 129,700 --engines {engine} --precision {precision}"
      for engine in ("direct", "half", "naive", "tree", "tree-locks", "auto") for precision in PRECISIONS),
    *(f"check plummer --backend cuda --bodies 40 --engines triplet --precision {precision}" for precision in PRECISIONS),
    *(f"run plummer --backend cuda --bodies 700 --steps 4 --engine {engine} --integrator {integrator} {more}"
      for engine in ("direct", "half", "tree", "tree-locks") for integrator in ("leapfrog", "hermite4")
      for more in ("", "--deterministic", "--precision double") if engine in ("direct", "half") or integrator == "leapfrog"),
    *(f"lab --backend cuda --repeat 1 --bodies {bodies} --experiment {experiment}"
      for experiment, bodies in (("dummy", 512), ("edm", 512), ("collision", 512), ("collision-pairs", 512),
                                 ("collision-rows", 512), ("roots", 512), ("triplet", 64), ("quadruplet", 24), ("automaton", 512))),
]
TOOLS = {"memcheck": ["--report-api-errors", "no"],  # tests make impossible requests on purpose
         "racecheck": [], "initcheck": [], "synccheck": []}


def kernels_of(program):
    """The mangled names of our kernels in a program, from the functions that launch them."""
    names = set()
    for symbol in subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.split():
        stub = re.search(r"(\d+)(__device_stub__Z.*)", symbol)
        if stub:
            names.add("_" + stub[2][:int(stub[1])].removeprefix("__device_stub__"))
    return {name for name in names if "orrery" in name}


def tests_of(program):
    listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={FILTER}"], check=True, capture_output=True,
                            text=True).stdout
    suite = ""
    for line in listed.splitlines():
        if line.startswith("  "):
            yield suite + line.split()[0]
        elif line.endswith("."):
            suite = line


def run(command, environment, limit):
    """Exit code, output and seconds; 124 if the process was stopped at the limit, with all its children."""
    start = time.monotonic()
    with subprocess.Popen(command, env=os.environ | environment, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            text = process.communicate(timeout=limit)[0]
            return process.returncode, text, time.monotonic() - start
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 124, process.communicate()[0], time.monotonic() - start


def is_command(names):
    return names[0] in COMMANDS


def command_of(options, names):
    """One command of the program, or the tests of these names."""
    if is_command(names):
        return [options.program, *names[0].split()]
    return [options.tests, f"--gtest_filter={':'.join(names)}"]


def driver():
    ctypes.CDLL("libcuda.so.1")
    return next(line.split()[-1] for line in open("/proc/self/maps") if "/libcuda.so" in line)


def launched_by(options, runs):
    """Kernels and seconds of each run (a list of lines or of test names); failed runs have no kernels."""
    folders = ":".join(filter(None, (str(options.shim), os.environ.get("LD_LIBRARY_PATH"))))
    with tempfile.TemporaryDirectory() as folder:
        def one(numbered):
            number, names = numbered
            log = pathlib.Path(folder, str(number))
            code, text, seconds = run(command_of(options, names),
                                      {"LD_LIBRARY_PATH": folders, "ORRERY_REAL_CUDA": driver(), "ORRERY_KERNELS": str(log)},
                                      120)
            if code != 0:
                print(f"fails without a sanitizer: {names}\n{text[-600:]}", flush=True)
            return names, set(log.read_text().split()) if code == 0 and log.exists() else set(), seconds
        with ThreadPoolExecutor(options.jobs) as pool:
            return list(pool.map(one, enumerate(runs)))


def cover(launched, missing):
    """Runs that together launch the missing kernels, most kernels per second first; and the remaining kernels."""
    chosen, missing = [], set(missing)
    while missing:
        names, kernels, seconds = max(launched, key=lambda l: len(l[1] & missing) / l[2])
        if not kernels & missing:
            break
        chosen.append((names, seconds))
        missing -= kernels
    return chosen, missing


def watch(options, tool, launched, seen):
    """Runs the rest of the cover of all kernels under a tool, each test in a separate process.

    Runs that end without a report are noted in TOOL.done and not repeated; those left when the time is over remain.
    """
    done_file = options.out / f"{tool}.done"
    done = set(done_file.read_text().splitlines()) if done_file.exists() else set()
    watched = set().union(*(kernels for names, kernels, _ in launched if done.issuperset(names)))
    runs, missing = [], seen - watched
    for some in (is_command, lambda names: not is_command(names)):
        chosen, missing = cover([run for run in launched if some(run[0])], missing)
        runs += chosen
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    start = time.monotonic()

    def one(name):
        left = options.seconds - (time.monotonic() - start)
        if left < 1:
            return name, 124, "", 0.0
        return name, *run([sanitizer, "--tool", tool, *TOOLS[tool], "--error-exitcode", "9", "--print-limit", "3",
                           *command_of(options, [name])], {}, left)
    with ThreadPoolExecutor(options.jobs) as pool:
        parts = list(pool.map(one, [name for names, _ in runs for name in names if name not in done]))
    seconds = time.monotonic() - start
    found = {name: sum(max(0, int(n) - text.count("Dynamic Parallelism is not supported"))  # not supported by the tools
                       for n in re.findall(r"SUMMARY: (\d+) (?:error|hazard)", text)) for name, _, text, _ in parts}
    failed = [name for name, code, text, _ in parts if "[  FAILED  ]" in text or
              code not in (0, 9, 124) and "before first instrumented API call" not in text]
    unfinished = [name for name, code, _, _ in parts if code == 124]
    done |= {name for name in found if not found[name] and name not in failed + unfinished}
    watched |= set().union(*(kernels for names, kernels, _ in launched if done.issuperset(names)))
    done_file.write_text("".join(f"{name}\n" for name in sorted(done)))
    with open(options.out / f"{tool}.log", "a") as log:
        for name, code, text, took in parts:
            told = [line[:400] for line in text.splitlines() if line.startswith("=========") or "Failure" in line
                    or "FAILED" in line]
            log.write(f"## {name}, exit code {code}, {took:.0f} s\n" + "\n".join(told[:100]) + "\n")
    for word, names in (("fails", failed), ("not finished", unfinished)):
        for name in names:
            print(f"{tool}: {word}: {name}")
    print(f"{tool:10} {len(watched)} of {len(seen)} kernels, {len(done)} runs, found {sum(found.values())}, "
          f"failed {len(failed)}, not finished {len(unfinished)}, {seconds:.0f} s", flush=True)
    return {"tool": tool, "kernels": len(watched), "of": len(seen), "runs": len(done), "found": sum(found.values()),
            "failed": len(failed), "unfinished": len(unfinished), "seconds": round(seconds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*", default=list(TOOLS), metavar="TOOL")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/sanitize-gpu"))
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=600, help="time limit per tool")
    options = parser.parse_args()
    options.program, options.tests = options.build / "app/orrery", options.build / "tests/core/core_tests"
    options.shim = (options.build / "tests/app/commands/failing_cuda").resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    held = kernels_of(options.tests)
    tests = list(tests_of(options.tests))
    commands = launched_by(options, [[command] for command in COMMANDS])
    few = launched_by(options, [tests[i:i + AT_A_TIME] for i in range(0, len(tests), AT_A_TIME)])
    seen = set().union(*(kernels for _, kernels, _ in commands + few))
    (options.out / "kernels.txt").write_text("".join(f"{name}\n" for name in sorted(held - seen)))
    print(f"{len(COMMANDS)} commands and {len(tests)} tests launch {len(seen & held)} of {len(held)} kernels, and "
          f"{len(seen - held)} of libraries", flush=True)
    rows = [watch(options, tool, commands + few, seen) for tool in options.tools]
    with open(options.out / "table.csv", "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    sys.exit(any(row["found"] or row["failed"] or row["unfinished"] for row in rows))


if __name__ == "__main__":
    main()
