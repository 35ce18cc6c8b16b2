// SPDX-License-Identifier: MIT
// Lists of types, and dispatch from a run-time index to one of them.
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

/// Index of a type in a list; the size of the list if it is not there.
template <class Type, class List, std::size_t kFrom = 0>
consteval std::size_t index_in() {
    if constexpr (kFrom == List::size)
        return kFrom;
    else if constexpr (std::is_same_v<At<kFrom, List>, Type>)
        return kFrom;
    else
        return index_in<Type, List, kFrom + 1>();
}

namespace detail {
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <std::size_t kIndex, class List, class Use>
ORRERY_HD constexpr void use_at(const Use& use) {
    if constexpr (kIndex < List::size) use.template operator()<orrery::At<kIndex, List>>();
}
}  // namespace detail

/// Calls use.operator()<Type>() with the type at this index; does nothing past the end. `use` runs on the caller's
/// side, host or device. A switch is cheaper on devices than a chain of comparisons.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class List, class Use>
ORRERY_HD constexpr void with_type(std::size_t index, const Use& use) {
    static_assert(List::size <= 24, "a longer list needs more cases");
    switch (index) {
        case 0:
            return detail::use_at<0, List>(use);
        case 1:
            return detail::use_at<1, List>(use);
        case 2:
            return detail::use_at<2, List>(use);
        case 3:
            return detail::use_at<3, List>(use);
        case 4:
            return detail::use_at<4, List>(use);
        case 5:
            return detail::use_at<5, List>(use);
        case 6:
            return detail::use_at<6, List>(use);
        case 7:
            return detail::use_at<7, List>(use);
        case 8:
            return detail::use_at<8, List>(use);
        case 9:
            return detail::use_at<9, List>(use);
        case 10:
            return detail::use_at<10, List>(use);
        case 11:
            return detail::use_at<11, List>(use);
        case 12:
            return detail::use_at<12, List>(use);
        case 13:
            return detail::use_at<13, List>(use);
        case 14:
            return detail::use_at<14, List>(use);
        case 15:
            return detail::use_at<15, List>(use);
        case 16:
            return detail::use_at<16, List>(use);
        case 17:
            return detail::use_at<17, List>(use);
        case 18:
            return detail::use_at<18, List>(use);
        case 19:
            return detail::use_at<19, List>(use);
        case 20:
            return detail::use_at<20, List>(use);
        case 21:
            return detail::use_at<21, List>(use);
        case 22:
            return detail::use_at<22, List>(use);
        case 23:
            return detail::use_at<23, List>(use);
        default:
            return;
    }
}

}  // namespace orrery
