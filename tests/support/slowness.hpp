// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdlib>

namespace orrery::test {

/// Factor by which this build or machine is slower than a release build on two cores: ORRERY_TEST_SLOWNESS, or 1.
inline double slowness() {
    const char* text = std::getenv("ORRERY_TEST_SLOWNESS");
    return text ? std::max(1.0, std::atof(text)) : 1.0;
}

}  // namespace orrery::test
