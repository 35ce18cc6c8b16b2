// SPDX-License-Identifier: MIT
// A person at the controls: random actions, as values that shrink.
#pragma once
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/live/actions.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {

/// What is done, a number that its details are drawn from, and how many pictures pass before.
using Move = std::tuple<int, std::uint32_t, int>;

/// Up to 25 of them.
inline rc::Gen<std::vector<Move>> any_moves(int kinds) {
    using rc::gen::inRange;
    auto one =
        rc::gen::resize(rc::kNominalSize, rc::gen::tuple(inRange(0, kinds), inRange(0u, 1u << 20), inRange(0, 2)));
    return rc::gen::scale(0.25, rc::gen::container<std::vector<Move>>(std::move(one)));
}

/// Draws the details of one move.
class Draw {
public:
    /// `files`: snapshots that a scene may be, besides presets.
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

    /// Of those on the CPU, with all that they read; not all of them can have it all.
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
    /// Of bodies that there may be; some are refused.
    Edit edit() {
        Edit edit{.kind = line(edit_kinds()).kind};
        const EditEntry& entry = edit_kind(edit.kind);
        if (entry.shifts) edit.by = {somewhere(), of({0.0, -0.1}), of({0.0, 1e-3})};
        if (entry.scales) edit.factor = of({0.0, 0.5, 1.5});
        if (entry.adds)
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
    /// Never twice the same: bodies that meet refuse short steps.
    double somewhere() { return 0.01 + 1e-7 * static_cast<double>(below(1u << 30)); }

    std::mt19937 random_;
    std::span<const std::string> files_;
};

}  // namespace orrery::test
