// SPDX-License-Identifier: MIT
// Explains a result of the laboratory: the bound, the sentence below it, and a GPU's curve beside those of a CPU.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/window/lab/lab_state.hpp"

namespace orrery {

/// "λ: row by square root"; the name of a map or form with its root, if it has one.
std::string lab_name(std::string_view map, std::string_view root = {});

/// The result in words: "λ: row by square root is 1.96 × as fast as Bounding box with N = 8 192; at most 1.996 × is
/// possible." Of λ if it was measured with the newest N, otherwise of the fastest map. Empty without a result.
std::string lab_sentence(const LabState& lab);

/// A shipped curve of I over N.
struct LabGhost {
    std::string experiment, map, device;
    std::int64_t dimensions = 0;
    std::vector<PlotPoint> points;
};
/// Measured on a GPU (bench/results/h200/ghost.csv, from lab.csv beside it): λ with R.
const std::vector<LabGhost>& lab_ghosts();
/// That of a panel; null if there is none, or if the panel was measured on a GPU itself.
const LabGhost* ghost_of(const LabState& lab, std::int64_t dimensions);

}  // namespace orrery
