// SPDX-License-Identifier: MIT
// `check` on bodies unlike any preset: the tolerances follow from the bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <random>

#include "core/base/vec.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

/// Values are rounded to floats; `offset` takes digits from them.
std::string csv_of(double softening, int count, double offset, const std::function<Vec4d(int)>& body) {
    std::string text =
        fmt::format("# orrery: bodies={} G=1 softening={} dt=0.001 time=0\nm,x,y,z,vx,vy,vz\n", count, softening);
    for (int i = 0; i < count; ++i) {
        const Vec4d b = convert<double>(convert<float>(body(i)));
        text += fmt::format("{},{},{},{},0,0,0\n", b.w, b.x + offset, b.y, b.z);
    }
    return text;
}

class Check : public CommandTest {
protected:
    Vec4d ball(double size, double mass) {
        return {size * normal_(random_), size * normal_(random_), size * normal_(random_), mass};
    }
    nlohmann::json rows_of(const std::string& text) {
        std::ofstream{path("bodies.csv")} << text;
        return json({"check", "bodies.csv", "--backend", "cpu", "--engines", "reference,direct,half,tree", "--json"});
    }
    void expect_all_pass(const std::string& text) {
        for (const auto& row : rows_of(text)) EXPECT_TRUE(row.at("pass").get<bool>()) << row;
    }

    std::mt19937_64 random_{3};
    std::normal_distribution<double> normal_;
};

/// The RMS over all bodies hides a star: its acceleration is far below that of the light bodies about it.
TEST_F(Check, MeasuresTheAccelerationOfAStarByItself) {
    const auto rows = rows_of(csv_of(0.001, 1000, 0, [&](int i) {
        if (i == 0) return Vec4d{0.01, 0.02, 0, 1};
        const double angle = 0.37 * i, radius = 1 + 0.003 * i;
        return Vec4d{radius * std::cos(angle) * (1 + 0.3 * std::cos(angle)), radius * std::sin(angle), 1e-3 * (i % 7),
                     1e-9};
    }));
    bool hidden = false;
    for (const auto& row : rows) {
        EXPECT_TRUE(row.at("pass").get<bool>()) << row;
        if (row["heavy_tolerance"].is_null()) {  // an opening angle does not bound it
            hidden = hidden || (row["heavy_error"] > 0.01 && row["rms_error"] < 1e-5);
            continue;
        }
        EXPECT_LE(row["heavy_tolerance"].get<double>(), 3e-3) << row;
    }
    EXPECT_TRUE(hidden) << rows;
}

TEST_F(Check, PassesOnALine) {
    expect_all_pass(csv_of(0.1, 1000, 0, [](int i) { return Vec4d{double(i), 0, 0, 1}; }));
}

/// On a line, interacting cells have bodies at the very ends that face each other.
TEST_F(Check, FmmPassesOnALineAndOnFewBodies) {
    const std::string line = csv_of(0.1, 1000, 0,
                                    [](int i) {
                                        return Vec4d{double(i), 0, 0, 1};
                                    }),
                      few = csv_of(0.01, 33, 0, [&](int) { return ball(1, 0.03); });
    std::size_t widened = 0;
    for (const std::string& text : {line, few}) {
        std::ofstream{path("bodies.csv")} << text;
        for (const auto& row : json({"check", "bodies.csv", "--backend", "cpu", "--engines", "fmm", "--json"})) {
            EXPECT_TRUE(row.at("pass").get<bool>()) << row;
            if (row.at("criterion_error").is_null() || row["criterion_error"] == 0.0) continue;
            ++widened;
            EXPECT_GE(row["rms_error"].get<double>(), 0.1 * row["criterion_error"].get<double>()) << row;
        }
    }
    EXPECT_GT(widened, 0u) << "no tolerance exceeded that of a three-dimensional distribution";
}

TEST_F(Check, PassesOnAPlaneLattice) {
    expect_all_pass(csv_of(0.1, 2025, 0, [](int i) { return Vec4d{double(i % 45), double(i / 45), 0, 1}; }));
}

TEST_F(Check, PassesOnACubicLattice) {
    expect_all_pass(csv_of(0.01, 1728, 0, [](int i) {
        return Vec4d{double(i % 12), double(i / 12 % 12), double(i / 144), 1};
    }));
}

TEST_F(Check, PassesWhenFewBodiesHoldTheMass) {
    expect_all_pass(csv_of(0.02, 3000, 0, [&](int i) { return i < 100 ? ball(1, 0.01) : ball(0.3, 0.01 / 4e5); }));
}

TEST_F(Check, PassesWithTinySoftening) {
    expect_all_pass(csv_of(1e-5, 50, 0, [&](int) { return ball(1, 0.02); }));
}

/// m/ε is 2e7 here: a sum that contains the self-term keeps no digit in single precision.
TEST_F(Check, RejectsSelfTermsInThePotential) {
    for (const auto& row : rows_of(csv_of(1e-9, 50, 0, [&](int) { return ball(1, 0.02); }))) {
        EXPECT_TRUE(row.at("pass").get<bool>()) << row;
        if (row["engine"] == "tree") continue;
        EXPECT_LE(row["potential_tolerance"].get<double>(), row["precision"] == "double" ? 1e-12 : 2e-5) << row;
    }
}

TEST_F(Check, ToleranceIsBoundedByTheCriterionError) {
    for (const auto& row : rows_of(csv_of(0.01, 1728, 0, [](int i) {
             return Vec4d{double(i % 12), double(i / 12 % 12), double(i / 144), 1};
         }))) {
        if (row["engine"] != "tree") {
            EXPECT_TRUE(row.at("criterion_error").is_null());
            EXPECT_LE(row["tolerance"].get<double>(), row["precision"] == "double" ? 1e-13 : 2e-6) << row;
        } else if (row["order"] == 2) {
            EXPECT_LE(row["rms_error"].get<double>(), 1.5 * row["criterion_error"].get<double>() + 1e-6) << row;
            EXPECT_GE(row["rms_error"].get<double>(), 0.2 * row["criterion_error"].get<double>()) << row;
        }
    }
}

TEST_F(Check, NotesPositionsRoundedBySinglePrecision) {
    std::ofstream{path("far.csv")} << csv_of(0.01, 200, 1e4, [&](int) { return ball(1, 0.005); });
    const Finished done = orrery({"check", "far.csv", "--backend", "cpu", "--engines", "direct"});
    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_NE(done.err.find("note: far.csv: single precision rounds the positions"), std::string::npos) << done.err;
}

TEST_F(Check, NotesWhereTheRequestedAccuracyIsMissed) {
    std::ofstream{path("heavy.csv")} << csv_of(
        0.02, 9000, 0, [&](int i) { return i < 1000 ? ball(1, 0.001) : ball(0.1, 0.001 / 4e5); });
    const Finished done =
        orrery({"check", "heavy.csv", "--backend", "cpu", "--engines", "tree", "--precision", "single"});
    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_NE(done.err.find("the error of `tree` is"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace orrery::test
