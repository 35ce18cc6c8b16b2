// SPDX-License-Identifier: MIT
#include "core/base/text.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

TEST(Duration, AcceptsBlanksAndUnitNames) {
    for (const char* text : {"1day", "1 day", "1 d", "1  days", "1day "}) {
        const Duration duration = parse_duration("--dt", text);
        EXPECT_EQ(duration.value, 1) << text;
        EXPECT_EQ(duration.days, 1) << text;
    }
    EXPECT_EQ(parse_duration("--dt", "2 Myr").days, 365.25e6);
    EXPECT_EQ(parse_duration("--dt", "0.5 ").days, 0);
    for (const char* text : {"", "day", "1 fortnight", "1 day 2", " "})
        EXPECT_THROW(parse_duration("--dt", text), Error) << text;
}

}  // namespace
}  // namespace orrery::test
