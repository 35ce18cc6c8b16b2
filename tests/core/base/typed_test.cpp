// SPDX-License-Identifier: MIT
#include "core/base/text.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

TEST(TypedCount, AcceptsSuffixesPowersAndSpaces) {
    EXPECT_EQ(parse_count("20000"), 20000u);
    EXPECT_EQ(parse_count(" 20 000 "), 20000u);
    EXPECT_EQ(parse_count("20k"), 20000u);
    EXPECT_EQ(parse_count("1.1k"), 1100u);
    EXPECT_EQ(parse_count("1.5M"), 1500000u);
    EXPECT_EQ(parse_count("2G"), 2000000000u);
    EXPECT_EQ(parse_count("1e5"), 100000u);
    EXPECT_EQ(parse_count("2^16"), 65536u);
    EXPECT_EQ(parse_count("0"), 0u);
    EXPECT_EQ(parse_count("18446744073709551615"), ~std::uint64_t{0});
}

TEST(TypedCount, RejectsAmbiguousOrInvalidText) {
    for (const char* text : {"", " ", "-500", "-0", "+5", "1.5", "1.0005k", "20kk", "k", "2^64", "2^", "2^-1", "1e30",
                             "18446744073709551616", "nan", "inf", "0x10", "12 bodies", "1,000"})
        EXPECT_EQ(parse_count(text), std::nullopt) << text;
}

TEST(TypedReal, AcceptsOnlyAFiniteNumber) {
    EXPECT_EQ(parse_real("0.5"), 0.5);
    EXPECT_EQ(parse_real(" -1e-3 "), -1e-3);
    for (const char* text : {"", "0.5day", "nan", "inf", "1e999", "1,5", "--1", "1 2"})
        EXPECT_EQ(parse_real(text), std::nullopt) << text;
}

}  // namespace
}  // namespace orrery::test
