// SPDX-License-Identifier: MIT
#include "core/lab/experiments.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// Updates `run` until `wanted` is true; returns false after a minute.
bool wait_for(BackgroundLab& lab, LabRun& run, const std::function<bool()>& wanted) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!wanted() && std::chrono::steady_clock::now() < end)
        if (!lab.update(run)) std::this_thread::sleep_for(1ms);
    return wanted();
}

TEST(BackgroundLab, DeliversRowsOneByOne) {
    BackgroundLab lab;
    LabRun run;
    EXPECT_FALSE(lab.update(run)) << "nothing was started";
    lab.start("dummy", {.maps = {"lambda", "rb"}, .roots = {"sqrt"}, .bodies = {100, 256}, .repeat = 2});
    ASSERT_TRUE(lab.update(run)) << "the start is an update, even if the experiment has ended since";
    EXPECT_EQ(run.experiment, "dummy");
    ASSERT_TRUE(wait_for(lab, run, [&] { return !run.running; }));
    EXPECT_EQ(run.table.rows.size(), 6u);
    EXPECT_EQ(run.done, 6u);
    EXPECT_EQ(run.total, 6u);
    EXPECT_EQ(run.failure, "");
    EXPECT_FALSE(run.cancelled);
    for (const auto& row : run.table.rows) EXPECT_EQ(row.size(), run.table.columns.size());
}

TEST(BackgroundLab, CancelKeepsMeasuredRows) {
    BackgroundLab lab;
    LabRun run;
    lab.start("dummy", {.bodies = std::vector<std::uint32_t>(1000, 2048), .repeat = 2});
    ASSERT_TRUE(wait_for(lab, run, [&] { return run.table.rows.size() >= 3; }));
    EXPECT_TRUE(run.running) << "1000 sizes take longer";
    lab.cancel();
    ASSERT_TRUE(wait_for(lab, run, [&] { return !run.running; }));
    EXPECT_TRUE(run.cancelled);
    EXPECT_GE(run.table.rows.size(), 3u);
    EXPECT_LT(run.table.rows.size(), run.total);
}

TEST(BackgroundLab, ASecondStartDiscardsTheFirst) {
    BackgroundLab lab;
    LabRun run;
    lab.start("dummy", {.bodies = std::vector<std::uint32_t>(1000, 2048), .repeat = 2});
    ASSERT_TRUE(wait_for(lab, run, [&] { return !run.table.rows.empty(); }));
    lab.start("collision", {.maps = {"rb"}, .bodies = {100}, .repeat = 1});
    ASSERT_TRUE(wait_for(lab, run, [&] { return run.experiment == "collision" && !run.running; }));
    EXPECT_EQ(run.table.rows.size(), 4u) << "bb and rb, in one and in three dimensions";
}

TEST(BackgroundLab, ReportsInvalidConfigurations) {
    BackgroundLab lab;
    LabRun run;
    EXPECT_THROW(lab.start("nonsense", {}), Error);
    lab.start("dummy", {.bodies = {100}, .rho = 7});
    ASSERT_TRUE(wait_for(lab, run, [&] { return !run.experiment.empty() && !run.running; }));
    EXPECT_NE(run.failure.find("rho 7"), std::string::npos) << run.failure;
    EXPECT_TRUE(run.table.rows.empty());
}

}  // namespace
}  // namespace orrery::test
