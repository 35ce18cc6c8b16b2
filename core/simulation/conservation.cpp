// SPDX-License-Identifier: MIT
#include "core/simulation/conservation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {

Conservation conserved(const Diagnostics& first, const Diagnostics& now, const EncounterLedger& met) {
    const double start = first.total(), change = now.total() + met.energy - start;
    const auto turnover = [](const Diagnostics& each) { return each.kinetic + std::abs(each.potential); };
    const double usual = std::max(turnover(first), turnover(now)) / 3;
    Conservation found{.energy = start != 0 ? change / std::abs(start) : change,
                       .momentum = momentum_drift(first, now, met),
                       .finite = std::isfinite(start) && std::isfinite(now.total())};
    found.kept = found.finite && std::abs(change) <= kMostDrift * std::max(std::abs(start), usual);
    return found;
}

/// By Cauchy and Schwarz, Σ m|v| ≤ √(2 M K): an upper bound on the momentum that carried the energy taken by
/// encounters.
double momentum_drift(const Motion& first, const Motion& now, const EncounterLedger& met) {
    const double carried = std::sqrt(2 * now.mass * std::abs(met.energy));
    const double scale = std::max({first.momentum_scale, now.momentum_scale, carried});
    const double lost = length(now.momentum + met.momentum - first.momentum);
    return scale > 0 ? lost / scale : lost;
}

EncounterLedger taken_between(const EncounterLedger& before, const EncounterLedger& after) {
    return {.merges = after.merges - before.merges,
            .bounces = after.bounces - before.bounces,
            .accretions = after.accretions - before.accretions,
            .energy = after.energy - before.energy,
            .angular_momentum = after.angular_momentum - before.angular_momentum,
            .mass = after.mass - before.mass,
            .momentum = after.momentum - before.momentum};
}

std::string warning_of(const Conservation& conservation, double adaptive) {
    if (conservation.kept) return {};
    if (!conservation.finite)
        return "the energy of the bodies is not finite, so the run cannot be judged; choose units in which "
               "masses, lengths and speeds are closer to 1";
    return fmt::format(
        "|ΔE/E| = {:.2g} is more than {:g}: the bodies have left their true orbits; {}, or a larger softening, may "
        "help",
        std::abs(conservation.energy), kMostDrift,
        adaptive > 0 ? fmt::format("an adaptive limit below {:g}", adaptive) : "a smaller dt, or adaptive steps");
}

}  // namespace orrery
