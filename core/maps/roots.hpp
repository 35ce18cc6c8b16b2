// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/base/hd.hpp"

namespace orrery {

/// A square root of positive numbers, as near as it can: maps let it propose a row and integers decide. `Real` is the
/// type in which it is fed where float would do.
template <class R>
concept Root = requires(const R root, float x, double y) {
    { root(x) } -> std::same_as<float>;
    { root(y) } -> std::same_as<double>;
    typename R::Real;
    { R::name } -> std::convertible_to<std::string_view>;
};

/// X of the papers: the library's.
struct SqrtRoot {
    using Real = float;
    static constexpr std::string_view name = "sqrt";
    template <std::floating_point T>
    ORRERY_HD T operator()(T x) const {
        return std::sqrt(x);
    }
};

/// N of the papers: the bit trick 0x5f3759df proposes 1/√x within 3.5 %, each Newton step squares the relative error
/// (times 3/2); three of them leave what float rounds, or 7e-11 in double.
struct NewtonRoot {
    using Real = float;
    static constexpr std::string_view name = "newton";
    ORRERY_HD float operator()(float x) const {
        return x * polished(x, std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<std::uint32_t>(x) >> 1)));
    }
    ORRERY_HD double operator()(double x) const {
        // The same constant for double's exponent and mantissa (C. Lomont, Fast inverse square root, 2003).
        return x * polished(x, std::bit_cast<double>(0x5fe6ec85e7de30daull - (std::bit_cast<std::uint64_t>(x) >> 1)));
    }

private:
    template <class T>
    ORRERY_HD static T polished(T x, T y) {
        for (int step = 0; step < 3; ++step) y *= T(1.5) - T(0.5) * x * y * y;
        return y;
    }
};

/// R of the papers: x · 1/√x, which the device has in hardware (rsqrt.approx, within 2 units in the last place).
struct RsqrtRoot {
    using Real = float;
    static constexpr std::string_view name = "rsqrt";
    ORRERY_HD float operator()(float x) const {
#ifdef __CUDA_ARCH__
        return x * rsqrtf(x);
#else
        return x * (1.0f / std::sqrt(x));
#endif
    }
    ORRERY_HD double operator()(double x) const {
#ifdef __CUDA_ARCH__
        return x * rsqrt(x);
#else
        return x * (1.0 / std::sqrt(x));
#endif
    }
};

/// The library's in double, whatever it is asked in.
struct Fp64Root {
    using Real = double;
    static constexpr std::string_view name = "fp64";
    template <std::floating_point T>
    ORRERY_HD T operator()(T x) const {
        return static_cast<T>(std::sqrt(static_cast<double>(x)));
    }
};

static_assert(Root<SqrtRoot> && Root<NewtonRoot> && Root<RsqrtRoot> && Root<Fp64Root>);

}  // namespace orrery
