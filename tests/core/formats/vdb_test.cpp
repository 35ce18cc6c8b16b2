// SPDX-License-Identifier: MIT
// OpenVDB files, read by OpenVDB itself.
#include <openvdb/openvdb.h>

#include <cmath>

#include "core/formats/film_formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

class Vdb : public Scratch {
protected:
    Vdb() {
        openvdb::initialize();
        scene.time = 4.5;
        std::vector<float> values;
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) values.push_back(i < 100 ? NAN : 12.5f);
        scene.bodies.fields = {make_field("density", "K", values)};
    }
    template <class Grid>
    typename Grid::Ptr grid(openvdb::io::File& file, const std::string& name) const {
        return openvdb::gridPtrCast<Grid>(file.readGrid(name));
    }
    Scene scene = make_preset("plummer", {.bodies = 300});
};

TEST_F(Vdb, GridsHoldMassMomentumAndFields) {
    write_vdb(scene, path("a.vdb"), 0.25);
    EXPECT_EQ(files(), 1u);
    openvdb::io::File file{path("a.vdb").string()};
    file.open();
    EXPECT_EQ(file.getMetadata()->metaValue<double>("time"), 4.5);
    const auto density = grid<openvdb::FloatGrid>(file, "density");
    const auto velocity = grid<openvdb::Vec3SGrid>(file, "velocity");
    const auto field = grid<openvdb::FloatGrid>(file, "density_");
    EXPECT_EQ(field->metaValue<std::string>("unit"), "K");
    EXPECT_EQ(density->getGridClass(), openvdb::GRID_FOG_VOLUME);
    EXPECT_EQ(density->voxelSize(), openvdb::Vec3d(0.25));
    const double volume = density->voxelSize().x() * density->voxelSize().y() * density->voxelSize().z();
    double mass = 0, expected_mass = 0;
    Vec3d momentum{}, expected{};
    for (auto voxel = density->cbeginValueOn(); voxel; ++voxel) {
        const double here = static_cast<double>(*voxel) * volume;
        const openvdb::Vec3s v = velocity->tree().getValue(voxel.getCoord());
        mass += here;
        momentum = momentum + here * Vec3d{v.x(), v.y(), v.z()};
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        expected_mass += scene.bodies.position_mass[i].w;
        expected = expected + scene.bodies.position_mass[i].w * scene.bodies.velocity[i];
    }
    EXPECT_NEAR(mass / expected_mass, 1, 1e-7);
    EXPECT_LT(length(momentum - expected), 1e-6);
    EXPECT_LT(field->activeVoxelCount(), density->activeVoxelCount()) << "some bodies have no value";
    for (auto voxel = field->cbeginValueOn(); voxel; ++voxel) ASSERT_EQ(*voxel, 12.5f);
}

/// The middle of voxel (i, j, k) is the point voxel · (i, j, k).
TEST_F(Vdb, VoxelsLieWhereTheBodiesAre) {
    Scene one;
    one.bodies.add({30, -50, 70.04}, {}, 2);
    write_vdb(one, path("a.vdb"), 0.25);
    openvdb::io::File file{path("a.vdb").string()};
    file.open();
    const auto density = grid<openvdb::FloatGrid>(file, "density");
    openvdb::Vec3d middle{0};
    double sum = 0;
    for (auto voxel = density->cbeginValueOn(); voxel; ++voxel) {
        middle += density->indexToWorld(voxel.getCoord()) * static_cast<double>(*voxel);
        sum += static_cast<double>(*voxel);
    }
    EXPECT_NEAR(sum * 0.25 * 0.25 * 0.25, 2, 1e-6);
    EXPECT_NEAR(middle.x() / sum, 30, 1e-5);
    EXPECT_NEAR(middle.y() / sum, -50, 1e-5);
    EXPECT_NEAR(middle.z() / sum, 70.04, 0.04) << "a narrow kernel, of which few voxels are sampled";
}

TEST_F(Vdb, IsWrittenByItsExtensionAndNotRead) {
    Scene one;
    one.bodies.add({1, 2, 3}, {}, 2);
    write_snapshot(one, path("a.vdb"));
    expect_error([&] { read_snapshot(path("a.vdb")); }, Blame::kUsage, "a.vdb", "written, not read");
    expect_error([&] { write_vdb(one, path("none") / "a.vdb", 0.1); }, Blame::kEnvironment, "a.vdb");
    EXPECT_EQ(format("openvdb").extensions.front(), ".vdb");
}

}  // namespace
}  // namespace orrery::test
