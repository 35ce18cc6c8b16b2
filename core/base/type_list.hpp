// SPDX-License-Identifier: MIT
// Lists of types, and the way from a number known at run time to one of them.
#pragma once
#include <cstddef>
#include <type_traits>

#include "core/base/hd.hpp"

namespace orrery {

template <class... Types>
struct TypeList {
    static constexpr std::size_t size = sizeof...(Types);
};

namespace detail {
template <std::size_t kIndex, class List>
struct At;
template <class First, class... Rest>
struct At<0, TypeList<First, Rest...>> {
    using type = First;
};
template <std::size_t kIndex, class First, class... Rest>
struct At<kIndex, TypeList<First, Rest...>> : At<kIndex - 1, TypeList<Rest...>> {};

template <class A, class B>
struct Joined;
template <class... A, class... B>
struct Joined<TypeList<A...>, TypeList<B...>> {
    using type = TypeList<A..., B...>;
};
}  // namespace detail

template <std::size_t kIndex, class List>
using At = typename detail::At<kIndex, List>::type;
template <class A, class B>
using Joined = typename detail::Joined<A, B>::type;

/// Where a type stands in a list; the size of the list when it does not.
template <class Type, class List, std::size_t kFrom = 0>
consteval std::size_t index_in() {
    if constexpr (kFrom == List::size)
        return kFrom;
    else if constexpr (std::is_same_v<At<kFrom, List>, Type>)
        return kFrom;
    else
        return index_in<Type, List, kFrom + 1>();
}

/// Calls use.operator()<Type>() with the type at this index; nothing beyond the end. On host and device: `use` runs
/// where the caller does.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class List, std::size_t kFrom = 0, class Use>
ORRERY_HD constexpr void with_type(std::size_t index, const Use& use) {
    if constexpr (kFrom < List::size) {
        if (index == kFrom)
            use.template operator()<At<kFrom, List>>();
        else
            with_type<List, kFrom + 1>(index, use);
    }
}

}  // namespace orrery
