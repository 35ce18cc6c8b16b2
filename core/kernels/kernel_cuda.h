// SPDX-License-Identifier: MIT
// <orrery/kernel.h> for kernels in CUDA C++. NVRTC has no headers of the C++ library: std has the functions below.
#ifndef ORRERY_KERNEL_H
#define ORRERY_KERNEL_H

namespace std {
using ::abs;
using ::cbrt;
using ::cos;
using ::erf;
using ::erfc;
using ::exp;
using ::fabs;
using ::floor;
using ::fma;
using ::log;
using ::pow;
using ::sin;
using ::sqrt;
using ::tan;
using ::tanh;
template <class T>
constexpr T min(T a, T b) {
    return b < a ? b : a;
}
template <class T>
constexpr T max(T a, T b) {
    return a < b ? b : a;
}
}  // namespace std

namespace orrery {

/** A body (w: its mass) or an acceleration (w: the potential). */
template <class Real>
struct alignas(16) Vec4 {
    Real x, y, z, w;
};

/** The force of a pair. pull: the attraction divided by the distance; depth: minus the energy. Both without G. */
template <class Real>
struct Pair {
    Real pull, depth;
};

/** What a kernel of kind `forces` reads and writes. */
template <class Real>
struct Bodies {
    const Vec4<Real>* body;
    Vec4<Real>* acceleration;
    unsigned count;
    Real softening2, constant;
};

/** Pairs with a smaller r2 are skipped. */
template <class Real>
constexpr Real kTouching = sizeof(Real) == 4 ? Real(1e-24f) : Real(1e-200);

}  // namespace orrery

/** The argument of all kernels: core/kernels/cuda_libraries.hpp has the same. */
struct OrreryWork {
    const orrery::Vec4<ORRERY_REAL>* bodies;
    orrery::Vec4<ORRERY_REAL>* out;
    unsigned count, first_item, splits, first_row, last_row;
    double softening2, constant;
    double parameters[16];
};
#endif
