// SPDX-License-Identifier: MIT
// Shared by the experiments with forces: `tiles` (GPU Gems 3, ch. 31), `programs` (the thesis) and `orders`.
#pragma once
#include <optional>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/kernel.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// Plummer ε of these experiments.
inline constexpr double kLabSoftening = 0.01;
inline constexpr Gravity kLabGravity{.softening = kLabSoftening};

/// Limit for `programs`.
inline constexpr std::uint32_t kMostProgramBodies = 1 << 20;

std::vector<std::uint32_t> tile_sizes(const LabConfig& config);
std::vector<std::uint32_t> program_sizes(const LabConfig& config);

/// N bodies of equal mass 1/N at rest, uniform in a ball of radius 1. Depends only on N.
Bodies lab_ball(std::uint32_t count);

/// Compares accelerations with a plain loop in double: of all bodies up to 2048, otherwise of 256 of them. Ignores w.
LabCheck check_forces(const Bodies& bodies, const std::vector<Vec4d>& found, double tolerance);

/// Median, minimum and 90th percentile of times, in ms; empty if there are none.
struct LabTimes {
    LabValue median_ms, min_ms, p90_ms;
};
LabTimes lab_times(std::vector<double> seconds);

/// Seconds of one evaluation of the forces, measured by the system's own clock.
double seconds_of_forces(BodySystem& system);

// core/lab/cpu/tiles.cpp
struct TileShape {
    int p, q, u;
};
/// The chapter's tiled loop on a CPU in float: N/p blocks of p bodies, distributed over the cores; q threads per body
/// share the columns; the loop over a tile of p columns is unrolled u times.
class CpuTiles {
public:
    virtual ~CpuTiles() = default;
    virtual void accelerate() = 0;
    virtual std::vector<Vec4d> accelerations() const = 0;
};
/// `u`: 1, 2, 4, 8, 16 or 32, at most p.
std::unique_ptr<CpuTiles> make_cpu_tiles(const Bodies& bodies, const TileShape& shape);

}  // namespace orrery
