// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "core/formats/formats.hpp"
#include "tests/app/commands/process.hpp"

namespace orrery::test {
namespace {

class ConvertCommand : public CommandTest {};

TEST_F(ConvertCommand, WritesEveryFormatAndReportsLosses) {
    save("a.csv", "# orrery: softening=0.3\nname,id,species,m,x,y,z,vx,vy,vz\nA,7,gas,0.1,2,3,4,5,6,7\n");
    for (const FormatEntry& entry : formats()) {
        if (!entry.why_not.empty()) continue;
        const std::string to = fmt::format("b{}", entry.extensions.front());
        const Finished finished = orrery({"convert", "a.csv", to});
        EXPECT_EQ(finished.code, 0) << finished.err;
        EXPECT_THAT(finished.out, testing::HasSubstr("1 bodies"));
        const auto lost = [&](const char* what) { return finished.err.find(what) != std::string::npos; };
        EXPECT_EQ(lost("names"), !entry.holds.names) << finished.err;
        EXPECT_EQ(lost("ids"), !entry.holds.ids) << finished.err;
        EXPECT_EQ(lost("softening 0.3"), !entry.holds.softening) << finished.err;
        EXPECT_EQ(lost("digits"), !entry.holds.doubles) << finished.err;
        EXPECT_EQ(read_snapshot(path(to)).bodies.position_mass[0].x, 2) << to;
    }
}

TEST_F(ConvertCommand, WritesFilesForFilmsOfASeries) {
    for (const int time : {2, 0, 1})
        save(fmt::format("s{}.csv", time),
             fmt::format("# orrery: time={} G=1 softening=0.1\nm,x,y,z,vx,vy,vz,id,heat\n1,{},0,0,1,0,0,7,{}\n"
                         "2,0,5,0,0,0,0,9,30\n",
                         time, time, 10 * time));
    const Finished one = orrery({"convert", "s*.csv", "film.usda", "--fields", "heat"});
    ASSERT_EQ(one.code, 0) << one.err;
    EXPECT_THAT(one.out, testing::HasSubstr("3 snapshots, USD"));
    const std::string film = content(path("film.usda"));
    for (const char* line :
         {"        1: [(1, 0, 0), (0, 5, 0)],", "        2: [20, 30],", "        0: [7, 9],", "    endTimeCode = 2"})
        EXPECT_THAT(film, testing::HasSubstr(line));
    ASSERT_EQ(orrery({"convert", "s0.csv", "s2.csv", "b%d.tipsy"}).code, 0);
    EXPECT_EQ(read_snapshot(path("b1.tipsy")).time, 2);
    EXPECT_EQ(read_snapshot(path("b1.tipsy")).bodies.position_mass[0].x, 2);
    const Finished refused = orrery({"convert", "s*.csv", "b.tipsy"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, testing::HasSubstr("NAME_%04d.tipsy"));
    EXPECT_EQ(orrery({"convert", "s0.csv", "b.csv", "--voxel", "0.1"}).code, 2);
    if (!format("openvdb").why_not.empty()) return;
    ASSERT_EQ(orrery({"convert", "s*.csv", "d_%02d.vdb", "--voxel", "1"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(path("d_02.vdb")));
    EXPECT_EQ(orrery({"convert", "d_02.vdb", "b.csv"}).code, 2);
}

TEST_F(ConvertCommand, AcceptsFormatAndConstant) {
    save("a.csv", "1,2,3,4,5,6,7\n");
    ASSERT_EQ(orrery({"convert", "a.csv", "snapshot_007", "--to", "gadget"}).code, 0);
    const Finished finished = orrery({"convert", "snapshot_007", "b.csv", "--constant", "43007.1"});
    EXPECT_THAT(finished.err, testing::HasSubstr("states no units"));
    EXPECT_EQ(read_snapshot(path("b.csv")).gravity.constant, 43007.1);
    EXPECT_THAT(finished.err, testing::Not(testing::HasSubstr("G = 1 is assumed")));
    EXPECT_THAT(finished.err, testing::HasSubstr("G = 43007.1 as given"));
}

TEST_F(ConvertCommand, RefusesInvalidArguments) {
    save("a.csv", "1,2,3,4,5,6,7\n");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"convert", "a.csv", "b.fits"},
                                                      {"convert", "missing.csv", "b.csv"},
                                                      {"convert", "a.csv", "b.csv", "--to", "fits"},
                                                      {"convert", "a.csv", "b.csv", "--constant", "0"}}) {
        const Finished finished = orrery(arguments);
        EXPECT_EQ(finished.code, 2) << finished.err;
        EXPECT_EQ(finished.error_lines(), 1u) << finished.err;
    }
    EXPECT_FALSE(std::filesystem::exists(path("b.csv")));
}

TEST_F(ConvertCommand, InterruptedAtAPipeLeavesNoTemporaryFolder) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    const int writer = open(path("pipe").c_str(), O_RDWR | O_CLOEXEC);  // so that it never ends
    ASSERT_GE(writer, 0);
    ASSERT_EQ(write(writer, "1,2,3", 5), 5);
    std::filesystem::create_directory(path("temporary"));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const Finished finished =
            orrery({"convert", "-", "b.csv"}, {.environment = {{"TMPDIR", path("temporary").string()}},
                                               .in = path("pipe").string(),
                                               .signal = signal,
                                               .signal_when = "temporary/orrery-*/.stdin.*.partial",
                                               .signal_at = 0});
        EXPECT_EQ(finished.code, 128 + signal) << finished.err;
        EXPECT_TRUE(std::filesystem::is_empty(path("temporary")));
    }
    close(writer);
}

}  // namespace
}  // namespace orrery::test
