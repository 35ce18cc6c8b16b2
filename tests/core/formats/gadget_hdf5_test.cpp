// SPDX-License-Identifier: MIT
// Snapshots of Gadget and AREPO in their variants: several files, units, other byte orders.
#include <cmath>
#include <limits>

#include "tests/core/formats/gadget_hdf5_files.hpp"

namespace orrery::test {
namespace {

using Made = MadeGadgetHdf5;

class GadgetHdf5 : public GadgetHdf5Files {};

TEST_F(GadgetHdf5, ReadsAnyByteOrderAndPrecision) {
    for (const hid_t number : {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE}) {
        Made made;
        made.number = number;
        const Scene scene = read(made);
        ASSERT_EQ(scene.bodies.size(), 2u);
        EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{4, 5, 6, 0.25}));
        EXPECT_EQ(scene.bodies.velocity[1], (Vec3d{0, 0, 2}));
        EXPECT_EQ(scene.bodies.ids, made.ids);
        EXPECT_EQ(scene.time, 0.25);
    }
}

/// Sign, exponent and mantissa in any order, exact to the last bit.
TEST_F(GadgetHdf5, ReadsAnyOrderOfSignExponentAndMantissa) {
    for (const auto& [sign, exponent, mantissa] : {std::array<std::size_t, 3>{0, 53, 1}, {0, 1, 12}, {52, 53, 0}}) {
        const hdf5::Handle type{H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
        ASSERT_GE(H5Tset_fields(type.id(), sign, exponent, 11, mantissa, 52), 0);
        Made made;
        made.number = type.id();
        const Bodies bodies = read(made).bodies;
        EXPECT_EQ(bodies.position_mass[1], (Vec4d{4, 5, 6, 0.25})) << sign;
        EXPECT_EQ(bodies.velocity[1], (Vec3d{0, 0, 2})) << sign;
    }
}

TEST_F(GadgetHdf5, NamesDataSetsThatAreNotRead) {
    Made made;
    made.more = {{"Orrery_G", 1}}, made.also = {"Potential", "Acceleration"};
    EXPECT_THAT(read(made).notes,
                testing::ElementsAre(
                    "a.hdf5: further data sets, read on request (--fields): PartType1/Acceleration, Potential"));
    made.names = {{"Coordinates", "Position"}};
    for (int i = 10; i < 30; ++i) made.also.push_back("Field" + std::to_string(i));
    EXPECT_THAT(read(made).notes,
                testing::ElementsAre(testing::AllOf(testing::HasSubstr("PartType1/Acceleration, Field10, "),
                                                    testing::EndsWith("Field16 and 14 more"))));
    for (int i = 30; i < 300; ++i) made.also.push_back("Field" + std::to_string(i));
    EXPECT_EQ(read(made).bodies.size(), 2u);
}

TEST_F(GadgetHdf5, ReadsACommonMassFromTheTable) {
    Made made;
    made.mass_table[1] = 0.125, made.left_out = {"Masses"};
    EXPECT_EQ(read(made).bodies.position_mass[1].w, 0.125);
}

TEST_F(GadgetHdf5, DerivesGFromUnitsInHeaderOrParameters) {
    for (const char* where : {"Header", "Parameters"}) {
        Made made;
        made.units = {3.0857e21, 1.989e43, 1e5}, made.units_in = where;  // kpc, 10^10 solar masses, km/s
        const Scene scene = read(made);
        EXPECT_NEAR(scene.gravity.constant, 43007.1, 100) << where;  // Springel 2005; it used G = 6.672e-8
        EXPECT_NEAR(scene.days_per_time / 365.25e9, 0.978, 1e-3);    // kpc / (km/s) in Gyr
        EXPECT_EQ(scene.length_unit, "kpc");
        EXPECT_EQ(scene.mass_unit, "10¹⁰M☉");
        EXPECT_THAT(scene.notes, testing::Not(testing::Contains(testing::HasSubstr("no units"))));
    }
    Made gizmo;
    gizmo.more = {{"UnitLength_In_CGS", 3.0857e21}, {"UnitMass_In_CGS", 1.989e43}, {"UnitVelocity_In_CGS", 1e5}};
    EXPECT_NEAR(read(gizmo).gravity.constant, 43007.1, 100);
    EXPECT_EQ(read(gizmo).length_unit, "kpc");
    EXPECT_THAT(read(Made{}).notes, testing::Contains(testing::HasSubstr("states no units; G = 1")));
}

TEST_F(GadgetHdf5, IgnoresUnitsThatAreNotPositive) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const std::array<double, 3> units : {std::array{0.0, 1e33, 1e5}, {1e21, -1.0, 1e5}, {1e21, 1e33, infinite}}) {
        Made made;
        made.units = units;
        const Scene scene = read(made);
        EXPECT_EQ(scene.gravity.constant, 1);
        EXPECT_EQ(scene.days_per_time, 0);
        EXPECT_THAT(scene.notes, testing::ElementsAre(testing::HasSubstr("states no units; G = 1")));
    }
    Made made;
    made.units = {1, 1, 1};
    EXPECT_NEAR(read(made).gravity.constant, 6.6743e-8, 1e-15);
    EXPECT_NEAR(read(made).days_per_time, 1.0 / 86400, 1e-12);
    EXPECT_EQ(read(made).length_unit + read(made).mass_unit, "");
    made.units = {3.0857e18, 1.989e33, 1e5};
    EXPECT_EQ(read(made).length_unit + read(made).mass_unit, "pcM☉");
    made.units = {1.496e13 * (1 - 0.9e-3), 1.989e33 * (1 + 1.9e-3), 1e5};
    EXPECT_EQ(read(made).length_unit + read(made).mass_unit, "AUM☉");
    made.units = {3.0857e24 * (1 + 1.1e-3), 1.989e43 * (1 - 2.1e-3), 1e5};
    EXPECT_EQ(read(made).length_unit + read(made).mass_unit, "");
    made.units = {1e300, 1, 1e10};
    refuses(made, "its units are invalid");
}

TEST_F(GadgetHdf5, OrreryAttributesTakePrecedence) {
    Made made;
    made.units = {3.0857e21, 1.989e43, 1e5};
    made.more = {{"Orrery_G", 2}, {"Orrery_days_per_time", 3}, {"Orrery_softening", 0.5}, {"Orrery_dt", 0.25}};
    const Scene scene = read(made);
    EXPECT_EQ(scene.gravity.constant, 2);
    EXPECT_EQ(scene.gravity.softening, 0.5);
    EXPECT_EQ(scene.days_per_time, 3);
    EXPECT_EQ(scene.dt, 0.25);
    made.units.reset();
    made.more = {{"Orrery_G", 2}};
    EXPECT_TRUE(read(made).notes.empty());
    made.more = {{"Orrery_G", 0}, {"Orrery_days_per_time", -3}, {"Orrery_softening", -1}, {"Orrery_dt", 0}};
    const Scene none = read(made);
    EXPECT_EQ(none.gravity.constant, 1);
    EXPECT_EQ(none.gravity.softening, 0);
    EXPECT_EQ(none.days_per_time, 0);
    EXPECT_GT(none.dt, 0);
}

TEST_F(GadgetHdf5, RecognisesATimeThatIsTheScaleFactor) {
    const auto scale_factor = [this](std::vector<std::pair<const char*, double>> more) {
        Made made;  // with time 0.25
        made.more = std::move(more);
        return read(made).scale_factor;
    };
    EXPECT_EQ(scale_factor({{"Redshift", 3}}), 0.25);
    EXPECT_EQ(scale_factor({{"Redshift", 3}, {"Omega0", 0.3}}), 0.25);
    EXPECT_EQ(scale_factor({{"Redshift", 3}, {"ComovingIntegrationOn", 0}}), 0);
    EXPECT_EQ(scale_factor({{"Redshift", 0}, {"Omega0", 0.3}}), 0);
    EXPECT_EQ(scale_factor({{"Redshift", 9}, {"Omega0", 0.3}}), 0);
    EXPECT_EQ(scale_factor({}), 0);
    EXPECT_EQ(scale_factor({{"Orrery_scale_factor", 0.2}}), 0.2);
}

TEST_F(GadgetHdf5, NotesIgnoredAttributes) {
    const auto notes = [&](const char* name, double value) {
        Made made;
        made.more = {{"Orrery_G", 1}, {name, value}};
        return read(made).notes;
    };
    EXPECT_TRUE(notes("BoxSize", 0).empty());
    EXPECT_TRUE(notes("Redshift", 0).empty());
    EXPECT_THAT(notes("BoxSize", 50), testing::ElementsAre(testing::HasSubstr("side 50")));
    Made boxed;
    boxed.more = {{"BoxSize", 50}};
    read(boxed);
    EXPECT_EQ(read_head(path("a.hdf5")).box, 50);
    EXPECT_THAT(notes("Redshift", 2), testing::ElementsAre(testing::HasSubstr("cosmological")));
    EXPECT_THAT(notes("Omega0", 0.3), testing::ElementsAre(testing::HasSubstr("cosmological")));
    Made made;
    made.total = {0, 0, 0, 0, 0, 0}, made.more = {{"Orrery_G", 1}};
    EXPECT_TRUE(read(made).notes.empty()) << "some programs leave the totals at 0";
    made.here = {0, 2, 0, 0, 0, 0, 1};
    EXPECT_THAT(read(made).notes, testing::ElementsAre(testing::HasSubstr("1 neutrinos (species 6) are left out")));
    made.here = {0, 2, 0, 0, 0, 0, 0};
    EXPECT_EQ(read(made).bodies.size(), 2u);
}

TEST_F(GadgetHdf5, SeveralFilesAreOneSnapshot) {
    Made first, second;
    first.files = second.files = 2;
    first.total = second.total = {0, 4, 0, 0, 0, 0};
    second.x = {-1, -2, -3, -4, -5, -6}, second.ids = {9, 10};
    second.write(path("s_007.1.hdf5"));
    const Scene scene = read(first, "s_007.0.hdf5");
    ASSERT_EQ(scene.bodies.size(), 4u);
    EXPECT_EQ(scene.bodies.ids, (std::vector<std::uint64_t>{7, 8, 9, 10}));
    EXPECT_EQ(read_snapshot(path("s_007.1.hdf5")).bodies.ids, scene.bodies.ids) << "any of the files may be given";

    second.total = {0, 5, 0, 0, 0, 0};
    second.write(path("s_007.1.hdf5"));
    expect_error([&] { read_snapshot(path("s_007.0.hdf5")); }, Blame::kUsage, "s_007.1.hdf5", "not of the same");
    first.total = second.total;
    first.write(path("s_007.0.hdf5"));
    expect_error([&] { read_snapshot(path("s_007.0.hdf5")); }, Blame::kUsage, "differs from NumPart_Total");
    std::filesystem::remove(path("s_007.1.hdf5"));
    expect_error([&] { read_snapshot(path("s_007.0.hdf5")); }, Blame::kUsage, "s_007.1.hdf5", "no such file");
    refuses(first, "is one of 2 files, whose names should end");
}

/// Three species, one of which has its mass in the table; too many for one part.
TEST_F(GadgetHdf5, ReadsTheSameBodiesInParts) {
    constexpr std::size_t kBodies = 300'000;
    Scene scene;
    for (std::size_t i = 0; i < kBodies; ++i) {
        const auto x = static_cast<double>(i);
        scene.bodies.add({x, -x, 1}, {1, x, 2}, 1 + static_cast<double>(i % 7));
        scene.bodies.species.push_back(static_cast<Species>(i / 100'000));
    }
    write_snapshot(scene, path("a.hdf5"));
    const Scene whole = read_snapshot(path("a.hdf5"));
    Bodies all;
    int parts = 0;
    const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const auto take = [&](const Bodies& some) {
        ++parts;
        add(all.position_mass, some.position_mass), add(all.velocity, some.velocity), add(all.species, some.species);
    };
    EXPECT_EQ(read_snapshot_in_parts(path("a.hdf5"), take).time, whole.time);
    EXPECT_EQ(parts, 3);
    EXPECT_TRUE(all.position_mass == whole.bodies.position_mass);
    EXPECT_TRUE(all.velocity == whole.bodies.velocity);
    EXPECT_TRUE(all.species == whole.bodies.species);

    Made made;
    made.left_out = {"Masses"}, made.mass_table[1] = 0.75;
    made.write(path("b.hdf5"));
    all = {};
    read_snapshot_in_parts(path("b.hdf5"), take);
    EXPECT_TRUE(all.position_mass == (std::vector<Vec4d>{{1, 2, 3, 0.75}, {4, 5, 6, 0.75}}));
    EXPECT_TRUE(all.velocity == (std::vector<Vec3d>{{0, 0, 1}, {0, 0, 2}}));
}

/// Numbers of bodies beyond 2^32 are split over two attributes.
TEST_F(GadgetHdf5, ReadsTheHighWordOfTotals) {
    Made made;
    made.more = {{"NumPart_Total_HighWord", 1}};
    EXPECT_THAT(read(made).notes, testing::Contains(testing::HasSubstr("gives 4294967296 bodies of species 0")));
    made.more = {{"NumPart_Total_HighWord", 0.5}};
    refuses(made, "NumPart_Total_HighWord is 0.5");
}

TEST_F(GadgetHdf5, CountsTheBodiesOfASingleFile) {
    Made made;
    made.total = {0, 9, 0, 0, 0, 0};
    made.write(path("a.hdf5"));
    EXPECT_EQ(read_head(path("a.hdf5")).bodies, 2u);
}

/// A softening is suggested for many bodies if the file has no valid one.
TEST_F(GadgetHdf5, AcceptsASofteningOfZero) {
    constexpr std::size_t kMany = 128;
    Made made;
    made.here = made.total = {0, kMany, 0, 0, 0, 0};
    made.x.clear(), made.m.assign(kMany, 1), made.v.assign(3 * kMany, 0), made.ids.clear();
    for (std::size_t i = 0; i < kMany; ++i) {
        for (const double step : {1.0, 0.3, 0.1}) made.x.push_back(step * static_cast<double>(i));
        made.ids.push_back(i);
    }
    EXPECT_GT(read(made).gravity.softening, 0);
    made.more = {{"Orrery_softening", 0}};
    EXPECT_EQ(read(made).gravity.softening, 0);
    for (const double bad : {-1.0, HUGE_VAL}) {
        made.more = {{"Orrery_softening", bad}};
        EXPECT_GT(read(made).gravity.softening, 0) << bad;
    }
}

}  // namespace
}  // namespace orrery::test
