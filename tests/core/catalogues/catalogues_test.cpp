// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/analysis/analysis_settings.hpp"
#include "core/base/pool.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/halo_members.hpp"
#include "core/catalogues/halo_units.hpp"
#include "core/catalogues/scene_halos.hpp"
#include "core/formats/formats.hpp"
#include "tests/core/catalogues/catalogue_files.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Sample = std::filesystem::path (*)(const std::filesystem::path& folder);

std::filesystem::path subfind_sample(const std::filesystem::path& folder) { return two_in_subfind(folder); }

const std::map<std::string_view, Sample> kSamples{{"ahf", two_in_ahf},
                                                  {"rockstar", two_in_rockstar},
                                                  {"consistent-trees", two_in_consistent},
                                                  {"subfind", subfind_sample},
                                                  {"sublink", two_in_sublink}};

class Catalogues : public Scratch {
protected:
    Catalogues() { hdf5::silence_library(); }
    std::filesystem::path folder() const { return path(""); }
    template <class... Words>
    void refuses(const std::string& name, Words... words) const {
        expect_error([&] { read_catalogue(path(name).string()); }, Blame::kUsage, name, words...);
    }
    HaloCatalogue converted(const std::filesystem::path& catalogue, const std::filesystem::path& snapshot) const {
        HaloCatalogue read = read_catalogue(catalogue.string());
        convert_halos(read, snapshot_units(snapshot, read_snapshot(snapshot)));
        return read;
    }
};

class EveryCatalogue : public Catalogues, public testing::WithParamInterface<const CatalogueEntry*> {};

TEST_P(EveryCatalogue, IsRecognisedAndReadInTheUnitsOfASnapshot) {
    const CatalogueEntry& entry = *GetParam();
    ASSERT_TRUE(kSamples.contains(entry.id)) << "a new format needs a sample";
    if (!entry.why_not.empty()) GTEST_SKIP() << entry.why_not;
    const std::filesystem::path sample = kSamples.at(entry.id)(folder());
    EXPECT_TRUE(is_catalogue(sample));
    HaloCatalogue read = read_catalogue(sample.string());
    EXPECT_EQ(read.format, entry.id);
    ASSERT_EQ(read.halos.size(), 2u);
    const bool states_time = entry.id != "sublink";
    if (states_time) {
        EXPECT_NEAR(read.halos[0].scale_factor, 0.5, 1e-12);
    }
    const std::filesystem::path snapshot = snapshot_of_four(folder());  // in Mpc/h and 10¹⁰ M☉/h
    convert_halos(read, snapshot_units(snapshot, read_snapshot(snapshot)));
    const Halo &first = read.halos[0], &second = read.halos[1];
    EXPECT_NEAR(first.position.x, 1, 1e-9);
    EXPECT_NEAR(first.position.y, 2, 1e-9);
    EXPECT_NEAR(first.position.z, 3, 1e-9);
    EXPECT_NEAR(second.position.x, 9.9, 1e-9);
    EXPECT_NEAR(first.radius, 0.2, 1e-9);
    EXPECT_NEAR(first.mass, 200, 1e-6);
    EXPECT_NEAR(second.mass, 100, 1e-6);
    EXPECT_EQ(read.box, 10);
    if (entry.id != "consistent-trees") {
        EXPECT_EQ(first.members, 40u);
        EXPECT_EQ(second.members, 20u);
        EXPECT_NEAR(first.velocity.y, 20 / std::sqrt(0.5), 1e-9) << "Gadget's velocities are divided by √a";
    }
    if (entry.id == "ahf" || entry.id == "subfind" || entry.id == "consistent-trees") {
        EXPECT_EQ(second.host, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(OfTheMenu, EveryCatalogue, testing::ValuesIn([] {
                             std::vector<const CatalogueEntry*> all;
                             for (const CatalogueEntry& entry : catalogue_formats()) all.push_back(&entry);
                             return all;
                         }()),
                         [](const auto& instance) {
                             std::string name{instance.param->id};
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST_F(Catalogues, RatioOfBoxesConvertsLengthsWithoutUnits) {
    two_in_rockstar(folder());
    save("bodies.csv", "m,x,y,z,vx,vy,vz\n1,1000,2000,3000,0,0,0\n1,9900,5000,5000,0,0,0\n");
    HaloCatalogue read = read_catalogue(path("out_10.list").string());
    convert_halos(read, {.path = "bodies", .units = {}, .box = 10000, .scale_factor = 0.5});
    EXPECT_NEAR(read.halos[0].position.x, 1000, 1e-9);
    EXPECT_NEAR(read.halos[0].radius, 200, 1e-9);
    EXPECT_EQ(read.halos[0].mass, 2e12);
    EXPECT_THAT(read.notes, testing::Contains(HasSubstr("ratio of the boxes")));
    EXPECT_THAT(read.notes, testing::Contains(HasSubstr("masses of the catalogue stay in M☉/h")));
}

TEST_F(Catalogues, PhysicalSnapshotsGetPhysicalLengths) {
    const HaloUnit comoving{"Mpc/h", 3.0857e24, 1, -1}, physical{"kpc", 3.0857e21, 0, 0};
    EXPECT_NEAR(unit_factor(comoving, physical, 0.5, 0.7), 1000 * 0.5 / 0.7, 1e-9);
    EXPECT_EQ(unit_factor(comoving, physical, 0.5, 0), 0) << "h is not known";
    EXPECT_EQ(unit_factor(comoving, {}, 0.5, 0.7), 0);
}

TEST_F(Catalogues, CatalogueOfAnotherSnapshotIsRefusedWithBothScaleFactors) {
    const auto sample = two_in_rockstar(folder());
    const auto snapshot = snapshot_of_four(folder(), 3.0857e24, 10, 0.25);
    expect_error([&] { read_halos_of(sample.string(), std::vector{snapshot.string()}); }, Blame::kUsage, "out_10.list",
                 "a = 0.5", "a = 0.25", "choose the catalogue of this snapshot");
}

TEST_F(Catalogues, CatalogueOfAnotherBoxIsRefused) {
    const auto sample = two_in_rockstar(folder());
    const auto snapshot = snapshot_of_four(folder(), 3.0857e24, 20);
    expect_error([&] { read_halos_of(sample.string(), std::vector{snapshot.string()}); }, Blame::kUsage, "box",
                 "another run");
}

TEST_F(Catalogues, HaloesOutsideOfTheBodiesAreRefused) {
    const auto sample = two_in_ahf(folder());
    save("run.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,10,10,10,0,0,0\n");
    expect_error([&] { read_halos_of(sample.string(), std::vector{path("run.csv").string()}); }, Blame::kUsage,
                 "0 of its 2 haloes are among the bodies", "kpc/h");
}

TEST_F(Catalogues, HaloesOfASeriesMayLeaveTheVolumeOfItsFirstSnapshot) {
    const std::string titles = "\nm,x,y,z,vx,vy,vz\n";
    save("snap_1.csv", "# orrery: time=0.5 scale_factor=0.5" + titles + "1,0,0,0,0,0,0\n1,1,1,1,0,0,0\n");
    save("snap_2.csv", "# orrery: time=1 scale_factor=1" + titles + "1,0,0,0,0,0,0\n1,9,9,9,0,0,0\n");
    save("out_1.list", rockstar_text(0.5, {"0 0 1e12 0 0 200 0 40 1 1 1 0 0 0"}));
    save("out_2.list", rockstar_text(1, {"0 -1 1e12 0 0 200 0 40 9 9 9 0 0 0"}));
    const std::vector<std::string> series{path("snap_1.csv").string(), path("snap_2.csv").string()};
    const SceneHalos found = read_halos_of((folder() / "out_*.list").string(), series);
    EXPECT_FALSE(found.time) << "each time at its scale factor";
    EXPECT_EQ(found.catalogue.times.size(), 2u);
    EXPECT_THAT(members_in_scene(found.catalogue, 1, series).bodies, ElementsAre(1)) << "in the snapshot of its time";
}

TEST_F(Catalogues, MissingColumnsAreNamed) {
    save("out_1.list", "#ID DescID Rvir Np X Y Z\n1 -1 2 3 4 5 6\n");
    refuses("out_1.list", "column mvir or m200b", "is missing", "descid");
}

TEST_F(Catalogues, RowsWithMissingNumbersAndOtherTextAreNamedWithTheirLine) {
    save("out_1.list", rockstar_text(1, {"1 -1 2e12 0 0 200 0 40 1 2 3 0 0 0", "2 -1 2e12"}));
    refuses("out_1.list", "line 7", "expected 14 columns", "found 3");
    save("out_1.list", rockstar_text(1, {"1 -1 much 0 0 200 0 40 1 2 3 0 0 0"}));
    refuses("out_1.list", "line 6", "a number as mvir", "much");
}

TEST_F(Catalogues, IdsBeyond2To53AreExactAndRoundedOnesRefused) {
    save("out_1.list", rockstar_text(1, {"9007199254740993 -1 2e12 0 0 200 0 40 1 2 3 0 0 0"}));
    EXPECT_EQ(read_catalogue(path("out_1.list").string()).halos[0].id, 9007199254740993u);
    save("out_1.list", rockstar_text(1, {"9.007199254740993e15 -1 2e12 0 0 200 0 40 1 2 3 0 0 0"}));
    refuses("out_1.list", "line 6", "id", "below 2^53");
    save("out_1.list", rockstar_text(1, {"1.2e1 -1 2e12 0 0 200 0 40 1 2 3 0 0 0"}));
    EXPECT_EQ(read_catalogue(path("out_1.list").string()).halos[0].id, 12u);
}

TEST_F(Catalogues, HaloesWithoutAPlaceAreLeftOutWithANote) {
    save("out_1.list", rockstar_text(1, {"1 -1 2e12 0 0 200 0 40 nan 2 3 0 0 0", "2 -1 nan 0 0 nan 0 40 1 2 3 0 0 0"}));
    const HaloCatalogue read = read_catalogue(path("out_1.list").string());
    ASSERT_EQ(read.halos.size(), 1u);
    EXPECT_EQ(read.halos[0].id, 2u);
    EXPECT_TRUE(std::isnan(read.halos[0].mass)) << "missing, not a wrong number";
    EXPECT_THAT(read.notes, testing::Contains(HasSubstr("the first with id 1")));
    save("out_1.list", rockstar_text(1, {"1 -1 inf 0 0 200 0 40 1 2 3 0 0 0"}));
    EXPECT_TRUE(std::isnan(read_catalogue(path("out_1.list").string()).halos[0].mass));
    save("out_1.list", rockstar_text(1, {"1 -1 1 0 0 200 0 40 1 inf 3 0 0 0"}));
    refuses("out_1.list", "no halo has a position");
}

TEST_F(Catalogues, CyclesAreNamed) {
    save("tree.dat", consistent_text({"1.0 1 0 2 -1 1 1e12 100 1 1 1", "1.0 2 0 1 -1 1 1e12 100 1 1 1"}));
    refuses("tree.dat", "halo 1", "leads back", "cycle");
    save("tree.dat", consistent_text({"1.0 1 0 1 -1 1 1e12 100 1 1 1"}));
    refuses("tree.dat", "is the halo itself");
    save("tree.dat", consistent_text({"1.0 1 0 2 -1 1 1e12 100 1 1 1", "0.5 2 0 -1 -1 1 1e12 100 1 1 1"}));
    refuses("tree.dat", "at an earlier time");
}

TEST_F(Catalogues, RepeatedIdsOfATreeAreNamed) {
    save("tree.dat", consistent_text({"1.0 1 0 -1 -1 1 1e12 100 1 1 1", "0.5 1 1 1 -1 1 1e12 100 1 1 1"}));
    refuses("tree.dat", "have the id 1");
}

TEST_F(Catalogues, CataloguesOfSeveralSnapshotsAreLinkedInOrderOfTime) {
    save("out_8.list", rockstar_text(0.8, {}));  // before the first halo
    save("out_9.list", rockstar_text(0.9, {"0 5 1e12 0 0 200 0 40 1 2 3 0 0 0", "1 5 5e11 0 0 200 0 40 1 2 3 0 0 0"}));
    save("out_10.list",
         rockstar_text(1.0, {"4 -1 1e12 0 0 200 0 40 1 2 3 0 0 0", "5 -1 2e12 0 0 200 0 40 1 2 3 0 0 0"}));
    const HaloCatalogue read = read_catalogue((folder() / "out_*.list").string());
    ASSERT_EQ(read.times.size(), 2u);
    ASSERT_TRUE(read.has_tree());
    const std::uint32_t last = find_halo(read, "5", 1);
    EXPECT_EQ(read.descendants[find_halo(read, "0", 0)], last);
    EXPECT_EQ(read.descendants[find_halo(read, "1", 0)], last);
}

TEST_F(Catalogues, UnknownFilesAreRefusedWithTheFormats) {
    save("x.list", "hello\n");
    refuses("x.list", "Subfind HDF5", "AHF", "Rockstar");
    save("empty.list", rockstar_text(1, {}));
    refuses("empty.list", "holds no haloes");
}

TEST_F(Catalogues, MembersAreFoundByOffsets) {
    const HaloCatalogue read = converted(two_in_subfind(folder()), snapshot_of_four(folder()));
    const Scene scene = read_snapshot(path("snap_010.hdf5"));
    const HaloMembers group = members_of(read, 0, scene.bodies), sub = members_of(read, 1, scene.bodies);
    EXPECT_EQ(group.by, MembersBy::kRanges);
    EXPECT_THAT(group.bodies, ElementsAre(0, 1, 2));
    EXPECT_THAT(sub.bodies, ElementsAre(0)) << "the first bodies of its group";
}

TEST_F(Catalogues, MembersBeyondTheSnapshotAreRefused) {
    const HaloCatalogue read = converted(two_in_subfind(folder(), 0.5, 2), snapshot_of_four(folder()));
    const Scene scene = read_snapshot(path("snap_010.hdf5"));
    expect_error([&] { members_of(read, 0, scene.bodies); }, Blame::kUsage, "halo 0", "3 bodies of species halo from 2",
                 "the snapshot has 4", "another snapshot");
}

TEST_F(Catalogues, MembersAreFoundByIds) {
    const HaloCatalogue read = converted(two_in_ahf(folder()), snapshot_of_four(folder()));
    Scene scene = read_snapshot(path("snap_010.hdf5"));
    const HaloMembers members = members_of(read, 0, scene.bodies);
    EXPECT_EQ(members.by, MembersBy::kIds);
    EXPECT_THAT(members.bodies, ElementsAre(0, 2));
    scene.bodies.ids[2] = 999;
    expect_error([&] { members_of(read, 0, scene.bodies); }, Blame::kUsage,
                 "lists 2 bodies, of which the snapshot has 1");
}

TEST_F(Catalogues, MembersWithinTheRadiusUseTheNearestImages) {
    const HaloCatalogue read = converted(two_in_rockstar(folder()), snapshot_of_four(folder()));
    const Scene scene = read_snapshot(path("snap_010.hdf5"));
    EXPECT_THAT(members_of(read, 0, scene.bodies).bodies, ElementsAre(0, 2));
    HaloCatalogue wide = read;
    wide.halos[1].radius = 0.2;  // at x = 9.9; the body at 0.05 is 0.15 away, across the border
    const HaloMembers members = members_of(wide, 1, scene.bodies);
    EXPECT_EQ(members.by, MembersBy::kRadius);
    EXPECT_THAT(members.bodies, ElementsAre(1));
}

TEST_F(Catalogues, SubLinkWithoutDescendantsIsRefused) {
    CatalogueFile made{path("tree.hdf5")};
    made.wholes("SubhaloID", {7});
    made.wholes("SnapNum", {99});
    made.reals("SubhaloPos", {1, 2, 3}, 3);
    made.reals("SubhaloMass", {200});
    made.commit();
    expect_error([&] { hdf5::read_sublink(path("tree.hdf5")); }, Blame::kUsage, "DescendantID is missing");
}

TEST_F(Catalogues, HostZeroIsAHaloWhereIdsBeginAtZero) {
    const std::string titles = "#ID(1) hostHalo(2) Mhalo(3) npart(4) Xc(5) Yc(6) Zc(7) Rhalo(8)\n";
    save("a.AHF_halos", titles + "0 -1 2e12 40 1 2 3 4\n1 0 1e12 20 1 2 3 4\n2 -1 1e12 20 1 2 3 4\n");
    const HaloCatalogue from_zero = read_catalogue(path("a.AHF_halos").string());
    EXPECT_EQ(from_zero.halos[0].host, kNoHalo);
    EXPECT_EQ(from_zero.halos[1].host, 0u);
    EXPECT_EQ(from_zero.halos[2].host, kNoHalo);
    save("b.AHF_halos", titles + "1 0 2e12 40 1 2 3 4\n2 1 1e12 20 1 2 3 4\n");
    const HaloCatalogue from_one = read_catalogue(path("b.AHF_halos").string());
    EXPECT_EQ(from_one.halos[0].host, kNoHalo);
    EXPECT_EQ(from_one.halos[1].host, 0u);
}

TEST_F(Catalogues, SubfindOfTwoOrEightTypesIsRead) {
    for (const std::uint64_t types : {2u, 8u}) {
        CatalogueFile made{path("fof_tab.hdf5")};
        made.file().group("Header");
        for (const auto& [name, value] : {std::pair{"Ngroups_ThisFile", 1}, {"Ngroups_Total", 1}, {"NumFiles", 1}})
            made.file().integers("Header", name, {value});
        made.file().group("Group");
        made.reals("Group/GroupPos", {1, 2, 3}, 3);
        made.reals("Group/GroupMass", {10});
        std::vector<std::int64_t> counts(types), offsets(types);
        counts[1] = 3, offsets[1] = 5, counts.back() += types == 8 ? 7 : 0;
        made.wholes("Group/GroupLenType", counts, types);
        made.wholes("Group/GroupOffsetType", offsets, types);
        made.commit();
        const HaloCatalogue read = read_catalogue(path("fof_tab.hdf5").string());
        ASSERT_EQ(read.ranges.size(), 1u) << types;
        EXPECT_EQ(read.ranges[0].count[1], 3u);
        EXPECT_EQ(read.ranges[0].first[1], 5u);
        EXPECT_EQ(read.ranges[0].count[0] + read.ranges[0].count[5], 0u) << "types beyond the sixth have no species";
    }
}

TEST_F(Catalogues, HaloesAreSortedWithMissingValuesLast) {
    HaloCatalogue catalogue;
    catalogue.halos = {{.id = 1, .mass = 2}, {.id = 2, .mass = NAN}, {.id = 3, .mass = 5}};
    link_halos(catalogue);
    std::vector<std::uint32_t> rows{0, 1, 2};
    sort_halos(catalogue, rows, halo_columns()[0], false);
    EXPECT_THAT(rows, ElementsAre(2, 0, 1));
    sort_halos(catalogue, rows, halo_columns()[0], true);
    EXPECT_THAT(rows, ElementsAre(0, 2, 1));
}

TEST_F(Catalogues, GroupsMatchHaloesOfTheSameBodies) {
    // Two lumps of 30 bodies; the lists of the catalogue are exactly these, the second across the border of the box.
    Scene scene;
    for (int i = 0; i < 60; ++i) {
        const double x = i < 30 ? 2 + 0.01 * i : 9.9 + 0.01 * (i - 30);
        scene.bodies.add({x >= 10 ? x - 10 : x, 5, 5}, {}, 1);
    }
    HaloCatalogue catalogue;
    catalogue.box = 10;
    catalogue.halos = {{.id = 1, .position = {2.145, 5, 5}, .mass = 30, .radius = 0.5},
                       {.id = 2, .position = {0.045, 5, 5}, .mass = 30, .radius = 0.5}};
    link_halos(catalogue);
    Pool pool{2, false};
    AnalysisSettings settings;
    settings.link_length = 0.02;
    const auto matches = match_halos(pool, scene, catalogue, 0, settings, 10);
    ASSERT_EQ(matches.size(), 2u);
    for (const HaloMatch& match : matches) {
        ASSERT_TRUE(match.group);
        EXPECT_EQ(match.shared, 30u);
        EXPECT_EQ(match.members, 30u);
        EXPECT_EQ(match.group_bodies, 30u);
        EXPECT_NEAR(match.distance, 0, 1e-9);
        EXPECT_NEAR(match.mass_ratio, 1, 1e-12);
    }
}

TEST_F(Catalogues, SubhaloesAreLinkedByTheDescendantsBesideTheirCatalogue) {
    std::filesystem::rename(two_in_subfind(folder(), 0.4), path("fof_subhalo_tab_009.hdf5"));
    two_in_subfind(folder());  // _010
    {
        CatalogueFile made{path("subhalo_desc_009.hdf5")};
        made.file().group("Subhalo");
        made.wholes("Subhalo/DescSubhaloNr", {0});
        made.commit();
    }
    const HaloCatalogue read = read_catalogue((folder() / "fof_subhalo_tab_*.hdf5").string());
    ASSERT_TRUE(read.has_tree());
    EXPECT_EQ(read.descendants[find_halo(read, "sub0", 0)], find_halo(read, "sub0", 1));
    EXPECT_EQ(read.descendants[find_halo(read, "0", 0)], kNoHalo) << "groups have no descendants";
    CatalogueFile made{path("subhalo_desc_009.hdf5")};
    made.file().group("Subhalo");
    made.wholes("Subhalo/DescSubhaloNr", {0, 0});
    made.commit();
    refuses("fof_subhalo_tab_009.hdf5", "lists descendants of 2");
}

TEST_F(Catalogues, SetsOfFilesAreReadWhole) {
    for (int i = 0; i < 2; ++i) {
        CatalogueFile made{path("fof_tab_3." + std::to_string(i) + ".hdf5")};
        made.file().group("Header");
        for (const auto& [name, value] : {std::pair{"Ngroups_ThisFile", 1}, {"Ngroups_Total", 2}, {"NumFiles", 2}})
            made.file().integers("Header", name, {value});
        made.file().group("Group");
        made.reals("Group/GroupPos", {1.0 + i, 2, 3}, 3);
        made.reals("Group/GroupMass", {10});
        made.commit();
    }
    const HaloCatalogue read = read_catalogue(path("fof_tab_3.0.hdf5").string());
    ASSERT_EQ(read.halos.size(), 2u);
    EXPECT_EQ(read.halos[1].id, 1u);
    EXPECT_EQ(read.halos[1].position.x, 2);
    std::filesystem::remove(path("fof_tab_3.1.hdf5"));
    expect_error([&] { read_catalogue(path("fof_tab_3.0.hdf5").string()); }, Blame::kUsage, "fof_tab_3.1.hdf5");
}

}  // namespace
}  // namespace orrery::test
