// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
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

/// Σ m x / Σ m; masses are w.
template <class Real>
Vec3d mass_centre(std::span<const Vec4<Real>> position_mass) {
    Vec4d sum{};
    for (const Vec4<Real>& v : position_mass) {
        const double m = v.w;
        sum = {sum.x + m * v.x, sum.y + m * v.y, sum.z + m * v.z, sum.w + m};
    }
    return (1 / sum.w) * xyz(sum);
}

/// As BodySystem::first_not_finite().
std::optional<std::size_t> first_not_finite(const Bodies& bodies);

/// |Σ m·a| / Σ|m·a|: what is left of Newton's third law after rounding, or after an engine's approximations. Masses are
/// the w of `position_mass`; 0 when there is no force at all.
double net_force(std::span<const Vec4d> position_mass, std::span<const Vec4d> accelerations);

/// Extent of sampled vertices, see FrameExtent.
FrameExtent extent_of(std::vector<Vec4f> sample, ColorBy color_by = ColorBy::kSpeed);

/// The place of each number in their order, from 0; equal ones share the lowest.
std::vector<float> ranks_by_id(std::span<const std::uint64_t> ids);

// Why a frame has no colours: Frame::no_color.
inline constexpr std::string_view kNoForces = "the forces have not been computed yet";
inline constexpr std::string_view kNoSpecies =
    "the scene does not state the species of its bodies; Gadget and other snapshots do";
inline constexpr std::string_view kNoCharge =
    "the bodies have no charges; those of salt-melt and of CSV files with a column charge do";
inline constexpr std::string_view kNoIds =
    "the bodies have no ids; those of snapshots with ids do, and of scenes with edits or encounters";
inline constexpr std::string_view kNoTree = "the current engine has no tree";
inline constexpr std::string_view kNoTiles = "the current engine uses no thread map";

inline constexpr std::size_t kExtentSample = 1024;

/// Interactions that a measurement of the force error may take on the host: a matter of seconds, which only triplets
/// reach.
inline constexpr double kHostReferenceCost = 3e8;

}  // namespace orrery
