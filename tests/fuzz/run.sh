#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes every reader: tests/fuzz/run.sh [--minutes N, 16, for all together] [--each P] [READER...]. With --each all are
# fuzzed at the same time, each by P processes, for all the minutes. The corpus is minimized in build/fuzz/corpus;
# findings go to build/fuzz/found. Crashes within the HDF5 library, from which Orrery is isolated by a process, are
# counted but do not end the fuzzing; neither do crashes that a file alone does not reproduce, caused by an earlier
# corruption of the library. All other findings make the exit code 1.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."
minutes=16 processes=0
while [[ ${1:-} == --* ]]; do
  case $1 in
    --minutes) minutes=$2 ;;
    --each) processes=$2 ;;
    *) echo "no such option: $1" >&2 && exit 2 ;;
  esac
  shift 2
done
cmake --preset fuzz >/dev/null
if [[ $# -eq 0 ]]; then ninja -C build/fuzz fuzz; else ninja -C build/fuzz "${@/#/fuzz_}"; fi
export UBSAN_OPTIONS=print_stacktrace=1
# Checking for use of stack after return takes half of the time; the whole suite under asan checks for it too.
export ASAN_OPTIONS=detect_stack_use_after_return=0
programs=()
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [[ -x $program && -f $program ]] || continue
  [[ $# -eq 0 || " $* " == *" ${program##*/fuzz_} "* ]] && programs+=("$program")
done

# True if the innermost frame of the library or of Orrery belongs to the library.
is_of_library() { # PROGRAM FILE
  local frames
  frames=$("$1" "$2" 2>&1 | grep -E '^ +#[0-9]+ ' | grep -oE 'libhdf5|/core/' || true)
  [[ ${frames%%$'\n'*} == libhdf5 ]]
}

# Fuzzes a reader for some seconds with some processes; exit code 1 if something is found.
fuzz() { # PROGRAM SECONDS PROCESSES
  local program=$1 seconds=$2 processes=$3 status=0 file i
  local reader=${program##*/fuzz_}
  local corpus=build/fuzz/corpus/$reader found=build/fuzz/found/$reader log=build/fuzz/$reader.log
  mkdir -p "$corpus" "$found"
  local seeds=()
  [[ -d tests/fuzz/corpus/$reader ]] && seeds+=("tests/fuzz/corpus/$reader")
  [[ $reader == scene ]] && seeds+=(assets/scenes)
  local options=(-max_total_time="$seconds" -max_len=32768 -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 -artifact_prefix="$found/")
  local crashes=0
  : >"$log"
  if [[ $reader == gadget-hdf5 || $reader == checkpoint || $reader == subfind || $reader == sublink ]]; then
    crashes=1
    "$program" -fork="$processes" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 "$corpus" "${seeds[@]}" "${options[@]}" 2>"$log" || status=1
  else
    local running=()
    for ((i = 0; i < processes; i++)); do # they share findings through the corpus
      "$program" "$corpus" "${seeds[@]}" "${options[@]}" 2>"$log.$i" &
      running+=($!)
    done
    for i in "${running[@]}"; do wait "$i" || status=1; done
    cat "$log".[0-9]* >"$log" && rm -f "$log".[0-9]*
  fi
  # In fork mode the log counts executions as it goes; otherwise each process reports its number at the end.
  local executions
  executions=$(awk '/^stat::number_of_executed_units/ { sum += $2 } /^#[0-9]+: cov:/ { sub(/^#/, ""); forked = $1 + 0 }
                    END { print forked > sum ? forked : sum }' "$log")
  local text="== $reader: $executions executions, $(grep -oE 'cov: [0-9]+' "$log" | sort -t: -k2 -n | tail -1 || true)"
  text+=$(grep -E "^SUMMARY|allocation of|valid file" "$log" | sort | uniq -c | sed 's/^/\n   /' || true)
  local library=0 alone=0
  for file in "$found"/*; do
    [[ -f $file ]] || continue
    if ((crashes)) && "$program" "$file" >/dev/null 2>&1; then
      alone=$((alone + 1))
    elif is_of_library "$program" "$file"; then
      library=$((library + 1))
    else
      text+="\n   found: $file"
      status=1
    fi
  done
  ((library == 0)) || text+="\n   crashes of the HDF5 library: $library"
  ((alone == 0)) || text+="\n   crashes that the file alone does not reproduce: $alone"
  rm -rf "$corpus.merged"
  mkdir -p "$corpus.merged"
  "$program" -merge=1 -artifact_prefix="$found/" "$corpus.merged" "${seeds[@]}" "$corpus" 2>>"$log" || status=1
  rm -rf "$corpus"
  mv "$corpus.merged" "$corpus"
  echo -e "$text"
  return $status
}

status=0
if ((processes > 0)); then
  running=()
  for program in "${programs[@]}"; do fuzz "$program" $((minutes * 60)) "$processes" & running+=($!); done
  for one in "${running[@]}"; do wait "$one" || status=1; done
else
  for program in "${programs[@]}"; do fuzz "$program" $((minutes * 60 / ${#programs[@]})) 1 || status=1; done
fi
exit $status
