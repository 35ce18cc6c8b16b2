// SPDX-License-Identifier: MIT
// `orrery halos`, merger trees by `orrery plot`, and haloes in pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class Halos : public CommandTest {
protected:
    /// Two lumps of 40 bodies at x = 2 and 7, and a catalogue with a halo at each, the second twice as heavy.
    void write_lumps() const {
        std::string bodies = "m,x,y,z,vx,vy,vz\n";
        for (int i = 0; i < 80; ++i)
            bodies += "1," + std::to_string((i < 40 ? 2 : 7) + 0.01 * (i % 8)) + "," +
                      std::to_string(0.01 * (i % 40 / 8)) + ",0,0,0,0\n";
        save("bodies.csv", bodies);
        save("out_1.list", "#ID DescID Mvir Rvir Np X Y Z\n11 -1 40 500 40 2.04 0.02 0\n12 -1 80 500 40 7.04 0.02 0\n");
    }
    void write_tree() const {
        save("tree.dat",
             "#scale(0) id(1) desc_scale(2) desc_id(3) pid(4) mmp?(5) mvir(6) rvir(7) x(8) y(9) z(10)\n3\n"
             "1.0 1 0 -1 -1 1 4e12 100 1 1 1\n0.8 2 1.0 1 -1 1 3e12 100 1 1 1\n0.8 3 1.0 1 -1 0 1e12 100 2 1 1\n");
    }
    Finished run(const std::vector<std::string>& arguments) const { return orrery(arguments); }
};

TEST_F(Halos, AreListedSortedAndWrittenAsCsvAndJson) {
    write_lumps();
    const auto table = run({"halos", path("out_1.list").string(), "--sort", "mass"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_LT(table.out.find("12 "), table.out.find("11 ")) << table.out;
    const auto json = run({"halos", path("out_1.list").string(), "--sort", "id", "--ascending", "--json"});
    const Json found = Json::parse(json.out);
    EXPECT_EQ(found["format"], "rockstar");
    ASSERT_EQ(found["halos"].size(), 2u);
    EXPECT_EQ(found["halos"][0]["id"], 11);
    EXPECT_EQ(found["halos"][0]["members"], 40);
    EXPECT_EQ(found["halos"][0]["velocity"][0], Json{}) << "the file has no velocities";
    const auto csv = run({"halos", path("out_1.list").string(), "-o", path("list.csv").string()});
    EXPECT_EQ(csv.code, 0) << csv.err;
    EXPECT_THAT(content(path("list.csv")), HasSubstr("kind,host,descendant,mass [M☉/h],radius [Mpc/h],members,id,"));
    const auto wrong = run({"halos", path("out_1.list").string(), "--sort", "masss"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("did you mean 'mass'?"));
}

TEST_F(Halos, AreMatchedWithGroupsOfASnapshot) {
    write_lumps();
    const auto match = run({"halos", path("out_1.list").string(), "--match", path("bodies.csv").string(), "--json"});
    ASSERT_EQ(match.code, 0) << match.err;
    const Json rows = Json::parse(match.out);
    ASSERT_EQ(rows.size(), 2u);
    for (const Json& row : rows) {
        EXPECT_EQ(row["shared"], 40);
        EXPECT_EQ(row["group_bodies"], 40);
    }
    EXPECT_DOUBLE_EQ(rows[0]["mass_ratio"], 0.5);
    EXPECT_DOUBLE_EQ(rows[1]["mass_ratio"], 1);
    const auto members =
        run({"halos", path("out_1.list").string(), "--snapshot", path("bodies.csv").string(), "--members", "12"});
    EXPECT_EQ(std::ranges::count(members.out, '\n'), 41) << members.out << members.err;
    EXPECT_THAT(members.err, HasSubstr("within the radius"));
}

TEST_F(Halos, TreesAreDrawnAsTimelines) {
    write_tree();
    const auto plot = run({"plot", path("tree.dat").string(), "merger-tree", "--lit", "3", "-o",
                           path("tree.svg").string(), "-o", path("tree.csv").string()});
    ASSERT_EQ(plot.code, 0) << plot.err;
    EXPECT_THAT(content(path("tree.svg")), HasSubstr("Merger tree of halo 1"));
    EXPECT_THAT(content(path("tree.svg")), HasSubstr("lit: the branch of halo 3"));
    EXPECT_THAT(content(path("tree.csv")), HasSubstr("1,0,1,3,0.8,,1000000000000,2,1,1"));
    const auto none = run({"plot", path("tree.dat").string(), "merger-tree", "--halo", "9"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("has no halo 9"));
    const auto other = run({"plot", path("tree.dat").string(), "merger-tree", "--bins", "9"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("--bins does not apply"));
}

TEST_F(Halos, BranchesWithRepeatedIdsAreNamedWithTheirSnapshot) {
    save("out_1.list", "#ID DescID Mvir Rvir Np X Y Z\n0 0 5 1 9 1 1 1\n1 0 4 1 9 2 1 1\n");
    save("out_2.list", "#ID DescID Mvir Rvir Np X Y Z\n0 1 9 1 9 1 1 1\n1 1 3 1 9 2 1 1\n");
    save("out_3.list", "#ID DescID Mvir Rvir Np X Y Z\n1 -1 12 1 9 1 1 1\n");
    const std::vector<std::string> plot{"plot", path("out_*.list").string(), "merger-tree",
                                        "-o",   path("t.svg").string(),      "--lit"};
    const auto lit = [&](const std::string& halo) {
        std::vector<std::string> arguments = plot;
        arguments.push_back(halo);
        return run(arguments);
    };
    const auto several = lit("1");
    EXPECT_EQ(several.code, 2);
    EXPECT_THAT(several.err, HasSubstr("as in 1@"));
    EXPECT_EQ(lit("1@2").code, 0);
    EXPECT_EQ(lit("7").code, 2);
}

TEST_F(Halos, AreDrawnInPicturesAndTheirBodiesLit) {
    write_lumps();
    const auto record = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> arguments{"record",   path("bodies.csv").string(),
                                           "-o",       path(name).string(),
                                           "--steps",  "0",
                                           "--width",  "320",
                                           "--height", "240"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto done = run(arguments);
        EXPECT_EQ(done.code, 0) << done.err;
        return content(path(name));
    };
    const std::string halos = path("out_1.list").string();
    const std::string plain = record("a.png", {}), circles = record("b.png", {"--halos", halos}),
                      lit = record("c.png", {"--halos", halos, "--halo", "12"}),
                      none = record("d.png", {"--halos", halos, "--halo-circles", "0"});
    EXPECT_NE(plain, circles);
    EXPECT_NE(circles, lit);
    EXPECT_EQ(plain, none);
    const auto lost =
        run({"record", path("bodies.csv").string(), "-o", path("e.png").string(), "--steps", "0", "--halo", "12"});
    EXPECT_EQ(lost.code, 2);
    EXPECT_THAT(lost.err, HasSubstr("--halos FILE"));
}

}  // namespace
}  // namespace orrery::test
