// SPDX-License-Identifier: MIT
#include "core/analysis/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

struct State {
    Scene scene = make_preset("plummer", {.bodies = 200});
    Diagnostics energy = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
    Structure structure;
    State() {
        Pool pool{1, false};
        structure = structure_of(pool, scene.bodies);
    }
};

std::optional<double> number(const std::vector<std::optional<double>>& values, const std::string& column) {
    const auto names = diagnostics_columns();
    return values.at(static_cast<std::size_t>(std::ranges::find(names, column) - names.begin()));
}

TEST(DiagnosticsColumns, MatchTheirNames) {
    const State s;
    const auto all = diagnostics_values(7, 0.25, &s.energy, &s.structure);
    ASSERT_EQ(all.size(), diagnostics_columns().size());
    EXPECT_EQ(number(all, "step"), 7);
    EXPECT_EQ(number(all, "time"), 0.25);
    EXPECT_EQ(number(all, "potential"), s.energy.potential);
    EXPECT_EQ(number(all, "total"), s.energy.total());
    EXPECT_EQ(number(all, "virial_ratio"), s.energy.virial_ratio());
    EXPECT_EQ(number(all, "angular_z"), s.energy.angular_momentum.z);
    EXPECT_EQ(number(all, "mass_centre_y"), s.structure.motion.centre_of_mass.y);
    EXPECT_EQ(number(all, "centre_x"), s.structure.centre.x);
    EXPECT_EQ(number(all, "r_1"), s.structure.lagrangian_radii.front());
    EXPECT_EQ(number(all, "r_50"), s.structure.lagrangian_radii[3]);
    EXPECT_EQ(number(all, "closest_distance"), s.structure.closest->distance);
    EXPECT_EQ(number(all, "closest_second"), s.structure.closest->second);
}

TEST(DiagnosticsColumns, AreEmptyForUnknownQuantities) {
    const State s;
    const auto without_energy = diagnostics_values(0, 0, nullptr, &s.structure);
    EXPECT_FALSE(number(without_energy, "potential"));
    EXPECT_EQ(number(without_energy, "kinetic"), s.energy.kinetic) << "motion is known without forces";
    const auto without_structure = diagnostics_values(0, 0, &s.energy, nullptr);
    EXPECT_FALSE(number(without_structure, "r_50"));
    EXPECT_EQ(number(without_structure, "kinetic"), s.energy.kinetic);
}

class DiagnosticsTables : public Scratch {
protected:
    /// A table with two rows, the second without the structure columns.
    std::filesystem::path write() const {
        const State s;
        std::string text;
        for (const std::string& column : diagnostics_columns())
            text += column + (&column == &diagnostics_columns().back() ? '\n' : ',');
        text += csv_fields(diagnostics_values(0, 0, &s.energy, &s.structure)) + '\n';
        text += csv_fields(diagnostics_values(5, 0.1, &s.energy, nullptr)) + '\n';
        return save("t.csv", text);
    }
};

TEST_F(DiagnosticsTables, RoundTrip) {
    const State s;
    const NumberTable table = read_number_table(write());
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0], diagnostics_values(0, 0, &s.energy, &s.structure));
    EXPECT_EQ(table.rows[1], diagnostics_values(5, 0.1, &s.energy, nullptr));
    EXPECT_EQ(table.column("time")[1], 0.1);
    EXPECT_FALSE(table.column("r_90")[1]);
    EXPECT_THROW((void)table.column("nonsense"), Error);
}

TEST_F(DiagnosticsTables, ReportTheLineOfInvalidNumbers) {
    const auto bad = save("bad.csv", "a,b\n1,2\n3,x\n"), cut = save("cut.csv", "a,b\n1\n");
    expect_error([&] { (void)read_number_table(bad); }, Blame::kUsage, "bad.csv:3", "'x'");
    expect_error([&] { (void)read_number_table(cut); }, Blame::kUsage, "cut.csv:2");
}

TEST_F(DiagnosticsTables, ArePlotted) {
    const std::string svg = plot_diagnostics(read_number_table(write()), "title", "note");
    for (const char* word : {"<svg", "Lagrangian radii", "Energy", "50 % of the mass", "title", "note"})
        EXPECT_THAT(svg, testing::HasSubstr(word));
    EXPECT_THAT(svg, testing::Not(testing::HasSubstr("nan")));
    EXPECT_THAT(plot_diagnostics({.columns = read_number_table(write()).columns, .rows = {}}, "title", "note"),
                testing::HasSubstr("nothing to plot"));
}

}  // namespace
}  // namespace orrery::test
