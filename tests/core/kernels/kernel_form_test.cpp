// SPDX-License-Identifier: MIT
#include "core/lab/kernel.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/examples.hpp"
#include "core/lab/experiments.hpp"

namespace orrery::test {
namespace {

KernelFile example(const std::string& name) { return parse_kernel(example_kernel(name), name); }

/// The cell of the row whose map is `map`.
LabValue cell_of(const LabTable& table, const std::string& map, const std::string& column) {
    const auto place = static_cast<std::size_t>(std::ranges::find(table.columns, column) - table.columns.begin());
    for (const auto& row : table.rows)
        if (row.front() == LabValue{map}) return row.at(place);
    ADD_FAILURE() << "no row of " << map;
    return {};
}

LabTable run_with(std::string_view experiment, const KernelFile& kernel, std::vector<std::uint32_t> bodies) {
    for (const LabEntry& entry : experiments())
        if (entry.id == experiment)
            return entry.run({.maps = {"rb"},
                              .roots = {"sqrt"},
                              .bodies = std::move(bodies),
                              .rho = 16,
                              .features = {2},
                              .repeat = 2,
                              .kernel = kernel},
                             [](auto, auto, const auto&) {});
    return {};
}

class KernelForms : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = why_no_kernel_compiler(); !why.empty()) GTEST_SKIP() << why;
    }
};

TEST_F(KernelForms, ExactMapIsRightInEveryExperimentOfPairs) {
    for (const std::string name : {"rectangular-box.cpp", "hilbert.cpp", "lambda.cpp"}) {
        const KernelFile kernel = example(name);
        for (const char* experiment : {"dummy", "edm", "collision", "collision-pairs", "collision-rows"}) {
            const LabTable table = run_with(experiment, kernel, {500});
            EXPECT_EQ(cell_of(table, "kernel " + kernel.title, "verified"), LabValue{true})
                << experiment << ' ' << name;
            EXPECT_TRUE(std::holds_alternative<double>(cell_of(table, "kernel " + kernel.title, "improvement")));
        }
    }
}

TEST_F(KernelForms, WrongMapHasNoImprovement) {
    const KernelFile kernel = example("lambda-wrong.cpp");  // wrong from 26 rows on
    const LabTable few = run_with("dummy", kernel, {25 * 16}), many = run_with("dummy", kernel, {26 * 16});
    const std::string id = "kernel " + kernel.title;
    EXPECT_EQ(cell_of(few, id, "verified"), LabValue{true});
    EXPECT_EQ(cell_of(many, id, "verified"), LabValue{false});
    EXPECT_EQ(cell_of(many, id, "improvement"), LabValue{});
    const LabTable range = run_with("exactness", kernel, {});
    EXPECT_EQ(cell_of(range, id, "first_wrong"), LabValue{std::int64_t{26}});
    EXPECT_EQ(cell_of(range, id, "bodies"), LabValue{std::int64_t{25 * 16}});
}

TEST_F(KernelForms, WasteEqualsThatOfTheBuiltInMap) {
    const KernelFile kernel = example("bounding-box.cpp");
    const LabTable table = run_with("waste", kernel, {1000});
    for (const char* column : {"launched_blocks", "wasted_blocks", "launched_threads", "wasted_threads"})
        EXPECT_EQ(cell_of(table, "kernel " + kernel.title, column), cell_of(table, "bb", column)) << column;
}

TEST_F(KernelForms, OnlyMapsInCppAreTimed) {
    EXPECT_THROW(kernel_form(example("newton.cpp"), Backend::kCpu), Error);
    EXPECT_THROW(kernel_form(example("lambda-wrong.glsl"), Backend::kCpu), Error);
    EXPECT_THROW(kernel_form(example("hilbert.cpp"), Backend::kCuda), Error);
    EXPECT_THROW(run_with("triplet", example("hilbert.cpp"), {64}), Error);
}

}  // namespace
}  // namespace orrery::test
