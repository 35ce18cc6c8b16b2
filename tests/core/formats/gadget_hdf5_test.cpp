// SPDX-License-Identifier: MIT
// Snapshots of Gadget and AREPO as they come: in several files, with units, in another byte order, and wrong.
#include <cmath>
#include <limits>
#include <optional>

#include "core/formats/formats.hpp"
#include "core/formats/hdf5_file.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using hdf5::Writer;

/// A file of bodies of one species, right until something is changed.
struct Made {
    std::vector<std::int64_t> here{0, 2, 0, 0, 0, 0}, total{0, 2, 0, 0, 0, 0};
    std::int64_t files = 1;
    std::vector<double> mass_table = std::vector<double>(6);
    std::vector<double> x{1, 2, 3, 4, 5, 6}, v{0, 0, 1, 0, 0, 2}, m{0.5, 0.25};
    std::vector<std::uint64_t> ids{7, 8};
    hid_t number = H5T_IEEE_F64LE, id_on_disk = H5T_STD_U64LE, id_in_memory = H5T_NATIVE_UINT64;
    const char* left_out = "";
    std::optional<std::array<double, 3>> units;  ///< cm, g, cm/s
    const char* units_in = "Header";
    std::vector<std::pair<const char*, double>> more;  ///< of the header

    void write(const std::filesystem::path& path) const {
        Writer file{path, 0};
        file.group("Header");
        if (std::string_view{left_out} != "NumPart_ThisFile") file.integers("Header", "NumPart_ThisFile", here);
        file.integers("Header", "NumPart_Total", total);
        file.integers("Header", "NumFilesPerSnapshot", {files});
        file.numbers("Header", "MassTable", mass_table);
        file.number("Header", "Time", 0.25);
        if (std::string_view{units_in} != "Header") file.group(units_in);
        if (units) {
            file.number(units_in, "UnitLength_in_cm", (*units)[0]);
            file.number(units_in, "UnitMass_in_g", (*units)[1]);
            file.number(units_in, "UnitVelocity_in_cm_per_s", (*units)[2]);
        }
        for (const auto& [name, value] : more) file.number("Header", name, value);
        file.group("PartType1");
        column(file, "Coordinates", 3, number, H5T_NATIVE_DOUBLE, x);
        column(file, "Velocities", 3, number, H5T_NATIVE_DOUBLE, v);
        column(file, "Masses", 1, number, H5T_NATIVE_DOUBLE, m);
        column(file, "ParticleIDs", 1, number == H5T_IEEE_F32BE ? H5T_STD_U32BE : id_on_disk, id_in_memory, ids);
        file.commit();
    }

private:
    template <class T>
    void column(Writer& file, const char* name, std::uint64_t columns, hid_t on_disk, hid_t in_memory,
                const std::vector<T>& values) const {
        if (std::string_view{left_out} == name) return;
        const std::uint64_t rows = values.size() / columns;
        const hdf5::Column column = file.column(std::string{"PartType1/"} + name, rows, columns, on_disk);
        file.write(column, 0, rows, in_memory, values.data());
    }
};

class GadgetHdf5 : public Scratch {
protected:
    GadgetHdf5() { hdf5::be_silent(); }  // before the tests' own calls: later it cannot end without closing files
    Scene read(const Made& made, const char* name = "a.hdf5") const {
        made.write(path(name));
        return read_snapshot(path(name));
    }
    template <class... Words>
    void refuses(const Made& made, Words... words) const {
        made.write(path("bad.hdf5"));
        expect_error([&] { read_snapshot(path("bad.hdf5")); }, Blame::kUsage, "bad.hdf5", words...);
    }
};

TEST_F(GadgetHdf5, AnyByteOrderAndPrecision) {
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

/// Sign, exponent and mantissa in any order, also to the last bit.
TEST_F(GadgetHdf5, AnyOrderOfTheFieldsOfANumber) {
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

TEST_F(GadgetHdf5, OneMassForAllStandsInTheTable) {
    Made made;
    made.mass_table[1] = 0.125, made.left_out = "Masses";
    EXPECT_EQ(read(made).bodies.position_mass[1].w, 0.125);
}

TEST_F(GadgetHdf5, UnitsOfHeaderOrParametersGiveTheConstant) {
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

TEST_F(GadgetHdf5, UnitsAreThreePositiveNumbers) {
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

TEST_F(GadgetHdf5, OurOwnWordsGoBeforeThoseOfOthers) {
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

TEST_F(GadgetHdf5, TellsWhatItDoesNotUnderstand) {
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
    EXPECT_TRUE(read(made).notes.empty()) << "some programs leave the totals 0";
    made.here = {0, 2, 0, 0, 0, 0, 1};
    refuses(made, "species 6");
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
    EXPECT_EQ(read_snapshot(path("s_007.1.hdf5")).bodies.ids, scene.bodies.ids) << "any one may be named";

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

/// Of three species, one of which has its mass in the table; more than one part holds.
TEST_F(GadgetHdf5, GivesTheSameBodiesInParts) {
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
    EXPECT_GE(parts, 3);
    EXPECT_TRUE(all.position_mass == whole.bodies.position_mass);
    EXPECT_TRUE(all.velocity == whole.bodies.velocity);
    EXPECT_TRUE(all.species == whole.bodies.species);

    Made made;
    made.left_out = "Masses", made.mass_table[1] = 0.75;
    made.write(path("b.hdf5"));
    all = {};
    read_snapshot_in_parts(path("b.hdf5"), take);
    EXPECT_TRUE(all.position_mass == (std::vector<Vec4d>{{1, 2, 3, 0.75}, {4, 5, 6, 0.75}}));
    EXPECT_TRUE(all.velocity == (std::vector<Vec3d>{{0, 0, 1}, {0, 0, 2}}));
}

TEST_F(GadgetHdf5, SaysWhatIsMissing) {
    for (const char* name : {"Coordinates", "Velocities", "Masses", "NumPart_ThisFile"}) {
        Made made;
        made.left_out = name;
        refuses(made, name, "missing");
    }
    Made made;
    made.left_out = "ParticleIDs";
    const Scene scene = read(made);
    EXPECT_TRUE(scene.bodies.ids.empty());
    EXPECT_THAT(scene.notes, testing::Contains(testing::HasSubstr("PartType1/ParticleIDs is missing")));
    {
        Writer file{path("empty.hdf5"), 0};
        file.commit();
    }
    expect_error([&] { read_snapshot(path("empty.hdf5")); }, Blame::kUsage, "empty.hdf5", "group Header is missing");
}

TEST_F(GadgetHdf5, SaysWhatContradictsItself) {
    Made made;
    made.here = {0, 3, 0, 0, 0, 0};
    refuses(made, "PartType1/Coordinates", "expected 3 × 3 numbers, found 2 × 3");
    made.here = {1, 2, 0, 0, 0, 0};
    refuses(made, "PartType0");
    made.here = {0, -2, 0, 0, 0, 0};
    refuses(made, "NumPart_ThisFile is -2");
    made.here = {0, 0, 0, 0, 0, 0};
    refuses(made, "holds no bodies");
    Made totals;
    totals.total = {0, 9, 0, 0, 0, 0};
    EXPECT_THAT(read(totals).notes, testing::Contains(testing::HasSubstr("NumPart_Total gives 9")));
    Made columns;
    columns.v = {0, 0, 1};
    refuses(columns, "PartType1/Velocities", "found 1 × 3");
}

/// The library reads a negative number as 0 where none is expected.
/// Numbers of bodies beyond 2^32 stand in two attributes.
TEST_F(GadgetHdf5, TotalsHaveAHighWord) {
    Made made;
    made.more = {{"NumPart_Total_HighWord", 1}};
    EXPECT_THAT(read(made).notes, testing::Contains(testing::HasSubstr("gives 4294967296 bodies of species 0")));
    made.more = {{"NumPart_Total_HighWord", 0.5}};
    refuses(made, "NumPart_Total_HighWord is 0.5");
}

TEST_F(GadgetHdf5, AFileAloneHasTheBodiesThatItHolds) {
    Made made;
    made.total = {0, 9, 0, 0, 0, 0};
    made.write(path("a.hdf5"));
    EXPECT_EQ(read_head(path("a.hdf5")).bodies, 2u);
}

/// Of many bodies one is suggested where the file says none that can be.
TEST_F(GadgetHdf5, NoSofteningIsOneToo) {
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

TEST_F(GadgetHdf5, NegativeIdsAreRefused) {
    Made made;
    made.ids = {7, static_cast<std::uint64_t>(-1)};
    made.id_on_disk = H5T_STD_I32LE, made.id_in_memory = H5T_NATIVE_INT64;
    made.write(path("a.hdf5"));
    expect_error([&] { read_snapshot(path("a.hdf5")); }, Blame::kUsage, "a.hdf5", "PartType1/ParticleIDs",
                 "negative id -1");
    Made many = made;
    const std::int64_t count = 70'000;
    many.here = many.total = {0, count, 0, 0, 0, 0}, many.mass_table[1] = 1;
    many.x.resize(3 * count), many.v.resize(3 * count), many.m.resize(count), many.ids.assign(count, 5);
    many.ids.back() = static_cast<std::uint64_t>(-2);
    refuses(many, "negative id -2");
    made.ids = {0, 5};
    made.write(path("b.hdf5"));
    EXPECT_EQ(read_snapshot(path("b.hdf5")).bodies.ids, (std::vector<std::uint64_t>{0, 5}));
}

TEST_F(GadgetHdf5, NumberOfFilesIsFromNoneToAHundredThousand) {
    Made made;
    made.files = 0;
    EXPECT_EQ(read(made).bodies.size(), 2u) << "as some write one file";
    made.files = -1;
    refuses(made, "NumFilesPerSnapshot is -1");
    made.files = 100'001;
    refuses(made, "NumFilesPerSnapshot is 100001");
    made.files = 100'000;
    refuses(made, "is one of 100000 files");
}

/// What its attribute of that name becomes when `count` numbers of `type` are put there.
TEST_F(GadgetHdf5, AttributesAreNumbersOfWhichThereAreSome) {
    const auto with = [&](const char* name, hid_t type, hsize_t count) {
        Made{}.write(path("bad.hdf5"));
        const hdf5::Handle file{H5Fopen(path("bad.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
        const hdf5::Handle group{H5Gopen2(file.id(), "Header", H5P_DEFAULT), H5Gclose};
        H5Adelete(group.id(), name);
        const hdf5::Handle space{count > 0 ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_NULL), H5Sclose};
        const hdf5::Handle attribute{H5Acreate2(group.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                                     H5Aclose};
        const std::vector<std::uint64_t> zeros(count);
        if (count > 0) H5Awrite(attribute.id(), type, zeros.data());
        return path("bad.hdf5");
    };
    const auto refuses_it = [&](const std::filesystem::path& bad) {
        expect_error([&] { read_snapshot(bad); }, Blame::kUsage, "bad.hdf5", "attribute", "is not numeric");
    };
    EXPECT_EQ(read_snapshot(with("Time", H5T_NATIVE_INT64, 1)).time, 0);
    EXPECT_EQ(read_snapshot(with("MassTable", H5T_NATIVE_DOUBLE, 4096)).bodies.size(), 2u);
    EXPECT_EQ(read_snapshot(with("MassTable", H5T_NATIVE_DOUBLE, 2)).bodies.size(), 2u);
    refuses_it(with("MassTable", H5T_NATIVE_DOUBLE, 4097));
    refuses_it(with("MassTable", H5T_NATIVE_DOUBLE, 0));
    refuses_it(with("Time", H5T_C_S1, 1));
}

TEST_F(GadgetHdf5, SaysWhichNumberMakesNoSense) {
    Made made;
    made.x[4] = std::numeric_limits<double>::quiet_NaN();
    refuses(made, "body 1", "y");
    made = {};
    made.m[0] = -1;
    refuses(made, "body 0", "mass");
    made = {};
    made.mass_table[1] = -2;
    refuses(made, "MassTable");
    made = {};
    made.ids = {7, 7};
    EXPECT_THAT(read(made).notes, testing::Contains(testing::HasSubstr("id 7 occurs more than once")));
}

}  // namespace
}  // namespace orrery::test
