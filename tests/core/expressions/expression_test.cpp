// SPDX-License-Identifier: MIT
#include "core/expressions/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/core/formats/scratch.hpp"

namespace orrery {
namespace {

using test::expect_error;
using testing::ElementsAre;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

MATCHER(IsMissing, "") { return std::isnan(arg); }

/// Three bodies with a length x, a velocity v (components (x, 0, 1)), a mass m, and a temperature T that one lacks.
Quantity find(const std::string& name, std::optional<int> component) {
    const auto numbers = [](std::array<double, 3> all) { return [all](std::size_t i) { return all[i]; }; };
    if (name == "x") return {numbers({1, 2, 4}), UnitPowers{.length = 1}, 2};
    if (name == "v" && component) {
        const int k = *component;
        return {numbers(k == 0   ? std::array{1.0, 2.0, 4.0}
                        : k == 1 ? std::array{0.0, 0.0, 0.0}
                                 : std::array{1.0, 1.0, 1.0}),
                UnitPowers{.velocity = 1}, 10};
    }
    if (name == "m") return {numbers({3, 3, 3}), UnitPowers{.mass = 1}, 0};
    if (name == "T") return {numbers({1e4, kNone, 1e6}), UnitPowers{.temperature = 1}, 1};
    if (name == "species") return {numbers({0, 4, 0}), UnitPowers{}, 1};
    if (name == "Elements/Carbon") return {numbers({7, 8, 9}), {}, 0};
    throw Error{Blame::kUsage, "has no field " + name};
}

std::vector<float> values(const char* text) { return Expression{text}.evaluate(3, find); }

TEST(Expressions, ComputeFromQuantitiesOfBodies) {
    EXPECT_THAT(values("x^2 + 1"), ElementsAre(2, 5, 17));
    EXPECT_THAT(values("sqrt(x)*2.5e1"), ElementsAre(25, 25 * std::sqrt(2.0f), 50));
    EXPECT_THAT(values("dot(v, v) - length(v)^2"), testing::Each(testing::FloatNear(0, 1e-6f)));
    EXPECT_THAT(values("`Elements/Carbon`"), ElementsAre(7, 8, 9));
    EXPECT_THAT(values("max(x, 2)"), ElementsAre(2, 2, 4));
}

TEST(Expressions, ConditionsAreOneOrZero) {
    EXPECT_THAT(values("x > 1 & species == gas"), ElementsAre(0, 0, 1));
    EXPECT_THAT(values("x == 1 | species == stars"), ElementsAre(1, 1, 0));
    EXPECT_THAT(values("!(x > 1)"), ElementsAre(1, 0, 0));
    EXPECT_THAT(values("x >= 2 && x != 4"), ElementsAre(0, 1, 0));
}

TEST(Expressions, HaveNoValueWhereAQuantityHasNone) {
    EXPECT_THAT(values("T/1e4"), ElementsAre(1, IsMissing(), 100));
    EXPECT_THAT(values("T > 1e5"), ElementsAre(0, IsMissing(), 1));
}

TEST(Expressions, DerivesTheUnit) {
    const auto unit = [](const char* text) { return Expression{text}.unit(3, find); };
    EXPECT_EQ(unit("m/x^3"), (UnitPowers{.length = -3, .mass = 1}));
    EXPECT_EQ(unit("sqrt(x)"), UnitPowers{.length = 0.5});
    EXPECT_EQ(unit("dot(v,v)/2"), UnitPowers{.velocity = 2});
    EXPECT_EQ(unit("log10(x/x)+1"), UnitPowers{});
    EXPECT_EQ(unit("`Elements/Carbon`"), std::nullopt);
    expect_error([&] { unit("x + m"); }, Blame::kUsage, "\"x + m\": units of", "do not match");
    expect_error([&] { unit("log10(x)"); }, Blame::kUsage, "units of length do not match");
}

TEST(Expressions, ConvertToCgsWithConstants) {
    const Expression speed{"length(v)/c"};
    EXPECT_TRUE(speed.uses_constants());
    EXPECT_EQ(speed.unit(3, find), UnitPowers{});
    EXPECT_FLOAT_EQ(speed.evaluate(3, find)[0], static_cast<float>(10 * std::sqrt(2.0) / 2.99792458e10));
    expect_error([] { Expression{"m/Msun"}.evaluate(3, find); }, Blame::kUsage,
                 "constants need all quantities in cgs, and the unit of m is unknown");
}

TEST(Expressions, AreRefusedInOneLineIfMalformed) {
    for (const char* text : {"", "x +", "(x", "x = 1", "dot(x)", "dot(x, 1)", "nothing(x)", "`x"})
        expect_error([&] { Expression{text}; }, Blame::kUsage, text);
    expect_error([] { values("y + 1"); }, Blame::kUsage, "has no field y");
    EXPECT_TRUE(std::isinf(values("1/(x-1)")[0])) << "make_field() turns it into a missing value";
}

}  // namespace
}  // namespace orrery
