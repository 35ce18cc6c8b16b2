// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <utility>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_state.hpp"
#include "core/physics/interpolated.hpp"

namespace orrery {

class Pool;

/// Bodies of a snapshot at its time.
struct TimedBodies {
    double time = 0;
    double box = 0;           ///< edge of a periodic box with a corner in the origin; 0: none
    Bodies bodies;            ///< without labels, except fields
    double scale_factor = 0;  ///< as in Scene
    double expansion = 0;     ///< see expansion_of()

    std::size_t bytes() const {
        return bodies.size() * (sizeof(Vec4d) + sizeof(Vec3d) + bodies.fields.size() * sizeof(float));
    }
};

/// True if the time of the snapshot is the scale factor of the universe.
inline bool expands(const TimedBodies& moment) { return moment.scale_factor > 0 && moment.scale_factor == moment.time; }

/// True if the velocities are inconsistent with the motion between two snapshots: √(Σ d²) exceeds half of √(Σ l²),
/// where d = |x₁ − x₀ − h (v₀ + v₁)/2| and l is the largest of |x₁ − x₀|, h|v₀| and h|v₁|. This happens if orbits are
/// shorter than h, or velocities are not in units of length per time.
bool velocities_mislead(const TimedBodies& from, const TimedBodies& to, Pool& pool);

/// Motion between two snapshots of the same bodies, or a single snapshot.
class Interpolation {
public:
    using Moment = std::shared_ptr<const TimedBodies>;

    /// `to` must not be earlier than `from` and must have as many bodies; `straight`: see velocities_mislead(). The
    /// pool must outlive the object.
    Interpolation(Moment from, Moment to, bool straight, Pool& pool)
        : from_{std::move(from)}, to_{std::move(to)}, straight_{straight}, pool_{pool} {}

    const Moment& from() const { return from_; }
    const Moment& to() const { return to_; }
    bool whole() const { return from_ == to_; }  ///< a single snapshot, reproduced bit for bit
    bool straight() const { return straight_; }
    WayPoint at(double time) const;
    /// Scene::scale_factor at this time.
    double scale_factor(double time) const { return expands(*from_) && expands(*to_) ? time : from_->scale_factor; }

    /// expansion_of() the scene at this time, between snapshots linear in time.
    double expansion(double time) const {
        if (whole() || !(from_->expansion > 0) || !(to_->expansion > 0)) return from_->expansion;
        const double part = (time - from_->time) / (to_->time - from_->time);
        return from_->expansion + part * (to_->expansion - from_->expansion);
    }

    /// Positions by cubic Hermite interpolation of x and v at both ends, velocities by its derivative: exact for motion
    /// of third order in time, with an error of h⁴ |d⁴x/dt⁴| / 384 for two snapshots h apart. If straight(), positions
    /// and velocities are linear in time. Masses are those of the earlier snapshot, accelerations 0. `time` lies
    /// between the two; single precision rounds to float. If both snapshots have the same periodic box, bodies inside
    /// it move to the nearest image, through the sides of the box, and stay inside.
    BodyState at(double time, Precision precision) const;
    bool has_fields() const { return !from_->bodies.fields.empty(); }
    /// The fields of the bodies, linear in time. A body without a value in one of the snapshots has none in between;
    /// whole numbers are those of the earlier snapshot.
    std::vector<BodyField> fields(double time) const;

private:
    template <class Real>
    BodyState made(double time) const;

    Moment from_, to_;
    bool straight_;
    Pool& pool_;
};

}  // namespace orrery
