// SPDX-License-Identifier: MIT
// Adapts an engine's acceptance criterion until its measured force error matches the requested accuracy: a secant
// search over the scale factor. Pure functions of numbers.
#pragma once

namespace orrery {

/// Ratio of the measured to the requested relative RMS error. Between the outer two the criterion is left as it is;
/// otherwise the factor is adjusted towards the middle one. A sample of a few hundred bodies determines the error to
/// about 10 %, so the error of all bodies stays between 0.5 and 1.05 times the requested one.
inline constexpr double kLeastErrorKept = 0.6, kErrorAimedAt = 0.75, kMostErrorKept = 0.85;

/// Why the error could not be brought within these bounds.
enum class AcceptanceLimit {
    kNone,
    kLoosest,  ///< the error stays below the bounds: the criterion already accepts everything, as with few bodies
    kFinest    ///< the error stays above the bounds: rounding dominates
};

/// The scale factor of a criterion (see AcceptancePower) and the measurements that led to it.
struct Acceptance {
    double factor = 1;                       ///< in force
    double error = -1;                       ///< relative RMS error at the last measurement; negative: not measured yet
    double power = 1;                        ///< error ∝ factor^power, as estimated so far
    double base_factor = 0, base_error = 0;  ///< an earlier measurement, the other point of the secant
    AcceptanceLimit limit = AcceptanceLimit::kNone;

    bool measured() const { return error >= 0; }
    friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// The next scale factor, from a relative RMS error measured under `now.factor`: a secant step in the logarithms of
/// factor and error. If the error does not respond to the factor, sets the limit and restores the earlier factor.
Acceptance adjusted(const Acceptance& now, double asked, double measured);

/// True if the error need not be measured again immediately.
bool settled(const Acceptance& acceptance, double asked);

}  // namespace orrery
