// SPDX-License-Identifier: MIT
// Every experiment of the menu on every backend, and the results of `exactness` against the maps' own table.
#include "core/lab/experiments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/base/error.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/gl/info.hpp"
#include "core/lab/figures.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
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
        for (const Backend backend : backends())
            if (backend != Backend::kGl || entry.on_gl) cases.push_back({entry, backend});
    return cases;
}

class EveryExperiment : public ::testing::TestWithParam<LabCase> {
protected:
    void SetUp() override {
        if (GetParam().backend == Backend::kCuda && !cuda_info().available) skip_or_fail(cuda_info().reason);
        if (GetParam().backend == Backend::kGl && !gl_compute_info().available) skip_or_fail(gl_compute_info().reason);
    }
};

TEST_P(EveryExperiment, FillsItsTableAndReportsProgress) {
    std::uint64_t last = 0, of = 0;
    // Two roots only: `exactness` checks all pairs of n up to 32 768 with each. The hypercube of 256 bodies has 17
    // million blocks.
    LabConfig config{
        .backend = GetParam().backend, .roots = {"sqrt", "newton"}, .bodies = {100, 256}, .features = {2}, .repeat = 2};
    if (GetParam().entry.id == std::string_view{"quadruplet"}) config.bodies = {40, 100};
    if (GetParam().entry.id == std::string_view{"accuracy"} && !runs_long()) config.bodies = {100};  // of every preset
    const LabTable table = GetParam().entry.run(config, [&](auto done, auto total, const auto& next) {
        EXPECT_GE(done, last);
        EXPECT_LT(done, total);
        EXPECT_FALSE(next.empty());
        last = done, of = total;
    });
    EXPECT_GT(of, 0u) << "no progress was reported";
    ASSERT_FALSE(table.rows.empty());
    EXPECT_EQ(std::set<std::string>(table.columns.begin(), table.columns.end()).size(), table.columns.size());
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryExperiment, ::testing::ValuesIn(every_experiment()), [](const auto& each) {
    std::string words = std::string{each.param.entry.id} + '_' + std::string{name(each.param.backend)};
    std::ranges::replace(words, '-', '_');
    return words;
});

std::size_t column(const LabTable& table, std::string_view id) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, id) - table.columns.begin());
}

TEST(Experiments, CompareEveryMapWithBoundingBoxOfTheSameRun) {
    const LabConfig config{
        .maps = {"rb", "utm-threads"}, .roots = {"sqrt", "fp64"}, .bodies = {512, 5793}, .repeat = everyday(2, 3)};
    const LabTable table = dummy_experiment().run(config, quiet);
    ASSERT_EQ(table.rows.size(), 8u) << "bb, rb and two roots of utm-threads at two sizes";
    double bb = 0;
    for (const auto& row : table.rows) {
        const auto& map = std::get<std::string>(row[column(table, "map")]);
        const double median = std::get<double>(row[column(table, "median_ms")]);
        if (map == "bb") bb = median;
        const bool wrong = map == "utm-threads" && std::get<std::string>(row[column(table, "root")]) == "sqrt" &&
                           std::get<std::int64_t>(row[column(table, "bodies")]) == 5793;
        EXPECT_EQ(std::get<bool>(row[column(table, "verified")]), !wrong);
        EXPECT_LE(std::get<double>(row[column(table, "min_ms")]), median);
        EXPECT_LE(std::get<double>(row[column(table, "p10_ms")]), median);
        EXPECT_GE(std::get<double>(row[column(table, "p10_ms")]), std::get<double>(row[column(table, "min_ms")]));
        EXPECT_GE(std::get<double>(row[column(table, "p90_ms")]), median);
        if (wrong) {
            EXPECT_TRUE(std::holds_alternative<std::monostate>(row[column(table, "improvement")]));
            EXPECT_FALSE(std::get<std::string>(row[column(table, "why")]).empty());
        } else {
            EXPECT_DOUBLE_EQ(std::get<double>(row[column(table, "improvement")]), bb / median);
        }
    }
}

TEST(Experiments, ReuseOnlyCompleteSizes) {
    LabConfig config{.maps = {"rb", "rec"}, .bodies = {64, 128}, .repeat = 1};
    const LabTable first = dummy_experiment().run(config, quiet);
    ASSERT_EQ(first.rows.size(), 6u);
    std::size_t heard = 0, measured = 0;
    config.on_row = [&](const auto&, const auto&) { ++heard; };
    config.kept = [&](std::string_view id, const auto& columns, const auto& settings) {
        EXPECT_EQ(id, "dummy");
        EXPECT_EQ(columns, first.columns);
        for (std::size_t i = 0; i + 1 < first.rows.size(); ++i)  // the last row is missing
            if (std::equal(settings.begin(), settings.end(), first.rows[i].begin())) return first.rows[i];
        return std::vector<LabValue>{};
    };
    const LabTable second = dummy_experiment().run(config, [&](auto, auto, const auto&) { ++measured; });
    EXPECT_EQ(heard, 6u);
    EXPECT_EQ(measured, 3u) << "N = 128 is repeated completely; N = 64 is reused";
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(second.rows[i], first.rows[i]);
}

TEST(Experiments, StopBetweenMeasurements) {
    std::size_t rows = 0;
    const LabConfig config{.bodies = {64},
                           .repeat = 1,
                           .on_row = [&](const auto&, const auto&) { ++rows; },
                           .stop = [&] { return rows == 4; }};
    EXPECT_EQ(collision_experiment().run(config, quiet).rows.size(), 4u);
}

TEST(Experiments, UseTheSizesOfThePapers) {
    const auto sizes = lab_sizes({});
    ASSERT_EQ(sizes.size(), 30u);
    EXPECT_EQ(sizes.front(), 1024u);
    EXPECT_EQ(sizes.back(), 30720u);
    EXPECT_EQ(lab_sizes({.quick = true}).size(), 3u);
    EXPECT_EQ(lab_sizes({.bodies = {7}, .quick = true}), std::vector{7u});
    EXPECT_EQ(lab_sizes({}, "collision-rows", 3), sizes);
    EXPECT_EQ(lab_sizes({}, "edm", 4), sizes);
    EXPECT_EQ(lab_sizes({}, "triplet").size(), 16u);
    EXPECT_EQ(lab_sizes({}, "triplet").back(), 1024u);
    EXPECT_EQ(lab_sizes({}, "quadruplet").size(), 8u);
    EXPECT_EQ(lab_sizes({}, "quadruplet").back(), 256u);
}

TEST(Experiments, UseFewerSizesForCurvesInNoPaper) {
    for (const auto& sizes : {lab_sizes({}, "collision", 3), lab_sizes({}, "collision-pairs", 1),
                              lab_sizes({}, "edm", 2), lab_sizes({}, "edm", 3)}) {
        ASSERT_EQ(sizes.size(), 10u);
        EXPECT_EQ(sizes.front(), 3072u);
        EXPECT_EQ(sizes.back(), 30720u);
    }
}

TEST(Experiments, RefuseInvalidConfigurations) {
    for (const LabConfig& config :
         {LabConfig{.maps = {"nosuch"}}, LabConfig{.roots = {"nosuch"}}, LabConfig{.bodies = {0}},
          LabConfig{.bodies = {65537}}, LabConfig{.rho = 12}, LabConfig{.features = {5}}})
        EXPECT_THROW(edm_experiment().run(config, quiet), Error);
}

TEST(Experiments, MeasureOnlyTheirLaunchVariants) {
    EXPECT_EQ(forms_of("dummy").front(), "bb");
    EXPECT_EQ(forms_of("triplet"),
              (std::vector<std::string_view>{"cube", "lambda3", "lambda3-grid", "hadouken3", "lambda3-published",
                                             "lambda3-epsilon", "lambda3-epsilon-fp64", "lambda3-table"}));
    EXPECT_EQ(forms_of("quadruplet"), (std::vector<std::string_view>{"hypercube", "lambda4", "halves4",
                                                                     "lambda4-trusted", "lambda4-trusted-fp64"}));
    EXPECT_TRUE(std::ranges::count(forms_of("roots"), "lambda-offset"));
    EXPECT_TRUE(std::ranges::count(forms_of("edm"), "lambda-published-grid"));
    EXPECT_EQ(forms_of("exactness").front(), "lambda");
    EXPECT_TRUE(forms_of("tiles").empty());
    EXPECT_THROW(triplet_experiment().run({.maps = {"lambda"}, .bodies = {64}, .repeat = 1}, quiet), Error);
    EXPECT_THROW(dummy_experiment().run({.maps = {"lambda3"}, .bodies = {64}, .repeat = 1}, quiet), Error);
    for (const auto& row : edm_experiment().run({.bodies = {64}, .features = {1}, .repeat = 1}, quiet).rows)
        EXPECT_FALSE(std::get<std::string>(row[0]).starts_with("lambda-published")) << "only on request";
    const LabTable both =
        triplet_experiment().run({.maps = {"lambda3", "rb"}, .roots = {"fp64"}, .bodies = {100}, .repeat = 1}, quiet);
    ASSERT_EQ(both.rows.size(), 2u);
    EXPECT_EQ(both.rows[0][0], LabValue{std::string{"cube"}});
    EXPECT_EQ(both.rows[1][2], LabValue{std::int64_t{8}}) << "rho";
    EXPECT_THROW(triplet_experiment().run({.bodies = {4097}}, quiet), Error);
}

/// One body holds most of the mass.
bool has_central_body(const std::string& preset) {
    double heaviest = 0, total = 0;
    for (const Vec4d& body : make_preset(preset, {.bodies = 2048}).bodies.position_mass)
        heaviest = std::max(heaviest, body.w), total += body.w;
    return heaviest > 0.5 * total;
}

TEST(Experiments, EveryPresetKeepsTheRequestedAccuracy) {
    LabConfig config{.bodies = {2048}, .repeat = 1};
    const LabTable table = accuracy_experiment().run(config, quiet);
    std::set<std::string> known;
    for (const auto& row : table.rows) {
        const auto& preset = std::get<std::string>(row[column(table, "preset")]);
        const double ratio = std::get<double>(row[column(table, "error_over_accuracy")]);
        known.insert(preset);
        if (!std::holds_alternative<std::monostate>(row[column(table, "why")])) continue;  // the table says why
        // If a planet or star dominates, its error is controlled, and the error over all bodies is much smaller.
        EXPECT_GE(ratio, has_central_body(preset) ? 0 : 0.5) << preset;
        EXPECT_LE(ratio, 1.05) << preset;
    }
    EXPECT_EQ(table.rows.size(), known.size() * 2 * 5) << "tree and fmm, five accuracies";
    EXPECT_TRUE(known.contains("uniform-sphere"));
    const std::array<std::pair<std::string, const LabTable*>, 1> tables{{{"accuracy", &table}}};
    const auto figures = lab_figures(tables, "a device");
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures[0].file, "accuracy.svg");
    for (const std::string& preset : known) EXPECT_NE(figures[0].svg.find(preset), std::string::npos);
    config.kept = [&](std::string_view, const auto&, const auto& settings) {
        for (const auto& row : table.rows)
            if (std::equal(settings.begin(), settings.end(), row.begin())) return row;
        return std::vector<LabValue>{};
    };
    EXPECT_EQ(accuracy_experiment().run(config, quiet).rows, table.rows) << "no row is measured again";
}

TEST(Experiments, EveryHigherOrderReducesTheError) {
    const LabTable table = orders_experiment().run({.bodies = {2048}, .repeat = 1}, quiet);
    const std::size_t orders = fmm_orders(Backend::kCpu).size();
    ASSERT_EQ(table.rows.size(), 3 * orders) << "three angles";
    const auto error = [&](std::size_t row) { return std::get<double>(table.rows[row][column(table, "rms_error")]); };
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        EXPECT_LT(error(row), row % orders > 0 ? error(row - 1) : 1) << "a higher order, row " << row;
        EXPECT_LT(error(row), row >= orders ? error(row - orders) : 1) << "a smaller angle, row " << row;
    }
    const std::array<std::pair<std::string, const LabTable*>, 1> tables{{{"orders", &table}}};
    const auto figures = lab_figures(tables, "a device");
    ASSERT_EQ(figures.size(), 1u);
    EXPECT_EQ(figures[0].file, "orders.svg");
    EXPECT_NE(figures[0].svg.find("θ = 0.5"), std::string::npos);
}

TEST(Exactness, MatchesTheTableUsedByEngines) {
    // Each variant checks all pairs of n up to 32 768 with each root.
    LabConfig config;
    if (!runs_long()) config.roots = {"sqrt", "newton"};
    const std::size_t checked = runs_long() ? roots().size() : config.roots.size();
    const LabTable table = exactness_experiment().run(config, quiet);
    const auto column = [&](std::string_view id) {
        return static_cast<std::size_t>(std::ranges::find(table.columns, id) - table.columns.begin());
    };
    std::size_t published = 0, ours = 0;
    for (const auto& row : table.rows) {
        const std::string form = std::get<std::string>(row[column("map")]);
        const bool ends = std::holds_alternative<std::int64_t>(row[column("first_wrong")]);
        if (form == "lambda") {
            EXPECT_FALSE(ends) << "the result is corrected with integers";
            EXPECT_TRUE(std::holds_alternative<std::monostate>(row[column("claim_holds")]));
            ++ours;
        }
        if (form.starts_with("lambda3-")) {
            const std::int64_t layers = form == "lambda3-published" ? 3 : form == "lambda3-epsilon" ? 132 : 140;
            EXPECT_EQ(std::get<std::int64_t>(row[column("first_wrong")]), layers) << form << ", as docs/maps.md says";
        }
        if (form == "lambda4") {
            EXPECT_FALSE(ends) << "the result is corrected with integers";
        }
        if (form.starts_with("lambda4-")) {
            const std::int64_t layers = form == "lambda4-trusted" ? 126 : 16382;
            EXPECT_EQ(ends ? std::get<std::int64_t>(row[column("first_wrong")]) : 0, layers) << form;
        }
        if (!form.starts_with("lambda-")) continue;
        const RootId root = orrery::root(std::get<std::string>(row[column("root")])).root;
        const std::int64_t rows = exact_rows(map(form), root, Backend::kCpu);
        EXPECT_EQ(std::get<std::int64_t>(row[column(ends ? "first_wrong" : "scanned")]), rows) << form;
        EXPECT_EQ(std::get<std::int64_t>(row[column("bodies")]), 16 * rows);
        EXPECT_EQ(std::get<bool>(row[column("claim_holds")]), rows >= 1920) << "N ≤ 30 720 at ρ = 16";
        ++published;
    }
    EXPECT_EQ(ours, checked);
    EXPECT_EQ(published, 3 * checked);
}

TEST(Exactness, MeasuresOnlySelectedMapsAndRoots) {
    const LabConfig config{.maps = {"lambda-offset", "rb"}, .roots = {"newton", "rsqrt"}};
    const LabTable table = exactness_experiment().run(config, quiet);
    ASSERT_EQ(table.rows.size(), 2u) << "rb uses no root and has no limit";
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(std::get<std::string>(table.rows[i][column(table, "map")]), config.maps[0]);
        EXPECT_EQ(std::get<std::string>(table.rows[i][column(table, "root")]), config.roots[i]);
    }
    EXPECT_THROW(exactness_experiment().run({.maps = {"nosuch"}}, quiet), Error);
    EXPECT_THROW(exactness_experiment().run({.roots = {"nosuch"}}, quiet), Error);
}

TEST(Exactness, RequiresTheRequestedDevice) {
    if (cuda_info().available) GTEST_SKIP() << "a device is present";
    EXPECT_THROW(exactness_experiment().run({Backend::kCuda}, quiet), Error);
}

}  // namespace
}  // namespace orrery::test
