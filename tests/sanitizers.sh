#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The whole suite under the sanitizers of the CPU, one after the other: addresses and undefined behaviour, then threads.
# tests/sanitizers.sh [asan | tsan]...   Logs: build/PRESET/sanitizer.log; the last line of each is ctest's summary, or the
# number of reports. Two cores take some hours; tests/sanitize_gpu.py is for kernels.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
status=0
[[ $# -gt 0 ]] || set -- asan tsan
for preset in "$@"; do
  cmake --preset "$preset" >/dev/null
  ninja -C "build/$preset"
  log=build/$preset/sanitizer.log
  ctest --preset "$preset" --parallel "$(nproc)" >"$log" 2>&1 || status=1
  reports=$(grep -cE "(ERROR: (Address|Leak)Sanitizer|WARNING: ThreadSanitizer|runtime error:)" "$log" || true)
  echo "$preset: $(grep -E 'tests passed' "$log"), $reports reports, $(git rev-parse --short HEAD)" | tee -a "$log"
  ((reports == 0)) || status=1
done
exit $status
