// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/base/triple_buffer.hpp"

namespace orrery::test {
namespace {

/// In kB, without what is shared.
long resident() {
    std::ifstream file{"/proc/self/statm"};
    long all = 0, here = 0;
    file >> all >> here;
    return here * (sysconf(_SC_PAGESIZE) / 1024);
}

/// oneTBB frees the memory of an arena only when its threads rest: on a busy machine never.
TEST(Pool, ManyOneAfterTheOtherTakeNoMemory) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the sanitizer keeps a history of each thread";
#endif
    std::atomic<std::uint64_t> sum{0};
    const auto use = [&](int count) {
        for (int k = 0; k < count; ++k) Pool{0, k % 2 == 0}.parallel_for(0, 64, [&](std::uint64_t i) { sum += i; });
    };
    use(200);
    const long before = resident();
    use(3000);
    EXPECT_EQ(sum, 3200u * 2016u);
    EXPECT_LT(resident() - before, 4096) << "kB";
}

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
