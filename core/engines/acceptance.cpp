// SPDX-License-Identifier: MIT
#include "core/engines/acceptance.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr double kLeastPower = 0.3, kMostPower = 3;  // plausible range of the exponent of error ∝ factor^power
constexpr double kNoResponse = 0.1;                  // a smaller exponent counts as no response to the criterion
// Changes of the logarithm of the factor. Changes below kTellingChange are noise unless the target lies between the two
// errors. Changes below the next two do not prove a limit: with few bodies the error is a staircase, and where rounding
// dominates it responds late. kMostChange limits a step to a factor of 8.
constexpr double kSignificantChange = 0.4, kFarTighter = 1, kFarLooser = 2, kMostChange = 2.08;
constexpr double kUnchanged = 0.3;       // largest change of the error's logarithm that counts as unchanged
constexpr double kLeastMeasured = 5e-3;  // of the requested error: below it, rounding fluctuates

bool kept(double ratio) { return ratio >= kLeastErrorKept && ratio <= kMostErrorKept; }
double log_of(double error, double asked) { return std::log(std::max(error / asked, kLeastMeasured)); }

}  // namespace

Acceptance adjusted(const Acceptance& now, double asked, double measured) {
    if (!std::isfinite(measured)) return now;  // a body is lost, and the step will be refused
    const double error = log_of(measured, asked);
    Acceptance next = now;
    next.error = measured;
    const auto rebase = [&] { next.base_factor = now.factor, next.base_error = measured; };
    next.limit = AcceptanceLimit::kNone;
    if (kept(measured / asked)) return rebase(), next;
    const bool loosen = measured < kLeastErrorKept * asked;
    const AcceptanceLimit wanted = loosen ? AcceptanceLimit::kLoosest : AcceptanceLimit::kFinest;
    const double response = error - log_of(now.base_error, asked);
    if (now.limit == wanted && std::abs(response) < kUnchanged) {
        next.limit = wanted;
        return next;
    }
    const double change =
        now.base_factor > 0 && now.limit == AcceptanceLimit::kNone ? std::log(now.factor / now.base_factor) : 0;
    // An error that grows when the criterion is tightened comes from rounding, so it does not count as a response.
    const bool responds = response * change >= kNoResponse * change * change;
    if (!responds && (loosen ? change >= kFarLooser : change <= -kFarTighter)) {
        next.factor = now.base_factor, next.error = now.base_error;
        next.limit = wanted;
        return next;
    }
    const double aim = std::log(kErrorAimedAt);
    const bool between = (error - aim) * (error - response - aim) < 0 && response * change > 0,
               significant = responds && (between || std::abs(change) >= kSignificantChange);
    if (significant) next.power = std::clamp(response / change, kLeastPower, kMostPower);
    if (significant || change == 0) rebase();
    next.factor *= std::exp(std::clamp((aim - error) / next.power, -kMostChange, kMostChange));
    return next;
}

bool settled(const Acceptance& acceptance, double asked) {
    return acceptance.measured() && (acceptance.limit != AcceptanceLimit::kNone || kept(acceptance.error / asked));
}

}  // namespace orrery
