// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>

namespace orrery::test {

/// True if tests may take minutes, as in tests/tools/long.sh.
inline bool runs_long() { return std::getenv("ORRERY_LONG") != nullptr; }

/// `few` every day, `all` if tests may take minutes.
template <class T>
T everyday(T few, T all) {
    return runs_long() ? all : few;
}

}  // namespace orrery::test
