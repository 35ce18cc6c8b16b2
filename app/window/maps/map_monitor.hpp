// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "app/window/features.hpp"
#include "app/window/maps/map_state.hpp"
#include "app/window/maps/tried_engines.hpp"
#include "app/window/window_core.hpp"
#include "core/live/simulation_thread.hpp"

namespace orrery {

/// Keeps the picture of the selected map, for the current bodies and tiles. Re-evaluates the map only when map, root or
/// rows have changed.
class MapMonitor {
public:
    const MapState& update(const Status& status, const EngineConfig& wanted);
    /// Shows this map, which the engine refuses, until the engine's map or root changes, or the engine would accept it.
    void display(const DisplayedMap& map, const EngineConfig& wanted);

private:
    /// Why the engine refuses the displayed map; empty if it accepts it.
    std::string refusal(const EngineConfig& wanted, std::uint32_t rows) const;
    void update_triples(const Status& status, const EngineConfig& wanted);

    MapState state_;
    std::optional<DisplayedMap> displayed_;
    DisplayedMap engine_map_;  // the engine's map at the time of the refusal
    std::string map_, root_;
    std::uint64_t rows_ = 0;  // of the picture, or of the problem
};

/// The page Maps: the map shown, and the speeds of the engines tried.
class MapsControl final : public Feature {
public:
    explicit MapsControl(WindowCore& core) : core_{core} {}
    void update() override;
    void apply(const UiRequests& requests) override;

private:
    void update_lesson(MapLesson& lesson) const;

    WindowCore& core_;
    MapMonitor monitor_;
    TriedEngines tried_;
};

}  // namespace orrery
