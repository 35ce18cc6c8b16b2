// SPDX-License-Identifier: MIT
#include "core/bodies/engine_system.hpp"

#include "core/engines/engine.hpp"

namespace orrery {

EngineSystem::EngineSystem(AnyEngine engine, Law law, Ranks* ranks) : engine_{std::move(engine)}, law_{law} {
    if (ranks) shared_ = std::visit([&](const auto& each) { return each->share(*ranks); }, engine_);
}
EngineSystem::~EngineSystem() = default;

std::uint64_t EngineSystem::history_key() const {
    return std::visit(
        [](const auto& engine) {
            const auto* history = engine->history();
            return history ? history->history_key() : 0;
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
