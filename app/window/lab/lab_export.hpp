// SPDX-License-Identifier: MIT
// Exports the laboratory's results to files in the current folder, named by date, time and experiment. Each function
// returns the path, and throws Error{kEnvironment} if the disk fails.
#pragma once
#include <filesystem>

#include "app/render/image.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/lab/lab_state.hpp"

namespace orrery {

std::filesystem::path export_lab_csv(const LabRun& run);  ///< rows as in `orrery lab --csv`
std::filesystem::path export_lab_svg(const LabState& lab);
/// `part` of the window's picture, in pixels from the upper left.
std::filesystem::path export_lab_png(const LabRun& run, const Image& window, const Rectangle& part);

}  // namespace orrery
