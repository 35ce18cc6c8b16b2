// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "app/ui/map_state.hpp"
#include "core/live/simulation_thread.hpp"

namespace orrery {

/// How fast each engine was that was tried in this session with the present number of bodies, in the order of trying.
/// Speeds for other numbers would not compare: they are forgotten when the number changes.
class TriedEngines {
public:
    static constexpr std::size_t kMost = 12;             ///< the oldest goes when there are more
    static constexpr std::size_t kLeastEvaluations = 5;  ///< before a median is believed

    void update(const Status& status);
    void clear() { tried_.clear(); }
    const std::vector<TriedEngine>& list() const { return tried_; }

private:
    std::vector<TriedEngine> tried_;
    std::size_t bodies_ = 0;
};

/// All that speed depends on: "half lambda sqrt ρ 512, cpu single".
std::string tried_name(const Status& status);

}  // namespace orrery
