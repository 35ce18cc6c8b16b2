// SPDX-License-Identifier: MIT
// The search for touching spheres, against all pairs.
#include "core/spatial/contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {
namespace {

/// The minimum distance between two bodies in uniform straight motion.
double nearest(Vec3d before, Vec3d now) {
    const Vec3d way = now - before;
    const double part = dot(way, way) > 0 ? std::clamp(-dot(before, way) / dot(way, way), 0.0, 1.0) : 0;
    return length(before + part * way);
}

struct Swept {
    std::vector<Vec4d> before, now;
    std::vector<double> radius;
    std::vector<std::uint8_t> seeks;

    SweptBodies view() const { return {before, now, radius, seeks}; }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_all_pairs() const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        for (std::uint32_t i = 0; i < now.size(); ++i)
            for (std::uint32_t j = i + 1; j < now.size(); ++j) {
                if (!seeks.empty() && !seeks[i] && !seeks[j]) continue;
                const double reach = radius[i] + radius[j];
                if (reach > 0 && now[i].w + now[j].w > 0 &&
                    nearest(xyz(before[j]) - xyz(before[i]), xyz(now[j]) - xyz(now[i])) <= reach)
                    found.push_back({i, j});
            }
        return found;
    }
};

Swept any_swept() {
    Swept s;
    const auto count = any_scale<std::size_t>(400);
    std::mt19937 random{static_cast<unsigned>(any_in(0, 1 << 20))};
    std::uniform_real_distribution<double> unit{-1, 1};
    const double pace = std::ldexp(1.0, any_in(-12, 2)), size = std::ldexp(1.0, any_in(-12, 0));
    const bool flat = any_in(0, 3) == 0, some_seek = any_in(0, 2) == 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d x{unit(random), unit(random), flat ? 0 : unit(random)};
        const double mass = unit(random) < -0.6 ? 0 : 1;
        s.before.push_back({x.x, x.y, x.z, mass});
        s.now.push_back({x.x + pace * unit(random), x.y + pace * unit(random), x.z + pace * unit(random), mass});
        s.radius.push_back(unit(random) > 0.95 ? 20 * size : unit(random) < -0.9 ? 0 : size * std::abs(unit(random)));
        if (some_seek) s.seeks.push_back(unit(random) > 0.8);
    }
    return s;
}

TEST(ContactProperties, MatchAllPairsSearch) {
    Pool pool{3, false};
    check({150, 5000}, [&] {
        const Swept s = any_swept();
        const auto found = contacts(pool, s.view());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const Contact& each : found) {
            pairs.push_back({each.first, each.second});
            const auto at = [&](std::uint32_t i) {
                return xyz(s.before[i]) + each.when * (xyz(s.now[i]) - xyz(s.before[i]));
            };
            const double reach = s.radius[each.first] + s.radius[each.second];
            const double apart = length(at(each.second) - at(each.first));
            RC_ASSERT((each.when == 0 ? apart <= reach : std::abs(apart - reach) < 1e-7));
        }
        RC_ASSERT(std::ranges::is_sorted(found, {}, &Contact::when));
        std::ranges::sort(pairs);
        RC_ASSERT(pairs == s.by_all_pairs());
        Pool one{1, false};
        RC_ASSERT(contacts(one, s.view()) == found);
    });
}

TEST(ContactProperties, FastBodyIsFoundAlongItsPath) {
    Pool pool{1, false};
    const std::vector<Vec4d> before{{-10, 0.05, 0, 1}, {0, 0, 0, 1}}, now{{10, 0.05, 0, 1}, {0, 0, 0, 1}};
    const std::vector<double> radius{0.05, 0.05};
    const auto found = contacts(pool, {before, now, radius});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].when, 0.5 - std::sqrt(0.01 - 0.0025) / 20, 1e-12);
}

TEST(ContactProperties, TooManyContactsAreRefused) {
    Pool pool{2, false};
    const std::vector<Vec4d> all(8000, Vec4d{0, 0, 0, 1});
    const std::vector<double> radius(all.size(), 1);
    EXPECT_THROW(contacts(pool, {all, all, radius}), Error);
}

}  // namespace
}  // namespace orrery::test
