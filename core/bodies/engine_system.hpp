// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/engines/any_engine.hpp"

namespace orrery {

/// A BodySystem whose engine is in this process.
class EngineSystem : public BodySystem {
public:
    /// With `ranks` the engine shares its work with them, if it can.
    EngineSystem(AnyEngine engine, Law law, Ranks* ranks = nullptr);
    ~EngineSystem() override;

    Law law() const final { return law_; }
    bool shared() const final { return shared_; }
    std::uint64_t history_key() const final;
    double accuracy_to_keep() const final;
    void scale_acceptance(double factor) final;
    std::string engine_choice() const final;
    EngineReport engine_report() const final;
    std::vector<TreeCell> engine_cells(std::size_t most) const final;

protected:
    template <class Space, class Real>
    Engine<Space, Real>& engine() const {
        return *std::get<std::unique_ptr<Engine<Space, Real>>>(engine_);
    }

private:
    AnyEngine engine_;
    Law law_;
    bool shared_ = false;
};

}  // namespace orrery
