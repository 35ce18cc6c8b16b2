// SPDX-License-Identifier: MIT
#include "core/spatial/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/bodies/neighbours_device.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

std::vector<float> all_pairs(const std::vector<Vec4f>& places, int k) {
    std::vector<float> distances;
    for (const Vec4f& from : places) {
        std::vector<double> all;
        for (const Vec4f& to : places) {
            const double x = double{to.x} - from.x, y = double{to.y} - from.y, z = double{to.z} - from.z;
            all.push_back(x * x + y * y + z * z);
        }
        std::ranges::sort(all);  // the first is the body itself
        const std::size_t at = std::min<std::size_t>(static_cast<std::size_t>(k), all.size() - 1);
        distances.push_back(static_cast<float>(std::sqrt(all[at])));
    }
    return distances;
}

std::vector<float> on_host(const std::vector<Vec4f>& places, int k, int threads = 2) {
    Pool pool{threads, false};
    std::vector<float> distances;
    Neighbours{}.find(pool, places, k, distances);
    return distances;
}

/// Parameter names contain "cuda" so that ctest -L gpu selects them.
class EveryNeighbours : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "cuda" && !cuda_info().available) skip_or_fail(cuda_info().reason);
    }
    static std::vector<float> found(const std::vector<Vec4f>& places, int k) {
        return GetParam() == "cuda" ? neighbours_on_device(places, k).distances : on_host(places, k);
    }
    static void expect_as_all_pairs(const std::vector<Vec4f>& places, int k) {
        const auto expected = all_pairs(places, k), got = found(places, k);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_NEAR(got[i], expected[i], 4e-6f * expected[i])
                << "body " << i << " of " << got.size() << ", k = " << k;
        }
    }
};

/// Dense in the middle by a factor of millions, as galaxies are; one distant body.
std::vector<Vec4f> clustered(std::size_t count, unsigned seed) {
    std::mt19937 random{seed};
    std::normal_distribution<float> normal;
    std::vector<Vec4f> places;
    for (std::size_t i = 0; i < count; ++i) {
        const float scale = std::exp(2 * normal(random));
        places.push_back({3 + scale * normal(random), scale * normal(random), scale * normal(random), -7});
    }
    if (count > 0) places.front() = {1000, 0, 0, 0};
    return places;
}

TEST_P(EveryNeighbours, MatchAllPairsSearch) {
    for (const std::size_t count : {1u, 2u, 5u, 16u, 17u, 129u, everyday(1100u, 3000u)})
        for (const int k : {1, 4, 32, 200}) expect_as_all_pairs(clustered(count, 7), k);
}

TEST_P(EveryNeighbours, HaveShellDistancesInALattice) {
    std::vector<Vec4f> places;
    for (int x = 0; x < 12; ++x)
        for (int y = 0; y < 12; ++y)
            for (int z = 0; z < 12; ++z) places.push_back({float(x), float(y), float(z), 0});
    const auto middle = (6u * 12 + 6) * 12 + 6;
    EXPECT_FLOAT_EQ(found(places, 6)[middle], 1);
    EXPECT_FLOAT_EQ(found(places, 7)[middle], std::sqrt(2.0f));
    EXPECT_FLOAT_EQ(found(places, 26)[middle], std::sqrt(3.0f));
    EXPECT_FLOAT_EQ(found(places, 27)[middle], 2);
}

TEST_P(EveryNeighbours, CountCoincidingBodies) {
    std::vector<Vec4f> places(500, Vec4f{1, 2, 3, 0});
    places.push_back({2, 2, 3, 0});
    const auto distances = found(places, 8);
    EXPECT_EQ(distances.front(), 0);
    EXPECT_FLOAT_EQ(distances.back(), 1);
}

TEST_P(EveryNeighbours, ExcludeNonFiniteBodies) {
    auto places = clustered(300, 5);
    const auto before = found(places, 8);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
    places.insert(places.begin() + 100, {{kNan, 0, 0, 0}, {0, kInf, 0, 0}});
    auto after = found(places, 8);
    EXPECT_EQ(after[100], 0);
    EXPECT_EQ(after[101], 0);
    after.erase(after.begin() + 100, after.begin() + 102);
    EXPECT_EQ(after, before);
}

TEST(Neighbours, OfManyBodiesMatchAllPairsSearch) {
    const auto places = clustered(everyday(30'000u, 100'000u), 11);
    for (const int k : {32, 256}) {
        const auto got = on_host(places, k);
        std::vector<double> all(places.size());
        for (std::size_t i = 0; i < places.size(); i += places.size() / 50) {
            for (std::size_t j = 0; j < places.size(); ++j)
                all[j] = std::hypot(double{places[j].x} - places[i].x, double{places[j].y} - places[i].y,
                                    double{places[j].z} - places[i].z);
            std::ranges::nth_element(all, all.begin() + k);  // the first is the body itself
            ASSERT_NEAR(got[i], all[static_cast<std::size_t>(k)], 4e-6 * got[i]) << "body " << i << ", k = " << k;
        }
    }
}

TEST(Neighbours, DoNotDependOnThreads) {
    const auto places = clustered(5000, 3);
    EXPECT_EQ(on_host(places, 32, 1), on_host(places, 32, 4));
}

TEST_P(EveryNeighbours, OfManyBodiesMatchTheHost) {
    if (GetParam() == "host") GTEST_SKIP() << "the host is the reference";
    const auto places = clustered(100000, 11);
    for (const int k : {32, 256}) {
        const auto host = on_host(places, k), got = found(places, k);
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_NEAR(got[i], host[i], 4e-6f * host[i]) << "body " << i << ", k = " << k;
        EXPECT_EQ(neighbours_on_device(places, k, 1, 7).distances, got) << "in parts";
    }
}

TEST_P(EveryNeighbours, MayExceedTheCandidateBuffer) {
    auto places = clustered(20000, 13);
    expect_as_all_pairs({places.begin(), places.begin() + 1500}, 1200);
    std::fill(places.begin(), places.begin() + 4000, Vec4f{1, 1, 1, 0});  // as many coincident bodies
    const auto got = found(places, 32), host = on_host(places, 32);
    EXPECT_EQ(std::ranges::count(got, 0.0f), 4000);
    for (std::size_t i = 4000; i < got.size(); ++i) ASSERT_NEAR(got[i], host[i], 4e-6f * host[i]) << "body " << i;
}

INSTANTIATE_TEST_SUITE_P(Backend, EveryNeighbours, testing::Values("host", "cuda"),
                         [](const auto& backend) { return backend.param; });

}  // namespace
}  // namespace orrery::test
