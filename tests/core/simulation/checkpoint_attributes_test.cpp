// SPDX-License-Identifier: MIT
// Checkpoints with modified numbers and a valid seal: each number is validated before a run continues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <vector>

#include "core/engines/engine_settings.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using hdf5::Handle;

constexpr double kLargest = std::numeric_limits<double>::max(), kInfinity = std::numeric_limits<double>::infinity(),
                 kSmallest = std::numeric_limits<double>::denorm_min(), kCounted = 0x1p62;

/// A numeric attribute and the limits of each of its numbers.
struct Numbers {
    const char *group, *name;
    std::vector<double> least, most;
};

const std::vector<Numbers>& attributes() {
    constexpr double low = -kLargest;
    static const std::vector<Numbers> all{
        {"simulation", "steps", {-kCounted}, {kCounted}},
        {"simulation", "moment", {0}, {kCounted}},
        {"simulation", "engine_memory", {0}, {kCounted}},
        {"simulation", "forces_fresh", {0}, {1}},
        {"simulation", "reversed", {0}, {1}},
        {"simulation", "evaluated", {kSmallest, 0}, {kLargest, kLargest}},
        {"simulation",
         "accuracy",
         {kSmallest, low, kSmallest, 0, 0, 0, 0, 1},
         {kLargest, kLargest, kLargest, kLargest, kLargest, static_cast<double>(AcceptanceLimit::kFinest), kCounted,
          kCounted}},
        {"simulation",
         "encounters",
         {0, 0, 0, low, low, low, low, low, low, low, low},
         {kCounted, kCounted, kCounted, kLargest, kLargest, kLargest, kLargest, kLargest, kLargest, kLargest,
          kLargest}},
        {"run", "steps", {0}, {kCounted}},
    };
    return all;
}

class CheckpointAttributes : public Scratch {
protected:
    void SetUp() override {
        EngineConfig engine;
        engine.engine = "direct";
        Simulation simulation{make_preset("plummer", {.bodies = 20}), engine};
        simulation.step();
        Checkpoint made = checkpoint_of(simulation, {.steps = 9, .until = {}, .first = Diagnostics{}});
        made.state.accuracy.acceptance.factor = 2;
        made.state.encounters.merges = 1;
        write_checkpoint(made, path("sound.orrery"));
    }
    /// The valid file with this attribute replaced.
    std::filesystem::path with(const Numbers& attribute, const std::vector<double>& values) const {
        std::filesystem::copy_file(path("sound.orrery"), path("c.orrery"),
                                   std::filesystem::copy_options::overwrite_existing);
        {
            const Handle file{H5Fopen(path("c.orrery").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
            const Handle group{H5Gopen2(file.id(), attribute.group, H5P_DEFAULT), H5Gclose};
            EXPECT_GE(H5Adelete(group.id(), attribute.name), 0) << attribute.name;
            const hsize_t count = values.size();
            const Handle space{H5Screate_simple(1, &count, nullptr), H5Sclose};
            const Handle made{
                H5Acreate2(group.id(), attribute.name, H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
            EXPECT_GE(H5Awrite(made.id(), H5T_NATIVE_DOUBLE, values.data()), 0);
        }
        seal();
        return path("c.orrery");
    }

private:
    /// Writes the size and checksum that the reader's error reports.
    void seal() const {
        try {
            read_run(path("c.orrery"));
        } catch (const Error& error) {
            std::smatch found;
            const std::string text = error.what();
            if (!std::regex_search(text, found, std::regex{"found size and checksum \"([^\"]*)\""})) return;
            std::fstream file{path("c.orrery"), std::ios::binary | std::ios::in | std::ios::out};
            file << found[1].str();
        }
    }
};

class EachAttribute : public CheckpointAttributes, public testing::WithParamInterface<Numbers> {
protected:
    void refuses(const std::vector<double>& values) const {
        expect_error([&] { read_run(with(GetParam(), values)); }, Blame::kUsage, "c.orrery: attribute ",
                     std::string{GetParam().name} + " of " + GetParam().group);
    }
};

TEST_P(EachAttribute, AcceptsItsLimits) {
    for (const auto& values : {GetParam().least, GetParam().most})
        EXPECT_NO_THROW(read_run(with(GetParam(), values))) << values.front();
}

TEST_P(EachAttribute, RefusesValuesBeyondItsLimits) {
    const auto& [group, name, least, most] = GetParam();
    for (std::size_t i = 0; i < least.size(); ++i)
        for (const double bad :
             {std::nextafter(least[i], -kInfinity), std::nextafter(most[i], kInfinity), std::nan("")}) {
            std::vector<double> values = least;
            values[i] = bad;
            refuses(values);
        }
}

TEST_P(EachAttribute, RefusesAnotherNumberOfValues) {
    std::vector<double> values = GetParam().most;
    values.push_back(1);
    refuses(values);
    values.resize(values.size() - 2);
    if (!values.empty()) refuses(values);
}

INSTANTIATE_TEST_SUITE_P(Checkpoint, EachAttribute, testing::ValuesIn(attributes()),
                         [](const auto& test) { return std::string{test.param.group} + "_" + test.param.name; });

TEST_F(CheckpointAttributes, InitialDiagnosticsHaveNineNumbers) {
    const Numbers first{"run", "first", {}, {}};
    EXPECT_EQ(read_run(with(first, std::vector<double>(9, 0.5))).run.first->kinetic, 0.5);
    for (const std::size_t count : {8u, 10u})
        expect_error([&] { read_run(with(first, std::vector<double>(count, 0.5))); }, Blame::kUsage, "attribute first",
                     "9 numbers");
}

}  // namespace
}  // namespace orrery::test
