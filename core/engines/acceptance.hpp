// SPDX-License-Identifier: MIT
// How an engine's criterion is scaled so that its measured error becomes what was asked for. Pure functions of numbers.
#pragma once

namespace orrery {

/// The measured relative RMS error, over the one asked for, that leaves the criterion as it is, and the one that is
/// aimed at otherwise. A sample of a few hundred bodies is right to about a tenth, so that the error of all bodies
/// stays within 0.5 and 1.05.
inline constexpr double kLeastErrorKept = 0.6, kErrorAimedAt = 0.75, kMostErrorKept = 0.85;

/// Why an error is not within these bounds.
enum class AcceptanceLimit {
    kNone,
    kLoosest,  ///< the error stays below: the criterion lets nothing more be accepted, as with few bodies
    kFinest    ///< the error stays above: it is that of rounding
};

/// A scaled criterion, see AcceptancePower, and what was measured under it.
struct Acceptance {
    double factor = 1;                       ///< in force
    double error = -1;                       ///< relative RMS error at the last measurement; negative: there was none
    double power = 1;                        ///< of the factor with which the error goes, as far as known
    double base_factor = 0, base_error = 0;  ///< of an earlier measurement, with which the next ones are compared
    AcceptanceLimit limit = AcceptanceLimit::kNone;

    bool measured() const { return error >= 0; }
    friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// What follows from the measurement of a relative RMS error under `now.factor`: by the secant of the logarithms of
/// factor and error through two measurements. Where the error does not answer, the limit says so, and the factor goes
/// back.
Acceptance adjusted(const Acceptance& now, double asked, double measured);

/// The error need not be measured again at once.
bool settled(const Acceptance& acceptance, double asked);

}  // namespace orrery
