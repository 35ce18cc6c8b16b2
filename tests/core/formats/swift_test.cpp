// SPDX-License-Identifier: MIT
// HDF5 as SWIFT writes it: seven species, units in a separate group, black holes with dynamical masses; and snapshots
// in several files as members of a series.
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/series/series.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using hdf5::Writer;

template <class T>
void put_column(Writer& file, const std::string& name, std::uint64_t columns, hid_t type,
                const std::vector<T>& values) {
    const hdf5::Column column = file.column(name, values.size() / columns, columns, type);
    file.write(column, 0, column.rows, type, values.data());
}

void put_species(Writer& file, const std::string& group, const char* masses, std::uint64_t first_id, double x) {
    file.group(group);
    put_column<double>(file, group + "/Coordinates", 3, H5T_NATIVE_DOUBLE, {x, 0, 0});
    put_column<float>(file, group + "/Velocities", 3, H5T_NATIVE_FLOAT, {0, 1, 0});
    put_column<float>(file, group + "/" + masses, 1, H5T_NATIVE_FLOAT, {0.5});
    put_column<std::uint64_t>(file, group + "/ParticleIDs", 1, H5T_NATIVE_UINT64, {first_id});
}

class Swift : public Scratch {
protected:
    Swift() { hdf5::silence_library(); }
    void write(const std::string& name, std::int64_t neutrinos, double time = 0.5, double a = 0) const {
        Writer file{path(name), 0};
        file.group("Header");
        file.integers("Header", "NumPart_ThisFile", {1, 1, 0, 0, 0, 1, neutrinos});
        file.integers("Header", "NumPart_Total", {1, 1, 0, 0, 0, 1, neutrinos});
        file.integers("Header", "NumFilesPerSnapshot", {1});
        file.numbers("Header", "MassTable", std::vector<double>(7));
        file.numbers("Header", "Time", {time});
        file.numbers("Header", "BoxSize", {8, 8, 8});
        if (a > 0) {
            file.group("Cosmology");
            file.numbers("Cosmology", "Cosmological run", {1});
            file.numbers("Cosmology", "Scale-factor", {a});
            file.numbers("Cosmology", "h", {0.7});
            file.numbers("Cosmology", "Omega_m", {0.3});
        }
        file.group("Units");
        file.numbers("Units", "Unit length in cgs (U_L)", {3.0857e21});
        file.numbers("Units", "Unit mass in cgs (U_M)", {1.989e43});
        file.numbers("Units", "Unit time in cgs (U_t)", {3.0857e16});
        put_species(file, "PartType0", "Masses", 1, 1);
        put_species(file, "PartType1", "Masses", 2, 2);
        put_species(file, "PartType5", "DynamicalMasses", 3, 3);
        file.commit();
    }
};

TEST_F(Swift, ReadsUnitsAndBlackHoles) {
    write("swift.hdf5", 0);
    const Scene scene = read_snapshot(path("swift.hdf5"));
    ASSERT_EQ(scene.bodies.size(), 3u);
    EXPECT_EQ(scene.bodies.position_mass[2], (Vec4d{3, 0, 0, 0.5}));
    EXPECT_EQ(scene.bodies.species[2], Species::kBoundary);
    EXPECT_EQ(scene.time, 0.5);
    EXPECT_EQ(scene.length_unit, "kpc");
    EXPECT_EQ(scene.mass_unit, "10¹⁰M☉");
    EXPECT_NEAR(scene.gravity.constant, 43007.1, 100) << "velocities in km/s";
    write("neutrinos.hdf5", 4);
    const Scene without = read_snapshot(path("neutrinos.hdf5"));
    EXPECT_EQ(without.bodies.size(), 3u);
    EXPECT_THAT(without.notes, testing::Contains(testing::HasSubstr("4 neutrinos (species 6) are left out")));
}

/// The time of SWIFT is no scale factor: a series states the expansion beside it, also between its snapshots.
TEST_F(Swift, SeriesExpands) {
    write("snap_000.hdf5", 0, 2, 0.25);
    write("snap_001.hdf5", 0, 4, 0.75);
    Series series{{path("").string()}};
    EXPECT_EQ(series.first().scale_factor, 0);
    EXPECT_EQ(expansion_of(series.first()), 0.25);
    EXPECT_EQ(series.first().box, 8);
    EXPECT_EQ(read_head(path("snap_001.hdf5")).expansion, 0.75);
    const auto way = series.at(3.5, false, std::chrono::hours{1});
    ASSERT_TRUE(way);
    EXPECT_EQ(way->expansion(3.5), 0.625);
    EXPECT_EQ(way->expansion(4), 0.75);
}

class SnapshotSets : public Scratch {
protected:
    /// Two files, each with one body.
    void write(const std::string& name, double time) const {
        for (const int part : {0, 1}) {
            Writer file{path(name + "." + std::to_string(part) + ".hdf5"), 0};
            file.group("Header");
            file.integers("Header", "NumPart_ThisFile", {0, 1, 0, 0, 0, 0});
            file.integers("Header", "NumPart_Total", {0, 2, 0, 0, 0, 0});
            file.integers("Header", "NumFilesPerSnapshot", {2});
            file.numbers("Header", "MassTable", std::vector<double>(6));
            file.number("Header", "Time", time);
            put_species(file, "PartType1", "Masses", static_cast<std::uint64_t>(7 + part), part + time);
            file.commit();
        }
    }
};

TEST_F(SnapshotSets, CountAsOneMemberOfASeries) {
    write("snap_000", 0);
    write("snap_001", 1);
    Series series{{path("").string()}};
    EXPECT_THAT(*series.times(), testing::ElementsAre(0, 1));
    EXPECT_EQ(series.first().bodies.size(), 2u);
    const auto interpolation = series.at(1, false, std::chrono::hours{1});
    ASSERT_TRUE(interpolation);
    EXPECT_EQ(interpolation->at(1, Precision::kDouble).count, 2u);
    std::filesystem::remove(path("snap_001.1.hdf5"));
    Series half{{path("").string()}};
    EXPECT_TRUE(half.at(1, false, std::chrono::hours{1}));
    EXPECT_THAT(*half.times(), testing::ElementsAre(0));
    EXPECT_THAT(half.remarks(), testing::ElementsAre(testing::HasSubstr("snap_001.1.hdf5")));
}

}  // namespace
}  // namespace orrery::test
