// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/vec.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {

/// The instruction set dispatched on this machine: "AVX3", "AVX2", "SSE4", "NEON" …
std::string_view simd_target();

/// Number of rows per call of direct_rows(): enough for every vector length.
inline constexpr std::uint32_t kRowBlock = 64;

/// Columns that are summed in registers. More lose digits of float: of 2048, the relative RMS error is up to 3e-6
/// (milky-way-andromeda, 16 384 bodies), of 128 up to 3e-7. Up to kOneRun bodies are summed in one run.
inline constexpr std::uint64_t kRun = 128, kOneRun = 320;

/// One block of rows against a range of columns, for the CPU's direct engine.
template <class Real>
struct DirectRows {
    const Vec4<Real>* bodies;    ///< x, y, z, mass
    const Vec4<Real>* low;       ///< as in BodyView::low
    Vec4<Real>* acceleration;    ///< of rows [row, row_end), written if `finish`
    Vec4d* sums;                 ///< of the same rows: continued unless `first_column` is 0, written unless `finish`
    std::uint64_t row, row_end;  ///< at most kRowBlock rows
    std::uint64_t first_column;
    std::span<const std::uint64_t> ends;  ///< of runs of columns; each is summed in Real and added in double
    Real softening2;
    Real scale;   ///< G
    bool finish;  ///< the last run ends with the last body
    bool potential;
    // For laws other than gravity, where w of `bodies` is the strength and `scale` the constant of the law:
    PairLaw law = PairLaw::kGravity;
    PairConstants<Real> constants{};
    const Vec4<Real>* masses = nullptr;  ///< bodies with their masses
};
void direct_rows(const DirectRows<float>& work);
void direct_rows(const DirectRows<double>& work);

/// Forces from all bodies on some: acceleration, potential and the time derivative of the acceleration (Aarseth 2003,
/// eq. 2.9 and 2.10).
template <class Real>
struct JerkRows {
    const Vec4<Real>*bodies, *velocity;
    Vec4<Real>*acceleration, *jerk;  ///< of the rows; acceleration.w = potential
    const std::uint32_t* rows;
    std::size_t row_count;
    std::uint64_t columns;
    Real softening2, constant;  ///< constant: G
};
void jerk_rows(const JerkRows<float>& work);
void jerk_rows(const JerkRows<double>& work);

}  // namespace orrery
