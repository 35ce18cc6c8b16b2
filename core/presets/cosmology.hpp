// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A wave of the first-order displacement: amplitude · cos(k·q + phase), along k.
struct Wave {
    Vec3d k, amplitude;
    double phase;
};

/// First-order displacement (Zel'dovich 1970, A&A 5, 84): the sum of the waves at q.
Vec3d first_order(std::span<const Wave> waves, Vec3d q);

/// Second-order displacements of a sum of waves, in a universe with matter only.
///
/// If s is the first-order displacement, the second-order one is −3/7 ∇ψ, where ∇²ψ = Σ_{i<j} (s_i,i s_j,j − s_i,j
/// s_j,i) (R. Scoccimarro 1998, MNRAS 299, 1097, appendix D; M. Crocce, S. Pueblas & R. Scoccimarro 2006, MNRAS 373,
/// 369, equations 2 to 6). For a sum of waves the source is again a sum of waves, with the sums and differences of two
/// wave vectors, so ψ is known in closed form, without a mesh.
class SecondOrder {
public:
    explicit SecondOrder(std::span<const Wave> waves);
    /// The displacement at q; cost quadratic in the number of waves.
    Vec3d displacement(Vec3d q) const;
    /// ∇²ψ at q.
    double source(Vec3d q) const;

private:
    std::vector<Wave> waves_;
    std::vector<double> pairs_;    // weights of sin a sin b in the source, row by row
    std::vector<Vec3d> gradient_;  // weights of sin a cos b in ∇ψ
};

/// Bodies along an edge of the tile if they were on a lattice.
inline constexpr int kGlassSide = 16;
inline constexpr std::size_t kGlassBodies = std::size_t{kGlassSide} * kGlassSide * kGlassSide;
/// Number of steps along an edge to which positions are rounded; each coordinate is stored as two digits.
inline constexpr unsigned kGlassSteps = 4096;
inline constexpr std::string_view kGlassDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";

/// A cube with edge kGlassSide and one body per unit of volume, which can be repeated periodically. Distances between
/// bodies resemble those in a liquid, without order; make_glass.cpp describes how it was made.
std::vector<Vec3d> glass_tile();

}  // namespace orrery
