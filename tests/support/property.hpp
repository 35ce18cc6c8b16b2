// SPDX-License-Identifier: MIT
// Properties by RapidCheck: many random cases; a failing case is reduced to the smallest one.
#pragma once
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>

#include "tests/support/runs_long.hpp"

namespace orrery::test {

/// Number of cases of a property: a few constant ones in ./test.sh, others and more with ORRERY_LONG.
struct Cases {
    int standard, more;
};

/// ORRERY_SEED; otherwise constant, so that ./test.sh never fails by chance, or random with ORRERY_LONG.
inline std::uint64_t seed_of_properties() {
    static const std::uint64_t seed = [] {
        if (const char* given = std::getenv("ORRERY_SEED")) return std::strtoull(given, nullptr, 10);
        if (!runs_long()) return 16ull;
        const std::uint64_t drawn = std::random_device{}();
        std::cout << "ORRERY_SEED=" << drawn << std::endl;
        return static_cast<unsigned long long>(drawn);
    }();
    return seed;
}

/// Fails with the smallest case found (the first one with ORRERY_NO_SHRINKING) and the seed. `property` returns nothing
/// and asserts with RC_ASSERT, in which || and && evaluate both sides unless they are parenthesised.
template <class Property>
void check(Cases cases, Property&& property) {
    rc::detail::TestParams params;
    params.seed = seed_of_properties();
    params.disableShrinking = std::getenv("ORRERY_NO_SHRINKING") != nullptr;
    params.maxSuccess = runs_long() ? cases.more : cases.standard;
    rc::detail::TestListenerAdapter quiet;
    const auto result = rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{}, params,
                                                  quiet, std::unordered_map<std::string, rc::detail::Reproduce>{});
    if (result.template is<rc::detail::SuccessResult>()) return;
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    FAIL() << "ORRERY_SEED=" << params.seed << ": " << text.str();
}

/// Uniform in [low, high), independent of the size of the case.
template <class T>
T any_in(T low, T high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(low, high));
}

/// In [1, high]; each power of two is equally likely.
template <class T>
T any_scale(T high) {
    const T low = T{1} << any_in(0, static_cast<int>(std::bit_width(high)));
    return low + any_in<T>(0, std::min<T>(low, high - low + 1));
}

/// Uniform in [0, 1).
inline double any_unit() { return static_cast<double>(any_in<std::int64_t>(0, std::int64_t{1} << 53)) * 0x1p-53; }

/// Uniform in [low, high).
inline double any_real(double low, double high) { return low + (high - low) * any_unit(); }

}  // namespace orrery::test
