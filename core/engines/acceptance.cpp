// SPDX-License-Identifier: MIT
#include "core/engines/acceptance.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr double kLeastPower = 0.3, kMostPower = 3;  // of the error over the factor, that are believed
constexpr double kNoAnswer = 0.1;                    // a power below it: the criterion does not decide
// Changes of the logarithm of the factor. Less than kTellingChange drowns in noise, unless what is aimed at lies
// between; less than the next two says nothing of a limit: with few bodies the error is a staircase, and where rounding
// is most of it, it answers late. More at once than a factor of 8 would be a leap in the dark.
constexpr double kTellingChange = 0.4, kFarTighter = 1, kFarLooser = 2, kMostChange = 2.08;
constexpr double kAsBefore = 0.3;        // of the logarithm of an error
constexpr double kLeastMeasured = 5e-3;  // of the error asked for: below it, rounding fluctuates

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
    const double answer = error - log_of(now.base_error, asked);
    if (now.limit == wanted && std::abs(answer) < kAsBefore) {
        next.limit = wanted;
        return next;
    }
    const double change =
        now.base_factor > 0 && now.limit == AcceptanceLimit::kNone ? std::log(now.factor / now.base_factor) : 0;
    // An error that grows where the criterion is tightened is that of rounding, and no answer either.
    const bool answers = answer * change >= kNoAnswer * change * change;
    if (!answers && (loosen ? change >= kFarLooser : change <= -kFarTighter)) {
        next.factor = now.base_factor, next.error = now.base_error;
        next.limit = wanted;
        return next;
    }
    const double aim = std::log(kErrorAimedAt);
    const bool between = (error - aim) * (error - answer - aim) < 0 && answer * change > 0,
               tells = answers && (between || std::abs(change) >= kTellingChange);
    if (tells) next.power = std::clamp(answer / change, kLeastPower, kMostPower);
    if (tells || change == 0) rebase();
    next.factor *= std::exp(std::clamp((aim - error) / next.power, -kMostChange, kMostChange));
    return next;
}

bool settled(const Acceptance& acceptance, double asked) {
    return acceptance.measured() && (acceptance.limit != AcceptanceLimit::kNone || kept(acceptance.error / asked));
}

}  // namespace orrery
