// SPDX-License-Identifier: MIT
// Reference for force errors, compiled once per instruction set by Highway and chosen at run time.
#include "core/bodies/body_errors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/bodies/references_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/nanobenchmark.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ReferenceLanes = hn::CappedTag<double, kReferenceBlock / 2>;
using ReferenceVector = hn::Vec<ReferenceLanes>;

struct ReferenceSums {
    ReferenceVector x, y, z;
};

/// add_acceleration() for a vector of bodies.
HWY_INLINE void add_reference(ReferenceLanes d, const ReferenceSums& self, Vec4d other, double softening2,
                              ReferenceSums& sums) {
    const auto x = hn::Sub(hn::Set(d, other.x), self.x), y = hn::Sub(hn::Set(d, other.y), self.y),
               z = hn::Sub(hn::Set(d, other.z), self.z);
    const auto r2 = hn::Add(hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z)), hn::Set(d, softening2));
    const auto inverse = hn::Div(hn::Set(d, 1.0), hn::Sqrt(r2));
    const auto cube = hn::Mul(hn::Mul(hn::Mul(hn::Set(d, other.w), inverse), inverse), inverse);
    const auto s = hn::IfThenElseZero(hn::Gt(r2, hn::Set(d, kTouching<double>)), cube);
    sums.x = hn::Add(sums.x, hn::Mul(s, x));
    sums.y = hn::Add(sums.y, hn::Mul(s, y));
    sums.z = hn::Add(sums.z, hn::Mul(s, z));
}

template <class Real>
void references(std::span<const Vec4<Real>> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                Vec4d* out) {
    const ReferenceLanes d;
    const std::size_t lanes = hn::Lanes(d);
    HWY_ALIGN double place[3][kReferenceBlock], total[3][kReferenceBlock];
    for (std::size_t i = 0; i < kReferenceBlock; ++i) {  // pad with copies of the last body
        const Vec4<Real> body = bodies[which[i < which.size() ? i : which.size() - 1]];
        place[0][i] = body.x, place[1][i] = body.y, place[2][i] = body.z;
    }
    const double softening2 = gravity.softening * gravity.softening;
    const auto zero = hn::Zero(d);
    for (std::size_t i = 0; i < which.size(); i += 2 * lanes) {
        const std::size_t k = i + lanes;
        const auto at = [&](std::size_t from) {
            return ReferenceSums{hn::Load(d, place[0] + from), hn::Load(d, place[1] + from),
                                 hn::Load(d, place[2] + from)};
        };
        const ReferenceSums one = at(i), two = at(k);
        ReferenceSums a{zero, zero, zero}, b{zero, zero, zero};
        for (const Vec4<Real>& body : bodies) {
            const Vec4d other{body.x, body.y, body.z, body.w};
            add_reference(d, one, other, softening2, a);
            add_reference(d, two, other, softening2, b);
        }
        hn::Store(a.x, d, total[0] + i), hn::Store(b.x, d, total[0] + k);
        hn::Store(a.y, d, total[1] + i), hn::Store(b.y, d, total[1] + k);
        hn::Store(a.z, d, total[2] + i), hn::Store(b.z, d, total[2] + k);
    }
    const double G = gravity.constant;
    for (std::size_t i = 0; i < which.size(); ++i) out[i] = {G * total[0][i], G * total[1][i], G * total[2][i], 0};
}

void references_float(std::span<const Vec4f> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                      Vec4d* out) {
    references(bodies, which, gravity, out);
}
void references_double(std::span<const Vec4d> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                       Vec4d* out) {
    references(bodies, which, gravity, out);
}

}  // namespace orrery::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery {

HWY_EXPORT(references_float);
HWY_EXPORT(references_double);

void references_of_block(std::span<const Vec4f> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out) {
    HWY_DYNAMIC_DISPATCH(references_float)(bodies, which, gravity, out);
}
void references_of_block(std::span<const Vec4d> bodies, std::span<const std::uint32_t> which, const Gravity& gravity,
                         Vec4d* out) {
    HWY_DYNAMIC_DISPATCH(references_double)(bodies, which, gravity, out);
}

}  // namespace orrery

/// Replaces the function of the library, which uses the result only in its own benchmarks but measures it for two
/// milliseconds whenever a program starts.
HWY_DLLEXPORT std::uint64_t hwy::platform::TimerResolution() { return 1; }
#endif
