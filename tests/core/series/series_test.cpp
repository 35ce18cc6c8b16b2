// SPDX-License-Identifier: MIT
#include "core/series/series.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "core/bodies/body_state.hpp"
#include "core/formats/formats.hpp"
#include "core/series/snapshot_files.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr Series::Seconds kLong = std::chrono::hours{1};

class SeriesOfFiles : public Scratch {
protected:
    /// Bodies i = 0, 1, … at x = i + 10 t + t², with ids from 100 on.
    static Scene moment(double time, std::size_t bodies = 5) {
        Scene scene;
        scene.time = time;
        for (std::size_t i = 0; i < bodies; ++i) {
            scene.bodies.add({static_cast<double>(i) + 10 * time + time * time, 0, 0}, {10 + 2 * time, 0, 0}, 1);
            scene.bodies.ids.push_back(100 + i);
        }
        scene.gravity.softening = 0.1;
        return scene;
    }
    std::string write(const std::string& name, const Scene& scene) const {
        write_snapshot(scene, path(name));
        return path(name).string();
    }
    std::string pattern() const { return path("s*").string(); }
    static double x_at(Series& series, double time, bool backward, std::size_t body) {
        const BodyState state = series.at(time, backward, kLong).value().at(time, Precision::kDouble);
        return bodies_of(state).position_mass[body].x;
    }
};

TEST_F(SeriesOfFiles, AreOrderedByTimeNotByName) {
    for (const auto& [name, time] : {std::pair{"s3.csv", 1.0}, {"s1.csv", 3.0}, {"s2.csv", 2.0}})
        write(name, moment(time));
    Series series{{pattern()}};
    EXPECT_THAT(*series.times(), ElementsAre(1, 2, 3));
    EXPECT_EQ(series.first().time, 1);
    EXPECT_EQ(series.first().id, "s*");
    EXPECT_THAT(series.first().notes, Contains(AllOf(HasSubstr("s3.csv: is earlier than"), HasSubstr("s2.csv"))));
    for (const double t : {1.0, 1.25, 2.0, 2.9, 3.0})
        EXPECT_NEAR(x_at(series, t, false, 4), 4 + 10 * t + t * t, 1e-13) << t;
    EXPECT_EQ(x_at(series, -7, true, 0), 11) << "the nearest time of the series";
    EXPECT_EQ(x_at(series, 99, true, 0), 39);
}

TEST_F(SeriesOfFiles, AreGivenByPatternFolderOrList) {
    const std::string a = write("s1.csv", moment(1)), b = write("s2.tipsy", moment(2));
    write("other.csv", moment(5));
    save("picture.png", "\x89PNG");
    save(".s3.csv.partial", "half");
    EXPECT_THAT(snapshot_files(std::vector{pattern()}), ElementsAre(a, b));
    EXPECT_THAT(snapshot_files(std::vector{path("").string()}), ElementsAre(path("other.csv"), a, b));
    EXPECT_THAT(snapshot_files(std::vector{b, a, b}), ElementsAre(b, a)) << "each file once";
    EXPECT_TRUE(names_many(pattern()));
    EXPECT_TRUE(names_many(path("").string()));
    EXPECT_FALSE(names_many(a));
    expect_error([&] { snapshot_files(std::vector{path("none*").string()}); }, Blame::kUsage, "none*",
                 "no matching snapshots");
}

TEST_F(SeriesOfFiles, InvalidMembersAreSkippedByName) {
    for (const double t : {1.0, 2.0, 3.0}) write("s" + std::to_string(static_cast<int>(t)) + ".tipsy", moment(t));
    write("s4.tipsy", moment(4, 6));
    write("s5.tipsy", moment(2));
    save("s6.tipsy", content(path("s3.tipsy")).substr(0, 100));
    save("s7.tipsy", "no snapshot");
    Series series{{pattern()}};
    EXPECT_THAT(*series.times(), ElementsAre(1, 2, 3));
    for (const auto& [file, why] : {std::pair{"s4.tipsy", "holds 6 bodies, the series 5"},
                                    {"s5.tipsy", "has the same time as"},
                                    {"s6.tipsy", "truncated"},
                                    {"s7.tipsy", "line 1"}})
        EXPECT_THAT(series.first().notes, Contains(AllOf(HasSubstr(file), HasSubstr(why)))) << file;
    expect_error([&] { Series{{path("s7.tipsy").string()}}; }, Blame::kUsage, "s7.tipsy");
    expect_error([&] { Series{{path("s6.tipsy").string(), path("s7.tipsy").string()}}; }, Blame::kUsage, "none of 2");
}

TEST_F(SeriesOfFiles, BodiesAreMatchedById) {
    write("s1.csv", moment(1));
    Scene shuffled = moment(2);
    std::ranges::reverse(shuffled.bodies.position_mass);
    std::ranges::reverse(shuffled.bodies.ids);
    write("s2.csv", shuffled);
    Scene strange = moment(3);
    strange.bodies.ids = {775, 776, 777, 103, 104};
    write("s3.csv", strange);
    write("s4.csv", moment(4));
    Series series{{pattern()}};
    for (std::size_t body = 0; body < 5; ++body)
        EXPECT_NEAR(x_at(series, 1.5, false, body), static_cast<double>(body) + 17.25, 1e-13);
    EXPECT_NEAR(x_at(series, 2.5, false, 1), 1 + 25 + 6.25, 1e-13) << "from the snapshots at 2 and 4";
    EXPECT_THAT(*series.times(), ElementsAre(1, 2, 4));
    EXPECT_THAT(series.remarks(),
                ElementsAre(AllOf(HasSubstr("s3.csv"), HasSubstr("other bodies"), HasSubstr("2 of 5"))));
    EXPECT_THAT(series.remarks(), IsEmpty()) << "reported once";
}

/// As when a black hole accretes gas.
TEST_F(SeriesOfFiles, BodiesWithIdsMayVanish) {
    write("s1.csv", moment(1));
    Scene fewer = moment(2);
    fewer.bodies.position_mass.erase(fewer.bodies.position_mass.begin() + 1);
    fewer.bodies.velocity.erase(fewer.bodies.velocity.begin() + 1);
    fewer.bodies.ids.erase(fewer.bodies.ids.begin() + 1);
    fewer.bodies.position_mass[3].w = 2;
    write("s2.csv", fewer);
    write("s3.csv", moment(3, 6));
    Series series{{pattern()}};
    EXPECT_THAT(*series.times(), ElementsAre(1, 2, 3));
    EXPECT_NEAR(x_at(series, 2, false, 2), 2 + 24, 1e-13);
    const Bodies bodies = bodies_of(series.at(2, false, kLong).value().at(2, Precision::kDouble));
    EXPECT_EQ(bodies.position_mass[1].w, 0);
    EXPECT_EQ(xyz(bodies.position_mass[1]), xyz(bodies.position_mass[4])) << "at the heaviest body";
    EXPECT_NEAR(x_at(series, 3, false, 4), 4 + 39, 1e-13);
    ASSERT_EQ(series.times()->size(), 3u);
    EXPECT_THAT(series.remarks(), Contains(HasSubstr("the first snapshot")));
}

/// As when stars form from gas.
TEST_F(SeriesOfFiles, CountsBodiesThatAppearLater) {
    write("s1.csv", moment(1));
    write("s2.csv", moment(2, 7));
    Scene replaced = moment(3);
    replaced.bodies.ids[1] = 777;
    write("s3.csv", replaced);
    Series pair{{path("s1.csv").string(), path("s3.csv").string()}};
    EXPECT_NEAR(x_at(pair, 3, false, 4), 4 + 39, 1e-13) << "the others of as many bodies are shown";
    EXPECT_THAT(pair.remarks(),
                Contains(AllOf(HasSubstr("lacks 1 of 5"), HasSubstr("1 bodies that are not in the first snapshot"))));
    write("s4.csv", moment(4, 8));
    Series series{{pattern()}};
    EXPECT_THAT(series.first().notes,
                Contains(AllOf(HasSubstr("2 of 4 snapshots"), HasSubstr("up to 3 more"), HasSubstr("are not shown"))));
    EXPECT_NEAR(x_at(series, 4, false, 4), 4 + 56, 1e-13);
    EXPECT_EQ(series.times()->size(), 4u);
    std::filesystem::remove(path("s2.csv")), std::filesystem::remove(path("s4.csv"));
    EXPECT_THAT(Series{{pattern()}}.first().notes, Not(Contains(HasSubstr("more bodies than the first"))));
}

class TableOfTimes : public SeriesOfFiles {
protected:
    /// Three bodies at the times 0.5, 1 and 10, in this order of rows; x = number of the body + time.
    static std::string table(std::string_view title, const std::vector<std::pair<std::string, double>>& rows) {
        std::string text = "# from a program\n" + std::string{title} + ",id,m,x,y,z,vx,vy,vz\n";
        for (const auto& [time, x] : rows)
            for (int body = 0; body < 3; ++body)
                text += time + "," + std::to_string(body) + ",1," + std::to_string(x + body) + ",0,0,1,0,0\n";
        return text;
    }
};

TEST_F(TableOfTimes, IsASeries) {
    const auto file = save("run.csv", table("time", {{"10", 10}, {"0.5", 0.5}, {"1", 1}}));
    const auto series = Series::of_file(file);
    ASSERT_TRUE(series);
    EXPECT_THAT(*series->times(), ElementsAre(0.5, 1, 10));
    EXPECT_EQ(series->first().id, "run.csv");
    EXPECT_EQ(series->first().time, 0.5);
    EXPECT_THAT(series->first().notes, Contains("run.csv: has 3 times, which are played"));
    EXPECT_THAT(series->first().notes, Not(Contains(HasSubstr("left out"))));
    EXPECT_NEAR(x_at(*series, 0.75, false, 2), 2.75, 1e-13);
    EXPECT_NEAR(x_at(*series, 10, false, 1), 11, 1e-13);
}

TEST_F(TableOfTimes, AcceptsRowsOrderedByBody) {
    std::string text = "t name m x y z vx vy vz\n";
    for (const char* name : {"Sun", "Earth"})
        for (int t = 0; t < 40; ++t)
            text += std::to_string(t) + ".50 " + name + " 1 " + std::to_string(t) + " 0 0 1 0 0\n" + "# remark\n";
    text += "0.5 Moon 1 0 1 0 1 0 0\n";  // another spelling of 0.50
    for (int t = 1; t < 40; ++t) text += std::to_string(t) + ".5 Moon 1 " + std::to_string(t) + " 1 0 1 0 0\n";
    const auto series = Series::of_file(save("run.txt", text));
    ASSERT_TRUE(series);
    EXPECT_EQ(series->times()->size(), 40u);
    EXPECT_THAT(series->first().bodies.names, ElementsAre("Sun", "Earth", "Moon"));
    EXPECT_NEAR(x_at(*series, 20.5, false, 2), 20, 1e-13);
}

TEST_F(TableOfTimes, NumbersDatesAndKeepsJulianDays) {
    const auto dates = save("dates.csv", table("date", {{"2026-03-01", 3}, {"2025-12-31", 1}, {"2026-01-15", 2}}));
    const auto numbered = Series::of_file(dates);
    EXPECT_THAT(*numbered->times(), ElementsAre(0, 1, 2));
    EXPECT_NEAR(x_at(*numbered, 1, false, 0), 2, 1e-13);
    const auto days = Series::of_file(save("jd.csv", table("jd", {{"2461000.5", 1}, {"2461001.5", 2}})));
    EXPECT_THAT(*days->times(), ElementsAre(2461000.5, 2461001.5));
}

TEST_F(TableOfTimes, RejectsOtherFiles) {
    EXPECT_FALSE(Series::of_file(save("one.csv", table("time", {{"1", 1}}))));
    EXPECT_FALSE(Series::of_file(save("without.csv", "m,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n")));
    EXPECT_FALSE(Series::of_file(write("a.tipsy", moment(1))));
    expect_error([&] { Series::of_file(save("bad.csv", "time,m,x,y,z,vx,vy,vz\n1,0,0\n")); }, Blame::kUsage,
                 "bad.csv: line 2");
}

TEST_F(SeriesOfFiles, NumbersInNamesReplaceMissingTimes) {
    for (const int step : {0, 10, 20, 100}) {
        Scene scene = moment(step);
        scene.time = 0;
        write("s" + std::to_string(step) + ".csv", scene);
    }
    Series series{{pattern()}};
    EXPECT_THAT(*series.times(), ElementsAre(0, 10, 20, 100));
    EXPECT_EQ(series.first().time, 0);
    EXPECT_THAT(series.first().notes, Contains(HasSubstr("the numbers in their names")));
    EXPECT_EQ(x_at(series, 20, false, 1), 1 + 200 + 400);
    EXPECT_EQ(x_at(series, 5, false, 1), 101) << "a straight line to 201";
    series.follow(true);
    Scene later = moment(110);
    later.time = 0;
    write("s110.csv", later);
    ASSERT_TRUE(eventually([&] { return series.times()->size() == 5; }));
    EXPECT_EQ(series.times()->back(), 110);
}

TEST_F(SeriesOfFiles, SurvivesTheLossOfAllFiles) {
    for (const std::string& source : {pattern(), path("").string()}) {
        for (int t = 1; t <= 3; ++t) write("s" + std::to_string(t) + ".csv", moment(t));
        Series series{{source}, 1};
        series.follow(true);
        for (int t = 1; t <= 3; ++t) std::filesystem::remove(path("s" + std::to_string(t) + ".csv"));
        std::vector<std::string> remarks;
        ASSERT_TRUE(eventually([&] {
            const auto more = series.remarks();
            remarks.insert(remarks.end(), more.begin(), more.end());
            return std::ranges::any_of(remarks, [](const std::string& r) { return r.ends_with("for new snapshots"); });
        }));
        EXPECT_FALSE(series.times()->empty());
        write("s4.csv", moment(4));
        ASSERT_TRUE(eventually([&] { return series.times()->back() == 4; }));
        EXPECT_NEAR(x_at(series, 4, false, 0), 56, 1e-13);
        std::filesystem::remove(path("s4.csv"));
    }
}

TEST_F(SeriesOfFiles, FoldersOfSnapshotsAreFound) {
    for (const int t : {1, 2, 10}) {
        const std::string folder = "snapdir_" + std::to_string(t);
        std::filesystem::create_directory(path(folder));
        write(folder + "/snapshot_" + std::to_string(t) + ".gadget", moment(t));
    }
    save("energy.txt", "1 2 3\n4 5 6\n");
    EXPECT_THAT(*Series{{path("").string()}}.times(), ElementsAre(1, 2, 10));
    EXPECT_THAT(*Series{{path("snapdir_*").string()}}.times(), ElementsAre(1, 2, 10));
}

TEST_F(SeriesOfFiles, TextIsASnapshotOnlyWithARowOfNumbers) {
    save("notes.txt", "no snapshot\n");
    save("bodies.txt", "m x y z\n1 0 0 0\n1 1 0 0\n");
    save("bodies.dat", "1;0;0;0;0;0;0\n");
    EXPECT_FALSE(may_be_snapshot(path("notes.txt")));
    EXPECT_TRUE(may_be_snapshot(path("bodies.txt")));
    EXPECT_TRUE(may_be_snapshot(path("bodies.dat")));
}

TEST_F(SeriesOfFiles, WithoutIdsMatchBodiesByIndex) {
    for (const int t : {1, 2}) {
        Scene scene = moment(t);
        scene.bodies.ids = {7, 7, 8, 9, 10};
        write("s" + std::to_string(t) + ".csv", scene);
    }
    Series series{{pattern()}};
    EXPECT_THAT(series.first().notes, Contains(HasSubstr("by their places in a file")));
    EXPECT_NEAR(x_at(series, 1.5, false, 1), 1 + 17.25, 1e-13);
}

TEST_F(SeriesOfFiles, MembersInOtherUnitsAreSkipped) {
    write("s1.csv", moment(1));
    for (int which = 2; which <= 5; ++which) {
        Scene scene = moment(which);
        if (which == 2) scene.gravity.constant = 43007.1;
        if (which == 3) scene.length_unit = "kpc";
        if (which == 4) scene.days_per_time = 365;
        write("s" + std::to_string(which) + ".csv", scene);
    }
    Series series{{pattern()}};
    EXPECT_NEAR(x_at(series, 2.5, false, 0), 31.25, 1e-13) << "between 1 and 5";
    EXPECT_THAT(*series.times(), ElementsAre(1, 5));
    const auto remarks = series.remarks();
    for (const auto& [file, why] : {std::pair{"s2.csv", "G is 43007.1"},
                                    {"s3.csv", "unit of length is kpc, that of the series is not named"},
                                    {"s4.csv", "unit of time is 365 days"}})
        EXPECT_THAT(remarks, Contains(AllOf(HasSubstr(file), HasSubstr(why))));
}

/// Velocities are per time: if times are scale factors, they cannot be used for interpolation, even if they seem to
/// fit.
TEST_F(SeriesOfFiles, OfScaleFactorsInterpolateLinearlyInA) {
    for (const double a : {0.25, 0.5}) {
        Scene scene = moment(a);
        scene.scale_factor = a;
        write(a < 0.5 ? "s1.csv" : "s2.csv", scene);
    }
    Series series{{pattern()}};
    EXPECT_EQ(series.first().scale_factor, 0.25);
    const double x0 = 2.5 + 0.0625, x1 = 5 + 0.25;
    EXPECT_NEAR(x_at(series, 0.3, false, 0), x0 + (x1 - x0) * 0.2, 1e-12);
    EXPECT_EQ(series.at(0.3, false, kLong).value().scale_factor(0.3), 0.3);
    EXPECT_THAT(series.remarks(), ElementsAre(HasSubstr("scale factors")));
}

/// The states of a run that started from a snapshot with scale factor 0.25 have later times.
TEST_F(SeriesOfFiles, OfARunFromAScaleFactorInterpolateInTime) {
    for (const double time : {0.25, 1.0}) {
        Scene scene = moment(time);
        scene.scale_factor = 0.25;
        write(time < 0.5 ? "s1.csv" : "s2.csv", scene);
    }
    Series series{{pattern()}};
    EXPECT_NEAR(x_at(series, 0.5, false, 0), 5.25, 1e-12) << "the cubic of the velocities";
    EXPECT_EQ(series.at(0.5, false, kLong).value().scale_factor(0.5), 0.25);
    EXPECT_THAT(series.remarks(), IsEmpty());
}

TEST_F(SeriesOfFiles, ReplacedOrDeletedFilesAreSkipped) {
    for (int t = 1; t <= 4; ++t) write("s" + std::to_string(t) + ".csv", moment(t));
    Series series{{pattern()}, 1};  // two snapshots always fit
    write("s2.csv", moment(7));
    std::filesystem::remove(path("s3.csv"));
    EXPECT_NEAR(x_at(series, 2.5, false, 0), 31.25, 1e-13);
    EXPECT_THAT(*series.times(), ElementsAre(1, 4));
    const auto remarks = series.remarks();
    EXPECT_THAT(remarks, Contains(AllOf(HasSubstr("s2.csv"), HasSubstr("has changed: its time was 2 and is 7"))));
    EXPECT_THAT(remarks, Contains(HasSubstr("s3.csv")));
}

TEST_F(SeriesOfFiles, GrowWhileFollowed) {
    write("s1.csv", moment(1));
    Series series{{pattern()}};
    EXPECT_THAT(*series.times(), ElementsAre(1));
    series.follow(true);
    save("s2.csv", "half");
    write("s3.csv", moment(3));
    ASSERT_TRUE(eventually([&] { return series.times()->size() == 2; }));
    write("s2.csv", moment(2));
    ASSERT_TRUE(eventually([&] { return series.times()->size() == 3; })) << "the file was still being written";
    EXPECT_NEAR(x_at(series, 1.5, false, 0), 17.25, 1e-13);
}

/// The body moves from x = 9.5 by 10 t + t² through the side of a box of 10 that both files declare.
TEST_F(SeriesOfFiles, BodiesCrossAPeriodicBoxOnTheShorterPath) {
    for (const double time : {0.0, 0.1}) {
        Scene scene = moment(time, 5);
        scene.time = time;
        for (Vec4d& p : scene.bodies.position_mass) p.x = std::fmod(p.x + 5.5, 10);
        const std::string file = write(time == 0 ? "s0.gadget" : "s1.gadget", scene);
        std::fstream bytes{file, std::ios::in | std::ios::out | std::ios::binary};
        std::string text(1024, ' ');
        bytes.read(text.data(), 16);
        const double box = 10;  // 128 bytes after the beginning of the header, which SnapFormat 2 precedes with a label
        const bool labelled = text.substr(4, 4) == "HEAD";
        bytes.seekp((labelled ? 16 : 0) + 4 + 128);
        bytes.write(reinterpret_cast<const char*>(&box), sizeof box);
    }
    Series series{{pattern()}};
    for (const double t : {0.02, 0.05, 0.08})
        EXPECT_NEAR(x_at(series, t, false, 4), std::fmod(9.5 + 10 * t + t * t, 10), 1e-5) << t;
    EXPECT_THAT(series.remarks(), IsEmpty());
}

TEST_F(SeriesOfFiles, HeadsMatchTheWholeFile) {
    for (const FormatEntry& entry : formats()) {
        if (!entry.why_not.empty()) continue;
        const std::string name = "s" + std::string{entry.extensions.front()};
        write(name, moment(0.25, 7));
        const SnapshotHead head = read_head(path(name));
        const Scene scene = read_snapshot(path(name));
        EXPECT_EQ(head.time, scene.time) << entry.id;
        EXPECT_EQ(head.bodies, scene.bodies.size()) << entry.id;
        EXPECT_EQ(head.files, 1u) << entry.id;
    }
}

}  // namespace
}  // namespace orrery::test
