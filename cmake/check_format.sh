#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails if a source is not formatted according to .clang-format: cmake/check_format.sh [KNOWN]. The file KNOWN stores
# the checksums of files that passed, which are then skipped. Exit code 77: this version of clang-format formats
# differently.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
case $(clang-format --version) in
*"version 14."*) ;;
*)
    echo "needs clang-format 14, found $(clang-format --version)"
    exit 77
    ;;
esac
now=$(mktemp)
trap 'rm -f "$now"' EXIT
rules=$({ cat .clang-format && clang-format --version; } | sha256sum)
find app core python tests -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    sort -z | xargs -0 sha256sum | sed "s/^/${rules%% *} /" >"$now"
known=${1:-}
[ -f "$known" ] || known=/dev/null
{ grep -vxFf "$known" "$now" || true; } | cut -d ' ' -f 4- | tr '\n' '\0' |
    xargs -0 --no-run-if-empty clang-format --dry-run -Werror
[ $# -eq 0 ] || cp "$now" "$1"
