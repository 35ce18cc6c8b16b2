// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_state.hpp"
#include "core/encounters/encounter.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"
#include "core/simulation/accuracy_keeper.hpp"

namespace orrery {

/// A state between two steps, and the conditions under which its accelerations were computed.
struct Snapshot {
    BodyState bodies;
    std::int64_t steps = 0;
    std::uint64_t moment = 0;
    double time = 0;
    bool forces_fresh = false;
    std::optional<Gravity> evaluated;  ///< set if the accelerations come from a complete evaluation: its gravity
    std::uint64_t history_key = 0;     ///< see HistoryPower::history_key()
    KeptAccuracy accuracy;
    EngineConfig engine;
    Gravity gravity;
    EncounterLedger encounters;
    /// Names, species and ids of these bodies, if encounters may change them; null: those of the start.
    std::shared_ptr<const Bodies> labels;
};

}  // namespace orrery
