// SPDX-License-Identifier: MIT
// Series in HDF5: compressed, in single and double precision, with accelerations and potentials.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class SeriesInHdf5 : public CommandTest {
protected:
    static std::vector<std::string> run(std::vector<std::string> more) {
        std::vector<std::string> words{"run", "plummer", "--bodies", "2000",        "--backend",   "cpu",   "--threads",
                                       "1",   "--dt",    "0.01",     "--no-energy", "--precision", "double"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

TEST_F(SeriesInHdf5, FilesContainTheRequestedColumns) {
    const std::vector<std::string> common{"--steps", "8", "--snapshots-every", "4"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), common.begin(), common.end());
        ASSERT_EQ(orrery(run(words)).code, 0);
    };
    with({"--snapshots", "snap%d.h5"});
    with({"--snapshots", "snapp%d.h5", "--snapshots-compress", "6", "--snapshots-accelerations"});
    with({"--snapshots", "snaps%d.h5", "--snapshots-single", "--snapshots-compress", "1"});
    for (const char* number : {"0", "1", "2"}) {
        const Scene plain = read_snapshot(path(std::string{"snap"} + number + ".h5"));
        const Scene packed = read_snapshot(path(std::string{"snapp"} + number + ".h5"));
        EXPECT_EQ(packed.bodies.position_mass, plain.bodies.position_mass) << "must be bitwise equal";
        EXPECT_EQ(packed.bodies.velocity, plain.bodies.velocity);
        EXPECT_EQ(packed.bodies.ids, plain.bodies.ids);
        EXPECT_EQ(packed.time, plain.time);
        const Scene single = read_snapshot(path(std::string{"snaps"} + number + ".h5"));
        for (std::size_t i = 0; i < plain.bodies.size(); ++i)
            EXPECT_EQ(single.bodies.position_mass[i], convert<double>(convert<float>(plain.bodies.position_mass[i])));
        EXPECT_LT(std::filesystem::file_size(path(std::string{"snaps"} + number + ".h5")),
                  std::filesystem::file_size(path(std::string{"snap"} + number + ".h5")));
    }
}

TEST_F(SeriesInHdf5, AccelerationsAndPotentialsMatchTheBodies) {
    ASSERT_EQ(orrery(run({"--steps", "3", "--engine", "direct", "--snapshots", "snap%d.h5", "--snapshots-every", "3",
                          "--snapshots-potentials"}))
                  .code,
              0);
    for (const char* name : {"snap0.h5", "snap1.h5"}) {
        const Scene scene = read_snapshot(path(name));
        const auto expected = accelerations({.engine = "reference", .precision = Precision::kDouble}, scene.bodies,
                                            scene.gravity, Potential::kCompute);
        const hdf5::Reader file{path(name)};
        const std::size_t count = scene.bodies.size();
        std::vector<double> a(3 * count), phi(count);
        file.read(file.column("PartType1/Acceleration", count, 3, H5T_FLOAT), 0, count, hdf5::Number::kDouble,
                  a.data());
        file.read(file.column("PartType1/Potential", count, 1, H5T_FLOAT), 0, count, hdf5::Number::kDouble, phi.data());
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_LT(length(Vec3d{a[3 * i], a[3 * i + 1], a[3 * i + 2]} - xyz(expected[i])),
                      1e-12 * length(xyz(expected[i])));
            EXPECT_NEAR(phi[i], expected[i].w, 1e-12 * std::abs(expected[i].w));
        }
    }
}

/// Checks the files with another HDF5 reader, field by field as in Gadget's user guide.
TEST_F(SeriesInHdf5, IsReadableByH5py) {
    ASSERT_EQ(orrery({"run", "milky-way-andromeda", "--bodies", "200", "--engine", "direct", "--backend", "cpu",
                      "--steps", "2", "--snapshots", "snap_%03d.hdf5", "--snapshots-every", "1", "--snapshots-compress",
                      "4", "--snapshots-potentials", "--no-energy"})
                  .code,
              0);
    // The system's Python has the system's packages; the first on PATH may be a user's own installation.
    const std::string system = "/usr/bin/python3", python = std::filesystem::exists(system) ? system : "python3";
    const Finished checked =
        orrery({python, ORRERY_CHECK_FIELDS, "snap_000.hdf5", "snap_002.hdf5"}, {.program = "/usr/bin/env"});
    if (checked.code == 77 || checked.code == 127) GTEST_SKIP() << checked.out << checked.err;  // no h5py, no Python
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
}

TEST_F(SeriesInHdf5, AccelerationsRequireASchemeThatEndsWithThem) {
    const Finished done = orrery(
        run({"--steps", "2", "--snapshots", "snap%d.h5", "--snapshots-accelerations", "--integrator", "leapfrog-dkd"}));
    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.err, testing::HasSubstr("leapfrog-dkd"));
    EXPECT_EQ(done.error_lines(), 1u) << done.err;
}

}  // namespace
}  // namespace orrery::test
