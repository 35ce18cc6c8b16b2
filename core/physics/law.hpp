// SPDX-License-Identifier: MIT
// The force laws evaluated by direct summation in double: the reference for all engines.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/physics/axilrod_teller.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {

/// Pair forces, under any PairLaw, or three-body forces.
enum class Law { kPairs, kAxilrodTeller };

/// Acceleration and potential of body i in double, from N pairs or, with Axilrod–Teller, N²/2 triplets. Only Coulomb's
/// law reads `charge`.
template <class Real>
Vec4d reference_acceleration(Law law, const Vec4<Real>* bodies, std::size_t count, std::size_t i,
                             const Gravity& gravity, const double* charge = nullptr) {
    if (law == Law::kPairs && gravity.law != PairLaw::kGravity)
        return pair_law_reference(bodies, charge, count, i, gravity);
    const double softening2 = gravity.softening * gravity.softening, G = gravity.constant;
    const Vec3d self = xyz(convert<double>(bodies[i]));
    Vec4d sum{};
    for (std::size_t j = 0; j < count; ++j) {
        if (j == i) continue;
        const Vec4d other = convert<double>(bodies[j]);
        if (law == Law::kPairs) add_acceleration(sum, self, other, softening2);
        for (std::size_t k = j + 1; law == Law::kAxilrodTeller && k < count; ++k)
            if (k != i) add_triplet_push(sum, self, other, convert<double>(bodies[k]), softening2);
    }
    return {G * sum.x, G * sum.y, G * sum.z, law == Law::kPairs ? -G * sum.w : G * sum.w};
}

/// The same for all bodies.
inline std::vector<Vec4d> reference_accelerations(Law law, const std::vector<Vec4d>& bodies, const Gravity& gravity,
                                                  const double* charge = nullptr) {
    std::vector<Vec4d> all;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        all.push_back(reference_acceleration(law, bodies.data(), bodies.size(), i, gravity, charge));
    return all;
}

/// Number of bodies, at most `samples` and at least one, for which a reference costs at most `interactions`.
inline std::size_t affordable_samples(Law law, std::size_t samples, std::size_t count, double interactions) {
    const auto n = static_cast<double>(count);
    const double each = law == Law::kPairs ? n : 1 + n * n / 2;
    return std::max<std::size_t>(1,
                                 static_cast<std::size_t>(std::min(static_cast<double>(samples), interactions / each)));
}

}  // namespace orrery
