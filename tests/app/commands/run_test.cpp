// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/kernels/compiler.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class RunCommand : public CommandTest {
protected:
    const std::vector<std::string> head{
        "step",          "time",          "kinetic",       "potential",     "total",
        "momentum_x",    "momentum_y",    "momentum_z",    "angular_x",     "angular_y",
        "angular_z",     "virial_ratio",  "mass_centre_x", "mass_centre_y", "mass_centre_z",
        "centre_x",      "centre_y",      "centre_z",      "r_1",           "r_10",
        "r_25",          "r_50",          "r_75",          "r_90",          "closest_distance",
        "closest_first", "closest_second"};
};

TEST_F(RunCommand, IsReproducibleAndIndependentOfThreads) {
    for (const char* name : {"a.tipsy", "b.tipsy"})
        ASSERT_EQ(orrery({"run", "plummer", "--bodies", "1500", "--steps", "20", "-o", name}).code, 0);
    EXPECT_EQ(content(path("a.tipsy")), content(path("b.tipsy")));
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "1500", "--steps", "20", "--threads", "1", "-o", "c.tipsy"}).code,
              0);
    EXPECT_EQ(content(path("a.tipsy")), content(path("c.tipsy"))) << "the number of threads must not change a bit";
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "1500", "--steps", "21", "-o", "d.tipsy"}).code, 0);
    EXPECT_NE(content(path("a.tipsy")), content(path("d.tipsy")));
}

TEST_F(RunCommand, ConservesEnergyAndMomentum) {
    const auto report = json({"run", "plummer", "--bodies", "2000", "--steps", "100", "--json"});
    EXPECT_EQ(report.at("steps"), 100);
    EXPECT_EQ(report.at("bodies"), 2000);
    EXPECT_LT(report.at("energy_drift").get<double>(), 1e-4);
    EXPECT_GT(report.at("energy_drift").get<double>(), 0) << "rounding must be visible";
    EXPECT_LT(report.at("momentum_drift").get<double>(), 1e-6);
    for (const char* key :
         {"scene", "engine", "backend", "map", "root", "precision", "time", "steps_per_second", "force_ms"})
        EXPECT_TRUE(report.contains(key)) << key;
}

TEST_F(RunCommand, WritesTheDiagnosticsTable) {
    ASSERT_EQ(orrery({"run", "plummer", "--bodies", "100", "--steps", "10", "--dt", "0.01", "--diagnostics", "e.csv",
                      "--diagnostics-every", "4"})
                  .code,
              0);
    const auto rows = csv_rows(content(path("e.csv")));
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(rows[0], head);
    const std::vector<std::string> steps{"0", "4", "8", "10"};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        ASSERT_EQ(rows[i + 1].size(), head.size());
        EXPECT_EQ(rows[i + 1][0], steps[i]);
        EXPECT_NEAR(std::stod(rows[i + 1][1]), 0.01 * std::stod(steps[i]), 1e-12);
        EXPECT_NEAR(std::stod(rows[i + 1][2]) + std::stod(rows[i + 1][3]), std::stod(rows[i + 1][4]), 1e-12);
    }
}

TEST_F(RunCommand, PlotsTheTableAndWritesTheProfile) {
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", "plummer", "--bodies", "500", "--steps", "6"});
        return orrery(more);
    };
    const Finished done = run({"--diagnostics", "t.csv", "--plot", "t.svg", "--profile", "p.csv"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.out, testing::HasSubstr("half the mass within"));
    EXPECT_THAT(content(path("t.svg")), testing::HasSubstr("Lagrangian radii"));
    const auto shells = csv_rows(content(path("p.csv")));
    ASSERT_GT(shells.size(), 5u);
    double bodies = 0;
    for (std::size_t i = 1; i < shells.size(); ++i) bodies += std::stod(shells[i].at(2));
    EXPECT_EQ(bodies, 500);
    EXPECT_EQ(run({"--plot", "t.svg"}).code, 2) << "no table to plot";
}

TEST_F(RunCommand, WritesTheTableAsHdf5) {
    const Finished done = orrery(
        {"run", "plummer", "--bodies", "500", "--steps", "6", "--diagnostics", "t.csv", "--diagnostics-hdf", "t.h5"});
    if (!hdf5::kWhyNot.empty()) {
        EXPECT_EQ(done.code, 3);
        return;
    }
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(content(path("t.h5")).substr(1, 3), "HDF");
}

// A year is 731 half days; the last one ends after the year.
TEST_F(RunCommand, UntilAcceptsUnits) {
    const auto report =
        json({"run", "solar-system", "--until", "1yr", "--dt", "0.5day", "--precision", "double", "--json"});
    EXPECT_EQ(report.at("steps"), 731);
    EXPECT_LT(report.at("energy_drift").get<double>(), 1e-7);
}

TEST_F(RunCommand, SnapshotsContinueARun) {
    ASSERT_EQ(
        orrery({"run", "figure-eight", "--steps", "40", "--precision", "double", "-o", "half.csv", "-o", "half.tipsy"})
            .code,
        0);
    EXPECT_TRUE(std::filesystem::exists(path("half.tipsy")));
    const Scene half = read_snapshot(path("half.csv"));
    ASSERT_EQ(half.bodies.size(), 3u);
    EXPECT_NE(half.bodies.position_mass[0].x, 0);
    EXPECT_EQ(orrery({"run", "half.csv", "--steps", "1", "--dt", "0.001"}).code, 0);
}

TEST_F(RunCommand, InterruptWritesAllOutputs) {
    for (const bool ok : {false, true}) {
        std::vector<std::string> arguments{"run",       "plummer", "--bodies", "1000",          "--steps",
                                           "100000000", "-o",      "a.csv",    "--diagnostics", "table.csv"};
        if (ok) arguments.emplace_back("--ok-if-interrupted");
        std::filesystem::remove(path("a.csv")), std::filesystem::remove(path("table.csv"));
        const Finished run = orrery(arguments, {.signal_when = "table.csv", .signal_at = 500});
        EXPECT_EQ(run.code, ok ? 0 : 128 + SIGINT) << run.err;
        EXPECT_THAT(run.err, testing::HasSubstr("interrupted after step"));
        EXPECT_EQ(read_snapshot(path("a.csv")).bodies.size(), 1000u);
    }
}

/// If the disk fills up, the loss of the table is reported and the run continues, as for a checkpoint.
TEST_F(RunCommand, FullDiskForTheTableDoesNotEndTheRun) {
    const Finished run = orrery({"run", "plummer", "--bodies", "50", "--steps", "40", "--diagnostics", "t.csv",
                                 "--diagnostics-every", "1", "-o", "end.csv"},
                                {.file_limit = 9000});
    EXPECT_EQ(run.code, 3);
    EXPECT_EQ(run.error_lines(), 2u) << run.err;
    EXPECT_THAT(run.err, testing::HasSubstr("t.csv: cannot be written"));
    EXPECT_THAT(run.err, testing::HasSubstr("and the run continues"));
    EXPECT_TRUE(std::filesystem::exists(path("end.csv")));
    const auto rows = csv_rows(content(path("t.csv")));
    ASSERT_GT(rows.size(), 2u);
    for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size()) << "no partial row";
}

/// 40 bodies; every third has no mass, as in initial conditions of AREPO.
TEST_F(RunCommand, MasslessBodiesAreAcceptedWithANote) {
    std::string text = "m,x,y,z,vx,vy,vz,species\n";
    for (int i = 0; i < 40; ++i)
        text += fmt::format("{},{},{},{},0,0,0,{}\n", i % 3 == 2 ? 0 : 1, i, i * i % 7, i * i % 11,
                            i % 3 == 2 ? "gas" : "halo");
    save("ic.csv", text);
    for (const char* integrator : {"leapfrog", "leapfrog-block", "hermite4", "hermite4-block"}) {
        const Finished run = orrery({"run", "ic.csv", "--steps", "20", "--integrator", integrator, "-o", "end.csv",
                                     "--diagnostics", "t.csv", "--precision", "double"});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_THAT(run.err, testing::HasSubstr("ic.csv: bodies without mass: 13 (gas) of 40"));
        EXPECT_THAT(content(path("t.csv")), testing::Not(testing::HasSubstr("nan")));
        for (const auto& row : csv_rows(content(path("t.csv")))) EXPECT_EQ(std::ranges::count(row, ""), 0);
    }
}

TEST_F(RunCommand, ReportsTheLevelsOfIndividualSteps) {
    for (const char* integrator : {"leapfrog-block", "hermite4-block"}) {
        const auto report = json({"run", "plummer", "--bodies", "50", "--softening", "0.01", "--steps", "3", "--dt",
                                  "0.5", "--integrator", integrator, "--backend", "cpu", "--json"});
        std::size_t bodies = 0;
        for (const std::size_t rung : report["ladder"]["bodies"]) bodies += rung;
        EXPECT_EQ(bodies, 50u);
        EXPECT_GT(report["ladder"]["forces"], 50 * 3);
    }
    EXPECT_FALSE(json({"run", "plummer", "--bodies", "50", "--steps", "3", "--json"}).contains("ladder"));
}

/// Two bodies fall together head-on: no time step resolves their encounter.
TEST_F(RunCommand, WarnsOfUnresolvedEncounters) {
    save("two.csv", "m,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,0,0\n1,0.5,0,0,0,0,0\n");
    const std::vector<std::string> begin{"run",    "two.csv",   "--softening", "0",           "--engine",
                                         "direct", "--backend", "cpu",         "--precision", "double"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), begin.begin(), begin.end());
        return orrery(more);
    };
    const Finished equal = with({"--dt", "0.01", "--steps", "100"});
    EXPECT_EQ(equal.code, 0) << equal.err;
    EXPECT_THAT(equal.err, testing::HasSubstr("is more than 0.01: the bodies have left their true orbits"));
    const Finished adaptive = with({"--dt", "0.01", "--adaptive", "0.02", "--until", "10"});
    EXPECT_EQ(adaptive.code, 3) << adaptive.err;
    EXPECT_NE(adaptive.err.find("no longer changes the time"), std::string::npos) << adaptive.err;
    const Finished resolved = with({"--dt", "0.001", "--until", "0.3"});
    EXPECT_EQ(resolved.code, 0) << resolved.err;
    EXPECT_EQ(resolved.err, "");
}

/// A chain of bodies at rest, each touching the next: they merge into one body at rest.
TEST_F(RunCommand, MergingAChainGivesNoWarning) {
    std::string text = "# orrery: G=1 softening=0.1 dt=0.001\nm,x,y,z,vx,vy,vz\n";
    for (int i = 0; i < 100; ++i) text += fmt::format("1,{},0,0,0,0,0\n", i);
    save("chain.csv", text);
    const std::vector<std::string> merging{"run",     "chain.csv", "--encounters", "merge", "--body-radius", "0.6",
                                           "--steps", "3",         "--precision",  "double"};
    const Finished told = orrery(merging);
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(told.err, "");
    auto with_json = merging;
    with_json.push_back("--json");
    const auto report = json(with_json);
    EXPECT_EQ(report.at("bodies"), 1);
    EXPECT_LT(report.at("momentum_drift").get<double>(), 1e-14);
    EXPECT_TRUE(report.at("warning").is_null());
}

TEST_F(RunCommand, WarnsIfFixedStepsLoseTheOrbits) {
    const auto report = json({"run", "pythagorean", "--adaptive", "0", "--dt", "0.01", "--steps", "3000", "--precision",
                              "double", "--json"});
    EXPECT_GT(report.at("energy_drift").get<double>(), 1e-2);
    EXPECT_THAT(report.at("warning").get<std::string>(), testing::HasSubstr("adaptive steps"));
}

/// A constant repulsion, under which the energy of gravity changes by far more than 1 %.
TEST_F(RunCommand, KernelOfItsOwnLawHasNoEnergyAndNoWarning) {
    if (const std::string why = why_no_kernel_compiler(); !why.empty()) GTEST_SKIP() << why;
    std::ofstream{path("push.cpp")} << "//! title = Push\n//! kind = pair\n//! language = c++\n//! law = own\n"
                                       "#include <orrery/kernel.h>\ntemplate <class Real>\n"
                                       "orrery::Pair<Real> pair(Real, Real, Real other, const Parameters<Real>&) {\n"
                                       "    return {-50 * other, 0};\n}\n";
    const std::vector<std::string> run{"run", "plummer",   "--bodies", "100",      "--steps",
                                       "50",  "--backend", "cpu",      "--kernel", path("push.cpp").string()};
    const Finished found = orrery(run);
    ASSERT_EQ(found.code, 0) << found.err;
    EXPECT_THAT(found.out, testing::HasSubstr("energy    unknown: the kernel has its own law"));
    EXPECT_THAT(found.out, testing::HasSubstr("momentum"));
    EXPECT_THAT(found.err, testing::Not(testing::HasSubstr("warning")));
    std::vector<std::string> as_json = run;
    as_json.push_back("--json");
    const auto report = json(as_json);
    EXPECT_TRUE(report.at("energy").is_null());
    EXPECT_TRUE(report.at("energy_drift").is_null());
    EXPECT_TRUE(report.at("warning").is_null());
    EXPECT_LT(report.at("momentum_drift").get<double>(), 1e-4);
}

TEST_F(RunCommand, RefusesEnergiesAndTimesBeyondDouble) {
    save("large.csv", "m,x,y,z,vx,vy,vz\n1e300,-1,0,0,0,0,0\n1e300,1,0,0,0,0,0\n");
    const Finished large = orrery({"run", "large.csv", "--steps", "1", "--precision", "double"});
    EXPECT_NE(large.code, 0);
    EXPECT_THAT(large.err, testing::HasSubstr("not finite"));
    save("late.csv", "# orrery: G=1 time=1e308 dt=0.001\nm,x,y,z,vx,vy,vz\n1,-1,0,0,0,0.5,0\n1,1,0,0,0,-0.5,0\n");
    const Finished late = orrery({"run", "late.csv", "--steps", "1", "--precision", "double"});
    EXPECT_EQ(late.code, 3);
    EXPECT_THAT(late.err, testing::HasSubstr("too short to change the time 1e+308"));
    EXPECT_THAT(late.err, testing::Not(testing::HasSubstr("have met")));
}

/// A sphere that shrinks about 40 coincident bodies never excludes one of them.
TEST_F(RunCommand, AnalysesOfCoincidentBodiesTerminate) {
    std::string text = "# orrery: G=1 softening=0.01 dt=1e-9\nm,x,y,z,vx,vy,vz\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("0.0166667,{},0,0,0,0,0\n", i < 40 ? 0 : i);
    save("c.csv", text);
    EXPECT_EQ(orrery({"run", "c.csv", "--steps", "1"}).code, 0);
    EXPECT_EQ(orrery({"plot", "c.csv", "density", "-o", "a.svg"}).code, 0);
    const Finished groups = orrery({"plot", "c.csv", "groups", "-o", "a.svg"});
    EXPECT_EQ(groups.code, 2);
    EXPECT_THAT(groups.err, testing::HasSubstr("half of the bodies are at one place"));
}

TEST_F(RunCommand, RefusesSinglePrecisionFarFromTheOrigin) {
    std::string text = "# orrery: G=1 softening=0.1 dt=0.005\nm,x,y,z,vx,vy,vz\n";
    for (int i = 0; i < 64; ++i)
        text += fmt::format("0.015625,{},{},{},{},{},0\n", 1e5 + std::sin(i), 1e5 + std::cos(3 * i), std::sin(7 * i),
                            0.3 * std::cos(i), 0.3 * std::sin(5 * i));
    save("far.csv", text);
    const Finished single = orrery({"run", "far.csv", "--steps", "10", "-o", "a.csv"});
    EXPECT_EQ(single.code, 2);
    EXPECT_THAT(single.err, testing::HasSubstr("use --precision double"));
    EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
    for (const char* precision : {"double", "mixed"})
        EXPECT_LT(json({"run", "far.csv", "--steps", "200", "--precision", precision, "--json"}).at("energy_drift"),
                  1e-4)
            << precision;
}

TEST_F(RunCommand, PresetSelectsTheEngineItNeeds) {
    const std::vector<std::string> run{"run", "argon-cluster", "--bodies", "32", "--steps", "2", "--json"};
    const auto report = json(run);
    EXPECT_EQ(report.at("engine"), "triplet");
    auto other = run;
    other.insert(other.end(), {"--engine", "direct"});
    EXPECT_EQ(json(other).at("engine"), "direct") << "the option has priority";
    auto precise = run;
    precise.insert(precise.end(), {"--precision", "double"});
    EXPECT_EQ(json(precise).at("engine"), "triplet");
}

/// With this time step, positions overflow a float after a few steps.
TEST_F(RunCommand, NonFiniteStateStopsTheRun) {
    const std::vector<std::string> run{"run",  "plummer", "--bodies", "20",         "--dt",
                                       "1e37", "--steps", "10000",    "--no-energy"};
    const Finished bare = orrery(run);
    EXPECT_EQ(bare.code, 3);
    EXPECT_EQ(bare.error_lines(), 1u) << bare.err;
    EXPECT_THAT(bare.err, testing::HasSubstr("body"));
    EXPECT_THAT(bare.err, testing::Not(testing::HasSubstr("last-good")));

    auto with_outputs = run;
    with_outputs.insert(with_outputs.end(), {"-o", "a.csv", "-o", "b.std.tipsy"});
    const Finished kept = orrery(with_outputs);
    EXPECT_EQ(kept.code, 3);
    EXPECT_EQ(kept.error_lines(), 1u) << kept.err;
    EXPECT_THAT(kept.err, testing::ContainsRegex("body .*the state after step [0-9]+ is in .*a\\.last-good\\.csv"));
    EXPECT_THAT(kept.err, testing::HasSubstr("b.last-good.std.tipsy"));
    EXPECT_FALSE(std::filesystem::exists(path("a.csv"))) << "it would be mistaken for the state after 10000 steps";
    for (const char* name : {"a.last-good.csv", "b.last-good.std.tipsy"}) {
        const Scene last = read_snapshot(path(name));  // rejects non-finite values
        EXPECT_EQ(last.bodies.size(), 20u) << name;
    }
}

}  // namespace
}  // namespace orrery::test
