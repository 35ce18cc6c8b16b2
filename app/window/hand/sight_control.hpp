// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "app/window/window_core.hpp"

namespace orrery {

/// Drawings and exports for the picked bodies, from the simulation's last inspection of them.
class SightControl {
public:
    explicit SightControl(WindowCore& core) : core_{core} {}

    /// Once per frame. `second`: time of the scene per second, at its default speed.
    void update(double second);
    /// Columns step, time, body, x, y, z, vx, vy, vz; a row for each body and inspection since these bodies were
    /// picked.
    std::string track_csv() const;

private:
    static constexpr std::size_t kMostRows = 200'000;  ///< beyond it, the oldest are dropped
    struct Row {
        std::int64_t step;
        double time;
        BodyMotion motion;
    };
    void place_arrows(const OrbitCamera& camera, glm::dvec2 window, const Inspection& seen, double second);
    void place_orbit(const OrbitCamera& camera, glm::dvec2 window, const Inspection& seen);
    void place_contours(const OrbitCamera& camera, glm::dvec2 window);
    void note_track(const Inspection& seen);

    WindowCore& core_;
    Picked tracked_;
    std::int64_t last_step_ = 0;
    std::vector<Row> track_;
};

/// Arrows and orbits of the picked bodies, and contours.
void sight_overlay(const Widgets& ui, const UiState& state);

}  // namespace orrery
