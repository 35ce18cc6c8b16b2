// SPDX-License-Identifier: MIT
#include "core/physics/multi_index.hpp"

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

TEST(MultiIndex, RaisesAndSubtracts) {
    constexpr MultiIndex i{1, 0, 2};
    static_assert(i.raised(1).b == 1 && i.raised(2, -1).c == 1 && i.of(2) == 2);
    static_assert((i + MultiIndex{0, 3, 1}).degree() == 7);
    static_assert(!(i - MultiIndex{0, 1, 0}).exists() && (i - MultiIndex{1, 0, 1}).exists());
}

}  // namespace
}  // namespace orrery::test
