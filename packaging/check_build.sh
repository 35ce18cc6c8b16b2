#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the committed sources in minimal systems with the two commands of the README, without CUDA, and runs the tests:
#
#     packaging/check_build.sh [--no-tests] [SUITE...]        # bookworm and trixie by default
#
# Needs root, debootstrap and a mirror (for suites of Ubuntu: ORRERY_MIRROR=http://archive.ubuntu.com/ubuntu). Writes
# build/check_build-SUITE.log.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
# shellcheck source-path=SCRIPTDIR/..
. packaging/bare.sh

tests=1
[ "${1:-}" != --no-tests ] || { tests='' && shift; }
[ $# -gt 0 ] || set -- bookworm trixie
mkdir -p build
wrong=0
for suite in "$@"; do
    (
        make_bare_system "$suite" "build/check_build-$suite.log"
        git clone -q --no-hardlinks . "$root/src"
        began=$SECONDS
        check "./run.sh on $suite" sh -c 'cd /src && ./run.sh'
        say "$((SECONDS - began)) s"
        [ -s "$root/src/orrery-out/collision.mp4" ] || bad "./run.sh recorded no video"
        if [ -n "$tests" ]; then
            began=$SECONDS
            check "./test.sh on $suite" sh -c 'cd /src && ./test.sh'
            say "$((SECONDS - began)) s: $(grep 'tests passed' "$log" | tail -1)"
        fi
        exit "$((failures > 0))"
    ) || wrong=1
done
exit "$wrong"
