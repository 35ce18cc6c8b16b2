#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What takes too long for every day, each with the time that it took on two cores that did nothing else:
#   200 programs and 50 runs with checkpoints killed at random moments          4 min
#   every call that concerns an output, one allocation in fifty, failing once    5 min
#   ten million bodies of each preset                                            5 min
#   20 000 random keys and clicks, 50 windows killed, 10^6 steps, an idle window 30 min
#   each fuzzer for two minutes (clang-16, libclang-rt-16-dev)                   25 min
# Build first: ./test.sh. Not here, since they need a GPU or hours: tests/sanitize_gpu.py, tests/sanitizers.sh.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
ORRERY_KILLS=50 "${1:-build/release}/tests/app/commands/command_tests" --gtest_filter='Resume.Killed*'
ORRERY_KILLS=40 "${1:-build/release}/tests/app/commands/command_tests" --gtest_filter='*KilledAtRandom*'
ORRERY_LONG=1 "${1:-build/release}/tests/app/commands/command_tests" --gtest_filter='*Failing*'
ORRERY_LONG=1 "${1:-build/release}/tests/core/core_tests" --gtest_filter='*TenMillion*'
tests/endurance.py --program "${1:-build/release}/app/orrery"
tests/fuzz/run.sh --minutes 22
