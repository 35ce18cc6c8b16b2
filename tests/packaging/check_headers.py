# SPDX-License-Identifier: MIT
"""Compiles each header of core/ alone: check_headers.py COMPILER [INCLUDE_FLAG ...]. Prints those that need another header
first and then exits with 1. Without ORRERY_LONG=1, only every fourth header of the most included folders."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
compiler, *flags = sys.argv[1:]
runs_long = os.environ.get("ORRERY_LONG") == "1"
folders = ["core"] if runs_long else ["core/base", "core/ranks", "core/settings"]
inner = {"cuda", "cpu"}  # compiled by nvcc, or once for each instruction set


def complaint(header):
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{root}", *flags, str(header)],
                          text=True, capture_output=True)
    first = next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr)
    return f"{header.relative_to(root)}: {first}" if done.returncode != 0 else None


headers = [header for folder in folders for header in sorted((root / folder).rglob("*.hpp"))
           if not inner & set(header.relative_to(root).parts)][::1 if runs_long else 4]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [said for said in pool.map(complaint, headers) if said]
print("\n".join(wrong) or f"{len(headers)} headers compile alone")
sys.exit(1 if wrong or len(headers) < 6 else 0)
