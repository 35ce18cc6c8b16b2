#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every kernel under NVIDIA's compute-sanitizer: memcheck, racecheck, initcheck, synccheck.

    tests/sanitize_gpu.py [--build build/release] [--out build/sanitize-gpu] [--jobs 12] [TOOL...]

First the tests that use the GPU run, a few at a time, and the kernels that they launch are written down (tests/inject/
failing_cuda.cpp); the cheapest set of them that together launches all kernels is what the tools then watch. The table
that is printed, and table.csv in the folder --out, say how many tests and kernels each tool has seen and what it found;
kernels.txt names the kernels that no test launches. Exit code 1 if a tool found something or a test failed.
"""
import argparse
import csv
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

FILTER = "*cuda*:*Cuda*:*Device*-SimulationThread*:*GoesBackWhile*:*TheStepsThatSlicesTake*:*AfterAnythingThat*"
AT_A_TIME = 4  # tests of a process, which takes a second to start
TOOLS = {"memcheck": ["--report-api-errors", "no"],  # tests ask for what cannot be had, on purpose
         "racecheck": [], "initcheck": [], "synccheck": []}


def kernels_of(program):
    """The mangled names of our kernels that a program holds, from the functions that launch them."""
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
    start = time.monotonic()
    try:
        done = subprocess.run(command, env=os.environ | environment, timeout=limit, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout, time.monotonic() - start
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace"), time.monotonic() - start


def driver():
    ctypes.CDLL("libcuda.so.1")
    return next(line.split()[-1] for line in open("/proc/self/maps") if "/libcuda.so" in line)


def launched_by(options, tests):
    """Kernels and seconds of each few tests; of those that fail, none."""
    folders = ":".join(filter(None, (str(options.shim), os.environ.get("LD_LIBRARY_PATH"))))
    with tempfile.TemporaryDirectory() as folder:
        def one(numbered):
            number, few = numbered
            log = pathlib.Path(folder, str(number))
            code, text, seconds = run([options.tests, f"--gtest_filter={':'.join(few)}"],
                                      {"LD_LIBRARY_PATH": folders, "ORRERY_REAL_CUDA": driver(), "ORRERY_KERNELS": str(log)},
                                      120)
            if code != 0:
                print(f"fails without a sanitizer: {few}\n{text[-600:]}", flush=True)
            return few, set(log.read_text().split()) if code == 0 and log.exists() else set(), seconds
        with ThreadPoolExecutor(options.jobs) as pool:
            return list(pool.map(one, enumerate(tests[i:i + AT_A_TIME] for i in range(0, len(tests), AT_A_TIME))))


def cover(launched):
    """Tests that together launch all, the most kernels a second first."""
    chosen, missing = [], set().union(*(kernels for _, kernels, _ in launched))
    while missing:
        few, kernels, seconds = max(launched, key=lambda l: len(l[1] & missing) / l[2])
        chosen.append((few, seconds))
        missing -= kernels
    return chosen


def watch(options, tool, tests):
    """The slowest tests first, each in a process of its own; what is not done when the time is over is left."""
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    start = time.monotonic()

    def one(name):
        left = options.seconds - (time.monotonic() - start)
        if left < 1:
            return name, 124, "", 0.0
        return name, *run([sanitizer, "--tool", tool, *TOOLS[tool], "--error-exitcode", "9", "--print-limit", "3",
                           options.tests, f"--gtest_filter={name}"], {}, left)
    with ThreadPoolExecutor(options.jobs) as pool:
        parts = list(pool.map(one, [name for few, _ in sorted(tests, key=lambda t: -t[1]) for name in few]))
    seconds = time.monotonic() - start
    failed = [name for name, _, text, _ in parts if "[  FAILED  ]" in text]
    unfinished = [name for name, code, _, _ in parts if code == 124]
    # The kernel of the laboratory that launches others is beyond these tools, which count their warning as an error.
    found = sum(max(0, int(n) - text.count("Dynamic Parallelism is not supported"))
                for _, _, text, _ in parts for n in re.findall(r"SUMMARY: (\d+) (?:error|hazard)", text))
    with open(options.out / f"{tool}.log", "w") as log:
        for name, code, text, took in parts:
            told = [line[:400] for line in text.splitlines() if line.startswith("=========") or "Failure" in line
                    or "FAILED" in line]
            log.write(f"## {name}, exit code {code}, {took:.0f} s\n" + "\n".join(told[:100]) + "\n")
    for word, names in (("fails", failed), ("not finished", unfinished)):
        for name in names:
            print(f"{tool}: {word}: {name}")
    print(f"{tool:10} {len(parts) - len(unfinished)} of {len(parts)} tests, found {found}, failed {len(failed)}, "
          f"{seconds:.0f} s", flush=True)
    return {"tool": tool, "tests": len(parts) - len(unfinished), "found": found, "failed": len(failed),
            "unfinished": len(unfinished), "seconds": round(seconds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*", default=list(TOOLS), metavar="TOOL")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/sanitize-gpu"))
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=600, help="that a tool may take")
    options = parser.parse_args()
    options.tests = options.build / "tests/core/core_tests"
    options.shim = (options.build / "tests/app/commands/failing_cuda").resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    held = kernels_of(options.tests)
    tests = list(tests_of(options.tests))
    launched = launched_by(options, tests)
    seen = set().union(*(kernels for _, kernels, _ in launched))
    chosen = cover(launched)
    (options.out / "kernels.txt").write_text("".join(f"{name}\n" for name in sorted(held - seen)))
    (options.out / "tests.txt").write_text("".join(f"{test}\n" for few, _ in chosen for test in few))
    print(f"{len(tests)} tests launch {len(seen & held)} of {len(held)} kernels, {len(seen - held)} of libraries; "
          f"{sum(len(few) for few, _ in chosen)} of them launch them all", flush=True)
    rows = [watch(options, tool, chosen) | {"kernels": len(seen)} for tool in options.tools]
    with open(options.out / "table.csv", "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    sys.exit(any(row["found"] or row["failed"] or row["unfinished"] for row in rows))


if __name__ == "__main__":
    main()
