// SPDX-License-Identifier: MIT
// The limit at which plain laws treat bodies as touching: up to a softened r² of kTouching they exert no force.
#include <gtest/gtest.h>

#include <cmath>

#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"

namespace orrery::test {
namespace {

constexpr double kTouch = kTouching<double>;
const double kBeyond = std::nextafter(kTouch, 1.0);

TEST(Touching, BodiesDoNotAttractEachOther) {
    Vec4d sum{};
    add_acceleration(sum, {1, 2, 3}, {1, 2, 3, 5}, kTouch);
    EXPECT_EQ(sum, (Vec4d{}));
    add_acceleration(sum, {1, 2, 3}, {1, 2, 3, 5}, kBeyond);
    EXPECT_GT(sum.w, 0) << "a potential without force";
    EXPECT_EQ(xyz(sum), (Vec3d{}));
}

TEST(Touching, BodiesFormNoTriplet) {
    const Vec3d self{0, 0, 0}, beside{1, 0, 0}, above{0, 1, 0};
    const auto of = [&](Vec3d j, Vec3d k, double softening2) {
        Vec4d sum{};
        add_triplet_push(sum, self, {j.x, j.y, j.z, 2}, {k.x, k.y, k.z, 3}, softening2);
        return sum;
    };
    EXPECT_NE(of(beside, above, 0), (Vec4d{}));
    EXPECT_EQ(of(self, above, kTouch), (Vec4d{})) << "the body touches the second";
    EXPECT_EQ(of(beside, beside, kTouch), (Vec4d{})) << "the second touches the third";
    EXPECT_EQ(of(beside, self, kTouch), (Vec4d{})) << "the body touches the third";
    EXPECT_NE(of(self, above, kBeyond), (Vec4d{}));
}

}  // namespace
}  // namespace orrery::test
