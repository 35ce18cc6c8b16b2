// SPDX-License-Identifier: MIT
// Bars and curves that the laboratory draws from a table.
#include "app/window/lab/lab_state.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

using Cells = std::vector<LabValue>;

LabTable timed_table(bool with_p10) {
    LabTable table{
        .columns = {"map", "root", "bodies", "dimensions", "median_ms", "min_ms", "p90_ms", "improvement", "verified",
                    "p10_ms"},
        .rows = {
            Cells{std::string{"bb"}, {}, std::int64_t{1024}, {}, 4.0, 3.5, 5.0, 1.0, true, 3.8},
            Cells{std::string{"lambda"}, std::string{"sqrt"}, std::int64_t{1024}, {}, 2.0, 1.0, 2.5, 2.0, true, 1.6}}};
    if (with_p10) return table;
    table.columns.pop_back();
    for (Cells& row : table.rows) row.pop_back();
    return table;
}

/// The fastest run of a map says little: its whisker has four fifths of the runs.
TEST(LabState, WhiskersGoFromThe90thToThe10thPercentileOfTheTimes) {
    const LabTable table = timed_table(true);
    const std::vector<LabBar> bars = lab_bars(table);
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_DOUBLE_EQ(bars[1].improvement, 2);
    EXPECT_DOUBLE_EQ(bars[1].least, 2.0 * 2.0 / 2.5);
    EXPECT_DOUBLE_EQ(bars[1].most, 2.0 * 2.0 / 1.6);
    const std::vector<LabSpread> spreads = lab_spreads(table);
    ASSERT_EQ(spreads.size(), 2u);
    EXPECT_EQ(spreads[1].label, "lambda sqrt");
    EXPECT_DOUBLE_EQ(spreads[1].least, bars[1].least);
    EXPECT_DOUBLE_EQ(spreads[1].most, bars[1].most);
}

TEST(LabState, HasNoWhiskersWhereThePercentileIsUnknown) {
    const LabTable table = timed_table(false);
    for (const LabBar& bar : lab_bars(table)) EXPECT_EQ(bar.most, 0);
    EXPECT_TRUE(lab_spreads(table).empty());
}

}  // namespace
}  // namespace orrery::test
