// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/triple_buffer.hpp"

namespace orrery::test {
namespace {

TEST(TripleBuffer, GivesTheNewestAndNeverTornValues) {
    struct Pair {
        long a = 0, b = 0;
    };
    TripleBuffer<Pair> buffer;
    constexpr long last = 200'000;
    std::jthread writer{[&] {
        for (long i = 1; i <= last; ++i) {
            buffer.back() = {i, -i};
            buffer.publish();
        }
    }};
    long seen = 0;
    while (seen < last) {
        if (!buffer.update()) continue;
        const Pair pair = buffer.front();
        ASSERT_EQ(pair.a, -pair.b);
        ASSERT_GT(pair.a, seen);
        seen = pair.a;
    }
    EXPECT_FALSE(buffer.update());
}

}  // namespace
}  // namespace orrery::test
