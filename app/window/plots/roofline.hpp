// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/window/ui_state.hpp"
#include "core/base/background_job.hpp"
#include "core/engines/ceilings.hpp"

namespace orrery {

/// Ceilings of the engine's device, as the page History shows them. In UiState::own.
struct RooflineState {
    bool wanted = false;     ///< requested and not yet begun
    bool measuring = false;  ///< in progress
    std::optional<Ceilings> ceilings;
    EngineConfig of;      ///< the engine for whose device and precision they were measured
    std::string why_not;  ///< why the last measurement failed; empty: it did not
};

/// Upper bound on the pairs per second of the current engine on bodies of equal masses; empty if it has none, or the
/// ceilings of its device and precision are not measured.
std::optional<double> pairs_bound(const UiState& state);
/// True if pairs_bound() exists once the ceilings are measured.
bool has_bound(const Status& status);

/// Measures ceilings in the background when RooflineState asks for it.
class RooflineMonitor {
public:
    void update(UiState& state);

private:
    std::unique_ptr<BackgroundJob<EngineConfig, RooflineState>> work_;  // null before the first request
};

}  // namespace orrery
