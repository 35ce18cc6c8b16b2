// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bodies/frame.hpp"

namespace orrery {

class Simulation;

/// Keeps where a few bodies are after steps that no frame shows, and hands that over with the next frame: many steps
/// may pass from picture to picture, and a trail through the pictures alone would be chords. Belongs to the
/// simulation's thread.
class TrailWatch {
public:
    static constexpr std::size_t kMostBodies = 1024;     ///< of more, trails are as the pictures are
    static constexpr std::size_t kMostPlaces = 1 << 16;  ///< between two frames: then every second one goes
    static constexpr std::size_t kMostPacedPlaces = 1 << 20;

    /// Every so many steps; 0: no longer.
    void want(int every);
    bool on(const Simulation& simulation) const;
    int every() const { return every_; }
    /// After steps. `paced`: each of them counts, for a recording repeats what `record` draws.
    void stepped(Simulation& simulation, bool paced);
    /// Puts what has been kept into the frame. `taken`: whoever draws has taken the frame before; what that one had
    /// goes into this one otherwise.
    void fill(Frame& frame, bool taken);
    void forget();

private:
    void keep(Simulation& simulation);
    void thin();

    int every_ = 0;
    std::int64_t spacing_ = 1;
    std::size_t bodies_ = 0;
    std::vector<std::int64_t> steps_;  // oldest first
    std::vector<Vec4f> places_;        // of all bodies, for each of those
    std::size_t handed_ = 0;           // how many of the steps the last frame had
    std::int64_t last_ = 0;            // step that was kept last
    bool any_ = false;                 // one was
    std::vector<std::uint32_t> all_;
    Frame state_;
};

}  // namespace orrery
