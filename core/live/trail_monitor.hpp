// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bodies/frame.hpp"

namespace orrery {

class Simulation;

/// Stores the positions of a few bodies after steps that no frame shows, and adds them to the next frame: with many
/// steps between frames, a trail through the frames alone would consist of chords. Belongs to the simulation's thread.
class TrailMonitor {
public:
    static constexpr std::size_t kMostBodies = 1024;     ///< with more bodies, trails use only frames
    static constexpr std::size_t kMostPlaces = 1 << 16;  ///< between two frames; beyond it every second one is dropped
    static constexpr std::size_t kMostPacedPlaces = 1 << 20;

    /// Records every so many steps; 0: off.
    void want(int every);
    bool on(const Simulation& simulation) const;
    int every() const { return every_; }
    /// Call after steps. `paced`: record each call, so that a recording draws the same as `record`.
    void stepped(Simulation& simulation, bool paced);
    /// Moves the stored positions into the frame. `taken`: the previous frame was taken; otherwise its positions are
    /// included again.
    void fill(Frame& frame, bool taken);
    void forget();

private:
    void keep(Simulation& simulation);
    void thin();

    int every_ = 0;
    std::int64_t spacing_ = 1;
    std::size_t bodies_ = 0;
    std::vector<std::int64_t> steps_;  // oldest first
    std::vector<Vec4f> places_;        // all bodies, for each of steps_
    std::size_t handed_ = 0;           // number of steps already in the last frame
    std::int64_t last_ = 0;            // last recorded step
    bool any_ = false;                 // last_ is valid
    std::vector<std::uint32_t> all_;
    Frame state_;
};

}  // namespace orrery
