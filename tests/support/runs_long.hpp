// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>

namespace orrery::test {

/// Whether tests may take minutes: tests/long.sh asks for it.
inline bool runs_long() { return std::getenv("ORRERY_LONG") != nullptr; }

/// So many every day, and `all` where tests may take minutes.
template <class T>
T everyday(T few, T all) {
    return runs_long() ? all : few;
}

}  // namespace orrery::test
