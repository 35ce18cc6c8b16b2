// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "app/window/maps/map_state.hpp"
#include "core/live/simulation_thread.hpp"

namespace orrery {

/// Speeds of the engines tried in this session with the current number of bodies, in the order in which they were
/// tried. Discarded when the number changes, because speeds for different numbers are not comparable.
class TriedEngines {
public:
    static constexpr std::size_t kMost = 12;             ///< beyond it, the oldest is dropped
    static constexpr std::size_t kLeastEvaluations = 5;  ///< before a median is used

    void update(const Status& status);
    void clear() { tried_.clear(); }
    const std::vector<TriedEngine>& list() const { return tried_; }

private:
    std::vector<TriedEngine> tried_;
    std::size_t bodies_ = 0;
};

/// Everything that the speed depends on: "half lambda sqrt ρ 512, cpu single".
std::string tried_name(const Status& status);

/// The speeds of the last `most` engines tried, as bars of at most `width` pixels, the current one in the accent
/// colour.
void speed_bars(std::span<const TriedEngine> tried, std::size_t most, float width, float scale);

}  // namespace orrery
