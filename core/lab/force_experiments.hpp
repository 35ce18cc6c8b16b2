// SPDX-License-Identifier: MIT
// What the experiments with forces have in common: `tiles` (GPU Gems 3, ch. 31) `programs` (the thesis) and `orders`.
#pragma once
#include <optional>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/kernel.hpp"
#include "core/physics/flop.hpp"

namespace orrery {

/// Plummer ε of these experiments, and of `orders`.
inline constexpr double kLabSoftening = 0.01;
inline constexpr Gravity kLabGravity{.softening = kLabSoftening};

/// Of `programs`.
inline constexpr std::uint32_t kMostProgramBodies = 1 << 20;

std::vector<std::uint32_t> tile_sizes(const LabConfig& config);
std::vector<std::uint32_t> program_sizes(const LabConfig& config);

/// N bodies of equal mass 1/N, uniform in a ball of radius 1, the same everywhere for the same N; at rest.
Bodies lab_ball(std::uint32_t count);

/// Accelerations against a plain loop in double: of all bodies up to 2048, beyond of 256 of them. w is not read.
LabCheck check_forces(const Bodies& bodies, const std::vector<Vec4d>& found, double tolerance);

/// Median, least and 90th percentile of seconds, in ms; empty if there are none.
struct LabTimes {
    LabValue median_ms, min_ms, p90_ms;
};
LabTimes lab_times(std::vector<double> seconds);

/// Seconds of one evaluation of the forces, where it runs.
double seconds_of_forces(BodySystem& system);

// core/lab/cpu/tiles.cpp
struct TileShape {
    int p, q, u;
};
/// The chapter's tiled loop on a CPU in float: N/p blocks of p bodies, shared by the cores; q threads per body share
/// the columns; the loop over a tile of p columns unrolled u times.
class CpuTiles {
public:
    virtual ~CpuTiles() = default;
    virtual void accelerate() = 0;
    virtual std::vector<Vec4d> accelerations() const = 0;
};
/// `u`: 1, 2, 4, 8, 16 or 32, at most p.
std::unique_ptr<CpuTiles> make_cpu_tiles(const Bodies& bodies, const TileShape& shape);

}  // namespace orrery
