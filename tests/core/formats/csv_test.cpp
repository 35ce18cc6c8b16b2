// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "core/base/text.hpp"
#include "core/formats/csv_text.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

class Csv : public Scratch {
protected:
    Scene read(std::string_view content) const { return read_snapshot(save("a.csv", content)); }
    template <class... Words>
    void expect_refused(std::string_view content, Words... words) const {
        expect_error([&] { read(content); }, Blame::kUsage, "a.csv", words...);
    }
    void expect_two_bodies(std::string_view content) const {
        SCOPED_TRACE(content);
        const Bodies bodies = read(content).bodies;
        ASSERT_EQ(bodies.size(), 2u);
        EXPECT_EQ(bodies.position_mass[0], (Vec4d{2, 3, 4, 1}));
        EXPECT_EQ(bodies.velocity[0], (Vec3d{5, 6, 7}));
        EXPECT_EQ(bodies.position_mass[1], (Vec4d{-2, 0.5, 1e3, 8}));
    }
};

TEST_F(Csv, AcceptsAnySeparatorAndColumnOrder) {
    expect_two_bodies("1,2,3,4,5,6,7\n8,-2,.5,1e3,0,0,0\n");
    expect_two_bodies("1;2;3;4;5;6;7\r\n8;-2;0.5;1000;0;0;0");
    expect_two_bodies("  1 2\t3  4 5 6 7 \n\n8 -2 +0.5 1E+3 0 0 0\n\n");
    expect_two_bodies("m\tx\ty\tz\tvx\tvy\tvz\n1\t2\t3\t4\t5\t6\t7\n8\t-2\t0.5\t1e3\t0\t0\t0\n");
    expect_two_bodies("vz, vy, vx, Z, Y, X, Mass, colour\n7, 6, 5, 4, 3, 2, 1, red\n0, 0, 0, 1e3, .5, -2, 8,\n");
    expect_two_bodies("m,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7,\n8,-2,0.5,1e3,0,0,0\n");
    expect_two_bodies("\xEF\xBB\xBFm,x,y,z,vx,vy,vz,\n# between\n1,2,3,4,5,6,7,\n8,-2,0.5,1e3,0,0,0,\n");
}

TEST_F(Csv, IsRecognisedByTheAbsenceOfControlCharacters) {
    const auto text = [](std::string_view head) {
        return format("csv").recognises(std::as_bytes(std::span{head}), head.size(), "a");
    };
    for (const char* good : {"1\t2", "1\r", "1\n", " ", "~", "\x80\xff"}) EXPECT_TRUE(text(good)) << good;
    for (const char* bad : {"", "1\x1f", "\x7f", "\b"}) EXPECT_FALSE(text(bad)) << bad;
}

TEST_F(Csv, KeepsNames) {
    const Bodies read_once =
        read("id,name,m,x,y,z,vx,vy,vz\n7,\"a, \"\"b\"\"\",1,2,3,4,5,6,7\n8,# plain,1,1,1,1,1,1,1\n").bodies;
    EXPECT_THAT(read_once.names, testing::ElementsAre("a, \"b\"", "# plain"));
    EXPECT_THAT(read("id m x y z vx vy vz\nSun 1 2 3 4 5 6 7\n").bodies.names, testing::ElementsAre("Sun"));

    Scene scene;
    scene.bodies.names = {"plain", "", " blanks ", "a,b;c\td", "\"", "#hash", "\xCF\x80"};
    for (std::size_t i = 0; i < scene.bodies.names.size(); ++i)
        scene.bodies.add({1.0 * static_cast<double>(i), 0, 0}, {}, 1);
    for (const char* name : {"names.csv", "names.tsv"}) {
        write_snapshot(scene, path(name));
        EXPECT_EQ(read_snapshot(path(name)).bodies.names, scene.bodies.names) << name;
    }
    scene.bodies.names[2] = "two\nlines";
    expect_error([&] { write_snapshot(scene, path("lines.csv")); }, Blame::kUsage, "lines.csv", "body 2", "line break");
}

TEST_F(Csv, ReadsIdsAndSpecies) {
    const Bodies bodies =
        read("id,species,m,x,y,z,vx,vy,vz\n18446744073709551615,GAS,1,2,3,4,5,6,7\n0,4,1,1,1,1,1,1,1\n").bodies;
    EXPECT_THAT(bodies.ids, testing::ElementsAre(18446744073709551615ull, 0));
    EXPECT_THAT(bodies.species, testing::ElementsAre(Species::kGas, Species::kStars));
    EXPECT_TRUE(bodies.names.empty());
    const std::string head = "id,species,m,x,y,z,vx,vy,vz\n", rest = ",1,2,3,4,5,6,7\n";
    expect_refused(head + "1,gas" + rest + "x,gas" + rest, "line 3", "whole number as id", "\"x\"");
    expect_refused(head + "x,gas" + rest + "1,plasma" + rest, "line 3", "species", "\"plasma\"");
    expect_refused(head + "1,6" + rest, "line 2", "species", "\"6\"");
}

TEST_F(Csv, ReadsChargesAndLaw) {
    const std::string row = ",1,2,3,4,5,6,7\n", head = "charge,m,x,y,z,vx,vy,vz\n";
    const Scene scene = read("# orrery: law=coulomb sigma=0.5 G=2\n" + head + "-1.5" + row + "+0.25" + row);
    EXPECT_THAT(scene.bodies.charge, testing::ElementsAre(-1.5, 0.25));
    EXPECT_EQ(scene.gravity, (Gravity{.constant = 2, .law = PairLaw::kCoulomb, .sigma = 0.5}));
    const Scene atoms = read("# orrery: law=lennard-jones sigma=3 cut_off=2.5\nm,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n");
    EXPECT_EQ(atoms.gravity, (Gravity{.law = PairLaw::kLennardJones, .sigma = 3, .cut_off = 2.5}));
    expect_refused(head + "plus" + row, "line 2", "charge", "\"plus\"");
    expect_refused(head + "nan" + row, "line 2", "charge");
    expect_refused("# orrery: law=buckingham\n" + head + "1" + row, "line 1", "lennard-jones", "law=buckingham");
    expect_refused("# orrery: law=coulomb sigma=-1\n" + head + "1" + row, "line 1", "sigma");
}

TEST_F(Csv, ReadsUnitsFromHeaderRowOrComment) {
    const std::string row = "1,2,3,4,5,6,7\n";
    for (const std::string& text : {"m [Msun],x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s]\n" + row,
                                    "m,x,y,z,vx,vy,vz\nMsun,kpc,kpc,kpc,km/s,km/s,km/s\n" + row}) {
        const Scene scene = read(text);
        EXPECT_EQ(scene.bodies.size(), 1u);
        EXPECT_EQ(lower_case(scene.mass_unit), "msun");
        EXPECT_EQ(scene.length_unit, "kpc");
        EXPECT_THAT(scene.notes, testing::ElementsAre(testing::HasSubstr("but not G")));
    }
    EXPECT_EQ(read("m,x,y,z [pc],vx,vy,vz\n" + row).length_unit, "pc");
    EXPECT_EQ(read("m [g],x,y,z,vx,vy,vz\n" + row).mass_unit, "g");
    const Scene speed = read("m,x,y,z,vx [m/s],vy,vz\n" + row);
    EXPECT_EQ(speed.length_unit + speed.mass_unit, "");
    EXPECT_THAT(speed.notes, testing::ElementsAre(testing::HasSubstr("m/s")));
    const Scene scene = read("# orrery: G=2 length_unit=AU mass_unit=M☉\n" + row);
    EXPECT_EQ(scene.length_unit, "AU");
    EXPECT_EQ(scene.mass_unit, "M☉");
    EXPECT_TRUE(scene.notes.empty());
    write_snapshot(scene, path("u.tsv"));
    EXPECT_EQ(read_snapshot(path("u.tsv")).mass_unit, "M☉");
}

/// A unit does not start with a digit, and the three lengths have the same unit.
TEST_F(Csv, ARowOfInvalidUnitsIsRefusedAsABody) {
    const std::string header = "m,x,y,z,vx,vy,vz\n", row = "1,2,3,4,5,6,7\n";
    expect_refused(header + "1Msun,kpc,kpc,kpc,km/s,km/s,km/s\n" + row, "line 2", "number as m", "\"1Msun\"");
    expect_refused(header + "Msun,kpc,kpc,pc,km/s,km/s,km/s\n" + row, "line 2", "number as m", "\"Msun\"");
    expect_refused(header + "Msun,kpc,pc,kpc,km/s,km/s,km/s\n" + row, "line 2", "number as m", "\"Msun\"");
    expect_refused(header + "Msun,kpc,kpc,kpc,km/s,km/s,\n" + row, "line 2", "number as m", "\"Msun\"");
    expect_refused(header + row + "Msun,kpc,kpc,kpc,km/s,km/s,km/s\n", "line 3", "number as m", "\"Msun\"");
}

TEST_F(Csv, NotesIdsThatAreNotNumbers) {
    const std::string head = "id,m,x,y,z,vx,vy,vz\n", rest = ",1,2,3,4,5,6,7\n";
    for (const std::string id : {"-1", "18446744073709551616", "1.5"}) {
        const Scene scene = read(head + id + rest + "2" + rest);
        EXPECT_TRUE(scene.bodies.ids.empty());
        EXPECT_EQ(scene.bodies.names, (std::vector<std::string>{id, "2"}));
        EXPECT_THAT(scene.notes, testing::Contains(testing::HasSubstr("line 2: id")));
        expect_refused(head + "2" + rest + id + rest, "line 3", "whole number as id");
    }
    EXPECT_TRUE(read(head + "Sun" + rest).notes.empty());
}

TEST_F(Csv, AcceptsALineOfOneMebibyte) {
    const std::string line = "#" + std::string((1 << 20) - 1, ' ');
    EXPECT_EQ(read(line + "\n1,2,3,4,5,6,7\n").bodies.size(), 1u);
    EXPECT_EQ(read("1,2,3,4,5,6,7\n" + line).bodies.size(), 1u);
}

TEST_F(Csv, RefusesAnOverlongLine) { expect_refused(std::string((1 << 21) + 5, '1'), "line 1: longer than"); }

TEST_F(Csv, KeepsSceneParameters) {
    Scene scene;
    scene.bodies.add({1, 2, 3}, {4, 5, 6}, 7);
    scene.gravity = {0.1 + 0.2, 1.0 / 3};
    scene.dt = 1e-7 / 3;
    scene.time = -5e-324;
    scene.days_per_time = 58.1324408670488;
    scene.steps_per_frame = 17;
    write_snapshot(scene, path("a.csv"));
    const Scene back = read_snapshot(path("a.csv"));
    EXPECT_EQ(back.gravity.constant, scene.gravity.constant);
    EXPECT_EQ(back.gravity.softening, scene.gravity.softening);
    EXPECT_EQ(back.dt, scene.dt);
    EXPECT_EQ(back.time, scene.time);
    EXPECT_EQ(back.days_per_time, scene.days_per_time);
    EXPECT_EQ(back.steps_per_frame, scene.steps_per_frame);
}

TEST_F(Csv, AssumesNoTimeUnitUnlessStated) {
    const std::string row = "1,2,3,4,5,6,7\n";
    EXPECT_EQ(read(row).days_per_time, 0);
    EXPECT_EQ(read("# in AU and years\n" + row).days_per_time, 0);
    for (const char* unit : {"# AU, yr/(2pi), solar masses\n", "# time: yr / 2pi\n"})
        EXPECT_NEAR(read(unit + row).days_per_time * 2 * std::numbers::pi, 365.2568983, 1e-6) << unit;
    EXPECT_EQ(read("# yr/2pi\n" + row).length_unit, "AU");
    EXPECT_EQ(read("# yr/2pi\n" + row).mass_unit, "M☉");
    EXPECT_EQ(read("# yr/2pi\n# orrery: G=2\n" + row).length_unit, "");
    EXPECT_EQ(read("# orrery: days_per_time=2.5\n" + row).length_unit, "");
    EXPECT_EQ(read("# orrery: days_per_time=2.5\n" + row).days_per_time, 2.5);
}

TEST_F(Csv, ErrorsNameTheLineAndTheFoundText) {
    const std::string header = "m,x,y,z,vx,vy,vz\n", row = "1,2,3,4,5,6,7\n";
    expect_refused(header, "no bodies");
    expect_refused("# nothing\n\n", "no bodies");
    expect_refused(header + row + "1,2,3,4,5,6\n", "line 3", "expected 7 columns, found 6");
    expect_refused(header + row + "\n1,2,3,4,5,6,7,8\n", "line 4", "found 8");
    expect_refused(header + "1,2,x,4,5,6,7\n", "line 2", "number as y", "\"x\"");
    expect_refused(header + "1,2,,4,5,6,7\n", "line 2", "y", "\"\"");
    expect_refused(header + "1,2,3 4,4,5,6,7\n", "line 2", "\"3 4\"");
    expect_refused(header + "0,2,3,4,5,6,7\n", "no body has a mass");
    expect_refused(row + "-1,2,3,4,5,6,7\n", "line 2", "\"-1\"");
    expect_refused(row + "1,nan,3,4,5,6,7\n", "line 2", "a finite number as x", "\"nan\"");
    expect_refused(row + "nan,2,3,4,5,6,7\n", "line 2", "a non-negative finite number as m", "\"nan\"");
    expect_refused(row + "1,2,3,4,5,6,-inf\n", "line 2", "vz", "\"-inf\"");
    expect_refused(row + "1,2,3,4,5,6,1e999\n", "line 2", "vz", "\"1e999\"");
    expect_refused("1,2,3,4,5,6\n", "line 1", "found 6");
    expect_refused("m,x,y,z,vx,vy\n" + row, "line 1", "vz is missing");
    expect_refused("m,x,y,z,vx,vy,vz,X\n" + row, "line 1", "column x occurs twice");
    expect_refused("It was a dark and stormy night\n", "line 1", "m is missing");
    expect_refused(header + "1,2,\x01\xff" + std::string(1000, 'z') + ",4,5,6,7\n", "line 2", "\"??zzz", "...");
}

TEST_F(Csv, RefusesInvalidParametersInOrreryComment) {
    const std::string row = "1,2,3,4,5,6,7\n";
    for (const char* word : {"G=0",
                             "G=nan",
                             "softening=-1",
                             "dt=0",
                             "time=inf",
                             "days_per_time=x",
                             "steps_per_frame=0",
                             "bodies=1.5",
                             "colour=1",
                             "G",
                             "=",
                             "steps_per_frame=1e300",
                             "steps_per_frame=1000001",
                             "length_unit",
                             "mass_unit=",
                             "law",
                             "law=",
                             "law=3",
                             "sigma=-1",
                             "sigma=inf",
                             "cut_off=nan",
                             "days_per_time=-1",
                             "days_per_time=inf",
                             "dt=inf",
                             "G=inf",
                             "softening=inf"})
        expect_refused(std::string{"\n# orrery: "} + word + "\n" + row, "line 2", word);
    const Scene at_limits =
        read("# orrery: steps_per_frame=1000000 sigma=0 cut_off=0 softening=0 days_per_time=0\n" + row);
    EXPECT_EQ(at_limits.steps_per_frame, 1'000'000);
    EXPECT_EQ(at_limits.gravity.sigma, 0);
    expect_refused("# orrery: bodies=2\n" + row, "expected 2 bodies", "found 1");
    expect_refused("# orrery: bodies=1\n1,2,3,4,5,6,7", "truncated");
}

std::vector<std::string> fields_of(std::string_view line, char separator) {
    csv_text::Fields fields;
    csv_text::split(line, separator, fields);
    return {fields.begin(), fields.end()};
}

TEST(CsvText, SplitsAtSeparatorsOutsideQuotes) {
    using List = std::vector<std::string>;
    EXPECT_EQ(fields_of("a, b ,,c,", ','), (List{"a", "b", "", "c", ""}));
    EXPECT_EQ(fields_of("  a  b\tc ", ' '), (List{"a", "b", "c"}));
    EXPECT_EQ(fields_of("\ta\t\tb", '\t'), (List{"", "a", "", "b"}));
    EXPECT_EQ(fields_of(" \"a,b\" ,c\"d,e\"", ','), (List{"\"a,b\"", "c\"d", "e\""}));
    EXPECT_EQ(fields_of("\"a\"\",b\",c", ','), (List{"\"a\"\",b\"", "c"})) << "a doubled quote is an escaped one";
    EXPECT_EQ(fields_of("\"a\"\"", ','), (List{"\"a\"\""})) << "an unclosed quote";
    EXPECT_EQ(fields_of("\"\",b", ','), (List{"\"\"", "b"}));
    EXPECT_EQ(fields_of("a,\"b\"", ','), (List{"a", "\"b\""}));
    EXPECT_EQ(fields_of("", ','), (List{""}));
}

TEST(CsvText, TreatsTabsAsSeparatorsIfThereAreEnough) {
    EXPECT_EQ(csv_text::separator_of("1\t2\t3\t4\t5\t6\t7"), '\t');
    EXPECT_EQ(csv_text::separator_of("1\t2\t3\t4\t5\t6 7"), ' ');
    EXPECT_EQ(csv_text::separator_of("1 2 3 4 5 6 7"), ' ');
    EXPECT_EQ(csv_text::separator_of("1,2;3"), ';');
    EXPECT_EQ(csv_text::separator_of("1 2,3"), ',');
    EXPECT_EQ(csv_text::separator_of("\"1,2\" 3"), ' ');
}

TEST(CsvText, UnquotesOnlyWholeFields) {
    EXPECT_EQ(csv_text::unquoted("\"\""), "");
    EXPECT_EQ(csv_text::unquoted("\"a\"\"b\""), "a\"b");
    EXPECT_EQ(csv_text::unquoted("\"a\"\"\""), "a\"");
    for (const char* field : {"\"", "\"a", "a\"", "", "a"}) EXPECT_EQ(csv_text::unquoted(field), field);
}

TEST(CsvText, FindsAUnitInBracketsAtTheEnd) {
    const auto parts = [](std::string title) {
        const std::string unit = csv_text::unit_behind(title);
        return title + "|" + unit;
    };
    EXPECT_EQ(parts("m [ kg ]"), "m|kg");
    EXPECT_EQ(parts("vx(km/s)"), "vx|km/s");
    EXPECT_EQ(parts("m []"), "m|");
    for (const char* none : {"m", "(m)", "[m]", "m [kg)", "m (kg]", "m (kg) x"})
        EXPECT_EQ(parts(none), std::string{none} + "|");
}

TEST(CsvText, ParsesOnlyWholeFieldsAsNumbers) {
    using csv_text::number, csv_text::whole;
    EXPECT_EQ(number("+5"), 5);
    EXPECT_EQ(number("-.5e1"), -5);
    for (const char* text : {"", "+", "-", "+-5", "++5", "5x", "1e999", " 5"}) EXPECT_FALSE(number(text)) << text;
    EXPECT_EQ(whole("0"), 0u);
    EXPECT_EQ(whole("18446744073709551615"), 18446744073709551615ull);
    for (const char* text : {"", "-1", "+1", "1.5", "1x", "18446744073709551616"}) EXPECT_FALSE(whole(text)) << text;
}

TEST(CsvText, ShowsAtMostFortyPrintableCharacters) {
    EXPECT_EQ(csv_text::shown(std::string(40, 'z')), std::string(40, 'z'));
    EXPECT_EQ(csv_text::shown(std::string(41, 'z')), std::string(40, 'z') + "...");
    EXPECT_EQ(csv_text::shown(" ~\x1f\x7f\x80"), " ~???");
}

TEST_F(Csv, OtherColumnsOfNumbersAreFieldsWithTheirUnits) {
    const auto file = save("a.csv",
                           "m,x,y,z,vx,vy,vz,Temp [K],note,B[2],age(8)\n"
                           "1,2,3,4,5,6,7,1e4,red,0.5,9007199254740993\n8,-2,0.5,1e3,0,0,0,nan,blue,,3\n");
    const std::vector<FieldInfo> fields = orrery::fields_of(file);
    ASSERT_EQ(fields.size(), 3u) << "a column of words is none";
    EXPECT_EQ(fields[0].name, "Temp");
    EXPECT_EQ(fields[0].unit, "K");
    EXPECT_EQ(fields[0].bodies, 2u);
    EXPECT_EQ(fields[1].name, "B[2]") << "the number in brackets is that of a component";
    EXPECT_EQ(fields[2].name, "age") << "the number in round brackets is that of the column";
    const auto numbers = [&](const FieldInfo& field) {
        std::vector<double> all;
        read_field(file, field, [&](std::span<const double> some) { all.insert(all.end(), some.begin(), some.end()); });
        return all;
    };
    EXPECT_EQ(numbers(fields[0]).at(0), 1e4);
    EXPECT_TRUE(std::isnan(numbers(fields[0]).at(1)));
    EXPECT_EQ(numbers(fields[1]).at(0), 0.5);
    EXPECT_TRUE(std::isnan(numbers(fields[1]).at(1)));
    EXPECT_TRUE(std::isnan(numbers(fields[2]).at(0))) << "a double does not hold 2^53 + 1";
    EXPECT_EQ(numbers(fields[2]).at(1), 3);
}

TEST_F(Csv, FieldsBelongToTheReadBodies) {
    const auto file = save("a.csv",
                           "# by hand\nt,m,x,y,z,vx,vy,vz,u\n0,1,2,3,4,5,6,7,10\n1,1,2,3,4,5,6,7,11\n\n# more\n"
                           "0,8,-2,0.5,1e3,0,0,0,12\n");
    const std::vector<FieldInfo> fields = orrery::fields_of(file);
    ASSERT_EQ(fields.size(), 1u);
    EXPECT_EQ(fields[0].bodies, 2u);
    std::vector<double> all;
    read_field(file, fields[0], [&](std::span<const double> some) { all.insert(all.end(), some.begin(), some.end()); });
    EXPECT_EQ(all, (std::vector<double>{10, 12}));
}

TEST_F(Csv, FieldsWithWordsBelowTheFirstRowAreRefusedWithTheirLine) {
    const auto file = save("a.csv", "m,x,y,z,vx,vy,vz,u\n1,2,3,4,5,6,7,10\n1,2,3,4,5,6,7,hot\n");
    const std::vector<FieldInfo> fields = orrery::fields_of(file);
    ASSERT_EQ(fields.size(), 1u);
    expect_error([&] { read_field(file, fields[0], [](std::span<const double>) {}); }, Blame::kUsage, "a.csv", "line 3",
                 "a number as u", "hot");
    EXPECT_EQ(read_snapshot(file).bodies.size(), 2u) << "the bodies can be read";
}

TEST_F(Csv, FieldsSurviveARoundTrip) {
    Scene scene = read("m,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n8,-2,0.5,1e3,0,0,0\n");
    scene.bodies.fields.push_back(make_field("Temperature", "K", {1.5f, NAN}));
    write_snapshot(scene, path("b.csv"));
    const std::vector<FieldInfo> fields = orrery::fields_of(path("b.csv"));
    ASSERT_EQ(fields.size(), 1u);
    EXPECT_EQ(fields[0].name, "Temperature");
    EXPECT_EQ(fields[0].unit, "K");
    EXPECT_TRUE(orrery::fields_of(save("a.csv", "m,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n")).empty());
}

TEST_F(Csv, AnUnclosedQuoteEndsWithTheLine) {
    expect_refused("name,m,x,y,z,vx,vy,vz\n\"open,1,2,3,4,5,6,7\n", "line 2", "found 1");
}

}  // namespace
}  // namespace orrery::test
