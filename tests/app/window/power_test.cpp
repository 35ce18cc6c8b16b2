// SPDX-License-Identifier: MIT
// Power and work per joule of the page History, without a window.
#include "app/window/plots/power.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

/// A counter at 100 W, read once a second.
EnergyCounterMonitor::State after(std::uint64_t seconds) {
    const auto reading = [](std::uint64_t at) {
        return EnergyReading{.microjoules = 100'000'000 * at, .seconds = static_cast<double>(at)};
    };
    return {.opened = true,
            .name = "fake",
            .why_not = {},
            .last = reading(seconds),
            .before = seconds > 0 ? reading(seconds - 1) : EnergyReading{},
            .changes = seconds + 1};
}

Status with_forces(std::uint64_t evaluations) {
    Status status;
    status.bodies = 1000;
    status.engine.ranks = 1;
    status.force.body_forces = 1000 * evaluations;
    return status;
}

TEST(PowerMeter, DividesAccelerationsByEnergy) {
    PowerMeter meter;
    meter.add(after(0), with_forces(5));
    EXPECT_EQ(meter.state().watts, std::nullopt);
    meter.add(after(1), with_forces(25));
    EXPECT_EQ(meter.state().watts, 100);
    EXPECT_EQ(meter.state().bodies_per_joule, 200) << "20 evaluations of 1000 bodies with 100 J";
    meter.add(after(1), with_forces(40));
    EXPECT_EQ(meter.state().bodies_per_joule, 200) << "no new reading";
    meter.add(after(2), with_forces(65));
    EXPECT_EQ(meter.state().bodies_per_joule, 400);
}

TEST(PowerMeter, AveragesOverTenEvaluationsOrTenSeconds) {
    PowerMeter meter;
    for (std::uint64_t second = 0; second < 10; ++second) meter.add(after(second), with_forces(second / 2));
    EXPECT_EQ(meter.state().bodies_per_joule, std::nullopt);
    meter.add(after(10), with_forces(5));
    EXPECT_EQ(meter.state().bodies_per_joule, 5) << "5 evaluations of 1000 bodies with 1000 J";
}

TEST(PowerMeter, ExcludesPausesComparisonsAndRanks) {
    for (const auto& disturb : {+[](Status& s) { s.pace.paused = true; }, +[](Status& s) { s.compare.on = true; },
                                +[](Status& s) { s.engine.ranks = 2; }}) {
        PowerMeter meter;
        meter.add(after(0), with_forces(0));
        meter.add(after(1), with_forces(20));
        Status disturbed = with_forces(30);
        disturb(disturbed);
        meter.add(after(2), disturbed);
        EXPECT_EQ(meter.state().bodies_per_joule, std::nullopt);
        EXPECT_EQ(meter.state().watts, 100);
        meter.add(after(60), with_forces(30));
        meter.add(after(61), with_forces(50));
        EXPECT_EQ(meter.state().bodies_per_joule, 200) << "the pause does not count";
    }
}

TEST(PowerMeter, RestartsWithANewSceneOrBackend) {
    PowerMeter meter;
    meter.add(after(0), with_forces(100));
    meter.add(after(1), with_forces(10));
    EXPECT_EQ(meter.state().bodies_per_joule, std::nullopt) << "another simulation counts from 0";
    meter.add(after(2), with_forces(30));
    EXPECT_EQ(meter.state().bodies_per_joule, 200);
    Status other = with_forces(60);
    other.engine.config.backend = Backend::kCuda;
    EnergyCounterMonitor::State device = after(0);
    device.name = "device";
    meter.add(device, other);
    EXPECT_EQ(meter.state().watts, std::nullopt);
    EXPECT_EQ(meter.state().bodies_per_joule, std::nullopt);
}

TEST(PowerMeter, KeepsTheReasonOfAFailure) {
    PowerMeter meter;
    meter.add(after(0), with_forces(0));
    meter.add(after(1), with_forces(20));
    EnergyCounterMonitor::State failed = after(1);
    failed.why_not = "gone";
    meter.add(failed, with_forces(40));
    EXPECT_EQ(meter.state().why_not, "gone");
    EXPECT_EQ(meter.state().watts, std::nullopt);
    EXPECT_EQ(meter.state().bodies_per_joule, std::nullopt);
}

}  // namespace
}  // namespace orrery::test
