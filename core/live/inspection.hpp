// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/frame.hpp"
#include "core/physics/kepler.hpp"

namespace orrery {

class Simulation;

/// Properties of one body, in the scene's units.
struct BodyFigures {
    std::uint32_t id = 0;  ///< index of the body, from 0
    std::string name;      ///< empty if bodies have no names
    double mass = 0;
    Vec3d position{}, velocity{};
    Vec3d acceleration{};  ///< of the last complete evaluation
    double distance = 0;   ///< from the centre of mass of all bodies
    std::optional<double>
        error;  ///< |a − r| / |r|, r in double; empty if a does not belong to these positions or r is expensive
};

/// The orbit of a body about the one in whose sphere of influence it is.
struct OrbitFigures {
    std::uint32_t about = 0;  ///< index of the central body
    std::string name;         ///< empty if bodies have no names
    Vec3d centre{};           ///< position of the central body
    KeplerOrbit orbit;
};

/// Motion of a body.
struct BodyMotion {
    std::uint32_t id = 0;
    Vec3d position{}, velocity{}, acceleration{};
};

/// Properties of a group of bodies.
struct GroupFigures {
    std::size_t count = 0;
    double mass = 0;
    Vec3d centre{}, velocity{};  ///< means, weighted by mass
    double dispersion = 0;       ///< of velocities along one axis: √(Σ m|v − v̄|² / 3M)
    double radius = 0;           ///< root mean square distance from the centre, weighted by mass
};

/// The result of Inspect: one body, or a group.
struct Inspection {
    std::int64_t step = 0;
    double time = 0;
    std::optional<BodyFigures> body;
    std::optional<GroupFigures> group;
    std::optional<OrbitFigures> orbit;  ///< of a single body under gravity, if there is a heavier one
    std::vector<BodyMotion> motions;    ///< at most kMostWatched bodies, evenly spaced among those picked
};

/// Inspects the picked bodies at intervals. Belongs to the simulation's thread.
class InspectionMonitor {
public:
    using Bodies = std::shared_ptr<const std::vector<std::uint32_t>>;
    static constexpr std::size_t kMostWatched = 256;    ///< per frame
    static constexpr std::size_t kMostForOrbit = 4096;  ///< no orbit is determined if there are more bodies

    /// Throws Error{kUsage} naming a body that does not exist; null or empty: none.
    void set(const Simulation& simulation, Bodies bodies);
    /// Between two steps; inspects if due, or if `now`.
    void take(const Simulation& simulation, std::optional<Inspection>& inspection, bool now);
    /// Call when indices have changed: finds the picked bodies by id; merged ones are replaced by the body that
    /// absorbed them.
    void follow(const Simulation& simulation);
    const Bodies& picked() const { return bodies_; }
    void watch_mass_centre(bool on) { mass_centre_ = on; }
    void fill(const Simulation& simulation, Frame& frame) const;

private:
    using Clock = std::chrono::steady_clock;
    Inspection look(const Simulation& simulation) const;

    void watch_some();

    Bodies bodies_;
    std::vector<std::uint64_t> ids_;  // ids of bodies_, if bodies have ids
    std::vector<std::uint32_t> watched_;
    bool mass_centre_ = false;
    Clock::time_point next_{};
};

}  // namespace orrery
