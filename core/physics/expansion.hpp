// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace orrery {

/// The age of a flat universe of matter and a cosmological constant at scale factor a, in Gyr: Peebles 1993, Principles
/// of Physical Cosmology, eq. 13.20. `omega`: density of matter now, 0 < Ω₀ ≤ 1; `h`: H₀ / (100 km/s/Mpc). Radiation,
/// which matters at z > 1000, is left out.
inline double age_of_universe(double a, double omega, double h) {
    constexpr double kHubbleTime = 9.777922216807891;  // Gyr: Mpc / (100 km/s) of a Julian year
    const double lambda = 1 - omega;
    const double age = lambda > 0 ? 2 / (3 * std::sqrt(lambda)) * std::asinh(std::sqrt(lambda / omega * a * a * a))
                                  : 2.0 / 3 * std::sqrt(a * a * a);
    return kHubbleTime / h * age;
}

}  // namespace orrery
