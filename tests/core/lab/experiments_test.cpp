// SPDX-License-Identifier: MIT
// Every experiment of the menu, on every backend; and what `exactness` says, against the maps' own table.
#include "core/lab/experiments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/maps/maps.hpp"

namespace orrery::testing {
namespace {

void quiet(std::uint64_t, std::uint64_t, const std::string&) {}

struct LabCase {
    LabEntry entry;
    Backend backend;
};
void PrintTo(const LabCase& c, std::ostream* out) { *out << c.entry.id << ' ' << name(c.backend); }

std::vector<LabCase> every_experiment() {
    std::vector<LabCase> cases;
    for (const LabEntry& entry : experiments())
        for (const Backend backend : {Backend::kCpu, Backend::kCuda}) cases.push_back({entry, backend});
    return cases;
}

class EveryExperiment : public ::testing::TestWithParam<LabCase> {
protected:
    void SetUp() override {
        if (GetParam().backend == Backend::kCpu || cuda_info().available) return;
        if (std::getenv("ORRERY_REQUIRE_GPU")) FAIL() << cuda_info().reason;
        GTEST_SKIP() << cuda_info().reason;
    }
};

TEST_P(EveryExperiment, FillsItsTableAndSaysHowFarItIs) {
    std::uint64_t last = 0, of = 0;
    const LabTable table = GetParam().entry.run({GetParam().backend}, [&](auto done, auto total, const auto& next) {
        EXPECT_GE(done, last);
        EXPECT_LT(done, total);
        EXPECT_FALSE(next.empty());
        last = done, of = total;
    });
    EXPECT_GT(of, 0u) << "said nothing";
    ASSERT_FALSE(table.rows.empty());
    EXPECT_EQ(std::set<std::string>(table.columns.begin(), table.columns.end()).size(), table.columns.size());
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryExperiment, ::testing::ValuesIn(every_experiment()), [](const auto& each) {
    return std::string{each.param.entry.id} + '_' + std::string{name(each.param.backend)};
});

TEST(Exactness, IsTheTableThatEnginesGoBy) {
    const LabTable table = exactness_experiment().run({}, quiet);
    const auto column = [&](std::string_view id) {
        return static_cast<std::size_t>(std::ranges::find(table.columns, id) - table.columns.begin());
    };
    std::size_t published = 0, ours = 0;
    for (const auto& row : table.rows) {
        const std::string form = std::get<std::string>(row[column("map")]);
        const bool ends = std::holds_alternative<std::int64_t>(row[column("first_wrong")]);
        if (form == "lambda") {
            EXPECT_FALSE(ends) << "integers have the last word";
            EXPECT_TRUE(std::holds_alternative<std::monostate>(row[column("claim_holds")]));
            ++ours;
        }
        if (!form.starts_with("lambda-")) continue;
        const RootId root = orrery::root(std::get<std::string>(row[column("root")])).root;
        const std::int64_t rows = exact_rows(map(form).map, root, Backend::kCpu);
        EXPECT_EQ(std::get<std::int64_t>(row[column(ends ? "first_wrong" : "scanned")]), rows) << form;
        EXPECT_EQ(std::get<std::int64_t>(row[column("bodies")]), 16 * rows);
        EXPECT_EQ(std::get<bool>(row[column("claim_holds")]), rows >= 1920) << "N ≤ 30 720 at ρ = 16";
        ++published;
    }
    EXPECT_EQ(ours, roots().size());
    EXPECT_EQ(published, 2 * roots().size());
}

TEST(Exactness, NeedsTheDeviceThatWasAskedFor) {
    if (cuda_info().available) GTEST_SKIP() << "there is one";
    EXPECT_THROW(exactness_experiment().run({Backend::kCuda}, quiet), Error);
}

}  // namespace
}  // namespace orrery::testing
