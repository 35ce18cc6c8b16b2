// SPDX-License-Identifier: MIT
#pragma once
#include "core/presets/presets.hpp"

namespace orrery {

// A preset is a file with one of these functions, and a line in presets.cpp. `config.bodies` is never 0 here.

Scene collision(const PresetConfig& config);
Scene plummer(const PresetConfig& config);
Scene cold_sphere(const PresetConfig& config);
Scene solar_system(const PresetConfig& config);
Scene argon_cluster(const PresetConfig& config);
Scene figure_eight(const PresetConfig& config);

}  // namespace orrery
