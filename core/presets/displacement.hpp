// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A wave of the displacement to first order: amplitude · cos(k·q + phase), along k.
struct Wave {
    Vec3d k, amplitude;
    double phase;
};

/// To first order (Zel'dovich 1970, A&A 5, 84): the sum of the waves at q.
Vec3d first_order(std::span<const Wave> waves, Vec3d q);

/// Displacements to second order of a sum of waves, in a universe of matter alone.
///
/// With s the first-order displacement, that of second order is −3/7 ∇ψ, where ∇²ψ = Σ_{i<j} (s_i,i s_j,j − s_i,j
/// s_j,i) (R. Scoccimarro 1998, MNRAS 299, 1097, appendix D; M. Crocce, S. Pueblas & R. Scoccimarro 2006, MNRAS 373,
/// 369, equations 2 to 6). For waves the source is again a sum of waves, of the sums and differences of two wave
/// vectors: so ψ is known, without a mesh.
class SecondOrder {
public:
    explicit SecondOrder(std::span<const Wave> waves);
    /// At q, by the square of the number of waves.
    Vec3d displacement(Vec3d q) const;
    /// ∇²ψ at q.
    double source(Vec3d q) const;

private:
    std::vector<Wave> waves_;
    std::vector<double> pairs_;    // by which sin a sin b counts in the source, a row of waves after the other
    std::vector<Vec3d> gradient_;  // by which sin a cos b counts in ∇ψ
};

}  // namespace orrery
