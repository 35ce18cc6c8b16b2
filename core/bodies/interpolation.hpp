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

/// Bodies at a moment, of a snapshot.
struct TimedBodies {
    double time = 0;
    double box = 0;           ///< edge of a periodic box from the origin on; 0: there is none
    Bodies bodies;            ///< without labels
    double scale_factor = 0;  ///< as Scene has it

    std::size_t bytes() const { return bodies.size() * (sizeof(Vec4d) + sizeof(Vec3d)); }
};

/// Its time is the scale factor of the universe.
inline bool expands(const TimedBodies& moment) { return moment.scale_factor > 0 && moment.scale_factor == moment.time; }

/// Whether velocities do not lead from one snapshot to the other: √(Σ d²) exceeds half of √(Σ l²), where d =
/// |x₁ − x₀ − h (v₀ + v₁)/2| and l is the largest of |x₁ − x₀|, h|v₀| and h|v₁|. So where orbits are shorter than h, or
/// velocities are in units other than lengths per time.
bool velocities_mislead(const TimedBodies& from, const TimedBodies& to, Pool& pool);

/// Motion between two snapshots of the same bodies, or one snapshot.
class Interpolation {
public:
    using Moment = std::shared_ptr<const TimedBodies>;

    /// `to` is as late as `from`, or later, and has as many bodies; `straight`: see velocities_mislead(). The pool has
    /// to outlive it.
    Interpolation(Moment from, Moment to, bool straight, Pool& pool)
        : from_{std::move(from)}, to_{std::move(to)}, straight_{straight}, pool_{pool} {}

    const Moment& from() const { return from_; }
    const Moment& to() const { return to_; }
    bool whole() const { return from_ == to_; }  ///< one snapshot, which it gives bit for bit
    bool straight() const { return straight_; }
    WayPoint at(double time) const;
    /// As Scene has it, at this time.
    double scale_factor(double time) const { return expands(*from_) && expands(*to_) ? time : from_->scale_factor; }

    /// Cubic Hermite interpolation of positions by x and v at both ends, and its derivative as velocities: exact for
    /// motion of third order in time, with an error of h⁴ |d⁴x/dt⁴| / 384 for two snapshots h apart. Straight ways are
    /// linear in time, positions and velocities. Masses are those of the earlier snapshot, accelerations 0. `time` lies
    /// between the two; numbers are rounded to float in single precision. Where both snapshots have the same periodic
    /// box, bodies inside it take the way to the nearest image, through its sides, and stay inside.
    BodyState at(double time, Precision precision) const;

private:
    template <class Real>
    BodyState made(double time) const;

    Moment from_, to_;
    bool straight_;
    Pool& pool_;
};

}  // namespace orrery
