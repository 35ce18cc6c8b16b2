// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/bodies/body_system.hpp"

namespace orrery {

/// Indices of `samples` bodies evenly spaced over [0, count); all bodies if there are no more.
std::vector<std::size_t> sample_indices(std::size_t count, std::size_t samples);

/// Error of `found` against `reference`, body by body. If the reference is 0, the relative error is 0 if `found` is 0
/// too, otherwise ∞.
ForceError compare(std::span<const Vec4d> found, std::span<const Vec4d> reference);

/// Σ m x / Σ m; masses are in w.
template <class Real>
Vec3d centre_of_mass(std::span<const Vec4<Real>> position_mass) {
    Vec4d sum{};
    for (const Vec4<Real>& v : position_mass) {
        const double m = v.w;
        sum = {sum.x + m * v.x, sum.y + m * v.y, sum.z + m * v.z, sum.w + m};
    }
    return (1 / sum.w) * xyz(sum);
}

/// See BodySystem::first_not_finite().
std::optional<std::size_t> first_not_finite(const Bodies& bodies);

/// |Σ m·a| / Σ|m·a|: the violation of Newton's third law by rounding or by approximations. Masses are w of
/// `position_mass`; 0 without any force.
double net_force(std::span<const Vec4d> position_mass, std::span<const Vec4d> accelerations);

/// Extent of sampled vertices, see FrameExtent.
FrameExtent extent_of(std::vector<Vec4f> sample, ColorBy color_by = ColorBy::kSpeed);

/// The rank of each number in sorted order, from 0; equal numbers share the lowest.
std::vector<float> ranks_by_id(std::span<const std::uint64_t> ids);

// Reasons for a frame without colours: Frame::no_color.
inline constexpr std::string_view kNoForces = "the forces have not been computed yet";
inline constexpr std::string_view kNoSpecies =
    "the scene does not state the species of its bodies; Gadget and other snapshots do";
inline constexpr std::string_view kNoCharge =
    "the bodies have no charges; preset salt-melt and CSV files with a column charge provide them";
inline constexpr std::string_view kNoIds =
    "the bodies have no ids; snapshots with ids and scenes with edits or encounters provide them";
inline constexpr std::string_view kNoTree = "the current engine has no tree";
inline constexpr std::string_view kNoErrors = "the errors of the forces have not been measured yet";
inline constexpr std::string_view kNoStarlight =
    "the light of stars is not known: it follows from the fields of a file with their time of formation";
inline constexpr std::string_view kNoField =
    "no field of the file is loaded; `orrery fields` lists those of a file, and --fields loads some";
inline constexpr std::string_view kNoTiles = "the current engine uses no thread map";

inline constexpr std::size_t kExtentSample = 1024;

/// Limit of interactions for measuring the force error on the host: a few seconds, reached only by triplets.
inline constexpr double kHostReferenceCost = 3e8;

}  // namespace orrery
