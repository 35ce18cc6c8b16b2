// SPDX-License-Identifier: MIT
#include "core/spatial/friends.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/spatial/clouds.hpp"
#include "tests/support/needs_device.hpp"

namespace orrery::test {
namespace {

TEST(Friends, MatchAllPairsSearch) {
    Pool one{1, false}, three{3, false};
    for (const std::uint64_t seed : {1, 2})
        for (const Cloud& cloud : clouds(seed)) {
            const auto expected = plain_groups(cloud);
            EXPECT_EQ(friends_of_friends(one, cloud.bodies, cloud.link, cloud.period), expected) << cloud.name;
            EXPECT_EQ(friends_of_friends(three, cloud.bodies, cloud.link, cloud.period), expected) << cloud.name;
        }
}

TEST(Friends, RefuseInvalidInput) {
    Pool pool{1, false};
    std::vector<Vec4d> bodies{{0, 0, 0, 1}, {1, 0, 0, 1}};
    EXPECT_TRUE(friends_of_friends(pool, {}, 1).empty());
    EXPECT_THROW(friends_of_friends(pool, bodies, 0), Error);
    EXPECT_THROW(friends_of_friends(pool, bodies, std::nan("")), Error);
    EXPECT_THROW(friends_of_friends(pool, bodies, 0.5, 1), Error) << "the link is half of the period";
    EXPECT_THROW(friends_of_friends(pool, bodies, 1e-300), Error) << "the link is too short for a cell grid";
    bodies[0].x = std::nan("");
    EXPECT_THROW(friends_of_friends(pool, bodies, 1), Error);
}

TEST(Friends, ReturnNothingWhenStopped) {
    Pool pool{1, false};
    std::stop_source stop;
    stop.request_stop();
    const std::vector<Vec4d> bodies(10);
    EXPECT_TRUE(friends_of_friends(pool, bodies, 1, 0, stop.get_token()).empty());
}

/// Parameter names contain "cuda" so that ctest -L gpu selects them.
class FriendsOnDevice : public NeedsDevice<testing::TestWithParam<std::string>> {};

TEST_P(FriendsOnDevice, MatchAllPairsSearch) {
    const bool single = GetParam() == "cuda_single";
    for (const std::uint64_t seed : {1, 2})
        for (const Cloud& cloud : clouds(seed)) {
            if (cloud.name == "a core and bodies far away") {  // exceeds the device's cell grid, which throws
                EXPECT_THROW(friends_on_device(std::span<const Vec4d>{cloud.bodies}, cloud.link), Error);
                continue;
            }
            std::vector<Vec4f> narrow;
            for (const Vec4d& body : cloud.bodies) narrow.push_back(convert<float>(body));
            const DeviceFriends found =
                single ? friends_on_device(std::span<const Vec4f>{narrow}, cloud.link, cloud.period)
                       : friends_on_device(std::span<const Vec4d>{cloud.bodies}, cloud.link, cloud.period);
            // Distances across the faces of the box are computed in double precision.
            EXPECT_EQ(found.group_of, single && cloud.period == 0 ? plain_groups<float>(cloud) : plain_groups(cloud))
                << cloud.name;
            EXPECT_GT(found.seconds, 0) << cloud.name;
        }
}

TEST_P(FriendsOnDevice, MatchHostForManyBodies) {
    const Scene scene = make_preset("zeldovich", {.bodies = 300000, .seed = 2});
    Pool pool{0, false};
    const double link = 0.2 * std::cbrt(4.19 / 300000);
    std::vector<Vec4d> bodies;  // rounded to floats, so that host and device get the same values
    std::vector<Vec4f> narrow;
    for (const Vec4d& body : scene.bodies.position_mass)
        narrow.push_back(convert<float>(body)), bodies.push_back(convert<double>(narrow.back()));
    const auto host = friends_of_friends(pool, bodies, link);
    if (GetParam() != "cuda_single") {
        EXPECT_EQ(friends_on_device(std::span<const Vec4d>{bodies}, link).group_of, host);
        return;
    }
    const auto device = friends_on_device(std::span<const Vec4f>{narrow}, link).group_of;
    std::size_t other = 0;  // pairs whose distance equals the link to float precision
    for (std::size_t i = 0; i < host.size(); ++i) other += host[i] != device[i];
    EXPECT_LT(other, host.size() / 1000);
}

INSTANTIATE_TEST_SUITE_P(Precision, FriendsOnDevice, testing::Values("cuda_single", "cuda_double"),
                         [](const auto& precision) { return precision.param; });

}  // namespace
}  // namespace orrery::test
