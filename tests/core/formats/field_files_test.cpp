// SPDX-License-Identifier: MIT
// Files as users of other programs have them. They are not in the repository; ORRERY_DATA names their folder.
#include <cstdlib>
#include <map>

#include "core/formats/formats.hpp"
#include "core/physics/units.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Reads a file; returns nothing if it is missing.
std::optional<Scene> read_data(const std::string& name) {
    const char* folder = std::getenv("ORRERY_DATA");
    const std::filesystem::path file = std::filesystem::path{folder ? folder : ORRERY_DATA_DIR} / name;
    if (!exists(file)) return std::nullopt;
    return read_snapshot(file);
}

std::map<Species, std::size_t> species_of(const Bodies& bodies) {
    std::map<Species, std::size_t> counts;
    for (std::size_t i = 0; i < bodies.size(); ++i) ++counts[bodies.species_of(i)];
    return counts;
}

double mass_of(const Bodies& bodies) {
    double sum = 0;
    for (const Vec4d& p : bodies.position_mass) sum += p.w;
    return sum;
}

/// Sums over all rows of the file, computed with h5py.
struct CutOut {
    const char* name;
    double mass, x, vz;
};

class CutOuts : public testing::TestWithParam<CutOut> {};

TEST_P(CutOuts, HaveTheSumsOfTheirDataSets) {
    const CutOut& expected = GetParam();
    const auto scene = read_data(std::string{"proofs/cut_"} + expected.name + ".hdf5");
    if (!scene) GTEST_SKIP() << "the file is missing";
    EXPECT_EQ(species_of(scene->bodies), (std::map<Species, std::size_t>{{Species::kGas, 20}, {Species::kStars, 20}}));
    double x = 0, vz = 0;
    for (std::size_t i = 0; i < scene->bodies.size(); ++i)
        x += scene->bodies.position_mass[i].x, vz += scene->bodies.velocity[i].z;
    EXPECT_NEAR(mass_of(scene->bodies), expected.mass, 1e-12 * expected.mass);
    EXPECT_NEAR(x, expected.x, 1e-12 * std::abs(expected.x));
    EXPECT_NEAR(vz, expected.vz, 1e-11 * std::abs(expected.vz));
}

INSTANTIATE_TEST_SUITE_P(
    OfSimulations, CutOuts,
    testing::Values(CutOut{"Colibre", 0.08763790369266644, -0.1873811164511423, 470.71405029296875},
                    CutOut{"EAGLE", 0.005705516639864072, 631.0830692458054, 11796.269926071167},
                    CutOut{"HorizonAGN", 115977261.24417642, 494045.58284629695, 1780.0478417916986},
                    CutOut{"IllustrisTNG", 0.0033783636972657405, 437418.9742365461, 3280.0502504110336},
                    CutOut{"Magneticum", 0.01421910887438571, 192004.60794650725, -3065.234127998352}),
    [](const auto& instance) { return instance.param.name; });

/// Scale factors as h5py reads them; Horizon-AGN's file states no time, but an expansion factor.
TEST(FieldFiles, CosmologicalFilesAreShownAtTheirScaleFactor) {
    for (const auto& [name, a] : {std::pair{"field/cosmological_clock", 0.25},
                                  {"proofs/cut_EAGLE", 0.7868432969306779},
                                  {"proofs/cut_HorizonAGN", 0.982333572809032},
                                  {"proofs/cut_IllustrisTNG", 0.7705836268786364},
                                  {"proofs/cut_Magneticum", 0.773422649146155}}) {
        const auto scene = read_data(std::string{name} + ".hdf5");
        if (!scene) GTEST_SKIP() << "the file is missing";
        EXPECT_NEAR(scene->scale_factor, a, 1e-12) << name;
        EXPECT_EQ(scene->time, scene->scale_factor) << name;
    }
}

TEST(FieldFiles, CosmologicalFactorsAndAgeAreNamed) {
    const auto scene = read_data("proofs/cut_IllustrisTNG.hdf5");
    if (!scene) GTEST_SKIP() << "the file is missing";
    EXPECT_THAT(scene->notes, Contains(HasSubstr("a / h = 1.138 times those of the file, masses 1 / h = 1.476, "
                                                 "peculiar velocities √a = 0.8778")));
    EXPECT_THAT(scene->notes, Contains(HasSubstr("z = 0.298, 10.3 Gyr after the big bang")));
}

/// Of an Einstein-de Sitter universe 2/3 of the Hubble time, and of Planck's parameters 13.8 Gyr (Planck 2015 XIII).
TEST(Expansion, AgeOfTheUniverse) {
    EXPECT_NEAR(age_of_universe(1, 1, 0.5), 2.0 / 3 * 9.778 / 0.5, 1e-3);
    EXPECT_NEAR(age_of_universe(1, 0.3089, 0.6774), 13.80, 0.01);
    EXPECT_NEAR(age_of_universe(0.25, 1, 0.7), age_of_universe(1, 1, 0.7) / 8, 1e-12);
}

TEST(FieldFiles, SingularColumnNamesAreRead) {
    const auto scene = read_data("field/singular_names.hdf5");
    if (!scene) GTEST_SKIP() << "the file is missing";
    using enum Species;
    EXPECT_EQ(species_of(scene->bodies),
              (std::map<Species, std::size_t>{{kGas, 10}, {kHalo, 20}, {kStars, 6}, {kBoundary, 1}}));
    EXPECT_NEAR(mass_of(scene->bodies), 0.0186, 1e-8);
}

TEST(FieldFiles, NeutrinosAreSkippedWithANote) {
    const auto scene = read_data("field/seven_types.hdf5");
    if (!scene) GTEST_SKIP() << "the file is missing";
    EXPECT_EQ(scene->bodies.size(), 43u);
    EXPECT_NEAR(mass_of(scene->bodies), 1.14, 1e-6);
    EXPECT_THAT(scene->notes, Contains(HasSubstr("16 neutrinos (species 6) are left out")));
}

TEST(FieldFiles, MassesFromTableAndBlockAreRead) {
    const auto scene = read_data("field/mass_twice.snap2");
    if (!scene) GTEST_SKIP() << "the file is missing";
    EXPECT_EQ(scene->bodies.size(), 12u);
    EXPECT_NEAR(mass_of(scene->bodies), 12.484408, 1e-6);
}

TEST(FieldFiles, TipsyOfVersionTwoHasIds) {
    const auto scene = read_data("field/ids_in_tipsy.tipsy");
    if (!scene) GTEST_SKIP() << "the file is missing";
    ASSERT_EQ(scene->bodies.ids.size(), 200u);
    for (std::uint64_t i = 0; i < 200; ++i)
        EXPECT_EQ(scene->bodies.ids[i], i < 130 ? 3'000'000'000'000'000'000u + i : i - 130);
    EXPECT_NEAR(scene->gravity.softening, 0.3829, 5e-5);
}

TEST(FieldFiles, UnreadBlocksAreNamed) {
    const auto scene = read_data("proofs/pot_acc.format2.gadget2");
    if (!scene) GTEST_SKIP() << "the file is missing";
    EXPECT_EQ(scene->bodies.size(), 1000u);
    EXPECT_THAT(scene->notes, Contains(testing::AllOf(HasSubstr("further blocks, read on request (--fields): block "),
                                                      HasSubstr("block \"POT\" (potential)"),
                                                      HasSubstr("block \"ACCE\" (acceleration)"))));
}

}  // namespace
}  // namespace orrery::test
