// SPDX-License-Identifier: MIT
// Random user actions, as values that shrink.
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "app/render/color_modes.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/live/actions.hpp"
#include "core/maps/maps.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {

/// A kind of action, a seed for its details, and the number of frames before it.
using Move = std::tuple<int, std::uint32_t, int>;

/// Up to 25 moves.
inline rc::Gen<std::vector<Move>> any_moves(int kinds) {
    using rc::gen::inRange;
    auto one =
        rc::gen::resize(rc::kNominalSize, rc::gen::tuple(inRange(0, kinds), inRange(0u, 1u << 20), inRange(0, 2)));
    return rc::gen::scale(0.25, rc::gen::container<std::vector<Move>>(std::move(one)));
}

/// Draws the details of one move.
class Draw {
public:
    /// `files`: snapshots that may be used as scenes, besides presets.
    explicit Draw(std::uint32_t seed, std::span<const std::string> files = {}) : random_{seed}, files_{files} {}
    std::size_t below(std::size_t end) { return random_() % end; }
    bool flip() { return below(2) == 0; }
    template <class T>
    T of(std::initializer_list<T> all) {
        return all.begin()[below(all.size())];
    }
    template <class Menu>
    auto& line(const Menu& menu) {
        return menu[below(menu.size())];
    }

    /// An engine of the CPU with random settings; some combinations are refused.
    EngineConfig engine() {
        std::vector<const EngineEntry*> here;
        for (const EngineEntry& entry : engines())
            if (entry.backend == Backend::kCpu && entry.law == Law::kPairs) here.push_back(&entry);
        const EngineEntry& entry = *line(here);
        EngineConfig config{.engine = std::string{entry.id}};
        config.precision = of({Precision::kSingle, Precision::kMixed, Precision::kDouble});
        config.map = line(maps()).id, config.root = line(roots()).id;
        config.tile_size = of({0, 32, 64});
        config.equal_masses = flip();
        config.tree.theta = of({0.0, 0.0, 0.7}), config.tree.accuracy = of({0.0, 1e-2, 1e-4});
        config.tree.order = of({0, 1, 2}), config.tree.leaf = of({0, 8}), config.tree.group = of({0, 8, 32});
        config.threads = of({1, 1, 1, 2});
        config.compensated = below(4) == 0;
        config.deterministic = flip();
        return config;
    }
    SceneRequest scene() {
        SceneRequest request{.source = of({"plummer", "figure-eight", "cold-sphere", "solar-system"})};
        if (request.source != "figure-eight" && request.source != "solar-system") request.bodies = 8 + below(60);
        request.seed = 1 + below(5);
        if (!files_.empty() && below(3) == 0) request = {.source = line(files_)};
        if (below(4) == 0) request.softening = of({0.01, 0.1});
        if (below(4) == 0) request.integrator = line(integrators()).id;
        return request;
    }
    SetIntegrator integrator() {
        SetIntegrator wish;
        if (flip()) wish.id = std::string{line(integrators()).id};
        if (!wish.id || flip()) wish.adaptive = of({0.0, 0.01});
        return wish;
    }
    /// An edit of random bodies; some edits are refused.
    Edit edit() {
        Edit edit{.kind = line(edit_kinds()).kind};
        const EditEntry& entry = edit_kind(edit.kind);
        if (entry.shifts) edit.by = {somewhere(), of({0.0, -0.1}), of({0.0, 1e-3})};
        if (entry.scales) edit.factor = of({0.0, 0.5, 1.5});
        if (entry.sorts) edit.species = of({Species::kBoundary, Species::kGas});
        if (entry.names) edit.name = of<std::string>({"Ceres", "\"x\" ☉"});
        if (entry.brushes)
            edit.add = {.radius = of({0.3, 2.0}), .position = {somewhere(), 0, 0}, .normal = {0, of({0.0, 1.0}), 1}};
        else if (entry.adds)
            edit.add = {.count = static_cast<std::uint32_t>(1 + below(9)),
                        .mass = of({0.0, 0.1, 1.0}),
                        .radius = of({0.25, 1.0}),
                        .position = {somewhere(), of({0.0, -2.0}), 0.5},
                        .velocity = {0, of({0.0, 0.3}), 0},
                        .seed = 1 + below(5)};
        else
            for (std::uint32_t body = 0; body < 40; ++body)
                if (below(8) == 0) edit.bodies.push_back(body);
        return edit;
    }
    CompareSettings compare() {
        CompareSettings settings{.engine = engine(), .softening = of({0.01, 0.05, 0.5})};
        settings.dt_power = of({0, 0, -1, 1, 2});
        return settings;
    }

private:
    /// Never the same position twice: encounters would make the steps too short.
    double somewhere() { return 0.01 + 1e-7 * static_cast<double>(below(1u << 30)); }

    std::mt19937 random_;
    std::span<const std::string> files_;
};

/// Computed actions are repeated by a replay; the others affect only pace or displayed data.
inline Action any_action(int kind, Draw& draw) {
    switch (kind) {
        case 0:
        case 1:
            return SetEngine{draw.engine()};
        case 2:
            return SetDt{draw.of({1e-4, 1e-3, 0.004})};
        case 3:
            return draw.integrator();
        case 4:
            return SetSoftening{draw.of({0.01, 0.05, 0.5})};
        case 5:
            return SetColorBy{draw.line(color_modes()).by};
        case 6:
            return SetCompare{draw.compare()};
        case 7:
            return RestartCompare{};
        case 8:
            return StopCompare{};
        case 9:
        case 17:
            return LoadScene{draw.scene(), draw.flip() ? std::optional{draw.engine()} : std::nullopt};
        case 10:
            return SetCells{draw.of<std::size_t>({0, 300})};
        case 11:
            return SetDifferences{draw.flip()};
        case 12:
            return MeasureTheta{draw.flip()};
        case 13:
            return SetSpeed{draw.of({0.0, 1e5})};
        case 14:
            return WatchCentreOfMass{draw.flip()};
        case 15:
            return Rewind{draw.below(5), false};  // refused while recording
        case 16:
            return SetRewindBudget{draw.below(1 << 20)};
        case 19:
        case 20:
            return EditBodies{draw.edit()};
        case 21:
            return Undo{};
        case 22:
            return Redo{};
        default:
            throw std::logic_error{"no such kind"};
    }
}
inline constexpr int kKinds = 23;
inline constexpr int kPause = 18;  // pause, take one step, continue

/// Actions that a recording refuses, because time would run backwards.
inline Action any_turn(Draw& draw) {
    switch (draw.below(6)) {
        case 0:
            return SetReversed{draw.flip()};
        case 1:
            return RewindBy{draw.of({-2, -1, 1})};
        case 2:
            return Rewind{draw.below(20), draw.flip()};
        case 3:
            return SetPaused{draw.flip()};
        case 4:
            return SetPacing{draw.of({0, 3})};  // as a recording with panels whose frames are never taken
        default:
            return SingleStep{draw.flip()};
    }
}

}  // namespace orrery::test
