#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes every reader: tests/fuzz/run.sh [--minutes N, 16, for all together] [READER...]. The corpus is kept small in
# build/fuzz/corpus, what is found in build/fuzz/found. HDF5's own crashes, from which its readers are kept apart by a process,
# are counted and do not end the fuzzing, nor does what a file alone does not repeat: what the library has spoilt before.
# Everything else that is found makes the exit code 1.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."
minutes=16
if [[ ${1:-} == --minutes ]]; then
  minutes=$2
  shift 2
fi
cmake --preset fuzz >/dev/null
ninja -C build/fuzz fuzz
export UBSAN_OPTIONS=print_stacktrace=1
# The search for uses of a stack frame after its return takes half of the time; the whole suite under asan looks for them too.
export ASAN_OPTIONS=detect_stack_use_after_return=0
programs=()
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [[ -x $program && -f $program ]] || continue
  [[ $# -eq 0 || " $* " == *" ${program##*/fuzz_} "* ]] && programs+=("$program")
done
seconds=$((minutes * 60 / ${#programs[@]}))

# Whether the innermost frame that is the library's or ours is the library's.
is_of_library() { # PROGRAM FILE
  local frames
  frames=$("$1" "$2" 2>&1 | grep -E '^ +#[0-9]+ ' | grep -oE 'libhdf5|/core/' || true)
  [[ ${frames%%$'\n'*} == libhdf5 ]]
}

status=0
for program in "${programs[@]}"; do
  reader=${program##*/fuzz_}
  corpus=build/fuzz/corpus/$reader found=build/fuzz/found/$reader log=build/fuzz/$reader.log
  mkdir -p "$corpus" "$found"
  echo "== $reader"
  seeds=("tests/fuzz/corpus/$reader")
  [[ $reader == scene ]] && seeds+=(assets/scenes)
  mode=()
  [[ $reader == gadget-hdf5 || $reader == checkpoint ]] && mode=(-fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1)
  "$program" "${mode[@]}" "$corpus" "${seeds[@]}" -max_total_time="$seconds" -max_len=32768 -rss_limit_mb=1024 \
    -timeout=10 -print_final_stats=1 -artifact_prefix="$found/" 2>"$log" || status=1
  grep -E "stat::number_of_executed_units|SUMMARY|allocation of|sound file" "$log" || true
  grep -E "cov: " "$log" | tail -1
  library=0 alone=0
  for file in "$found"/*; do
    [[ -f $file ]] || continue
    if [[ ${#mode[@]} -gt 0 ]] && "$program" "$file" >/dev/null 2>&1; then
      alone=$((alone + 1))
    elif is_of_library "$program" "$file"; then
      library=$((library + 1))
    else
      echo "found: $file"
      status=1
    fi
  done
  ((library == 0)) || echo "crashes of the HDF5 library: $library"
  ((alone == 0)) || echo "crashes after which the file alone is read well: $alone"
  rm -rf "$corpus.merged"
  mkdir -p "$corpus.merged"
  "$program" -merge=1 -artifact_prefix="$found/" "$corpus.merged" "${seeds[@]}" "$corpus" 2>>"$log" || status=1
  rm -rf "$corpus"
  mv "$corpus.merged" "$corpus"
done
exit $status
