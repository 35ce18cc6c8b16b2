#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes every reader: tests/fuzz/run.sh [--minutes N, 16, for all together] [--each P] [READER...]. With --each all are
# fuzzed at the same time, each by P processes, for all the minutes. The corpus is kept small in build/fuzz/corpus, what is
# found in build/fuzz/found. HDF5's own crashes, from which its readers are kept apart by a process, are counted and do not end the fuzzing, nor does what a file alone does not repeat: what the library has spoilt before.
# Everything else that is found makes the exit code 1.
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
# The search for uses of a stack frame after its return takes half of the time; the whole suite under asan looks for them too.
export ASAN_OPTIONS=detect_stack_use_after_return=0
programs=()
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [[ -x $program && -f $program ]] || continue
  [[ $# -eq 0 || " $* " == *" ${program##*/fuzz_} "* ]] && programs+=("$program")
done

# Whether the innermost frame that is the library's or ours is the library's.
is_of_library() { # PROGRAM FILE
  local frames
  frames=$("$1" "$2" 2>&1 | grep -E '^ +#[0-9]+ ' | grep -oE 'libhdf5|/core/' || true)
  [[ ${frames%%$'\n'*} == libhdf5 ]]
}

# Fuzzes a reader for so many seconds by so many processes; exit code 1 where something is found.
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
  if [[ $reader == gadget-hdf5 || $reader == checkpoint ]]; then
    crashes=1
    "$program" -fork="$processes" -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 "$corpus" "${seeds[@]}" "${options[@]}" 2>"$log" || status=1
  else
    local running=()
    for ((i = 0; i < processes; i++)); do # they share what they find in the corpus
      "$program" "$corpus" "${seeds[@]}" "${options[@]}" 2>"$log.$i" &
      running+=($!)
    done
    for i in "${running[@]}"; do wait "$i" || status=1; done
    cat "$log".[0-9]* >"$log" && rm -f "$log".[0-9]*
  fi
  # Forked ones tell the number so far; the others theirs at the end.
  local executions
  executions=$(awk '/^stat::number_of_executed_units/ { sum += $2 } /^#[0-9]+: cov:/ { sub(/^#/, ""); forked = $1 + 0 }
                    END { print forked > sum ? forked : sum }' "$log")
  local text="== $reader: $executions executions, $(grep -oE 'cov: [0-9]+' "$log" | sort -t: -k2 -n | tail -1 || true)"
  text+=$(grep -E "^SUMMARY|allocation of|sound file" "$log" | sort | uniq -c | sed 's/^/\n   /' || true)
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
  ((alone == 0)) || text+="\n   crashes after which the file alone is read well: $alone"
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
