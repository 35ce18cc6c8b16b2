// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include "core/formats/id_file.hpp"
#include "core/selection/body_set.hpp"
#include "core/selection/named_sets.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery {
namespace {

using test::expect_error;
using testing::ElementsAre;

std::vector<std::uint32_t> random_rows(std::size_t bodies, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < bodies; ++i)
        if (random() % 3 == 0) rows.push_back(i);
    return rows;
}

TEST(BodySet, RowsRoundTripForEverySizeOfTheLastWord) {
    for (const std::size_t bodies : {0u, 1u, 63u, 64u, 65u, 1000u, 50'000u}) {
        const auto rows = random_rows(bodies, 1);
        const BodySet set = BodySet::of_rows(bodies, rows);
        EXPECT_EQ(set.rows(), rows) << bodies;
        EXPECT_EQ(set.count(), rows.size()) << bodies;
        EXPECT_EQ((~set).count(), bodies - rows.size()) << bodies;
        EXPECT_EQ(~~set, set) << bodies;
    }
}

TEST(BodySet, ObeysTheLawsOfSets) {
    constexpr std::size_t kBodies = 777;
    const BodySet a = BodySet::of_rows(kBodies, random_rows(kBodies, 1)),
                  b = BodySet::of_rows(kBodies, random_rows(kBodies, 2)),
                  c = BodySet::of_rows(kBodies, random_rows(kBodies, 3));
    EXPECT_EQ(~(a & b), ~a | ~b);
    EXPECT_EQ(~(a | b), ~a & ~b);
    EXPECT_EQ(a & (b | c), (a & b) | (a & c));
    EXPECT_EQ(a - b, a & ~b);
    EXPECT_EQ((a | b).count() + (a & b).count(), a.count() + b.count());
    EXPECT_EQ(combined(SetOperation::kAdd, a, b), a | b);
    EXPECT_EQ(combined(SetOperation::kKeep, a, b), a & b);
    EXPECT_EQ(combined(SetOperation::kRemove, a, b), a - b);
    EXPECT_EQ(combined(SetOperation::kReplace, a, b), b);
}

TEST(BodySet, WhereIsTheSameOnAnyNumberOfThreads) {
    constexpr std::size_t kBodies = 100'001;
    const auto odd = [](std::size_t i) { return i * i % 7 == 2; };
    Pool one{1, false}, four{4, false};
    const BodySet set = BodySet::where(one, kBodies, odd);
    EXPECT_EQ(BodySet::where(four, kBodies, odd), set);
    for (std::size_t i = 0; i < kBodies; i += 997) EXPECT_EQ(set.holds(i), odd(i));
}

TEST(BodySet, RefusesOtherBodies) {
    const std::vector<std::uint32_t> rows{7};
    expect_error([&] { BodySet::of_rows(7, rows); }, Blame::kUsage, "index 7: there are 7 bodies");
    expect_error([] { BodySet{3} & BodySet{4}; }, Blame::kUsage, "sets over 3 and over 4 bodies");
}

TEST(BodySet, OmitsMissingValues) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(BodySet::of_values(std::vector{0.0f, 1.0f, kNone, -2.0f}).rows(), ElementsAre(1, 3));
}

/// The even-odd rule by a loop over all edges.
bool enclosed(const std::vector<OutlinePoint>& line, double x, double y) {
    bool odd = false;
    for (std::size_t i = 0, before = line.size() - 1; i < line.size(); before = i++) {
        const auto &a = line[i], &b = line[before];
        if ((a.y > y) != (b.y > y) && x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)) odd = !odd;
    }
    return odd;
}

TEST(Outline, EqualsALoopOverAllEdgesForStarsAndScribbles) {
    std::mt19937 random{5};
    std::uniform_real_distribution<double> unit{-1, 1};
    for (const std::size_t corners : {3u, 5u, 40u, 3000u}) {
        std::vector<OutlinePoint> line;
        for (std::size_t i = 0; i < corners; ++i) line.push_back({unit(random), unit(random)});
        const Outline outline{line};
        std::size_t inside = 0;
        for (int k = 0; k < 2000; ++k) {
            const double x = 1.2 * unit(random), y = 1.2 * unit(random);
            ASSERT_EQ(outline.holds(x, y), enclosed(line, x, y)) << corners << " corners at " << x << ", " << y;
            inside += outline.holds(x, y) ? 1 : 0;
        }
        EXPECT_GT(inside, 0u);
    }
}

TEST(Outline, HoldsNothingWithoutAnArea) {
    EXPECT_FALSE((Outline{{{0, 0}, {1, 1}}}.holds(0.5, 0.5)));
    EXPECT_FALSE((Outline{{{0, 0}, {1, 0}, {2, 0}}}.holds(0.5, 0)));
    EXPECT_FALSE(Outline{{}}.holds(0, 0));
    const Outline box{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    EXPECT_TRUE(box.holds(0.5, 0.5));
    EXPECT_FALSE(box.holds(NAN, 0.5));
    EXPECT_FALSE(box.holds(0.5, NAN));
}

/// Adjacent boxes share no point and leave none out.
TEST(Outline, TilesThePlane) {
    const Outline left{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, right{{{1, 0}, {2, 0}, {2, 1}, {1, 1}}};
    for (const double x : {0.0, 0.25, 1.0, 1.75})
        for (const double y : {0.0, 0.5}) EXPECT_NE(left.holds(x, y), right.holds(x, y)) << x << ", " << y;
}

TEST(NamedSets, HoldTheSameBodiesInAnyOrder) {
    const std::vector<std::uint64_t> ids{100, 7, 1ull << 60, 3}, later{3, 1ull << 60, 50, 100};
    NamedSets sets;
    sets.store("some", BodySet::of_rows(4, std::vector<std::uint32_t>{0, 1, 2}), {4, ids});
    EXPECT_THAT(sets.all().front().members, ElementsAre(7, 100, 1ull << 60));
    EXPECT_THAT(sets.set("some", {4, later}).rows(), ElementsAre(1, 3)) << "7 has disappeared";
}

TEST(NamedSets, AreCombinedByAnExpression) {
    const std::vector<std::uint64_t> ids{10, 11, 12, 13, 14};
    NamedSets sets;
    const auto store = [&](const std::string& name, const std::vector<std::uint32_t>& rows) {
        sets.store(name, BodySet::of_rows(5, rows), {5, ids});
    };
    store("hot", {0, 1, 2}), store("disk", {2, 3}), store("far out", {4, 0});
    const auto found = [&](const char* text) { return sets.combined(text, {5, ids}).rows(); };
    EXPECT_THAT(found("hot & !disk"), ElementsAre(0, 1));
    EXPECT_THAT(found("hot | disk"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(found("!(hot | disk) | `far out` & hot"), ElementsAre(0, 4));
    EXPECT_THAT(found("hot != disk"), ElementsAre(0, 1, 3));
    expect_error([&] { found("hot & cold"); }, Blame::kUsage,
                 "no selection has the name cold; there are hot, disk, far out");
    sets.erase("disk");
    EXPECT_EQ(sets.all().size(), 2u);
}

TEST(NamedSets, WithoutIdsAreKeptByIndex) {
    NamedSets sets;
    sets.store("first", BodySet::of_rows(3, std::vector<std::uint32_t>{0, 2}), {3, {}});
    EXPECT_THAT(sets.set("first", {3, {}}).rows(), ElementsAre(0, 2));
    expect_error([&] { sets.set("first", {2, {}}); }, Blame::kUsage, "it holds index 2, and there are 2 bodies");
    sets.store({"by id", {5}, false});
    expect_error([&] { sets.set("by id", {3, {}}); }, Blame::kUsage, "it holds ids, and these bodies have none");
    expect_error([&] { sets.store({"a`b", {}, false}); }, Blame::kUsage, "a name needs");
    expect_error([&] { sets.store({"", {}, false}); }, Blame::kUsage, "a name needs");
}

class IdFiles : public test::Scratch {};

TEST_F(IdFiles, HoldIdsBeyond53Bits) {
    const auto path = this->path("some.ids");
    const std::vector<std::uint64_t> ids{1, 9007199254740993ull, 18446744073709551615ull};
    std::ofstream{path} << "# made by hand\r\n\n" << ids_text(ids) << " 1 \n";
    EXPECT_EQ(read_ids(path), ids);
    std::ofstream{path} << "1\n2.5\n";
    expect_error([&] { read_ids(path); }, Blame::kUsage, "line 2: expected an id, a whole number");
}

TEST(NamedSets, SceneOfASetKeepsLabelsAndFields) {
    Scene scene;
    for (int i = 0; i < 4; ++i) scene.bodies.add({1.0 * i, 0, 0}, {}, 1);
    scene.bodies.ids = {9, 8, 7, 6};
    scene.bodies.fields = {make_field("T", "K", {1, 2, 3, 4})};
    const Scene some = scene_of(BodySet::of_rows(4, std::vector<std::uint32_t>{1, 3}), scene);
    EXPECT_THAT(some.bodies.ids, ElementsAre(8, 6));
    EXPECT_THAT(*some.bodies.fields.front().values, ElementsAre(2, 4));
    expect_error([&] { scene_of(BodySet{4}, scene); }, Blame::kUsage, "no body is selected");
}

}  // namespace
}  // namespace orrery
