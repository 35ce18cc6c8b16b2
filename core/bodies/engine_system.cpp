// SPDX-License-Identifier: MIT
#include "core/bodies/engine_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

#include "core/base/error.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/opening.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {

EngineSystem::EngineSystem(AnyEngine engine, const EngineEntry& entry, const BodySource& bodies, Precision precision,
                           Ranks* ranks)
    : engine_{std::move(engine)},
      entry_{&entry},
      precision_{precision},
      ranks_{ranks},
      charged_{bodies.labels().charge.size() == bodies.size()},
      massless_{first_massless(bodies)} {
    if (ranks) shared_ = std::visit([&](const auto& each) { return each->share(*ranks); }, engine_);
}
EngineSystem::~EngineSystem() = default;

Law EngineSystem::law() const { return entry_->law; }

void EngineSystem::require_takes(const Gravity& gravity) const {
    if (gravity.law == PairLaw::kGravity) return;
    require_law(*entry_, precision_, gravity.law);
    validate(gravity);
    const std::string_view id = pair_law(gravity.law).id;
    if (!attracts_masses(gravity.law) && massless_)
        usage_error(fmt::format("body {} has no mass, so law {} cannot move it", *massless_, id));
    if (gravity.law == PairLaw::kCoulomb && !charged_)
        usage_error("law coulomb needs charges, but the bodies have none; add a column 'charge' to the CSV file");
}

std::uint64_t EngineSystem::history_key() const {
    return std::visit(
        [](const auto& engine) {
            const auto* history = engine->history();
            return history ? history->history_key() : 0;
        },
        engine_);
}

void EngineSystem::forget_history() {
    std::visit(
        [](const auto& engine) {
            if (auto* history = engine->history()) history->forget();
        },
        engine_);
}

double EngineSystem::accuracy_to_keep() const {
    return std::visit(
        [](const auto& engine) {
            const auto* acceptance = engine->acceptance();
            return acceptance ? acceptance->accuracy_to_keep() : 0;
        },
        engine_);
}

void EngineSystem::scale_acceptance(double factor) {
    std::visit(
        [factor](const auto& engine) {
            if (auto* acceptance = engine->acceptance()) acceptance->scale_acceptance(factor);
        },
        engine_);
}

bool EngineSystem::exchange_engine(const EngineConfig& config) {
    const EngineEntry& entry = orrery::engine(config.engine, config.backend);
    if (entry.backend != entry_->backend || config.precision != precision_ || entry.law != entry_->law) return false;
    require_kernel_runs(entry, config);
    wait();
    release_engine();
    std::visit([](auto& engine) { engine.reset(); }, engine_);  // its memory may be needed
    try {
        engine_ = entry.make(config);
    } catch (const std::bad_alloc&) {
        environment_error(fmt::format("the memory of this machine does not suffice for engine '{}'", config.engine));
    }
    entry_ = &entry;
    shared_ = ranks_ && std::visit([&](const auto& each) { return each->share(*ranks_); }, engine_);
    return true;
}

void EngineSystem::for_positions(const TakePositions& take) const { take(0, bodies().position_mass); }

std::vector<std::uint32_t> EngineSystem::heavy_bodies() const {
    if (heavy_) return *heavy_;
    double mass = 0, most = 0;
    for_positions([&](std::size_t, std::span<const Vec4d> bodies) {
        for (const Vec4d& body : bodies) mass += body.w, most = std::max(most, body.w);
    });
    const double least = heavy_from(mass, static_cast<double>(count()));
    heavy_.emplace();
    if (!(most > 0) || most < least) return *heavy_;
    std::vector<std::pair<double, std::uint32_t>> found;
    for_positions([&](std::size_t first, std::span<const Vec4d> bodies) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (bodies[i].w > 0 && bodies[i].w >= least)
                found.emplace_back(bodies[i].w, static_cast<std::uint32_t>(first + i));
    });
    std::ranges::stable_sort(found, std::ranges::greater{}, [](const auto& each) { return each.first; });
    for (const auto& [each, body] : found) heavy_->push_back(body);
    return *heavy_;
}

std::string EngineSystem::engine_choice() const {
    return std::visit([](const auto& engine) { return engine->choice(); }, engine_);
}

EngineReport EngineSystem::engine_report() const {
    return std::visit([](const auto& engine) { return engine->report(); }, engine_);
}

std::vector<TreeCell> EngineSystem::engine_cells(std::size_t most) const {
    return std::visit(
        [most](const auto& engine) {
            const auto* tree = engine->tree();
            return tree ? tree->cells(most) : std::vector<TreeCell>{};
        },
        engine_);
}

}  // namespace orrery
