// SPDX-License-Identifier: MIT
// Invalid snapshots of Gadget and AREPO, and the error for each.
#include <limits>
#include <optional>

#include "tests/core/formats/gadget_hdf5_files.hpp"

namespace orrery::test {
namespace {

using Made = MadeGadgetHdf5;

class GadgetHdf5Refusals : public GadgetHdf5Files {};

TEST_F(GadgetHdf5Refusals, NamesMissingDataSets) {
    for (const char* name : {"Coordinates", "Velocities", "Masses"}) {
        Made made;
        made.left_out = {name};
        refuses(made, name, "missing");
    }
    Made made;
    made.left_out = {"ParticleIDs"};
    const Scene scene = read(made);
    EXPECT_TRUE(scene.bodies.ids.empty());
    EXPECT_THAT(scene.notes, testing::Contains(testing::HasSubstr("PartType1/ParticleIDs is missing")));
    {
        hdf5::Writer file{path("empty.hdf5"), 0};
        file.commit();
    }
    expect_error([&] { read_snapshot(path("empty.hdf5")); }, Blame::kUsage, "empty.hdf5", "group Header is missing");
}

TEST_F(GadgetHdf5Refusals, RefusesContradictoryCounts) {
    Made made;
    made.here = {0, -2, 0, 0, 0, 0};
    refuses(made, "NumPart_ThisFile is -2");
    made.here = made.total = {0, 0, 0, 0, 0, 0}, made.x.clear(), made.v.clear(), made.m.clear(), made.ids.clear();
    refuses(made, "holds no bodies");
    made.here = {0, 5, 0, 0, 0, 0}, made.left_out = {"PartType1"};
    refuses(made, "holds no bodies");
    Made totals;
    totals.total = {0, 9, 0, 0, 0, 0};
    EXPECT_THAT(read(totals).notes, testing::Contains(testing::HasSubstr("NumPart_Total gives 9")));
    Made columns;
    columns.v = {0, 0, 1};
    refuses(columns, "PartType1/Velocities", "found 1 × 3");
    for (const auto change : {+[](Made& m) { m.v.resize(3); }, +[](Made& m) { m.m.resize(1); },
                              +[](Made& m) { m.ids.resize(1); }, +[](Made& m) { m.x.resize(3); }}) {
        Made unequal;
        unequal.here = {0, 9, 0, 0, 0, 0};
        change(unequal);
        refuses(unequal, "PartType1/", "expected");
    }
}

/// The library converts negative numbers to 0 when reading unsigned ones.
TEST_F(GadgetHdf5Refusals, NegativeIdsAreRefused) {
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

TEST_F(GadgetHdf5Refusals, NumberOfFilesIsAtMostAHundredThousand) {
    Made made;
    made.files = 0;
    EXPECT_EQ(read(made).bodies.size(), 2u) << "some programs write 0 for a single file";
    made.files = -1;
    refuses(made, "NumFilesPerSnapshot is -1");
    made.files = 100'001;
    refuses(made, "NumFilesPerSnapshot is 100001");
    made.files = 100'000, made.total[1] = 5;
    refuses(made, "is one of 100000 files");
}

/// Replaces the header's attribute of that name by `count` numbers of `type`.
TEST_F(GadgetHdf5Refusals, AttributesMustBeNonEmptyNumericArrays) {
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

TEST_F(GadgetHdf5Refusals, NamesInvalidNumbers) {
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
