#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails when a source is not laid out as .clang-format says. 77: this version of clang-format lays out differently.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
case $(clang-format --version) in
*"version 14."*) ;;
*)
    echo "needs clang-format 14, found $(clang-format --version)"
    exit 77
    ;;
esac
find app core python tests -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    xargs -0 clang-format --dry-run -Werror
