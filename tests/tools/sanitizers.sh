#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the whole suite under the CPU sanitizers, one after the other: addresses, leaks and undefined behaviour, then
# threads. tests/tools/sanitizers.sh [asan | tsan]... [-- arguments of ctest]
# Reports of any process of a test are files in build/PRESET/reports, even if the test itself passes. The log,
# build/PRESET/sanitizer.log, ends with each kind of report and one line of counts. Takes some hours on two cores;
# tests/tools/sanitize_gpu.py is for kernels.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."

presets=()
while [[ $# -gt 0 && $1 != -- ]]; do presets+=("$1") && shift; done
[[ $# -eq 0 ]] || shift
[[ ${#presets[@]} -gt 0 ]] || presets=(asan tsan)

# True for a report of a crash within libhdf5, in the child process that isolates it.
within_hdf5() {
  [[ $1 == */child.* ]] && awk '/^ *#[0-9]+ / && !/lib(asan|tsan|ubsan|c)\.so/ { found = /libhdf5/; exit } END { exit !found }' "$1"
}

status=0
for preset in "${presets[@]}"; do
  cmake --preset "$preset" >/dev/null
  ninja -C "build/$preset"
  log=build/$preset/sanitizer.log reports=build/$preset/reports
  rm -rf "$reports" && mkdir -p "$reports"
  began=$SECONDS
  ctest --preset "$preset" --parallel "$(nproc)" "$@" >"$log" 2>&1 || status=1
  ours=() hdf5=0
  while read -r report; do
    if within_hdf5 "$report"; then hdf5=$((hdf5 + 1)); else ours+=("$report"); fi
  done < <(find "$reports" -type f -size +0)
  kinds=$(cat /dev/null "${ours[@]}" | grep -hE '^SUMMARY|runtime error:' | sort | uniq -c | sort -rn || true)
  ((${#ours[@]} == 0)) || status=1
  {
    [[ -z $kinds ]] || echo "$kinds"
    echo "$preset: $(grep -E 'tests passed' "$log"), ${#ours[@]} processes with reports (and $hdf5 with libhdf5's own), $((SECONDS - began)) s, $(git rev-parse --short HEAD)"
  } | tee -a "$log"
done
exit $status
