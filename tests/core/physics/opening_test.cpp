// SPDX-License-Identifier: MIT
#include "core/physics/opening.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orrery::test {
namespace {

TEST(Opening, ComputesDistanceFromABox) {
    const CentredBox<double> box{{1, 2, 3}, {1, 2, 3}};  // from the origin to (2, 4, 6)
    EXPECT_EQ(distance2(box, {1, 1, 1}), 0);
    EXPECT_EQ(distance2(box, {2, 4, 6}), 0);
    EXPECT_EQ(distance2(box, {5, 4, 6}), 9);
    EXPECT_EQ(distance2(box, {-3, 8, 1}), 9 + 16);
    EXPECT_EQ(distance2(box, {-1, -1, 7}), 3);
    EXPECT_EQ(outside(box, {5, 1, -1}), (Vec3d{3, 0, 1}));
    EXPECT_TRUE(overlap(box, {-5, -5, -5}, {9, 9, 9})) << "contains it";
    EXPECT_TRUE(overlap(box, {1, 1, 1}, {1, 1, 1})) << "lies within";
    EXPECT_TRUE(overlap(box, {2, 4, 6}, {7, 7, 7})) << "touches";
    EXPECT_FALSE(overlap(box, {2.1, 0, 0}, {7, 7, 7}));
}

TEST(Opening, AcceptsACellBeyondItsRadius) {
    // l/θ + offset = 1/0.5 + 0.25
    EXPECT_DOUBLE_EQ(opening_radius(1.0, 0.25, 0.5), 2.25);
    EXPECT_TRUE(accept_geometric(2.26 * 2.26, 2.25));
    EXPECT_FALSE(accept_geometric(2.24 * 2.24, 2.25));
    EXPECT_FALSE(accept_geometric(0.0, 2.25)) << "the cell reaches into the box";
}

TEST(Opening, AcceptsACellExactlyAtTheBound) {
    EXPECT_TRUE(accept_geometric(4.0, 2.0));
    EXPECT_TRUE(accept_relative(4.0, 2.0, relative_threshold(8.0, 0.5, 0.125, 1), 1.0, 1));
    EXPECT_TRUE(accept_relative(4.0, 2.0, relative_threshold(8.0, 0.5, 0.03125, 2), 1.0, 2));
    EXPECT_TRUE(apart(Vec3d{0, 1, 0}, 1.0)) << "touching boxes share no body";
    EXPECT_TRUE(apart(Vec3d{1, 0, 0.5}, 1.0));
    EXPECT_TRUE(apart(Vec3d{0, 0.5, 1}, 1.0));
    EXPECT_FALSE(apart(Vec3d{0.9, 0.9, 0.9}, 1.0));
}

TEST(Opening, RadiusIsFiniteForAnyExtentAndTheta) {
    const double most = std::numeric_limits<double>::max();
    EXPECT_EQ(opening_radius(0.0, 0.25, 0.5), 0) << "coincident bodies are exact wherever their centre is";
    EXPECT_EQ(opening_radius(most / 8, 0.0, 1.0), most / 8);
    EXPECT_EQ(opening_radius(most / 4, 0.0, 1.0), most);
    EXPECT_EQ(opening_radius(most / 16, 0.0, 0.125), most) << "otherwise adding the offset could overflow";
    EXPECT_EQ(opening_radius(most / 64, 0.0, 0.125), most / 8);
    EXPECT_EQ(opening_radius(1.0, 0.0, 0.0), most);
}

TEST(Opening, OpensAllButExactCellsAtThetaZero) {
    const float radius = opening_radius(1e-6f, 0.0f, 0.0f);
    EXPECT_FALSE(accept_geometric(1e30f, radius));
    EXPECT_TRUE(accept_geometric(0.0f, opening_radius(0.0f, 0.0f, 0.0f))) << "coincident bodies";
}

TEST(Opening, ComparesCellErrorWithAcceleration) {
    // A monopole of mass 8 and extent 0.5 at distance 2: 8·0.5²/2⁴ = 0.125. For an acceleration of 10: α = 0.0125.
    EXPECT_TRUE(accept_relative(4.0, 2.0, relative_threshold(8.0, 0.5, 0.0126, 1), 10.0, 1));
    EXPECT_FALSE(accept_relative(4.0, 2.0, relative_threshold(8.0, 0.5, 0.0124, 1), 10.0, 1));
    // Its quadrupole: 8·0.5³/2⁵ = 0.03125.
    EXPECT_TRUE(accept_relative(4.0, 2.0, relative_threshold(8.0, 0.5, 0.00313, 2), 10.0, 2));
    EXPECT_FALSE(accept_relative(4.0, 2.0, relative_threshold(8.0, 0.5, 0.00312, 2), 10.0, 2));
}

TEST(Opening, AcceptsExactCellsWithoutAcceleration) {
    for (const int order : {1, 2}) {
        EXPECT_TRUE(accept_relative(0.0f, 0.0f, relative_threshold(5.0f, 0.0f, 1e-30f, order), 0.0f, order));
        EXPECT_TRUE(accept_relative(0.0f, 0.0f, relative_threshold(0.0f, 5.0f, 1e-30f, order), 0.0f, order));
        // A tiny moment does not make a cell exact, even if it underflows to 0 in float.
        EXPECT_FALSE(accept_relative(0.0f, 0.0f, relative_threshold(1e-20f, 1e-15f, 1.0f, order), 1.0f, order));
    }
}

TEST(Opening, GroupAccelerationHasALowerBound) {
    EXPECT_EQ(group_acceleration(0.5, 1.0, 100.0), 0.5);
    EXPECT_EQ(group_acceleration(0.01, 1.0, 1.0), 0.1);
    EXPECT_EQ(group_acceleration(0.0, 0.0, 1.0), 1e-6);
    EXPECT_EQ(group_acceleration(0.0, 0.0, 0.0), 0.0);
}

TEST(Opening, ChoosesAlphaFromAccuracy) {
    for (const int order : {1, 2}) {
        double last = 0;
        for (double accuracy = 1e-6; accuracy < 0.1; accuracy *= 1.1) {
            const double alpha = alpha_for(accuracy, order);
            ASSERT_GT(alpha, last) << accuracy;
            ASSERT_NEAR(accuracy_of_alpha(alpha, order), accuracy, 1e-9 * accuracy);
            last = alpha;
        }
    }
    EXPECT_NEAR(alpha_for(1e-3, 1), 0.0028, 2e-4);
    EXPECT_NEAR(alpha_for(1e-3, 2), 0.0111, 2e-4);
}

TEST(Opening, SmallerThetaIsMoreAccurate) {
    EXPECT_DOUBLE_EQ(accuracy_of_theta(1, 1), 1.5e-2);
    EXPECT_DOUBLE_EQ(accuracy_of_theta(1, 2), 3.4e-3);
    EXPECT_NEAR(accuracy_of_theta(0.5, 1), 3.05e-3, 1e-5);
    EXPECT_NEAR(accuracy_of_theta(0.5, 2), 2.80e-4, 1e-6);
}

}  // namespace
}  // namespace orrery::test
