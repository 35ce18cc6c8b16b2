// SPDX-License-Identifier: MIT
// Snapshots of tools and codes that deviate from Gadget: other names, headers of the whole snapshot in files with a
// part of it, hundreds of files.
#include <sys/resource.h>

#include "tests/core/formats/gadget_hdf5_files.hpp"

namespace orrery::test {
namespace {

using Made = MadeGadgetHdf5;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class GadgetHdf5Variants : public GadgetHdf5Files {
protected:
    /// Writes `count` links to one file, which serves as each part of the snapshot s.0.hdf5, s.1.hdf5 and so on.
    void write_parts(std::int64_t count) const {
        Made made;
        made.files = count, made.total[1] = 2 * count, made.more = {{"Orrery_G", 1}};
        made.write(path("part"));
        for (std::int64_t i = 0; i < count; ++i)
            std::filesystem::create_symlink("part", path("s." + std::to_string(i) + ".hdf5"));
    }
};

/// Lowers the limit on descriptors for its lifetime.
class FewDescriptors {
public:
    explicit FewDescriptors(rlim_t most) {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit lower = before_;
        lower.rlim_cur = std::min(most, before_.rlim_cur);
        ::setrlimit(RLIMIT_NOFILE, &lower);
    }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;
    ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

TEST_F(GadgetHdf5Variants, SnapshotOfHundredsOfFilesIsRead) {
    // from 450 on, keeping all of them open would exceed the memory of the reading process
    constexpr std::int64_t kFiles = 600;
    write_parts(kFiles);
    const FewDescriptors limit{128};
    const Scene scene = read_snapshot(path("s.7.hdf5"));
    ASSERT_EQ(scene.bodies.size(), 2 * kFiles);
    EXPECT_EQ(scene.bodies.position_mass.front(), (Vec4d{1, 2, 3, 0.5}));
    EXPECT_EQ(scene.bodies.position_mass.back(), (Vec4d{4, 5, 6, 0.25}));
    EXPECT_THAT(scene.notes, ElementsAre(HasSubstr("id 7 occurs more than once")));
    EXPECT_EQ(read_head(path("s.0.hdf5")).bodies, 2u * kFiles);
    std::size_t bodies = 0;
    read_snapshot_in_parts(path("s.0.hdf5"), [&](const Bodies& part) { bodies += part.size(); });
    EXPECT_EQ(bodies, 2u * kFiles);
}

TEST_F(GadgetHdf5Variants, OtherColumnNamesAreRecognised) {
    using Names = std::map<std::string, std::string>;
    for (const Names& names : {Names{{"Velocities", "Velocity"}, {"Masses", "Mass"}},
                               Names{{"Coordinates", "Positions"}, {"ParticleIDs", "ParticleID"}},
                               Names{{"Coordinates", "position"}, {"Velocities", "velocities"}, {"Masses", "mass"}}}) {
        Made made;
        made.names = names;
        const Scene scene = read(made);
        EXPECT_EQ(scene.bodies.position_mass[1], (Vec4d{4, 5, 6, 0.25}));
        EXPECT_EQ(scene.bodies.velocity[1], (Vec3d{0, 0, 2}));
        EXPECT_EQ(scene.bodies.ids, made.ids);
    }
}

TEST_F(GadgetHdf5Variants, RowsTakePrecedenceOverTheHeaderOfTheWhole) {
    Made made;
    made.here = {0, 1000, 0, 0, 30, 0}, made.more = {{"Orrery_G", 1}};
    const Scene scene = read(made);
    EXPECT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.bodies.ids, made.ids);
    EXPECT_THAT(scene.notes, ElementsAre(testing::AllOf(HasSubstr("1000 bodies of species 1, the file holds 2"),
                                                        HasSubstr("30 bodies of species 4, the file holds 0"),
                                                        HasSubstr("cut out"))));
    EXPECT_EQ(read_head(path("a.hdf5")).bodies, 2u);
    made.files = 600, made.total = {0, 90'000, 0, 0, 0, 0};
    EXPECT_EQ(read(made).bodies.size(), 2u) << "a cut-out not named like a part";
    EXPECT_THAT(read(made).notes, Contains(HasSubstr("NumFilesPerSnapshot is 600; this file alone is read")));
    expect_error([&] { read(made, "b.0.hdf5"); }, Blame::kUsage, "b.0.hdf5", "expected 1000 rows", "found 2");
}

TEST_F(GadgetHdf5Variants, NumbersOfBodiesMayBeMissing) {
    for (const auto& missing : {std::set<std::string>{"NumPart_ThisFile"}, {"NumPart_ThisFile", "NumPart_Total"}}) {
        Made made;
        made.left_out = missing, made.more = {{"Orrery_G", 1}};
        const Scene scene = read(made);
        EXPECT_EQ(scene.bodies.size(), 2u);
        EXPECT_THAT(scene.notes, IsEmpty());
    }
}

TEST_F(GadgetHdf5Variants, FileWithAllBodiesIsReadAlone) {
    Made made;
    made.files = 16;
    EXPECT_EQ(read(made).bodies.size(), 2u);
    EXPECT_EQ(read_head(path("a.hdf5")).files, 1u);
}

TEST_F(GadgetHdf5Variants, MassesOfBodiesTakePrecedenceOverTheTable) {
    Made made;
    made.mass_table[1] = 7, made.m = {0.5, 0};
    const Bodies bodies = read(made).bodies;
    EXPECT_EQ(bodies.position_mass[0].w, 0.5);
    EXPECT_EQ(bodies.position_mass[1].w, 7) << "a zero mass is taken from the table";
}

TEST_F(GadgetHdf5Variants, IdsMayBeRealNumbers) {
    Made made;
    made.id_on_disk = H5T_IEEE_F64LE;
    EXPECT_EQ(read(made).bodies.ids, made.ids);
    made.ids = {std::uint64_t{1} << 60, 8};
    const Scene scene = read(made);
    EXPECT_THAT(scene.bodies.ids, IsEmpty()) << "beyond 2^53 two ids may round to the same number";
    EXPECT_THAT(scene.notes, Contains(HasSubstr("without ids")));
}

TEST_F(GadgetHdf5Variants, NegativeNumbersOfEightBytesAreLargeIds) {
    Made made;
    made.id_on_disk = H5T_STD_I64LE, made.id_in_memory = H5T_NATIVE_INT64;
    made.ids = {static_cast<std::uint64_t>(-9223372036749100247), 0};
    EXPECT_EQ(read(made).bodies.ids, made.ids);
}

TEST_F(GadgetHdf5Variants, TracersWithoutPositionsAreSkipped) {
    Made made;
    made.more = {{"Orrery_G", 1}};
    made.here[3] = made.total[3] = 5;
    made.write(path("a.hdf5"));
    {
        const hdf5::Handle file{H5Fopen(path("a.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
        const hdf5::Handle group{H5Gcreate2(file.id(), "PartType3", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
        const hsize_t rows = 5;
        const hdf5::Handle space{H5Screate_simple(1, &rows, nullptr), H5Sclose};
        const hdf5::Handle set{
            H5Dcreate2(group.id(), "TracerID", H5T_STD_U64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Dclose};
    }
    EXPECT_EQ(read_snapshot(path("a.hdf5")).bodies.size(), 2u);
    EXPECT_THAT(read_snapshot(path("a.hdf5")).notes, ElementsAre(HasSubstr("species 3 are tracers")));
    EXPECT_EQ(read_head(path("a.hdf5")).bodies, 2u);
}

}  // namespace
}  // namespace orrery::test
