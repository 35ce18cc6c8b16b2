#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds Orrery and its dependencies, and runs all tests: ./test.sh [arguments of ctest, e.g. -R engine].
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
. cmake/setup.sh

set_up_tests
exec ctest --test-dir "$build" --output-on-failure --parallel "$(($(nproc) + 2))" "$@"
