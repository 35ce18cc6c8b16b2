// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace orrery::test {

/// Converts to any type except the struct whose members are counted.
template <class Outer>
struct AnyMember {
    template <class T>
    requires(!std::is_same_v<T, Outer>) operator T() const;
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return requires { T{(static_cast<void>(I), AnyMember<T>{})...}; };
}

/// Number of members of an aggregate: the maximum number of its initialisers.
template <class T, std::size_t Most = 64>
constexpr std::size_t members() {
    if constexpr (Most == 0)
        return 0;
    else if constexpr (takes<T>(std::make_index_sequence<Most>{}))
        return Most;
    else
        return members<T, Most - 1>();
}

}  // namespace orrery::test
