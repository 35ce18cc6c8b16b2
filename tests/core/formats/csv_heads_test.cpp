// SPDX-License-Identifier: MIT
// CSV heads as other programs write them: in comments, with units, row indices, times, row counts.
#include <cstdlib>

#include "core/formats/csv_text.hpp"
#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CsvHeads : public Scratch {
protected:
    Scene read(std::string_view content) const { return read_snapshot(save("a.txt", content)); }
    template <class... Words>
    void expect_refused(std::string_view content, Words... words) const {
        expect_error([&] { read(content); }, Blame::kUsage, "a.txt", words...);
    }
    /// Expects mass 0.5, position (1, 2, 3), velocity (4, 5, 6).
    void expect_body(std::string_view content) const {
        SCOPED_TRACE(content);
        const Bodies bodies = read(content).bodies;
        ASSERT_GE(bodies.size(), 1u);
        EXPECT_EQ(bodies.position_mass[0], (Vec4d{1, 2, 3, 0.5}));
        EXPECT_EQ(bodies.velocity[0], (Vec3d{4, 5, 6}));
    }
    static std::filesystem::path field(const std::string& name) {
        const char* folder = std::getenv("ORRERY_DATA");
        return std::filesystem::path{folder ? folder : ORRERY_DATA_DIR} / "field" / name;
    }
};

TEST_F(CsvHeads, InACommentNameColumns) {
    const std::string row = "1 2 3 4 5 6 0.5\n";
    for (const char* head :
         {"# x y z vx vy vz m\n", "#x,y,z,vx,vy,vz,m\n", "% x y z vx vy vz mass\n", "! X Y Z VX VY VZ M\n",
          "// x; y; z; vx; vy; vz; m\n", "## x | y | z | vx | vy | vz | m\n", "# made by hand\n# x y z vx vy vz m\n#\n",
          "# columns: x y z vx vy vz m (SI)\n", "# 1:x 2:y 3:z 4:vx 5:vy 6:vz 7:m\n",
          "# x(1) y(2) z(3) vx(4) vy(5) vz(6) m(7)\n", "# pos_x pos_y pos_z vel_x vel_y vel_z mass\n",
          "# \"x\" \"y\" \"z\" \"vx\" \"vy\" \"vz\" \"m\"\n"})
        expect_body(head + row);
    expect_body("# x,y,z,vx,vy,vz,m\n1,2,3,4,5,6,0.5\n");
    expect_body("# x\ty\tz\tvx\tvy\tvz\tm\n1\t2\t3\t4\t5\t6\t0.5\n");
    expect_body("# m x y z vx vy vz\n0.5 1 2 3 4 5 6\n");
}

TEST_F(CsvHeads, InACommentProvideIdsAndUnits) {
    const Scene scene =
        read("# id x [kpc] y [kpc] z [kpc] vx [km/s] vy [km/s] vz [km/s] m [Msun]\n7 1 2 3 4 5 6 0.5\n");
    EXPECT_THAT(scene.bodies.ids, ElementsAre(7));
    EXPECT_EQ(scene.length_unit, "kpc");
    EXPECT_EQ(scene.mass_unit, "Msun");
    EXPECT_EQ(read("# x y z vx vy vz m\n# Mpc Mpc Mpc km/s km/s km/s Msun\n1 2 3 4 5 6 0.5\n").length_unit, "Mpc");
}

TEST_F(CsvHeads, InACommentWithAMissingColumnAreRefused) {
    expect_refused("# id x y z vx vy vz\n1 1 2 3 4 5 6\n", "m is missing", "comment");
    expect_refused("# x y z\n1 2 3\n", "m is missing", "comment");
    expect_refused("# x y z vx vy vz m\n1 2 3 4 5 6\n", "found 6 columns");
}

/// Prose may happen to have as many words as there are columns; a head in the table itself takes precedence over a
/// comment.
TEST_F(CsvHeads, AreNotRecognisedInProse) {
    expect_body("# a table of bodies made by hand\n0.5 1 2 3 4 5 6\n");
    expect_body("# x y z vx vy vz m\nm,x,y,z,vx,vy,vz\n0.5,1,2,3,4,5,6\n");
    EXPECT_TRUE(read("# seven numbers in each of these lines\n0.5 1 2 3 4 5 6\n").notes.empty());
    EXPECT_THAT(read("#ID(1)\thost(2)\tMvir(3)\tXc(4)\tYc(5)\tZc(6)\tVXc(7)\n1 2 3 4 5 6 0.5\n").notes,
                ElementsAre(HasSubstr("seems to name columns")));
    EXPECT_THAT(read("# x, y, z: place; vx, vy, vz: velocity; m: mass\n0.5 1 2 3 4 5 6\n").notes,
                ElementsAre(HasSubstr("seems to name columns")));
}

TEST_F(CsvHeads, CommentMarkersOfOtherLanguagesAreAccepted) {
    expect_body("% MATLAB\n0.5 1 2 3 4 5 6\n% the end\n");
    expect_body("! Fortran\n0.5 1 2 3 4 5 6\n");
    expect_body("// C\n0.5 1 2 3 4 5 6\n// the end\n");
    EXPECT_THAT(read("name,m,x,y,z,vx,vy,vz\n!Kung,1,2,3,4,5,6,7\n%,1,1,1,1,1,1,1\n").bodies.names,
                ElementsAre("!Kung", "%"));
}

TEST_F(CsvHeads, IgnoreARowIndex) {
    expect_body("   m    x  y  z vx vy vz\n0  0.5  1  2  3  4  5  6\n1  1  1  1  1  1  1  1\n");
    expect_body("\"m\",\"x\",\"y\",\"z\",\"vx\",\"vy\",\"vz\"\n\"1\",0.5,1,2,3,4,5,6\n\"2\",1,1,1,1,1,1,1\n");
    expect_body(",m,x,y,z,vx,vy,vz\n0,0.5,1,2,3,4,5,6\n");
    expect_body("# x y z vx vy vz m\n0 1 2 3 4 5 6 0.5\n1 1 1 1 1 1 1 1\n");
    expect_refused("m x y z vx vy vz\n1 0.5 1 2 3 4 5 6\n1 1 1 1 1 1 1 1\n", "line 3", "expected 2",
                   "numbers the rows");
    expect_refused("m,x,y,z,vx,vy,vz\n1,0.5,1,2,3,4,5,6\n", "line 2", "found 8");
}

TEST_F(CsvHeads, WithSeveralTimesSelectTheFirst) {
    const std::string head = "time,id,m,x,y,z,vx,vy,vz\n", rest = ",1,2,3,4,5,6,7\n";
    const Scene scene = read(head + "0.5,0" + rest + "0.50,1" + rest + "0.75,0" + rest + "0.75,1" + rest);
    EXPECT_THAT(scene.bodies.ids, ElementsAre(0, 1));
    EXPECT_EQ(scene.time, 0.5);
    EXPECT_THAT(scene.notes,
                ElementsAre(AllOf(HasSubstr("column time has several times"), HasSubstr("2 bodies of the first, 0.5"),
                                  HasSubstr("2 rows"), HasSubstr("the last 0.75"))));
    // One body after the other, as in ephemerides.
    const Scene by_body = read(head + "1,0" + rest + "2,0" + rest + "1,1" + rest + "2,1" + rest);
    EXPECT_THAT(by_body.bodies.ids, ElementsAre(0, 1));
    EXPECT_TRUE(read(head + "0.5,0" + rest + "0.5,1" + rest).notes.empty());
    const Scene dates = read("date,m,x,y,z,vx,vy,vz\n2023-11-12" + rest + "2023-11-13" + rest);
    EXPECT_EQ(dates.bodies.size(), 1u);
    EXPECT_EQ(dates.time, 0);
    EXPECT_EQ(read("step,t,m,x,y,z,vx,vy,vz\n10,0.5" + rest + "10,0.5" + rest).time, 0.5);
    expect_refused("t,m,x,y,z,vx,vy,vz\nnan" + rest, "line 2", "finite number as t");
}

/// T is a temperature beside names in small letters, and the time where all names are capitals.
TEST_F(CsvHeads, CapitalTIsTheTimeOnlyAmongCapitals) {
    const std::string rows = "1 2 3 4 5 6 0.5 10\n1 2 3 4 5 6 0.5 20\n";
    EXPECT_EQ(read("x y z vx vy vz m T\n" + rows).bodies.size(), 2u);
    EXPECT_EQ(read("X Y Z VX VY VZ M T\n" + rows).bodies.size(), 1u);
    EXPECT_EQ(read("x y z vx vy vz m t\n" + rows).bodies.size(), 1u);
    EXPECT_EQ(read("x y z vx vy vz m Time\n" + rows).bodies.size(), 1u);
}

TEST_F(CsvHeads, CountAndRadiusOfCourseworkFilesAreRead) {
    const std::string rows = " 1.496e11 0.0 0.0 2.98e4 5.974e24 earth.gif\n 0 0 0 0 1.989e30 sun.gif\n";
    const Scene scene = read("2\n2.5e11\n" + rows + "Anything below is a remark.\n1 2 3\n");
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.bodies.position_mass[0], (Vec4d{1.496e11, 0, 0, 5.974e24}));
    EXPECT_EQ(scene.bodies.velocity[0], (Vec3d{0, 2.98e4, 0}));
    EXPECT_THAT(scene.bodies.names, ElementsAre("earth", "sun"));
    EXPECT_EQ(scene.gravity.constant, 6.6743e-11);
    EXPECT_EQ(scene.length_unit + scene.mass_unit, "mkg");
    EXPECT_NEAR(scene.days_per_time * 86400, 1, 1e-12);
    EXPECT_THAT(scene.notes, testing::Contains(HasSubstr("in a plane")));
    expect_refused("3\n2.5e11\n" + rows, "expected 3 bodies", "found 2");
    expect_refused("2.5\n2.5e11\n" + rows, "line 3", "number of bodies", "2.5");
    expect_refused("1\n2\n1 2 3 4 5 6 7\n", "line 3", "the first row has 7 columns",
                   "replace both lines by column names");
    expect_refused("2\n3\n0\n" + rows, "line 3", "NEMO", "one body per line");
    expect_body("1\n0.5 1 2 3 4 5 6\n");
    expect_refused("2\n0.5 1 2 3 4 5 6\n", "expected 2 bodies", "found 1");
    expect_refused("1\n0.5 1 2 3 4 5 6\n0.5 1 2 3 4 5 6\n", "line 3", "expected 1 bodies");
}

TEST_F(CsvHeads, NumberFormatsOfOtherLanguagesAreAccepted) {
    using csv_text::number, csv_text::number_with_comma;
    for (const char* text :
         {"-150", "-1.5D+02", "-1.5d2", "-.15Q3", "-1.5+002", "-1.5*^2", "\"-150\"", "'-1.5E2'", "\" -150 \""})
        EXPECT_EQ(number(text), -150) << text;
    for (const char* text :
         {"1D", "1D+", "D1", "1.5-2", "15-003", "1e5d3", "infD1", "1.5*2", "\"", "'1\"", "1D999", "2023-11-12"})
        EXPECT_FALSE(number(text)) << text;
    EXPECT_EQ(number_with_comma("-1,5e2"), -150);
    for (const char* text : {"15", "1,234,5", "1.234,5", "1,2.5"}) EXPECT_FALSE(number_with_comma(text)) << text;
    expect_body("0.5D+00 1.0D+00 2.D0 3d0 4 5 6\n");
    expect_body("0,5;1,0;2;3;4;5;6\n");
    expect_body("m;x;y;z;vx;vy;vz\n0,5;1,0;2;3;4;5;6\n");
    expect_body("0,5\t1,0\t2\t3\t4\t5\t6\n");
    expect_body("\"0.5\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\"\n");
    EXPECT_THAT(read("id,m,x,y,z,vx,vy,vz\n\"7\",1,2,3,4,5,6,7\n").bodies.ids, ElementsAre(7));
    expect_refused("0,5;1.5;2;3;4;5;6\n", "line 1", "decimal comma", "1.5");
}

TEST_F(CsvHeads, CompressedFilesAreRefusedWithACommandToUnpackThem) {
    const auto refused = [&](std::string_view content, const char* what, const char* remedy) {
        const auto file = save("a.csv", content);
        expect_error([&] { read_snapshot(file); }, Blame::kUsage, "a.csv", what, remedy);
    };
    using namespace std::string_view_literals;
    refused("BZh91AY\x01"sv, "bzip2", "bunzip2");
    refused(
        "\xfd"
        "7zXZ\x00"sv,
        "xz", "unxz");
    refused("\x28\xb5\x2f\xfd\x01"sv, "zstd", "unzstd");
    refused("PK\x03\x04"sv, "ZIP", "unzip");
    refused(
        "\xff\xfe"
        "m\x00,\x00"sv,
        "UTF-16", "iconv");
}

TEST_F(CsvHeads, OfFieldFilesAreUnderstood) {
    if (!std::filesystem::exists(field("comment_names.txt"))) GTEST_SKIP() << "no files from the field";
    const Bodies named = read_snapshot(field("comment_names.txt")).bodies;
    ASSERT_EQ(named.size(), 3u);
    EXPECT_EQ(named.position_mass[2], (Vec4d{5.2, 0, 0, 0.00095}));
    const Scene times = read_snapshot(field("several_times.csv"));
    EXPECT_EQ(times.bodies.size(), 2u);
    const Bodies fortran = read_snapshot(field("fortran_exponents.dat")).bodies;
    ASSERT_EQ(fortran.size(), 2u);
    EXPECT_EQ(fortran.position_mass[0], (Vec4d{-1, 0, 0, 0.5}));
    const Bodies course = read_snapshot(field("count_radius_rows.txt")).bodies;
    ASSERT_EQ(course.size(), 3u);
    EXPECT_EQ(course.position_mass[1].w, 1.989e30);
}

TEST_F(CsvHeads, KeepTheEdgeOfAPeriodicBox) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {}, 1);
    scene.box = 62.5;
    write_snapshot(scene, path("boxed.csv"));
    EXPECT_EQ(read_snapshot(path("boxed.csv")).box, 62.5);
    expect_refused("# orrery: bodies=1 box=-1\nm,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n", "box");
}

TEST_F(CsvHeads, OfCosmologicalScenesKeepTheScaleFactor) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {4, 5, 6}, 7);
    scene.time = scene.scale_factor = 0.25;
    write_snapshot(scene, path("a.csv"));
    EXPECT_EQ(read_snapshot(path("a.csv")).scale_factor, 0.25);
    expect_refused("# orrery: scale_factor=-1\n1,2,3,4,5,6,7\n", "scale_factor");
}

}  // namespace
}  // namespace orrery::test
