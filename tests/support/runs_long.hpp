// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>

namespace orrery::test {

/// Whether tests may take minutes: tests/long.sh asks for it.
inline bool runs_long() { return std::getenv("ORRERY_LONG") != nullptr; }

}  // namespace orrery::test
