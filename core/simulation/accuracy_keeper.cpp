// SPDX-License-Identifier: MIT
#include "core/simulation/accuracy_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t kRarer = 4;  // each gap between measurements is this many times the previous one
constexpr std::chrono::hours kWhole{1};
constexpr double kMissed = 1.05;  // beyond this the accuracy counts as missed; a sample is accurate to a few percent

bool missed(const Acceptance& acceptance, double asked) {
    return acceptance.measured() && acceptance.error > kMissed * asked;
}

}  // namespace

void AccuracyKeeper::restore(const KeptAccuracy& kept, BodySystem& system) {
    abandon();
    kept_ = kept;
    system.scale_acceptance(kept_.acceptance.factor);
}

bool AccuracyKeeper::work(BodySystem& system, const Gravity& gravity, std::uint64_t moment,
                          std::chrono::duration<double> budget, Ranks* ranks) {
    if (!under_way_) sample_.begin(system), under_way_ = true;
    if (!sample_.work(system, gravity, budget)) return false;
    under_way_ = false;
    const double asked = system.accuracy_to_keep(), measured = ranks ? ranks->agreed(sample_.error()) : sample_.error();
    Acceptance& acceptance = kept_.acceptance;
    const double before = acceptance.factor;
    acceptance = adjusted(acceptance, asked, measured);
    if (acceptance.factor != before) system.scale_acceptance(acceptance.factor);
    const std::uint64_t most = kRarely * std::max<std::uint64_t>(sample_.rounds(), ErrorSample::kLeastRounds);
    kept_.gap = settled(acceptance, asked) ? std::min(kRarer * kept_.gap, most) : 1;
    kept_.next = moment + kept_.gap;
    return true;
}

Acceptance settle_accuracy(BodySystem& system, const Gravity& gravity, Ranks* ranks) {
    AccuracyKeeper keeper;
    for (std::uint64_t i = 0; i < 10; ++i) {
        system.run_forces(0, system.begin_forces(gravity, Potential::kSkip));
        const double asked = system.accuracy_to_keep();
        if (!(asked > 0)) break;
        system.wait();
        keeper.work(system, gravity, i, kWhole, ranks);
        if (settled(keeper.kept().acceptance, asked)) break;
    }
    return keeper.kept().acceptance;
}

std::string accuracy_text(const Acceptance& acceptance, const EngineConfig& engine, double asked) {
    if (!acceptance.measured()) return "not yet measured";
    const std::string text = fmt::format("{:.1e} measured, {:g} asked", acceptance.error, asked);
    switch (acceptance.limit) {
        case AcceptanceLimit::kLoosest:
            return text + ": a looser criterion changes nothing here";
        case AcceptanceLimit::kFinest:
            return text + fmt::format(": {} precision gives no more here{}", name(engine.precision),
                                      engine.precision == Precision::kDouble ? "" : ", double does");
        case AcceptanceLimit::kNone:
            break;
    }
    return text + fmt::format("{}, criterion × {:.3g}", missed(acceptance, asked) ? ": not reached yet" : "",
                              acceptance.factor);
}

std::string accuracy_missed(const Acceptance& acceptance, const EngineConfig& engine, double asked) {
    if (!(asked > 0) || !missed(acceptance, asked)) return {};
    const std::string found = fmt::format("the forces of '{}' err by {:.1e}, above the accuracy of {:g}", engine.engine,
                                          acceptance.error, asked);
    if (acceptance.limit != AcceptanceLimit::kFinest)
        return found + fmt::format("; more steps may reach it, or --accuracy {:.1g}, or --engine direct",
                                   asked * asked / acceptance.error);
    return found + (engine.precision == Precision::kDouble ? "; --engine direct reaches it"
                                                           : "; --precision double reaches it");
}

}  // namespace orrery
