// SPDX-License-Identifier: MIT
#include "core/physics/expansion_terms.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

TEST(MultiIndex, NumbersEveryTermOnceByDegree) {
    int number = 0;
    for (int degree = 0; degree <= 12; ++degree) {
        EXPECT_EQ(terms_up_to(degree - 1), number);
        for (int a = degree; a >= 0; --a)
            for (int b = degree - a; b >= 0; --b, ++number) {
                const MultiIndex index{a, b, degree - a - b};
                ASSERT_EQ(index.number(), number);
                ASSERT_EQ(index.degree(), degree);
                const MultiIndex back = multi_index(number);
                ASSERT_TRUE(back.a == index.a && back.b == index.b && back.c == index.c) << number;
            }
    }
}

TEST(MultiIndex, SupportsArithmetic) {
    constexpr MultiIndex i{1, 0, 2};
    static_assert(i.raised(1).b == 1 && i.raised(2, -1).c == 1 && i.of(2) == 2);
    static_assert((i + MultiIndex{0, 3, 1}).degree() == 7);
    static_assert(!(i - MultiIndex{0, 1, 0}).exists() && (i - MultiIndex{1, 0, 1}).exists());
}

TEST(MultiIndex, AddsAndSubtractsPerAxis) {
    for (int number = 0; number < terms_up_to(4); ++number)
        for (int other = 0; other < terms_up_to(4); ++other) {
            const MultiIndex i = multi_index(number), j = multi_index(other), sum = i + j, rest = sum - j;
            ASSERT_TRUE(sum.a == i.a + j.a && sum.b == i.b + j.b && sum.c == i.c + j.c);
            ASSERT_TRUE(rest.a == i.a && rest.b == i.b && rest.c == i.c && rest.exists());
            ASSERT_EQ((i - j).exists(), i.a >= j.a && i.b >= j.b && i.c >= j.c);
            for (int axis = 0; axis < 3; ++axis)
                for (int at = 0; at < 3; ++at) {
                    ASSERT_EQ(i.raised(axis).of(at), i.of(at) + (at == axis ? 1 : 0));
                    ASSERT_EQ(i.raised(axis, -2).of(at), i.of(at) - (at == axis ? 2 : 0));
                }
        }
}

}  // namespace
}  // namespace orrery::test
