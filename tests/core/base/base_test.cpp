// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/background_job.hpp"
#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/base/text.hpp"

namespace orrery::test {
namespace {

/// Resident memory in kB, excluding shared pages.
long resident() {
    std::ifstream file{"/proc/self/statm"};
    long all = 0, here = 0;
    file >> all >> here;
    return here * (sysconf(_SC_PAGESIZE) / 1024);
}

/// oneTBB frees the memory of an arena only when its threads are idle, which never happens on a busy machine.
TEST(Pool, RepeatedConstructionDoesNotLeak) {
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

TEST(TripleBuffer, ReturnsNewestValueNeverATornOne) {
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

TEST(Nearest, FindsTheMistypedId) {
    struct Entry {
        std::string_view id;
    };
    const std::array menu{Entry{"collision"}, Entry{"plummer"}, Entry{"solar-system"}, Entry{"saturn"}};
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("plumer", "plummer"), 1u);
    EXPECT_EQ(edit_distance("plmumer", "plummer"), 1u) << "two letters are swapped";
    EXPECT_EQ(nearest_id(menu, "Colision"), "collision");
    EXPECT_EQ(nearest_id(menu, "plumer"), "plummer");
    EXPECT_EQ(nearest_id(menu, "solar"), "solar-system");
    EXPECT_EQ(nearest_id(menu, "satrun"), "saturn");
    EXPECT_EQ(nearest_id(menu, "my-file.csv"), std::nullopt);
    EXPECT_EQ(nearest_id(menu, "so"), std::nullopt) << "the input is too short";
    EXPECT_EQ(nearest_id(menu, ""), std::nullopt);
}

TEST(Home, IsExpandedLikeInAShell) {
    const char* home = std::getenv("HOME");
    ASSERT_TRUE(home);
    EXPECT_EQ(expand_home("~"), home);
    EXPECT_EQ(expand_home("~/a/b"), std::string{home} + "/a/b");
    EXPECT_EQ(expand_home("~other/a"), "~other/a");
    EXPECT_EQ(expand_home("a/~"), "a/~");
    EXPECT_EQ(expand_home(""), "");
}

}  // namespace
}  // namespace orrery::test
