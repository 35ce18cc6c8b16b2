// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/hd.hpp"
#include "core/maps/roots.hpp"

namespace orrery {

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
