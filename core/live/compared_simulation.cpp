// SPDX-License-Identifier: MIT
#include "core/live/compared_simulation.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/error.hpp"

namespace orrery {
namespace {

std::unique_ptr<SeriesPlayer> player_of(std::unique_ptr<Series> series) {
    return series ? std::make_unique<SeriesPlayer>(std::move(series)) : nullptr;
}

/// Of one action each; the last takes all others.
struct Interpreter {
    ComparedSimulation& both;

    bool operator()(const LoadScene& wish) const {
        const Simulation& before = both.simulation;
        OpenedScene opened = open_scene_or_series(wish.request);
        Simulation loaded{std::move(opened.scene), wish.engine.value_or(before.engine_config()), {}, before.ranks()};
        loaded.set_color_by(both.simulation.color_by());
        both.simulation = std::move(loaded);
        both.player = player_of(std::move(opened.series));
        both.player ? both.comparison.stop() : both.comparison.scene_changed(both.simulation);
        return true;
    }
    bool operator()(const SetEngine& wish) const { return both.simulation.set_engine(wish.config), true; }
    bool operator()(const SetDt& wish) const { return both.simulation.set_dt(wish.dt), true; }
    bool operator()(const SetIntegrator& wish) const {
        Simulation& first = both.simulation;
        return first.set_integrator(wish.id.value_or(std::string{first.integrator_entry().id}),
                                    wish.adaptive.value_or(first.adaptive())),
               true;
    }
    bool operator()(const SetSoftening& wish) const {
        Gravity gravity = both.simulation.gravity();
        gravity.softening = wish.softening;
        return both.simulation.set_gravity(gravity), true;
    }
    bool operator()(const SetLaw& wish) const {
        const Gravity before = both.simulation.gravity();
        Gravity gravity = before;
        gravity.law = wish.law, gravity.sigma = wish.sigma, gravity.cut_off = wish.cut_off;
        both.simulation.set_gravity(gravity);
        try {
            both.comparison.law_changed(both.simulation);
        } catch (const Error&) {  // B's engine may not compute it
            both.simulation.set_gravity(before);
            throw;
        }
        return true;
    }
    bool operator()(const SetColorBy& wish) const {
        both.simulation.set_color_by(wish.by);
        return both.comparison.set_color_by(wish.by), true;
    }
    bool operator()(const ShowTime& wish) const { return played().go_to(wish.time), true; }
    bool operator()(const SetPlayRate& wish) const { return played().set_rate(wish.time_per_step), true; }
    bool operator()(const LeaveSeries&) const {
        played();
        return both.player.reset(), true;
    }
    bool operator()(const SetCompare& wish) const {
        if (both.player) usage_error("a series is played: a comparison needs a simulation");
        return both.comparison.set(wish.settings), true;
    }
    bool operator()(const RestartCompare&) const { return both.comparison.restart(), true; }
    bool operator()(const StopCompare&) const { return both.comparison.stop(), true; }
    bool operator()(const SetDifferences& wish) const { return both.comparison.show_differences(wish.on), true; }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }

private:
    SeriesPlayer& played() const {
        if (!both.player) usage_error("no series is played");
        return *both.player;
    }
};

}  // namespace

ComparedSimulation::ComparedSimulation(OpenedScene opened, const EngineConfig& engine, Ranks* ranks)
    : simulation{std::move(opened.scene), engine, {}, ranks}, player{player_of(std::move(opened.series))} {}

bool ComparedSimulation::apply(const Action& action) { return std::visit(Interpreter{*this}, action); }

void ComparedSimulation::take_steps(std::uint64_t steps, const Refused& refused) {
    constexpr std::chrono::duration<double> kQueue{0.05};
    for (; player && steps > 0; --steps) player->step(simulation);
    while (steps > 0) {
        settle(refused);
        steps -= simulation.take_steps(kQueue, comparison.on() ? 1 : steps);
        comparison.a_stepped(simulation);
        settle(refused);
    }
}

void ComparedSimulation::settle(const Refused& refused) {
    try {
        while (comparison.due(simulation)) comparison.work(simulation, std::chrono::hours{1});
    } catch (const Error& error) {
        refused(error.what());
    }
}

void ComparedSimulation::complete(bool tree) {
    if (tree || simulation.color_due())
        while (!simulation.evaluate(std::chrono::hours{1})) {
        }
    comparison.complete_colors();
}

}  // namespace orrery
