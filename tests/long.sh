#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What takes too long for every day: a run that is killed at random moments and resumed, fifty times; every call that
# concerns an output, and one allocation in fifty, failing once; ten million bodies of each preset; published results,
# which writes docs/validation.md (some ten minutes of CPU time, most of it for core collapse); then two minutes of each
# fuzzer, which needs clang with its runtime (clang, libclang-rt-14-dev). Build first: ./test.sh
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
ORRERY_KILLS=50 "${1:-build/release}/tests/app/commands/command_tests" --gtest_filter='Resume.Killed*'
ORRERY_LONG=1 "${1:-build/release}/tests/app/commands/command_tests" --gtest_filter='*Failing*'
ORRERY_LONG=1 "${1:-build/release}/tests/core/core_tests" --gtest_filter='*TenMillion*'
tests/validation/page.py "${1:-build/release}/app/orrery"
tests/fuzz/run.sh --minutes 16
