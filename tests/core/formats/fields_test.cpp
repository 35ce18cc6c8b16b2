// SPDX-License-Identifier: MIT
#include "core/formats/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/bodies/body_change.hpp"
#include "core/formats/body_quantities.hpp"
#include "core/formats/formats.hpp"
#include "core/series/series.hpp"
#include "core/simulation/scene_request.hpp"
#include "tests/core/formats/gadget_hdf5_files.hpp"

namespace orrery {
namespace {

using test::expect_error;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two gas and three star bodies, with fields of several shapes, types and units.
class SnapshotFields : public test::Scratch {
protected:
    SnapshotFields() { hdf5::silence_library(); }

    std::filesystem::path write_gas_and_stars(const char* name = "snap.hdf5") const {
        hdf5::Writer file{path(name), 0};
        file.group("Header");
        file.integers("Header", "NumPart_ThisFile", {2, 0, 0, 0, 3, 0});
        file.integers("Header", "NumPart_Total", {2, 0, 0, 0, 3, 0});
        file.integers("Header", "NumFilesPerSnapshot", {1});
        file.numbers("Header", "MassTable", std::vector<double>(6));
        file.number("Header", "Time", 0.5);
        file.number("Header", "UnitLength_in_cm", 3.0857e21);
        file.number("Header", "UnitMass_in_g", 1.989e43);
        file.number("Header", "UnitVelocity_in_cm_per_s", 1e5);
        species(file, "PartType0", 2, 0);
        species(file, "PartType4", 3, 100);
        column(file, "PartType0/Density", 1, {1.5, 2.5});
        column(file, "PartType0/Temperature", 1, {1e4, kNone});
        column(file, "PartType0/MagneticField", 3, {3, 4, 0, 0, 0, 2});
        column(file, "PartType0/Elements/Carbon", 1, {0.25, 0.5});
        column(file, "PartType0/GFM_Metals", 4, {1, 2, 3, 4, 5, 6, 7, 8});
        column(file, "PartType4/StellarFormationTime", 1, {0.1, 0.2, 0.3});
        column(file, "PartType0/Metallicity", 1, {0.01, 0.02});
        column(file, "PartType4/Metallicity", 1, {0.03, 0.04, 0.05});
        const std::vector<std::uint64_t> groups{9007199254740993u, 5};
        const hdf5::Column large = file.column("PartType0/HaloID", 2, 1, H5T_STD_U64LE);
        file.write(large, 0, 2, H5T_NATIVE_UINT64, groups.data());
        file.commit();
        return path(name);
    }
    static Scene with_fields(const std::filesystem::path& file, const std::string& fields) {
        return open_scene({.source = file.string(), .fields = fields});
    }
    static const FieldInfo& named(const std::vector<FieldInfo>& all, const std::string& name) {
        const auto found = std::ranges::find(all, name, &FieldInfo::name);
        if (found == all.end()) throw std::runtime_error{"no field " + name};
        return *found;
    }

private:
    static void column(hdf5::Writer& file, const std::string& name, std::uint64_t columns,
                       const std::vector<double>& values) {
        const std::uint64_t rows = values.size() / columns;
        const hdf5::Column to = file.column(name, rows, columns, H5T_IEEE_F64LE);
        file.write(to, 0, rows, H5T_NATIVE_DOUBLE, values.data());
    }
    static void species(hdf5::Writer& file, const std::string& group, std::uint64_t rows, double from) {
        file.group(group);
        std::vector<double> x, v, m(rows, 1.0);
        std::vector<std::uint64_t> ids;
        for (std::uint64_t i = 0; i < rows; ++i) {
            const double k = from + static_cast<double>(i);
            x.insert(x.end(), {k, k + 0.5, -k}), v.insert(v.end(), {0, 0, k});
            ids.push_back(static_cast<std::uint64_t>(from) + i);
        }
        column(file, group + "/Coordinates", 3, x);
        column(file, group + "/Velocities", 3, v);
        column(file, group + "/Masses", 1, m);
        const hdf5::Column to = file.column(group + "/ParticleIDs", rows, 1, H5T_STD_U64LE);
        file.write(to, 0, rows, H5T_NATIVE_UINT64, ids.data());
    }
};

MATCHER(IsMissing, "") { return std::isnan(arg); }

TEST_F(SnapshotFields, OfHdf5AreListedWithShapeSpeciesAndUnit) {
    const std::vector<FieldInfo> all = fields_of(write_gas_and_stars());
    const FieldInfo& density = named(all, "Density");
    EXPECT_EQ(density.unit, "10¹⁰M☉/kpc^3");
    EXPECT_EQ(density.bodies, 2u);
    EXPECT_EQ(density.species.to_ulong(), 1u);
    EXPECT_EQ(named(all, "Metallicity").bodies, 5u);
    EXPECT_EQ(named(all, "Metallicity").species.to_ulong(), 17u);
    EXPECT_EQ(named(all, "GFM_Metals").components, 4u);
    EXPECT_EQ(named(all, "Elements/Carbon").components, 1u);
    EXPECT_TRUE(named(all, "HaloID").whole);
    EXPECT_EQ(named(all, "Velocities").unit, "km/s");
}

TEST_F(SnapshotFields, OfGizmoHaveTheUnitsOfItsHeader) {
    test::MadeGadgetHdf5 made;
    made.also = {"Temperature", "Density"};
    made.more = {{"UnitLength_In_CGS", 3.0857e21}, {"UnitMass_In_CGS", 1.989e43}, {"UnitVelocity_In_CGS", 1e5}};
    made.write(path("gizmo.hdf5"));
    const std::vector<FieldInfo> fields = fields_of(path("gizmo.hdf5"));
    EXPECT_EQ(named(fields, "Density").unit, "10¹⁰M☉/kpc^3");
    EXPECT_EQ(named(fields, "Velocities").unit, "km/s");
    EXPECT_EQ(named(fields, "Temperature").unit, "K");
}

TEST_F(SnapshotFields, OfEagleHaveTheUnitsOfItsGroup) {
    test::MadeGadgetHdf5 made;
    made.names = {{"Masses", "Mass"}, {"Velocities", "Velocity"}};
    made.units = {3.0857e24, 1.989e43, 1e5};
    made.units_in = "Units";
    made.write(path("eagle.hdf5"));
    const std::vector<FieldInfo> fields = fields_of(path("eagle.hdf5"));
    EXPECT_EQ(named(fields, "Coordinates").unit, "Mpc");
    EXPECT_EQ(named(fields, "Mass").unit, "10¹⁰M☉");
    EXPECT_EQ(named(fields, "Velocity").unit, "km/s");
}

TEST_F(SnapshotFields, AreReadInTheOrderOfTheBodiesAndMissingWhereTheFileHasNone) {
    const Scene scene = with_fields(write_gas_and_stars(), "T, Density, Metallicity, age, Elements/Carbon");
    ASSERT_EQ(scene.bodies.fields.size(), 5u);
    EXPECT_EQ(scene.bodies.fields[0].name, "Temperature");
    EXPECT_THAT(*scene.bodies.fields[0].values, ElementsAre(1e4f, IsMissing(), IsMissing(), IsMissing(), IsMissing()));
    EXPECT_EQ(scene.bodies.fields[0].missing, 4u);
    EXPECT_THAT(*scene.bodies.fields[2].values, ElementsAre(0.01f, 0.02f, 0.03f, 0.04f, 0.05f));
    EXPECT_THAT(*scene.bodies.fields[3].values, ElementsAre(IsMissing(), IsMissing(), 0.1f, 0.2f, 0.3f));
    EXPECT_EQ(scene.bodies.fields[3].name, "StellarFormationTime");
    EXPECT_EQ((*scene.bodies.fields[4].values)[1], 0.5f);
}

TEST_F(SnapshotFields, OfVectorsAreComponentsAndLengths) {
    const Scene scene = with_fields(write_gas_and_stars(), "B, MagneticField.y, |MagneticField|, GFM_Metals[3]");
    ASSERT_EQ(scene.bodies.fields.size(), 3u) << "the length is loaded once";
    EXPECT_EQ(scene.bodies.fields[0].name, "|MagneticField|");
    EXPECT_EQ((*scene.bodies.fields[0].values)[0], 5.0f);
    EXPECT_EQ(scene.bodies.fields[1].name, "MagneticField[1]");
    EXPECT_EQ((*scene.bodies.fields[1].values)[0], 4.0f);
    EXPECT_EQ((*scene.bodies.fields[2].values)[1], 8.0f);
}

TEST_F(SnapshotFields, UnknownNamesAreRefusedWithAListOfKnownOnes) {
    const std::string file = write_gas_and_stars().string();
    expect_error([&] { with_fields(file, "Pressure"); }, Blame::kUsage, "snap.hdf5: has no field Pressure; it has",
                 "Density", "HaloID");
    expect_error([&] { with_fields(file, "GFM_Metals"); }, Blame::kUsage, "has 4 components: choose one",
                 "GFM_Metals[0] to GFM_Metals[3]");
    expect_error([&] { with_fields(file, "GFM_Metals[4]"); }, Blame::kUsage, "has 4 components", "found [4]");
    expect_error([] { open_scene({.source = "plummer", .bodies = 4, .fields = "u"}); }, Blame::kUsage,
                 "a preset has no fields");
}

TEST_F(SnapshotFields, OfWholeNumbersBeyondTheirPrecisionAreMissing) {
    const Scene scene = with_fields(write_gas_and_stars(), "HaloID");
    EXPECT_TRUE(scene.bodies.fields[0].whole);
    EXPECT_THAT(*scene.bodies.fields[0].values, ElementsAre(IsMissing(), 5.0f, IsMissing(), IsMissing(), IsMissing()));
}

TEST_F(SnapshotFields, AreMissingInFilesOfASetThatLackThem) {
    write_gas_and_stars("set.0.hdf5"), write_gas_and_stars("set.1.hdf5");
    for (const char* name : {"set.0.hdf5", "set.1.hdf5"}) {
        const hid_t file = H5Fopen(path(name).c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t header = H5Gopen2(file, "Header", H5P_DEFAULT);
        const auto set = [&](const char* attribute, std::vector<std::int64_t> values) {
            const hid_t of = H5Aopen(header, attribute, H5P_DEFAULT);
            H5Awrite(of, H5T_NATIVE_INT64, values.data());
            H5Aclose(of);
        };
        set("NumFilesPerSnapshot", {2}), set("NumPart_Total", {4, 0, 0, 0, 6, 0});
        const bool first = name == std::string{"set.0.hdf5"};
        H5Ldelete(file, first ? "PartType4/StellarFormationTime" : "PartType0/Density", H5P_DEFAULT);
        H5Gclose(header), H5Fclose(file);
    }
    const std::vector<FieldInfo> all = fields_of(path("set.0.hdf5"));
    EXPECT_EQ(named(all, "Density").bodies, 2u) << "of ten";
    EXPECT_EQ(named(all, "StellarFormationTime").bodies, 3u) << "in the second file alone";
    const Scene scene = with_fields(path("set.0.hdf5"), "Density,Elements/Carbon");
    ASSERT_EQ(scene.bodies.size(), 10u);
    std::vector<double> densities;
    for (std::size_t i = 0; i < 10; ++i)
        if (const float value = (*scene.bodies.fields[0].values)[i]; !std::isnan(value))
            densities.push_back(static_cast<double>(value));
    EXPECT_THAT(densities, ElementsAre(1.5, 2.5));
    EXPECT_EQ(scene.bodies.fields[0].missing, 8u);
    EXPECT_EQ(scene.bodies.fields[1].missing, 6u) << "both files have carbon";
    const Scene other = with_fields(path("set.1.hdf5"), "Density");
    EXPECT_EQ((*other.bodies.fields[0].values)[0], (*scene.bodies.fields[0].values)[0]) << "whichever file is named";
    EXPECT_EQ(other.bodies.fields[0].missing, 8u);
}

TEST_F(SnapshotFields, ComputedFieldsAreMissingIfTheResultIsNotANumber) {
    const std::string file = write_gas_and_stars().string();
    const Scene scene = with_fields(file, "a = 1/species, b = sqrt(0-Metallicity), c = `Elements/Carbon`/0");
    ASSERT_EQ(scene.bodies.fields.size(), 3u);
    EXPECT_THAT(*scene.bodies.fields[0].values, ElementsAre(IsMissing(), IsMissing(), 0.25f, 0.25f, 0.25f));
    for (const std::size_t k : {1u, 2u}) EXPECT_EQ(scene.bodies.fields[k].missing, 5u) << k;
    expect_error([&] { with_fields(file, "a = Density + NoSuch"); }, Blame::kUsage, "has no field NoSuch");
}

TEST_F(SnapshotFields, WithoutAUnitCannotBeConverted) {
    test::MadeGadgetHdf5 made;
    made.also = {"Density", "Unheard"};
    made.more = {};
    made.write(path("bare.hdf5"));
    const std::vector<FieldInfo> all = fields_of(path("bare.hdf5"));
    for (const char* name : {"Density", "Unheard"}) {
        EXPECT_EQ(named(all, name).unit, "") << name;
        EXPECT_EQ(named(all, name).cgs, 0) << name;
        expect_error([&] { with_fields(path("bare.hdf5"), std::string{"n = "} + name + "/mp"); }, Blame::kUsage, name,
                     "unit");
    }
}

TEST_F(SnapshotFields, IdsBeyond2To53AreComparedExactlyOrRefused) {
    Scene scene = with_fields(write_gas_and_stars(), "");
    scene.bodies.ids = {9007199254740992u, 9007199254740993u, 18446744073709551615u, 7, 9007199254740991u};
    BodyQuantities quantities{scene.bodies, {}, {}};
    EXPECT_THAT(satisfied(Expression{"id == 9007199254740991"}, quantities), ElementsAre(0, 0, 0, 0, 1));
    EXPECT_THAT(satisfied(Expression{"id > 7"}, quantities), ElementsAre(1, 1, 1, 0, 1));
    for (const char* text : {"id == 9007199254740992", "id > 99999999999999999999999"})
        expect_error([&] { Expression{text}; }, Blame::kUsage, "at character", "2^53", "--set");
    EXPECT_THAT(satisfied(Expression{"m < 1e300"}, quantities), ElementsAre(1, 1, 1, 1, 1)) << "no whole number";
}

TEST_F(SnapshotFields, SurviveHdf5CheckpointsAndCsv) {
    const Scene scene = with_fields(write_gas_and_stars(), "T,Metallicity,Elements/Carbon");
    for (const char* name : {"again.hdf5", "again.orrery"}) {
        write_snapshot(scene, path(name));
        const bool checkpoint = std::string_view{name}.ends_with(".orrery");
        const Scene again =
            checkpoint ? read_snapshot(path(name)) : with_fields(path(name), "T,Metallicity,Elements/Carbon");
        ASSERT_EQ(again.bodies.fields.size(), 3u) << name;
        for (std::size_t k = 0; k < 3; ++k) {
            const BodyField &before = scene.bodies.fields[k], &after = again.bodies.fields[k];
            EXPECT_EQ(before.name, after.name);
            EXPECT_EQ(before.missing, after.missing);
            for (std::size_t i = 0; i < scene.bodies.size(); ++i)
                if (!std::isnan((*before.values)[i])) {
                    EXPECT_EQ((*before.values)[i], (*after.values)[i]) << name;
                }
        }
    }
    write_snapshot(scene, path("again.csv"));
    EXPECT_THAT(content(path("again.csv")), HasSubstr("vz,\"Temperature [K]\",Metallicity,Elements/Carbon\n"));
    EXPECT_THAT(content(path("again.csv")), HasSubstr(",10000,0.01,0.25\n"));
}

TEST_F(SnapshotFields, FollowInsertedAndRemovedBodies) {
    Bodies bodies = with_fields(write_gas_and_stars(), "Metallicity").bodies;
    BodyChange erase{.kind = BodyChange::Kind::kErase, .rows = {1, 3}, .had = label_columns(bodies)};
    erase.has = erase.had;
    erase.before.fields = {with_values(bodies.fields[0], {0.02f, 0.04f})};
    for (const std::uint32_t i : erase.rows) {
        erase.before.add(xyz(bodies.position_mass[i]), bodies.velocity[i], bodies.position_mass[i].w);
        erase.before.species.push_back(bodies.species[i]), erase.before.ids.push_back(bodies.ids[i]);
    }
    apply(erase, bodies);
    EXPECT_THAT(*bodies.fields[0].values, ElementsAre(0.01f, 0.03f, 0.05f));
    apply(erase.reversed(), bodies);
    EXPECT_THAT(*bodies.fields[0].values, ElementsAre(0.01f, 0.02f, 0.03f, 0.04f, 0.05f));
}

TEST_F(SnapshotFields, OfTipsyComeFromRecordsAndAuxiliaryArrays) {
    Scene scene = with_fields(write_gas_and_stars(), "");
    scene.gravity = {.constant = 1, .softening = 0.25};
    write_snapshot(scene, path("s.tipsy"));
    save("s.tipsy.den", "5\n1\n2\n3\n4\n5\n");
    save("s.tipsy.short", "5\n1\n2\n");
    save("s.vec", "5\n1\n2\n3\n4\n5\n10\n20\n30\n40\n50\n100\n200\n300\n400\n500\n");
    std::string binary(24, '\0');
    for (std::size_t i = 0; i < 6; ++i) binary[4 * i] = static_cast<char>(i == 0 ? 5 : i);
    save("s.tipsy.iord", binary);
    const std::vector<FieldInfo> all = fields_of(path("s.tipsy"));
    EXPECT_EQ(named(all, "tform").bodies, 3u);
    EXPECT_EQ(named(all, "vec").components, 3u);
    EXPECT_TRUE(named(all, "iord").whole);
    EXPECT_TRUE(std::ranges::none_of(all, [](const FieldInfo& f) { return f.name == "short"; }));
    const Scene read = with_fields(path("s.tipsy"), "eps,den,vec[1],iord,hsmooth,vel.z");
    EXPECT_THAT(*read.bodies.fields[0].values, ElementsAre(IsMissing(), IsMissing(), 0.25f, 0.25f, 0.25f));
    EXPECT_THAT(*read.bodies.fields[1].values, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(*read.bodies.fields[2].values, ElementsAre(10, 20, 30, 40, 50));
    EXPECT_THAT(*read.bodies.fields[3].values, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(*read.bodies.fields[4].values, ElementsAre(0.25f, 0.25f, IsMissing(), IsMissing(), IsMissing()));
    EXPECT_THAT(*read.bodies.fields[5].values, ElementsAre(0, 1, 100, 101, 102));
}

TEST_F(SnapshotFields, OfNemoComeFromTheItemsOfItsParticles) {
    Scene scene = with_fields(write_gas_and_stars(), "");
    scene.gravity = {.constant = 1, .softening = 0.25};
    write_snapshot(scene, path("s.nemo"));
    const Scene read = with_fields(path("s.nemo"), "Eps,PhaseSpace[5],Key");
    EXPECT_THAT(*read.bodies.fields[0].values, ElementsAre(0.25f, 0.25f, 0.25f, 0.25f, 0.25f));
    EXPECT_THAT(*read.bodies.fields[1].values, ElementsAre(0, 1, 100, 101, 102));
    EXPECT_THAT(*read.bodies.fields[2].values, ElementsAre(0, 1, 100, 101, 102));
}

/// Appends a labelled record of SnapFormat 2 in little-endian order.
void append_block(std::string& file, const std::string& label, const std::vector<float>& values) {
    const auto integer = [&](std::uint32_t number) { file.append(reinterpret_cast<const char*>(&number), 4); };
    const auto bytes = static_cast<std::uint32_t>(4 * values.size());
    integer(8), file += label, integer(bytes + 8), integer(8);
    integer(bytes), file.append(reinterpret_cast<const char*>(values.data()), bytes), integer(bytes);
}

TEST_F(SnapshotFields, OfGadgetBelongToTheSpeciesThatTheirLabelOrSizeNames) {
    Scene scene = with_fields(write_gas_and_stars(), "");
    scene.gravity = {.constant = 1, .softening = 0.25};
    write_snapshot(scene, path("s.snap2"));
    std::string file = content(path("s.snap2"));
    append_block(file, "U   ", {10, 20});
    append_block(file, "AGE ", {1, 2, 3});
    append_block(file, "Z   ", {1, 2, 3, 4, 5});
    append_block(file, "XXXX", {7, 8});
    append_block(file, "BAD ", {7, 8, 9, 10});
    save("s.snap2", file);
    const std::vector<FieldInfo> all = fields_of(path("s.snap2"));
    EXPECT_EQ(named(all, "U").what, "internal energy");
    EXPECT_TRUE(std::ranges::none_of(all, [](const FieldInfo& f) { return f.name == "BAD"; }));
    const Scene read = with_fields(path("s.snap2"), "u,age,Z,XXXX,|VEL|");
    EXPECT_THAT(*read.bodies.fields[0].values, ElementsAre(10, 20, IsMissing(), IsMissing(), IsMissing()));
    EXPECT_THAT(*read.bodies.fields[1].values, ElementsAre(IsMissing(), IsMissing(), 1, 2, 3));
    EXPECT_THAT(*read.bodies.fields[2].values, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(*read.bodies.fields[3].values, ElementsAre(7, 8, IsMissing(), IsMissing(), IsMissing()));
    EXPECT_THAT(*read.bodies.fields[4].values, ElementsAre(0, 1, 100, 101, 102));
}

TEST_F(SnapshotFields, OfASeriesFollowTheIdsAndAreLinearInTime) {
    const auto write = [&](const char* name, double time, std::vector<std::uint64_t> ids, std::vector<double> values) {
        test::MadeGadgetHdf5 made;
        made.ids = std::move(ids), made.m = std::move(values), made.also = {"Entropy"};
        made.more = {};
        made.write(path(name));
        hid_t file = H5Fopen(path(name).c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t header = H5Gopen2(file, "Header", H5P_DEFAULT), attribute = H5Aopen(header, "Time", H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, &time);
        H5Aclose(attribute), H5Gclose(header), H5Fclose(file);
    };
    write("s_0.hdf5", 0, {7, 8}, {1, 2});
    write("s_1.hdf5", 1, {8, 7}, {4, 3});
    Series series{{path("s_0.hdf5").string(), path("s_1.hdf5").string()}, Series::default_budget(), "Entropy"};
    const auto way = series.at(0.5, false, Series::Seconds{60});
    ASSERT_TRUE(way.has_value());
    ASSERT_TRUE(way->has_fields());
    EXPECT_THAT(*way->fields(0.5)[0].values, ElementsAre(2, 3));
    EXPECT_THAT(*way->fields(0.25)[0].values, ElementsAre(1.5f, 2.5f));
}

TEST(FieldLists, AreSplitAtCommasOutsideOfBrackets) {
    EXPECT_THAT(split_fields("u, Z[1] ,dot(v,r)/r,"), ElementsAre("u", "Z[1]", "dot(v,r)/r"));
    EXPECT_TRUE(split_fields(" , ").empty());
}

}  // namespace
}  // namespace orrery
