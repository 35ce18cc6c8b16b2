// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/map_state.hpp"
#include "core/live/simulation_thread.hpp"

namespace orrery {

/// Keeps the picture of the selected map, for the current bodies and tiles. Re-evaluates the map only when map, root or
/// rows have changed.
class MapWatch {
public:
    const MapState& update(const Status& status, const EngineConfig& wanted);

private:
    MapState state_;
    std::string map_, root_;
    std::uint64_t rows_ = 0;  // of the picture, or of the problem
};

}  // namespace orrery
