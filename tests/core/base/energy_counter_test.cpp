// SPDX-License-Identifier: MIT
#include "core/base/energy_counter.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/support/new_folder.hpp"

namespace orrery::test {
namespace {

/// A fake /sys/class/powercap.
class Rapl : public testing::Test {
protected:
    ~Rapl() override { std::filesystem::remove_all(root_); }
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream{root_ / path} << text << '\n';
    }
    void zone(const std::string& id, const std::string& name, const std::string& energy) const {
        write(id + "/name", name);
        write(id + "/energy_uj", energy);
        write(id + "/max_energy_range_uj", "262143328850");
    }
    EnergySource open() const { return open_rapl_counter(root_); }
    const std::filesystem::path& root() const { return root_; }

private:
    std::filesystem::path root_ = new_folder();
};

TEST_F(Rapl, SumsPackagesWithoutTheirParts) {
    zone("intel-rapl:0", "package-0", "1000");
    zone("intel-rapl:0:0", "core", "500");
    zone("intel-rapl:1", "package-1", "7000");
    zone("intel-rapl:2", "psys", "90000");
    zone("intel-rapl-mmio:0", "package-0", "1000");
    const EnergySource source = open();
    ASSERT_TRUE(source.counter) << source.why_not;
    EXPECT_EQ(source.name, "RAPL, 2 packages");
    EXPECT_EQ(source.counter->microjoules(), 0u);
    write("intel-rapl:0/energy_uj", "1250");
    write("intel-rapl:1/energy_uj", "7030");
    write("intel-rapl:0:0/energy_uj", "750");
    EXPECT_EQ(source.counter->microjoules(), 280u);
}

TEST_F(Rapl, WrapsAroundExactly) {
    zone("intel-rapl:0", "package-0", "262143328000");
    const EnergySource source = open();
    ASSERT_TRUE(source.counter) << source.why_not;
    EXPECT_EQ(source.name, "RAPL, 1 package");
    write("intel-rapl:0/energy_uj", "150");
    EXPECT_EQ(source.counter->microjoules(), 1000u);
    write("intel-rapl:0/energy_uj", "262143328850");
    EXPECT_EQ(source.counter->microjoules(), 262143328850u - 150u + 1000u);
    write("intel-rapl:0/energy_uj", "0");
    EXPECT_EQ(source.counter->microjoules(), 262143328850u - 150u + 1000u) << "the range is the last value before 0";
}

TEST_F(Rapl, StatesTheReasonIfItIsMissing) {
    EXPECT_NE(open().why_not.find("has no RAPL counter"), std::string::npos);
    EXPECT_NE(open_rapl_counter(root() / "missing").why_not.find("has no RAPL counter"), std::string::npos);
    write("intel-rapl:0/name", "package-0");
    const EnergySource source = open();
    EXPECT_FALSE(source.counter);
    EXPECT_NE(source.why_not.find("energy_uj cannot be read: No such file"), std::string::npos) << source.why_not;
    EXPECT_TRUE(source.name.empty());
}

TEST_F(Rapl, IsEmptyOnceAFileDisappears) {
    zone("intel-rapl:0", "package-0", "1000");
    const EnergySource source = open();
    ASSERT_TRUE(source.counter) << source.why_not;
    std::filesystem::remove(root() / "intel-rapl:0/energy_uj");
    EXPECT_EQ(source.counter->microjoules(), std::nullopt);
}

/// A fake driver with one device.
struct FakeDriver {
    int initialization = 0, energy_code = 0, power_code = 0;
    unsigned long long millijoules = 5000;
    unsigned milliwatts = 300'000;
    double seconds = 10;

    EnergySource open(const std::string& bus = "0000:65:00.0") {
        const Nvml nvml{.init = [this] { return initialization; },
                        .device_by_bus =
                            [this](const char* id, Nvml::Device* device) {
                                *device = this;
                                return std::string{id} == "0000:65:00.0" ? 0 : 6;
                            },
                        .millijoules =
                            [this](Nvml::Device, unsigned long long* value) {
                                *value = millijoules;
                                return energy_code;
                            },
                        .milliwatts =
                            [this](Nvml::Device, unsigned* value) {
                                *value = milliwatts;
                                return power_code;
                            },
                        .error_text = [](int code) { return code == 6 ? "Not Found" : "Not Supported"; }};
        return open_nvml_counter(nvml, bus, [this] { return seconds; });
    }
};

TEST(NvmlCounter, CountsFromItsOpening) {
    FakeDriver driver;
    const EnergySource source = driver.open();
    ASSERT_TRUE(source.counter) << source.why_not;
    EXPECT_EQ(source.name, "NVML, energy counter");
    driver.millijoules = 5123;
    EXPECT_EQ(source.counter->microjoules(), 123'000u);
    driver.millijoules = 10;  // the driver was loaded again
    EXPECT_EQ(source.counter->microjoules(), 133'000u);
    driver.energy_code = 999;
    EXPECT_EQ(source.counter->microjoules(), std::nullopt);
}

TEST(NvmlCounter, IntegratesPowerOfDevicesWithoutEnergyCounter) {
    FakeDriver driver{.energy_code = 3};
    const EnergySource source = driver.open();
    ASSERT_TRUE(source.counter) << source.why_not;
    EXPECT_EQ(source.name, "NVML, integrated power");
    driver.seconds = 12, driver.milliwatts = 500'000;
    EXPECT_EQ(source.counter->microjoules(), 800'000'000u) << "2 s at 400 W";
}

TEST(NvmlCounter, StatesTheReasonIfItIsMissing) {
    EXPECT_EQ((FakeDriver{.initialization = 3}.open().why_not), "NVML: initialization: Not Supported");
    EXPECT_EQ(FakeDriver{}.open("0000:01:00.0").why_not, "NVML: device 0000:01:00.0: Not Found");
    EXPECT_EQ((FakeDriver{.energy_code = 3, .power_code = 3}.open().why_not), "NVML: power: Not Supported");
}

TEST(EnergyReadings, GiveMeanPower) { EXPECT_DOUBLE_EQ(watts({1'000'000, 2}, {7'000'000, 4}), 3); }

/// Adds a joule at every reading but the second, and fails after the sixth.
class FakeCounter : public EnergyCounter {
public:
    std::optional<std::uint64_t> microjoules() override {
        if (++readings_ > 6) return std::nullopt;
        return 1'000'000u * (readings_ == 2 ? 1 : readings_);
    }

private:
    std::uint64_t readings_ = 0;
};

EnergyCounterMonitor::State final_state(const EnergyCounterMonitor& monitor) {
    for (;;)
        if (const auto state = monitor.state(); state.opened && !state.why_not.empty()) return state;
}

TEST(EnergyMonitorThread, KeepsTheLastTwoChanges) {
    const EnergyCounterMonitor monitor{
        [] { return EnergySource{.counter = std::make_unique<FakeCounter>(), .name = "fake", .why_not = {}}; },
        std::chrono::milliseconds{1}};
    const auto state = final_state(monitor);
    EXPECT_EQ(state.why_not, "fake: the counter cannot be read any more");
    EXPECT_EQ(state.changes, 5u) << "the second reading changed nothing";
    EXPECT_EQ(state.before.microjoules, 5'000'000u);
    EXPECT_EQ(state.last.microjoules, 6'000'000u);
    EXPECT_GT(state.last.seconds, state.before.seconds);
}

TEST(EnergyMonitorThread, ReportsAMissingCounter) {
    const EnergyCounterMonitor monitor{
        [] { return EnergySource{.counter = nullptr, .name = {}, .why_not = "none here"}; },
        std::chrono::milliseconds{1}};
    EXPECT_EQ(final_state(monitor).why_not, "none here");
}

}  // namespace
}  // namespace orrery::test
