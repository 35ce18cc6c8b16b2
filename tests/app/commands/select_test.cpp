// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "core/formats/formats.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SelectCommand : public CommandTest {
protected:
    void SetUp() override {
        save("first.csv",
             "id,m,x,y,z,vx,vy,vz\n11,1,1,0,0,0,0,0\n12,1,2,0,0,0,0,0\n13,1,3,0,0,0,0,0\n14,1,4,0,0,0,0,0\n");
        save("later.csv",
             "id,m,x,y,z,vx,vy,vz\n14,1,9,0,0,0,0,0\n13,1,8,0,0,0,0,0\n12,1,1,0,0,0,0,0\n15,1,0,0,0,0,0,0\n");
    }
};

TEST_F(SelectCommand, WritesIdsAndSnapshots) {
    const Finished finished = orrery({"select", "first.csv", "x > 1.5 & !(id == 13)", "-o", "a.ids", "-o", "a.csv"});
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(content(path("a.ids")), "12\n14\n");
    EXPECT_THAT(read_snapshot(path("a.csv")).bodies.ids, ElementsAre(12, 14));
    EXPECT_THAT(finished.out, HasSubstr("2 of 4 bodies"));
    EXPECT_EQ(orrery({"select", "first.csv", "x > 3.5"}).out, "14\n") << "without -o to standard output";
}

TEST_F(SelectCommand, FindsNamedBodiesInAnotherSnapshot) {
    ASSERT_EQ(orrery({"select", "first.csv", "x > 2.5", "-o", "far.ids"}).code, 0);
    EXPECT_EQ(orrery({"select", "later.csv", "far & x > 8.5", "--set", "far=far.ids"}).out, "14\n");
    EXPECT_EQ(orrery({"select", "later.csv", "!far", "--set", "far=far.ids"}).out, "12\n15\n");
}

TEST_F(SelectCommand, RefusesInOneLine) {
    save("wrong.ids", "12\nabc\n");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"select", "first.csv", "T > 1"},
                                                      {"select", "first.csv", "x >"},
                                                      {"select", "first.csv", "x > 1", "-o", "a.fits"},
                                                      {"select", "first.csv", "x > 100", "-o", "none.csv"},
                                                      {"select", "first.csv", "a", "--set", "a=wrong.ids"},
                                                      {"select", "first.csv", "gas", "--set", "gas=far.ids"},
                                                      {"select", "first.csv", "a", "--set", "a"}}) {
        const Finished finished = orrery(arguments);
        EXPECT_EQ(finished.code, 2) << finished.err;
        EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    }
    EXPECT_FALSE(std::filesystem::exists(path("none.csv")));
}

}  // namespace
}  // namespace orrery::test
