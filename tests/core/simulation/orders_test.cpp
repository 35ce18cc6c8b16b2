// SPDX-License-Identifier: MIT
#include "core/simulation/orders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace orrery::test {
namespace {

TEST(Orders, MeasuredOrderMatchesEveryIntegrator) {
    std::size_t announced = 0;
    const auto rows = measure_orders([&](std::size_t done, std::size_t of) {
        EXPECT_EQ(done, announced++);
        EXPECT_EQ(of, integrators().size());
    });
    ASSERT_EQ(rows.size(), integrators().size());
    EXPECT_EQ(announced, rows.size());
    for (const OrderRow& row : rows) {
        SCOPED_TRACE(row.integrator.id);
        EXPECT_TRUE(row.pass()) << row.measured;
        EXPECT_NEAR(row.measured, row.integrator.order, 0.01 * row.integrator.order);
        ASSERT_EQ(row.points.size(), 9u);
        EXPECT_EQ(row.points.front().steps, 64);
        EXPECT_EQ(row.points.back().steps, 16384);
        EXPECT_LT(row.points.front().error, 3) << "no error exceeds twice the apocentre";
    }
    // From the leapfrog of another program, in units of the semi-major axis of the relative orbit.
    EXPECT_NEAR(rows[0].points[0].error, 0.05342989466, 1e-9);
    EXPECT_NEAR(rows[0].points[4].error, 0.000214631352, 1e-9);
}

TEST(Orders, PassOnlyWithinTheTolerance) {
    const auto passes = [](double measured) { return OrderRow{integrator("yoshida4"), {}, measured}.pass(); };
    for (const double measured : {3.81, 4.0, 4.19}) EXPECT_TRUE(passes(measured)) << measured;
    for (const double measured : {3.79, 4.21, std::nan("")}) EXPECT_FALSE(passes(measured)) << measured;
}

TEST(Orders, PlotOneCurvePerIntegrator) {
    const OrderRow row{integrator("leapfrog"), {{64, 0.1}, {128, 0.025}}, 2};
    const std::string picture = plot_orders(std::vector<OrderRow>(8, row));
    EXPECT_THAT(picture, testing::HasSubstr(row.integrator.label));
    EXPECT_THAT(picture, testing::HasSubstr(": order 2.00"));
    EXPECT_THAT(picture, testing::HasSubstr("#cc79a7"));
    EXPECT_THAT(picture, testing::HasSubstr("8 4"));
}

}  // namespace
}  // namespace orrery::test
