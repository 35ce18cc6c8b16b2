// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis_settings.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Units of a scene as text for labels; empty if the scene has none.
struct UnitNames {
    std::string length, mass, time;
    bool kilometres = false;  ///< the unit of speed is km/s

    explicit UnitNames(const Scene& scene);
    UnitNames() = default;

    std::string length_text() const { return length; }
    std::string mass_text() const { return mass; }
    std::string speed() const;
    std::string angular_momentum() const;  ///< per mass
    std::string energy() const;            ///< per mass: speed squared
    std::string surface_density() const;
    std::string density() const;
    std::string frequency() const;
};

/// "R [kpc]"; "R" without a unit.
std::string with_unit(const std::string& symbol, const std::string& unit);

/// The indices selected by `of`, ascending. Throws Error{kUsage} for an invalid species or range, for a species if the
/// bodies have none, and if no body is selected.
std::vector<std::uint32_t> chosen_bodies(const Bodies& bodies, const std::string& of);

/// The bodies of a plot in its own frame: positions and velocities relative to the centre, with z along the axis.
class Subject {
public:
    /// `axis`: the axis selected by kAuto. Throws like chosen_bodies().
    Subject(Pool& pool, const Scene& scene, const AnalysisSettings& settings, AnalysisAxis axis);

    std::size_t size() const { return position_mass_.size(); }
    Vec3d position(std::size_t i) const { return xyz(position_mass_[i]); }
    double mass(std::size_t i) const { return position_mass_[i].w; }
    Vec3d velocity(std::size_t i) const { return velocity_[i]; }
    std::uint32_t index(std::size_t i) const { return chosen_[i]; }  ///< index in the scene
    const std::vector<std::uint32_t>& indices() const { return chosen_; }
    const std::vector<Vec4d>& position_mass() const { return position_mass_; }

    /// Transforms between the frame of the plot and the scene.
    Vec3d in_scene(Vec3d point) const;
    Vec3d direction_in_scene(Vec3d direction) const;
    Vec3d from_scene(Vec3d direction) const;  ///< for directions

    Pool& pool() const { return pool_; }
    const Scene& scene() const { return scene_; }
    const UnitNames& units() const { return units_; }
    Vec3d centre() const { return centre_; }
    Vec3d axis() const { return z_; }

    /// The distance from the centre, or from the axis, within which this share of the mass lies.
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

/// Potentials per mass of the bodies of a subject under the force of all bodies of its scene, in double: by `direct`
/// for few bodies and by `fmm` for many. Empty if stopped. Throws Error{kUsage} for laws other than gravity.
std::vector<double> potentials_of(const Subject& subject, const std::stop_token& stop);

/// The same for points in the frame of the subject.
std::vector<double> potentials_at(const Subject& subject, const std::vector<Vec3d>& points,
                                  const std::stop_token& stop);

/// Accelerations at points in the frame of the subject under the force of all bodies of its scene, in the same frame,
/// summed directly in double. Empty if stopped. Throws Error{kUsage} for laws other than gravity.
std::vector<Vec3d> accelerations_at(const Subject& subject, const std::vector<Vec3d>& points,
                                    const std::stop_token& stop);

}  // namespace orrery
