// SPDX-License-Identifier: MIT
#include "core/formats/snapshot_names.hpp"

#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

TEST(SnapshotNames, NumbersInNamesAreComparedByValue) {
    EXPECT_TRUE(naturally_before("step_20.csv", "step_100.csv"));
    EXPECT_FALSE(naturally_before("step_100.csv", "step_20.csv"));
    EXPECT_TRUE(naturally_before("a9", "b1"));
    EXPECT_TRUE(naturally_before("s_007", "s_8"));
    EXPECT_TRUE(naturally_before("s_7", "s_7b"));
    EXPECT_FALSE(naturally_before("s_7", "s_7"));
    EXPECT_TRUE(naturally_before("s_123456789012345678901", "s_123456789012345678902")) << "longer than any integer";
}

TEST(SnapshotNames, SeriesDifferInOneNumber) {
    EXPECT_THAT(numbers_in({"run2/step_0.csv", "run2/step_10.csv", "run2/step_9.csv"}),
                Optional(ElementsAre(0, 10, 9)));
    EXPECT_THAT(numbers_in({"snapdir_001/snap_001.h5", "snapdir_002/snap_002.h5"}), Optional(ElementsAre(1, 2)));
    EXPECT_THAT(numbers_in({"a1_1.csv", "a1_2.csv", "a2_1.csv"}), Eq(std::nullopt));
    EXPECT_THAT(numbers_in({"king.csv", "plummer.csv"}), Eq(std::nullopt));
    EXPECT_THAT(numbers_in({"s1.csv", "s01.csv"}), Eq(std::nullopt)) << "both have the same number";
}

TEST(SnapshotNames, FilesOfOneSnapshotShareAName) {
    EXPECT_EQ(name_of_set("out/s_007.3.hdf5"), "out/s_007.hdf5");
    EXPECT_EQ(name_of_set("s_007.12"), "s_007");
    EXPECT_EQ(name_of_set("s_007.hdf5"), "s_007.hdf5");
}

class FileVersions : public Scratch {};

TEST_F(FileVersions, ChangeWithAnyFileOfTheSnapshot) {
    save("s.0.hdf5", "a"), save("s.1.hdf5", "b"), save("other.hdf5", "c");
    const auto before = versions_of(path("s.0.hdf5"));
    EXPECT_EQ(before.size(), 2u);
    save("other.hdf5", "changed");
    EXPECT_EQ(versions_of(path("s.0.hdf5")), before);
    save("s.1.hdf5", "bb");
    EXPECT_NE(versions_of(path("s.0.hdf5")), before);
}

}  // namespace
}  // namespace orrery::test
