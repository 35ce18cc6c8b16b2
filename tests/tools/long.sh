#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs tests that are too long for every day, each with a time limit: tests/tools/long.sh [build/release]
# Build first: ./test.sh. The fuzzers need clang-16 with its runtime (libclang-rt-16-dev). Not included, since they need a
# GPU or take hours: tests/tools/sanitize_gpu.py, tests/tools/sanitizers.sh, tests/tools/mutants.py.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
build=${1:-build/release}
status=0
within() { # MINUTES COMMAND...
  local minutes=$1
  shift
  echo "== $* (at most $minutes min)"
  timeout "${minutes}m" "$@" || { echo "failed: $*" && status=1; }
}
# Processes killed at random moments: a run with checkpoints, on one process and several ranks; every command that writes.
within 10 env ORRERY_KILLS=50 "$build/tests/app/commands/command_tests" --gtest_filter='*.KilledRuns*:*.KilledOwnedRuns*'
within 20 env ORRERY_KILLS=40 "$build/tests/app/commands/command_tests" --gtest_filter='*KilledAtRandom*'
# Single failures of every call that concerns an output, one allocation in fifty, and with a GPU the driver's calls.
within 30 env ORRERY_LONG=1 "$build/tests/app/commands/command_tests" --gtest_filter='*Failing*'
within 20 env ORRERY_LONG=1 "$build/tests/core/core_tests" --gtest_filter='*TenMillion*'
# The whole core with more bodies and steps: every preset with every engine, a thousand truncations and changed bytes of
# each format, 160 million bodies in 4 MB.
within 60 env ORRERY_LONG=1 "$build/tests/core/core_tests" --gtest_brief=1
# Every page at four sizes, in both themes; a session of twenty edits from the window; sessions replayed twice.
within 20 env ORRERY_LONG=1 "$build/tests/app/window/window_tests" --gtest_filter='*EveryPage*:*.SessionReplaysTwenty*:*.Replay*Bitwise*'
within 10 env ORRERY_LONG=1 "$build/tests/app/render/render_tests" --gtest_filter='*EveryStarMode*'
# A hundred thousand meaningless messages to the window in a browser.
within 15 env ORRERY_LONG=1 python3 tests/serve/hostile_test.py "$build/app/orrery" random_messages
# A hundred times as many random cases of each property.
within 60 env ORRERY_LONG=1 "$build/tests/core/properties/property_tests" --gtest_brief=1
within 60 env ORRERY_LONG=1 "$build/tests/app/properties/session_property_tests" --gtest_brief=1
# A walk through the whole window, as on a machine with a GPU; with a GPU, run it without --short.
within 10 tests/tools/window_on_gpu.py --program "$build/app/orrery" --short --width 1280 --height 800 --out build/walk
# Published results; writes bench/results/validation.md. Most of it is core collapse.
within 40 tests/validation/page.py "$build/app/orrery"
# 20 000 random keys and clicks, 50 killed windows, a million steps, an idle window.
within 60 tests/tools/endurance.py --program "$build/app/orrery"
within 40 tests/fuzz/run.sh --minutes 22
exit $status
