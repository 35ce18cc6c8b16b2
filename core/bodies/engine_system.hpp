// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/backend.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// A BodySystem whose engine runs in this process.
class EngineSystem : public BodySystem {
public:
    /// `engine` is created by `entry`, which must outlive the system, in `precision`. It shares its work with `ranks`
    /// if it can.
    EngineSystem(AnyEngine engine, const EngineEntry& entry, const BodySource& bodies, Precision precision,
                 Ranks* ranks = nullptr);
    EngineSystem(AnyEngine engine, const EngineEntry& entry, const Bodies& bodies, Precision precision,
                 Ranks* ranks = nullptr)
        : EngineSystem{std::move(engine), entry, BodiesInMemory{bodies}, precision, ranks} {}
    ~EngineSystem() override;

    Law law() const final;
    bool shared() const override { return shared_; }
    std::uint64_t history_key() const override;
    void forget_history() override;
    double accuracy_to_keep() const final;
    void scale_acceptance(double factor) override;
    bool exchange_engine(const EngineConfig& config) override;
    /// Cached until bodies are changed.
    std::vector<std::uint32_t> heavy_bodies() const override;
    std::string engine_choice() const final;
    EngineReport engine_report() const override;
    std::vector<TreeCell> engine_cells(std::size_t most) const final;

protected:
    template <class Space, class Real>
    Engine<Space, Real>& engine() const {
        return *std::get<std::unique_ptr<Engine<Space, Real>>>(engine_);
    }

    const EngineEntry& entry() const { return *entry_; }
    /// Before another engine replaces this one: drops everything that refers to it.
    virtual void release_engine() {}

    /// Calls take() with the positions and masses of all bodies, in order and in stretches, so that not all of them
    /// have to be on the host in double; by default with those of bodies().
    using TakePositions = std::function<void(std::size_t first, std::span<const Vec4d> position_mass)>;
    virtual void for_positions(const TakePositions& take) const;

    /// Throws Error{kUsage} if the engine or the bodies do not support this force.
    void require_takes(const Gravity& gravity) const;
    /// Updates massless_ and heavy_ after bodies have changed. `change`: the only change, or null; `mass(i)`: masses of
    /// the `count` present bodies.
    template <class Mass>
    void find_massless(const BodyChange* change, std::size_t count, const Mass& mass) {
        heavy_.reset();
        const auto without = [](const Vec4d& body) { return !(body.w > 0); };
        if (change && !massless_ && std::ranges::none_of(change->after.position_mass, without)) return;
        massless_.reset();
        for (std::size_t i = 0; i < count && !massless_; ++i)
            if (!(mass(i) > 0)) massless_ = i;
    }

private:
    AnyEngine engine_;
    const EngineEntry* entry_;
    Precision precision_;
    Ranks* ranks_;
    bool charged_;                         // every body has a charge
    std::optional<std::size_t> massless_;  // the first body without mass
    mutable std::optional<std::vector<std::uint32_t>> heavy_;
    bool shared_ = false;
};

/// make_body_system() without a RankLeader: all ranks make the same call.
std::unique_ptr<BodySystem> make_own_system(const EngineConfig& config, const BodySource& bodies, Urgency urgency,
                                            Ranks* ranks);
inline std::unique_ptr<BodySystem> make_own_system(const EngineConfig& config, const Bodies& bodies, Urgency urgency,
                                                   Ranks* ranks) {
    return make_own_system(config, BodiesInMemory{bodies}, urgency, ranks);
}

// One function per memory space; make_own_system() chooses by the engine's backend.
std::unique_ptr<BodySystem> make_host_system(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry,
                                             const BodySource& bodies, Ranks* ranks = nullptr);
/// `ranks`: the ranks that each have such a system; null: none. Accelerations are bitwise the same on all ranks, even
/// if the engine does not share its work.
std::unique_ptr<BodySystem> make_device_system(AnyEngine engine, const EngineEntry& entry, const BodySource& bodies,
                                               Precision precision, Urgency urgency, Ranks* ranks = nullptr);

std::unique_ptr<BodySystem> make_gl_system(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry,
                                           const BodySource& bodies);

}  // namespace orrery
