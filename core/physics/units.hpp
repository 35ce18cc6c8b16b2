// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// Days in the unit of time that makes G = 1 with AU and solar masses: 1/k, k = 0.01720209895 the Gaussian constant
/// (IAU 1976). It is called "yr/2π", but its year is the Gaussian year of 365.2568983 days, not 365.25.
inline constexpr double kGaussianDays = 1 / 0.01720209895;

}  // namespace orrery
