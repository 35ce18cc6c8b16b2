// SPDX-License-Identifier: MIT
#include "core/engines/ceilings.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

EngineConfig config_of(const char* engine, Backend backend, Precision precision) {
    EngineConfig config;
    config.engine = engine, config.backend = backend, config.precision = precision;
    return config;
}

TEST(PairCosts, EqualTheOperationsOfTheLoops) {
    const auto cost = [](const char* engine, Backend backend, Precision precision, bool equal = true) {
        return pair_cost(config_of(engine, backend, precision), equal).value().operations;
    };
    using enum Precision;
    EXPECT_EQ(cost("direct", Backend::kCpu, kSingle), 14);
    EXPECT_EQ(cost("direct", Backend::kCpu, kDouble), 12);
    EXPECT_EQ(cost("direct", Backend::kCuda, kSingle), 12);
    EXPECT_EQ(cost("direct", Backend::kCuda, kDouble), 16);
    EXPECT_EQ(cost("half", Backend::kCpu, kSingle), 8);
    EXPECT_EQ(cost("half", Backend::kCpu, kDouble), 7);
    EXPECT_EQ(cost("half", Backend::kCuda, kSingle), 7);
    EXPECT_EQ(cost("half", Backend::kCuda, kDouble), 9);
    EXPECT_EQ(cost("half", Backend::kCuda, kSingle, false), 8);
    EXPECT_FALSE(pair_cost(config_of("tree", Backend::kCpu, kSingle), true));
    EXPECT_FALSE(pair_cost(config_of("direct", Backend::kCpu, kMixed), true));
}

TEST(PairBound, IsTheSlowestOfItsCeilings) {
    const PairCost cost{.operations = 12, .additions = 3, .rsqrt = 1};
    const Ceilings plenty{.fma = 1e30, .mix = 1e30, .rsqrt = 1e30, .bytes = 1e30};
    const auto bound = [&](Ceilings ceilings, Precision precision = Precision::kSingle) {
        return pairs_bound(ceilings, cost, precision, 1000);
    };
    Ceilings fma = plenty, mix = plenty, rsqrt = plenty, memory = plenty;
    fma.fma = 9e12, mix.mix = 12e12, rsqrt.rsqrt = 1e12, memory.bytes = 32e9;
    for (const Ceilings& one : {fma, mix, rsqrt, memory}) EXPECT_DOUBLE_EQ(bound(one), 1e12);
    EXPECT_DOUBLE_EQ(bound(memory, Precision::kDouble), 0.5e12);
}

TEST(CeilingsOfTheCpu, AreMeasuredOnce) {
    const Ceilings& first = ceilings(Backend::kCpu, Precision::kSingle, 1);
    for (const double rate : {first.fma, first.mix, first.rsqrt, first.bytes}) EXPECT_GT(rate, 1e6);
    EXPECT_EQ(&first, &ceilings(Backend::kCpu, Precision::kMixed, 1)) << "its loops are in single precision";
    if (runs_long()) {
        EXPECT_NE(&first, &ceilings(Backend::kCpu, Precision::kDouble, 1));
    }
}

}  // namespace
}  // namespace orrery::test
