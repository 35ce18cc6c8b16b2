#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What takes too long for every day, each with the minutes that it is given: tests/long.sh [build/release]
# Build first: ./test.sh. The fuzzers need clang-16 with its runtime (libclang-rt-16-dev). Not here, since they need a
# GPU or take hours: tests/sanitize_gpu.py, tests/sanitizers.sh, tests/mutants.py.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
status=0
within() { # MINUTES COMMAND...
  local minutes=$1
  shift
  echo "== $* (at most $minutes min)"
  timeout "${minutes}m" "$@" || { echo "failed: $*" && status=1; }
}
# Killed at random moments: a run with checkpoints, every command that writes, and a rank of several.
within 10 env ORRERY_KILLS=50 "$build/tests/app/commands/command_tests" --gtest_filter='Resume.Killed*'
within 20 env ORRERY_KILLS=40 "$build/tests/app/commands/command_tests" --gtest_filter='*KilledAtRandom*'
# Every call that concerns an output, one allocation in fifty, and with a GPU the driver's calls, failing once.
within 30 env ORRERY_LONG=1 "$build/tests/app/commands/command_tests" --gtest_filter='*Failing*'
within 20 env ORRERY_LONG=1 "$build/tests/core/core_tests" --gtest_filter='*TenMillion*'
# All of the core with more bodies, more steps, every preset with every engine, a thousand cuts and changed bytes of
# each format, 160 million bodies in 4 MB.
within 60 env ORRERY_LONG=1 "$build/tests/core/core_tests" --gtest_brief=1
# Every page at four sizes, in both themes; a session of twenty edits from the window; sessions repeated twice.
within 20 env ORRERY_LONG=1 "$build/tests/app/window/window_tests" --gtest_filter='*EveryPage*:*ASessionOf*:*ASessionIs*'
within 10 env ORRERY_LONG=1 "$build/tests/app/render/render_tests" --gtest_filter='*EveryStarMode*'
# A hundred thousand messages that mean nothing to the window in a browser.
within 15 env ORRERY_LONG=1 python3 tests/serve/hostile_test.py "$build/app/orrery" random_messages
# A hundred times as many random cases of each property.
within 60 env ORRERY_LONG=1 "$build/tests/core/properties/property_tests" --gtest_brief=1
within 60 env ORRERY_LONG=1 "$build/tests/app/properties/session_property_tests" --gtest_brief=1
# Through the whole window, as the owner of a GPU would go; with a GPU, without --short.
within 10 tests/window_on_gpu.py --program "$build/app/orrery" --short --width 1280 --height 800 --out build/walk
# Published results; writes docs/validation.md. Most of it is core collapse.
within 40 tests/validation/page.py "$build/app/orrery"
# 20 000 random keys and clicks, 50 windows killed, a million steps, a window that rests.
within 60 tests/endurance.py --program "$build/app/orrery"
within 40 tests/fuzz/run.sh --minutes 22
exit $status
