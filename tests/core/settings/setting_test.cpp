// SPDX-License-Identifier: MIT
#include "core/settings/setting.hpp"

#include <gmock/gmock.h>

#include <array>
#include <optional>

#include "tests/core/formats/scratch.hpp"
#include "tests/support/settings.hpp"

namespace orrery::test {
namespace {

enum class Shape { kRound, kSquare };
struct ShapeEntry {
    std::string_view id, label, doc;
    Shape shape;
};
constexpr auto kShapes = std::to_array<ShapeEntry>(
    {{"round", "Round", "as a ball", Shape::kRound}, {"square", "Square", "as a box", Shape::kSquare}});

struct Inner {
    int size = 4;
    friend bool operator==(const Inner&, const Inner&) = default;
};
struct Outer {
    Inner inner;
    float light = 0.5f;
    bool on = false;
    std::optional<double> white;
    Shape shape = Shape::kRound;
    std::string name = "a";
    friend bool operator==(const Outer&, const Outer&) = default;
};

std::span<const Setting<Outer>> table() {
    static const SettingGroup balls{.of = "balls"};
    static const std::vector<Setting<Outer>> all = [] {
        SettingTable<Outer> add;
        add({.id = "size", .label = "Size", .doc = "how large", .kind = WholeKind{0, 64, 4}, .group = &balls},
            member<&Outer::inner, &Inner::size>());
        add({.id = "light", .label = "Light", .doc = "of it", .kind = RealKind{0.1, 1}, .unit = "lux"},
            member<&Outer::light>());
        add({.id = "is_on", .label = "On", .doc = "whether", .kind = FlagKind{}}, member<&Outer::on>());
        add({.id = "white",
             .label = "White",
             .doc = "light of white",
             .kind = RealKind{.low = 0, .high = kUnlimited, .above_low = true}},
            member<&Outer::white>());
        add({.id = "shape", .label = "Shape", .doc = "its shape", .kind = choices_of(kShapes)},
            member<&Outer::shape>(kShapes, &ShapeEntry::shape));
        add({.id = "name", .label = "Name", .doc = "its name", .kind = TextKind{}}, member<&Outer::name>());
        return std::move(add).all();
    }();
    return all;
}

const Setting<Outer>& of(std::string_view id) { return setting(table(), id); }

TEST(Settings, AreValid) { expect_sound(table()); }

TEST(Settings, AssignTheirMember) {
    Outer outer;
    assign(of("size"), outer, std::int64_t{8});
    assign(of("light"), outer, 0.25);
    assign(of("white"), outer, std::int64_t{3});
    assign(of("shape"), outer, std::string{"square"});
    EXPECT_EQ(outer, (Outer{.inner = {8}, .light = 0.25f, .white = 3.0, .shape = Shape::kSquare}));
    EXPECT_EQ(text_of(of("shape").member.get(outer)), "square");
    assign(of("white"), outer, SettingValue{});
    EXPECT_FALSE(outer.white);
    EXPECT_EQ(text_of(of("light").member.get({.light = 0.3f})), "0.3") << "the shortest text of a float";
}

TEST(Settings, DescribeAcceptedValues) {
    EXPECT_EQ(takes_text(of("size").info), "0 to 64, a multiple of 4");
    EXPECT_EQ(takes_text(of("light").info), "0.1 to 1");
    EXPECT_EQ(takes_text(of("white").info), "a number above 0");
    EXPECT_EQ(takes_text(of("shape").info), "round, square");
    EXPECT_EQ(flag_of(of("is_on").info), "is-on");
    EXPECT_EQ(help_of(of("size").info), "Balls: how large");
    EXPECT_EQ(help_of(of("light").info), "Of it (lux)");
    EXPECT_EQ(tip_of(of("size").info), "How large");
}

TEST(Settings, RefusalsNameSettingExpectedAndFound) {
    const auto refused = [](std::string_view id, const SettingValue& value, std::string_view expected) {
        Outer outer;
        expect_error([&] { assign(of(id), outer, value); }, Blame::kUsage, std::string{id} + ": expected",
                     std::string{expected});
        EXPECT_EQ(outer, Outer{});
    };
    refused("size", std::int64_t{68}, "a whole number from 0 to 64, a multiple of 4, found 68");
    refused("size", std::int64_t{6}, "found 6");
    refused("size", 4.5, "found 4.5");
    refused("light", 0.0, "a number from 0.1 to 1, found 0");
    refused("light", std::nan(""), "found nan");
    refused("white", 0.0, "a number above 0, found 0");
    refused("is_on", std::string{"yes"}, "true or false, found yes");
    refused("shape", std::string{"flat"}, "one of round, square, found flat");
}

TEST(Settings, ParseCommandLineText) {
    EXPECT_EQ(parse_setting(of("size").info, "12"), SettingValue{std::int64_t{12}});
    EXPECT_EQ(parse_setting(of("light").info, "2e-1"), SettingValue{0.2});
    EXPECT_EQ(parse_setting(of("shape").info, "square"), SettingValue{std::string{"square"}});
    for (const auto& [id, text] : {std::pair{"size", "12x"},
                                   {"size", ""},
                                   {"size", "1.5"},
                                   {"light", "much"},
                                   {"light", "nan"},
                                   {"white", "inf"},
                                   {"shape", "flat"}})
        expect_error([&, id = id, text = text] { parse_setting(of(id).info, text); }, Blame::kUsage,
                     std::string{"--"} + id + ": expected", std::string{"found "} + text);
}

/// Checkpoints store settings as numbers.
TEST(Settings, RoundTripThroughNumbers) {
    for (const Setting<Outer>& each : table()) {
        for (const SettingValue& value : accepted_values(each.info)) {
            if (std::holds_alternative<std::string>(value)) continue;
            EXPECT_EQ(from_number(each.info, to_number(value)), value) << each.info.id << ' ' << text_of(value);
        }
    }
    EXPECT_FALSE(accepts(of("size").info, from_number(of("size").info, 4.5)));
}

}  // namespace
}  // namespace orrery::test
