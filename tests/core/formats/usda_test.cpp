// SPDX-License-Identifier: MIT
// USD text, read by a small parser of the grammar that the writer uses.
#include <charconv>
#include <cmath>
#include <map>

#include "core/formats/film_formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// Attributes by declaration ("point3f[] points"), their samples by time code: the numbers of all tuples.
using Samples = std::map<double, std::vector<double>>;
struct Stage {
    std::map<std::string, std::string> head;  ///< of the layer
    std::map<std::string, Samples> attributes;
    std::map<std::string, std::string> interpolation;
};

double number_in(std::string_view text) {
    if (text == "nan") return NAN;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    EXPECT_TRUE(error == std::errc{} && end == text.data() + text.size()) << text;
    return static_cast<double>(static_cast<float>(number));
}

std::vector<double> numbers_in(std::string_view array) {
    std::vector<double> numbers;
    for (std::size_t at = 0; (at = array.find_first_not_of("[](), ", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(array.find_first_of("[](), ", at), array.size());
        numbers.push_back(number_in(array.substr(at, end - at)));
        at = end;
    }
    return numbers;
}

/// Everything stands on lines of its own.
Stage parse(const std::string& text) {
    Stage stage;
    std::istringstream lines{text};
    std::string line, attribute;
    EXPECT_TRUE(std::getline(lines, line) && line == "#usda 1.0");
    int depth = 0;
    while (std::getline(lines, line)) {
        line.erase(0, line.find_first_not_of(' '));
        const std::size_t equals = line.find(" = ");
        if (line == "(" || line == "{") {
            ++depth;
        } else if (line == ")" || line == "}") {
            --depth;
        } else if (line.ends_with(".timeSamples = {")) {
            attribute = line.substr(0, line.find(".timeSamples"));
            ++depth;
        } else if (line.ends_with("],") && depth == 2) {
            const std::size_t colon = line.find(": ");
            stage.attributes[attribute][number_in(line.substr(0, colon))] =
                numbers_in(line.substr(colon + 2, line.size() - colon - 3));
        } else if (line.starts_with("interpolation = ")) {
            stage.interpolation[attribute] = line.substr(equals + 3);
        } else if (line.ends_with("(")) {
            attribute = line.substr(0, line.find_first_of('(') - 1);
            ++depth;
            if (equals == std::string::npos) continue;
            attribute = line.substr(0, equals);
            stage.attributes[attribute][0] = numbers_in(line.substr(equals + 3, line.size() - equals - 5));
        } else if (equals != std::string::npos) {
            stage.head[line.substr(0, equals)] = line.substr(equals + 3);
        }
    }
    EXPECT_EQ(depth, 0);
    return stage;
}

class Usda : public Scratch {
protected:
    static Scene scene(double time) {
        Scene scene;
        scene.label = "two \"bodies\"";
        scene.time = time, scene.dt = 0.5, scene.steps_per_frame = 4, scene.gravity.softening = 0.25;
        scene.bodies.add({1 + time, -2, 1.0 / 3}, {1, 0, -0.5}, 3);
        scene.bodies.add({4, 5, 6 - time}, {0, 0, -1}, 7);
        scene.bodies.ids = {std::uint64_t{1} << 60, 5};
        scene.bodies.fields = {make_field("Gas/Temperature", "K", {NAN, 1e4f})};
        return scene;
    }
};

TEST_F(Usda, OneSnapshotIsAFrameOfTheFilmThatItBegins) {
    write_snapshot(scene(3), path("a.usda"));
    const Stage stage = parse(content(path("a.usda")));
    EXPECT_EQ(stage.head.at("defaultPrim"), "\"bodies\"");
    EXPECT_EQ(stage.head.at("upAxis"), "\"Z\"");
    EXPECT_EQ(stage.head.at("endTimeCode"), "0");
    const auto& all = stage.attributes;
    EXPECT_EQ(all.at("point3f[] points").at(0), (std::vector<double>{4, -2, 1.0f / 3, 4, 5, 3}));
    // A frame takes 2, and there are 24 a second.
    EXPECT_EQ(all.at("vector3f[] velocities").at(0), (std::vector<double>{48, 0, -24, 0, 0, -48}));
    EXPECT_EQ(all.at("float[] widths").at(0), (std::vector<double>{0.5}));
    EXPECT_EQ(stage.interpolation.at("float[] widths"), "\"constant\"");
    EXPECT_EQ(all.at("int64[] ids").at(0), (std::vector<double>{0x1p60, 5}));
    EXPECT_EQ(all.at("float[] primvars:mass").at(0), (std::vector<double>{3, 7}));
    EXPECT_EQ(all.at("float3[] extent").at(0), (std::vector<double>{3.75, -2.25, 1.0f / 3 - 0.25f, 4.25, 5.25, 3.25}));
    const auto& temperatures = all.at("float[] primvars:Gas_Temperature").at(0);
    EXPECT_TRUE(std::isnan(temperatures.at(0)));
    EXPECT_EQ(temperatures.at(1), 1e4);
    EXPECT_EQ(stage.interpolation.at("float[] primvars:Gas_Temperature"), "\"vertex\"");
    const auto& colors = all.at("color3f[] primvars:displayColor").at(0);
    ASSERT_EQ(colors.size(), 6u);
    EXPECT_NEAR(colors[0], 0.18, 1e-6) << "grey: no value";
    EXPECT_NE(colors[3], colors[5]);
}

/// Positions change linearly; velocities state the same motion in lengths per second of the film.
TEST_F(Usda, SeriesHasATimeSampleForEachSnapshot) {
    const std::vector<double> times{1, 2, 5};
    write_usda({3, [&](std::size_t i) { return scene(times[i]); }, 1, 5}, path("a.usda"));
    const Stage stage = parse(content(path("a.usda")));
    EXPECT_EQ(stage.head.at("endTimeCode"), "2");
    EXPECT_EQ(stage.head.at("timeCodesPerSecond"), "24");
    const Samples& points = stage.attributes.at("point3f[] points");
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points.at(0.5)[0], 3);
    for (const auto& [code, velocity] : stage.attributes.at("vector3f[] velocities")) {
        EXPECT_EQ(points.at(0)[0] + code / 24 * velocity[0], points.at(code)[0]) << code;
        EXPECT_EQ(points.at(0)[5] + code / 24 * velocity[5], points.at(code)[5]) << code;
    }
    const Samples& colors = stage.attributes.at("color3f[] primvars:displayColor");
    EXPECT_EQ(colors.at(0), colors.at(2)) << "one scale for all frames";
}

TEST_F(Usda, IsNotRead) {
    write_snapshot(scene(0), path("a.usda"));
    expect_error([&] { read_snapshot(path("a.usda")); }, Blame::kUsage, "a.usda", "written, not read");
}

}  // namespace
}  // namespace orrery::test
