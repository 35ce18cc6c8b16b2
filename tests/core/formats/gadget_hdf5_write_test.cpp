// SPDX-License-Identifier: MIT
// Output of Gadget snapshots in HDF5: groups, units, compression.
#include <cmath>
#include <optional>

#include "core/formats/formats.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

class GadgetHdf5Output : public Scratch {
protected:
    GadgetHdf5Output() { hdf5::silence_library(); }  // see GadgetHdf5Files
};

TEST_F(GadgetHdf5Output, WritesGroupsOnlyForPresentSpecies) {
    Scene scene;
    for (const double x : {1.0, 2.0}) scene.bodies.add({x, 0, 0}, {}, x);
    scene.bodies.species = {Species::kHalo, Species::kStars};
    write_snapshot(scene, path("a.hdf5"));
    const hdf5::Handle file{H5Fopen(path("a.hdf5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    std::string there;
    for (const char* name : {"PartType0", "PartType1", "PartType2", "PartType3", "PartType4", "PartType5"})
        there += H5Lexists(file.id(), name, H5P_DEFAULT) > 0 ? '1' : '0';
    EXPECT_EQ(there, "010010");
    EXPECT_THAT(read_snapshot(path("a.hdf5")).bodies.ids, testing::ElementsAre(1, 2)) << "the scene has no ids";
}

/// kpc, km/s and the G of these units give Gadget's default mass unit, 10¹⁰ solar masses.
TEST_F(GadgetHdf5Output, WritesUnitsIfTheSceneNamesThem) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {}, 1);
    scene.gravity.constant = 43007.1;
    scene.days_per_time = 3.0857e16 / 86400;
    write_snapshot(scene, path("a.hdf5"));
    EXPECT_EQ(hdf5::Reader{path("a.hdf5")}.number("Header", "UnitLength_in_cm"), std::nullopt)
        << "the length unit is unnamed";
    for (const auto& [word, cm] : {std::pair{"kpc", 3.0857e21}, {"AU", 1.496e13}}) {
        scene.length_unit = word;
        write_snapshot(scene, path("a.hdf5"));
        const hdf5::Reader file{path("a.hdf5")};
        EXPECT_EQ(file.number("Header", "UnitLength_in_cm"), cm);
        const double velocity = file.number("Header", "UnitVelocity_in_cm_per_s").value_or(0);
        EXPECT_NEAR(velocity, 1e5 * cm / 3.0857e21, 1e-10 * velocity);
        const double mass = file.number("Header", "UnitMass_in_g").value_or(0);
        EXPECT_NEAR(mass, 1.989e43 * std::pow(cm / 3.0857e21, 3), 5e-4 * mass) << "Gadget uses the G of CODATA 1986";
    }
    scene.days_per_time = 0;
    write_snapshot(scene, path("a.hdf5"));
    EXPECT_EQ(hdf5::Reader{path("a.hdf5")}.number("Header", "UnitLength_in_cm"), std::nullopt)
        << "the time unit is unknown";
}

/// BoxSize, Omega0, OmegaLambda, HubbleParam, Redshift and Time, in Gadget's convention and in another one, for files
/// whose time is the scale factor and others.
TEST_F(GadgetHdf5Output, KeepsTheUniverseOfTheSource) {
    Cosmology physical = gadget_convention(0.25, 0.75, 0.7, 0.5);
    physical.length_h = 0, physical.velocity_a = -1;
    for (const Cosmology& universe : {gadget_convention(0.25, 0.75, 0.7, 0.5), physical})
        for (const bool by_time : {true, false}) {
            Scene scene;
            scene.bodies.add({1, 2, 3}, {}, 1);
            scene.box = 50, scene.cosmology = universe;
            scene.time = by_time ? 0.5 : 7.25, scene.scale_factor = by_time ? 0.5 : 0;
            write_snapshot(scene, path("a.hdf5"));
            const Scene read = read_snapshot(path("a.hdf5"));
            EXPECT_EQ(read.cosmology, scene.cosmology);
            EXPECT_EQ(read.box, 50);
            EXPECT_EQ(read.time, scene.time);
            EXPECT_EQ(read.scale_factor, scene.scale_factor);
            EXPECT_EQ(expansion_of(read), 0.5);
            const SnapshotHead head = read_head(path("a.hdf5"));
            EXPECT_EQ(head.box, 50);
            EXPECT_EQ(head.expansion, 0.5);
            const hdf5::Reader file{path("a.hdf5")};
            for (const auto& [name, value] :
                 {std::pair{"BoxSize", 50.0}, {"Omega0", 0.25}, {"OmegaLambda", 0.75}, {"HubbleParam", 0.7}})
                EXPECT_EQ(file.number("Header", name), value) << name;
            EXPECT_EQ(file.number("Header", "Redshift"), 1.0);
        }
}

TEST_F(GadgetHdf5Output, CompressionPreservesTheBodies) {
    Scene scene;
    for (int i = 0; i < 5000; ++i) scene.bodies.add({i % 7 + 0.5, -1.0 * i, 3}, {0.25, i % 3 - 1.0, 0}, 1 + i % 2);
    hdf5::write_gadget(scene, BodyStretches{scene.bodies}, path("plain.hdf5"), {});
    hdf5::write_gadget(scene, BodyStretches{scene.bodies}, path("small.hdf5"), {.compress = 6});
    EXPECT_LT(std::filesystem::file_size(path("small.hdf5")), std::filesystem::file_size(path("plain.hdf5")) / 4);
    const Bodies plain = read_snapshot(path("plain.hdf5")).bodies, small = read_snapshot(path("small.hdf5")).bodies;
    EXPECT_TRUE(small.position_mass == plain.position_mass);
    EXPECT_TRUE(small.velocity == plain.velocity);
    EXPECT_EQ(small.ids, plain.ids);
}

}  // namespace
}  // namespace orrery::test
