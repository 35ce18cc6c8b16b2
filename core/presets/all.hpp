// SPDX-License-Identifier: MIT
#pragma once
#include "core/presets/presets.hpp"

namespace orrery {

// A preset is one of these functions in a separate file, and a line in presets.cpp. `config.bodies` is never 0.

Scene collision(const PresetConfig& config);
Scene plummer(const PresetConfig& config);
Scene cold_sphere(const PresetConfig& config);
Scene solar_system(const PresetConfig& config);
Scene argon_cluster(const PresetConfig& config);
Scene argon_drop(const PresetConfig& config);
Scene salt_melt(const PresetConfig& config);
Scene figure_eight(const PresetConfig& config);
Scene hernquist(const PresetConfig& config);
Scene king(const PresetConfig& config);
Scene nfw_halo(const PresetConfig& config);
Scene uniform_sphere(const PresetConfig& config);
Scene pythagorean(const PresetConfig& config);
Scene scattering(const PresetConfig& config);
Scene rings(const PresetConfig& config);
Scene planetesimals(const PresetConfig& config);
Scene black_holes(const PresetConfig& config);
Scene colliding_rings(const PresetConfig& config);
Scene zeldovich_sphere(const PresetConfig& config);
Scene disc_galaxy(const PresetConfig& config);
Scene milky_way_andromeda(const PresetConfig& config);

}  // namespace orrery
