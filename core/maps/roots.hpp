// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/base/hd.hpp"

namespace orrery {

/// An approximate square root of positive numbers: maps use it to propose a row, which integer arithmetic corrects.
/// `Real` is the type of its argument where float would suffice.
template <class R>
concept Root = requires(const R root, float x, double y) {
    { root(x) } -> std::same_as<float>;
    { root(y) } -> std::same_as<double>;
    typename R::Real;
    { R::name } -> std::convertible_to<std::string_view>;
};

/// A root that also has a fast version for proposals: within a relative error of 2⁻²² for numbers from 1/4 to 2³¹, with
/// as few device instructions as possible.
template <class R>
concept NearRoot = Root<R> && requires(typename R::Real x) {
    { R::near(x) } -> std::same_as<typename R::Real>;
};

/// Root X of the papers: the library's correctly rounded one, also for proposed roots.
struct SqrtRoot {
    using Real = float;
    static constexpr std::string_view name = "sqrt", label = "sqrtf";
    static constexpr std::string_view doc = "the library's square root, correctly rounded (X)";
    static constexpr std::string_view title = "Library root, X (sqrt)", formula = "√x in float, correctly rounded";
    ORRERY_HD static float near(float x) { return std::sqrt(x); }
    template <std::floating_point T>
    ORRERY_HD T operator()(T x) const {
        return std::sqrt(x);
    }
};

/// N of the papers: the bit trick 0x5f3759df proposes 1/√x within 3.5 %, and each Newton step squares the relative
/// error (times 3/2); three steps reach the precision of float, or 7e-11 in double.
struct NewtonRoot {
    using Real = float;
    static constexpr std::string_view name = "newton", label = "Newton";
    static constexpr std::string_view doc = "approximate: the bit trick 0x5f3759df and three Newton steps (N)";
    static constexpr std::string_view title = "Newton steps, N (newton)",
                                      formula = "x·y, y = 1/√x from 0x5f3759df and y ← y·(3/2 − x·y²/2)";
    ORRERY_HD static float near(float x) { return NewtonRoot{}(x); }
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

/// R of the papers: x · 1/√x, where the device computes 1/√x in hardware (rsqrt.approx, within 2 units in the last
/// place).
struct RsqrtRoot {
    using Real = float;
    static constexpr std::string_view name = "rsqrt", label = "rsqrt";
    static constexpr std::string_view doc = "x times the reciprocal root, approximate in a device's hardware (R)";
    static constexpr std::string_view title = "Reciprocal root, R (rsqrt)", formula = "x·rsqrt(x)";
    ORRERY_HD static float near(float x) {
#ifdef __CUDA_ARCH__
        float reciprocal = 0;
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(x));
        return x * reciprocal;
#else
        return RsqrtRoot{}(x);
#endif
    }
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

/// The library's root in double, for any argument type.
struct Fp64Root {
    using Real = double;
    static constexpr std::string_view name = "fp64", label = "fp64";
    static constexpr std::string_view doc = "the library's square root in double";
    static constexpr std::string_view title = "Root in double (fp64)", formula = "√x in double";
    ORRERY_HD static double near(double x) { return std::sqrt(x); }
    template <std::floating_point T>
    ORRERY_HD T operator()(T x) const {
        return static_cast<T>(std::sqrt(static_cast<double>(x)));
    }
};

/// The device's sqrt.approx, which nvcc's fast math substitutes for the library's root: within 2⁻²³, in one
/// instruction. On a host and in double it is the library's root.
struct ApproximateRoot {
    using Real = float;
    static constexpr std::string_view name = "sqrt-approx", label = "sqrt.approx";
    static constexpr std::string_view doc = "the device's approximate square root, that of nvcc's fast math";
    static constexpr std::string_view title = "Root of the hardware (sqrt-approx)",
                                      formula = "sqrt.approx(x), one instruction of the GPU";
    ORRERY_HD static float near(float x) {
#ifdef __CUDA_ARCH__
        float root = 0;
        asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
        return root;
#else
        return std::sqrt(x);
#endif
    }
    ORRERY_HD float operator()(float x) const { return near(x); }
    ORRERY_HD double operator()(double x) const { return std::sqrt(x); }
};

static_assert(NearRoot<SqrtRoot> && NearRoot<NewtonRoot> && NearRoot<RsqrtRoot> && NearRoot<Fp64Root> &&
              NearRoot<ApproximateRoot>);

/// The cube root computed by the same method as a square root, for positive numbers. Maps use it for a proposal, which
/// integer arithmetic corrects.
template <Root R>
struct CubeRoot;

template <>
struct CubeRoot<SqrtRoot> {
    ORRERY_HD float operator()(float x) const { return std::cbrt(x); }
};

template <>
struct CubeRoot<Fp64Root> {
    ORRERY_HD double operator()(double x) const { return std::cbrt(x); }
};

/// Like N of the square roots, without a division: a bit trick gives 1/∛x within 4 %, each Newton step maps the
/// relative error e to 2e², and three steps reach the precision of float; ∛x is x times the square of that.
template <>
struct CubeRoot<NewtonRoot> {
    ORRERY_HD float operator()(float x) const {
        auto y = std::bit_cast<float>(0x54a21000u - std::bit_cast<std::uint32_t>(x) / 3);
        for (int step = 0; step < 3; ++step) y *= 4.0f / 3.0f - x * y * y * y * (1.0f / 3.0f);
        return x * y * y;
    }
};

/// 2^(log₂ x / 3); a device has both functions in hardware. Relative error at most 3e-6 for numbers below 2⁶⁰.
template <>
struct CubeRoot<RsqrtRoot> {
    ORRERY_HD float operator()(float x) const {
#ifdef __CUDA_ARCH__
        float power = 0, root = 0;
        asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(power * (1.0f / 3.0f)));
        return root;
#else
        return std::exp2(std::log2(x) * (1.0f / 3.0f));
#endif
    }
};

/// The device has no other approximate cube root.
template <>
struct CubeRoot<ApproximateRoot> : CubeRoot<RsqrtRoot> {};

}  // namespace orrery
