// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "core/cuda/info.hpp"

namespace orrery::test {

/// Skips a test that cannot run here. With ORRERY_REQUIRE_GPU it fails instead, because a skip is not a pass.
inline void skip_or_fail(std::string_view why) {
    if (std::getenv("ORRERY_REQUIRE_GPU")) FAIL() << why;
    GTEST_SKIP() << why;
}

/// A fixture whose tests need a CUDA device.
template <class Base>
class NeedsDevice : public Base {
protected:
    void SetUp() override {
        if (!cuda_info().available) skip_or_fail(cuda_info().reason);
    }
};

}  // namespace orrery::test
