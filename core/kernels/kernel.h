/* SPDX-License-Identifier: MIT
 * The interface between Orrery and a kernel: plain C, so that any language can make one. A kernel file in C++ needs
 * only the types of namespace `orrery` below; Orrery adds the exported functions. */
#ifndef ORRERY_KERNEL_H
#define ORRERY_KERNEL_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORRERY_KERNEL_ABI 1

/* Bodies in single precision. `count` bodies of four numbers: x, y, z, mass. An acceleration has four numbers: its
 * components, and the potential. */
struct orrery_work_float {
    const float* bodies;
    float* acceleration;
    size_t count;
    float softening2, constant; /* the square of the softening length, and G */
    const double* parameters;   /* of the head, in its order */
};
struct orrery_work_double {
    const double* bodies;
    double* acceleration;
    size_t count;
    double softening2, constant;
    const double* parameters;
};
struct orrery_tile {
    uint32_t row, col;
};

/* Exported by a kernel:
 *   int orrery_kernel_abi(void);                                          ORRERY_KERNEL_ABI
 * of kind pair or forces, writes the accelerations of bodies first … last−1:
 *   void orrery_kernel_float(const struct orrery_work_float*, size_t first, size_t last);
 *   void orrery_kernel_double(const struct orrery_work_double*, size_t first, size_t last);
 * of kind map, the blocks of the grid for a triangle of `rows` rows, and the tiles of blocks first … last−1, x first:
 *   void orrery_kernel_grid(uint32_t rows, const double* parameters, uint64_t* x, uint64_t* y);
 *   void orrery_kernel_tiles(uint32_t rows, const double* parameters, uint64_t first, uint64_t last,
 *                            struct orrery_tile*); */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && !defined(ORRERY_KERNEL_C_ONLY)
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace orrery {

/** A body (w: its mass) or an acceleration (w: the potential). */
template <class Real>
struct Vec4 {
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
    std::size_t count;
    Real softening2, constant;
};

struct Grid {
    std::uint64_t x, y;
};
struct Tile {
    std::uint32_t row, col;
};

}  // namespace orrery
#endif
#endif
