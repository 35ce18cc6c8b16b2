// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/analysis/analysis_settings.hpp"
#include "core/analysis/units.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// The indices that `of` names, ascending. Throws Error{kUsage} for what is no species nor range, for a species where
/// the bodies have none, and where nothing is left.
std::vector<std::uint32_t> chosen_bodies(const Bodies& bodies, const std::string& of);

/// The bodies that a plot is of, seen from its centre: lengths from there, velocities against it, turned so that z is
/// the axis.
class Subject {
public:
    /// `axis`: what kAuto stands for. Throws as chosen_bodies().
    Subject(Pool& pool, const Scene& scene, const AnalysisSettings& settings, AnalysisAxis axis);

    std::size_t size() const { return position_mass_.size(); }
    Vec3d position(std::size_t i) const { return xyz(position_mass_[i]); }
    double mass(std::size_t i) const { return position_mass_[i].w; }
    Vec3d velocity(std::size_t i) const { return velocity_[i]; }
    std::uint32_t index(std::size_t i) const { return chosen_[i]; }  ///< among the bodies of the scene
    const std::vector<Vec4d>& position_mass() const { return position_mass_; }

    /// Where a point of the plot lies in the scene, and back.
    Vec3d in_scene(Vec3d point) const;
    Vec3d direction_in_scene(Vec3d direction) const;
    Vec3d from_scene(Vec3d direction) const;  ///< of directions

    Pool& pool() const { return pool_; }
    const Scene& scene() const { return scene_; }
    const UnitNames& units() const { return units_; }
    Vec3d centre() const { return centre_; }
    Vec3d axis() const { return z_; }

    /// The distance from the centre, or from the axis, that holds this share of the mass.
    double radius_of(double share, bool cylindrical) const;

private:
    Pool& pool_;
    const Scene& scene_;
    UnitNames units_;
    std::vector<std::uint32_t> chosen_;
    std::vector<Vec4d> position_mass_;
    std::vector<Vec3d> velocity_;
    Vec3d centre_{}, drift_{}, x_{1, 0, 0}, y_{0, 1, 0}, z_{0, 0, 1};
};

/// Potentials per mass, of the bodies of a subject under the force of all bodies of its scene: by `direct` for few
/// bodies and by `fmm` for many, in double. Empty when stopped. Throws Error{kUsage} for laws other than gravity.
std::vector<double> potentials_of(const Subject& subject, const std::stop_token& stop);

/// Potentials per mass of points in the coordinates of the subject, likewise.
std::vector<double> potentials_at(const Subject& subject, const std::vector<Vec3d>& points,
                                  const std::stop_token& stop);

/// Of points in the coordinates of the subject: their accelerations under the force of all bodies of its scene, summed
/// directly in double, in the same coordinates. Empty when stopped. Throws Error{kUsage} for laws other than gravity.
std::vector<Vec3d> accelerations_at(const Subject& subject, const std::vector<Vec3d>& points,
                                    const std::stop_token& stop);

}  // namespace orrery
