// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/bodies/body_system.hpp"

namespace orrery {

/// Indices of `samples` bodies evenly spaced over [0, count); all of them if there are no more.
std::vector<std::size_t> sample_indices(std::size_t count, std::size_t samples);

/// Error of `found` against `reference`, body by body. A body whose reference is 0 counts 0 if found is also 0,
/// otherwise ∞.
ForceError compare(std::span<const Vec4d> found, std::span<const Vec4d> reference);

/// |Σ m·a| / Σ|m·a|: what is left of Newton's third law after rounding, or after an engine's approximations. Masses are
/// the w of `position_mass`; 0 when there is no force at all.
double net_force(std::span<const Vec4d> position_mass, std::span<const Vec4d> accelerations);

/// Extent of sampled vertices, see FrameExtent.
FrameExtent extent_of(std::vector<Vec4f> sample, ColorBy color_by = ColorBy::kSpeed);

// Why a frame has no colours: Frame::no_color.
inline constexpr std::string_view kNoForces = "the forces have not been computed yet";
inline constexpr std::string_view kNoSpecies =
    "the scene does not state the species of its bodies; Gadget and other snapshots do";
inline constexpr std::string_view kNoTree = "the current engine has no tree";
inline constexpr std::string_view kNoTiles = "the current engine uses no thread map";

inline constexpr std::size_t kExtentSample = 1024;

}  // namespace orrery
