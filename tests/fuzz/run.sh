#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes every reader: tests/fuzz/run.sh [SECONDS_EACH, 120] [READER...]. What is found is kept in build/fuzz/found.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."
seconds=${1:-120}
shift || true
cmake --preset fuzz >/dev/null
ninja -C build/fuzz fuzz
export HDF5_USE_FILE_LOCKING=FALSE UBSAN_OPTIONS=print_stacktrace=1
mkdir -p build/fuzz/found
status=0
for program in build/fuzz/tests/fuzz/fuzz_*; do
  reader=${program##*/fuzz_}
  [[ -x $program && -f $program ]] || continue
  [[ $# -eq 0 || " $* " == *" $reader "* ]] || continue
  mkdir -p "build/fuzz/corpus/$reader" "tests/fuzz/corpus/$reader"
  echo "== $reader"
  "$program" "build/fuzz/corpus/$reader" "tests/fuzz/corpus/$reader" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=1024 \
    -timeout=10 -print_final_stats=1 -artifact_prefix="build/fuzz/found/$reader-" 2>"build/fuzz/$reader.log" || status=1
  grep -E "stat::number_of_executed_units|SUMMARY|allocation of|ERROR" "build/fuzz/$reader.log" || true
done
exit $status
