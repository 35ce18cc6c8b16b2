// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_state.hpp"

namespace orrery {

/// The bodies of a snapshot of a series, in the order of the first one.
struct SeriesState {
    double time = 0;
    double box = 0;  ///< edge of a periodic box from the origin on; 0: there is none
    Bodies bodies;   ///< without labels

    std::size_t bytes() const { return bodies.size() * (sizeof(Vec4d) + sizeof(Vec3d)); }
};

/// Motion between two snapshots, the first the earlier one, of as many bodies.
class Interpolation {
public:
    /// Examines whether the velocities lead from one snapshot to the other.
    Interpolation(const SeriesState& from, const SeriesState& to, Pool& pool);

    /// Cubic Hermite interpolation of positions by x and v at both ends, and its derivative as velocities: exact for
    /// motion of third order in time, with an error of h⁴ |d⁴x/dt⁴| / 384 for two snapshots h apart. Where the
    /// velocities do not lead from one snapshot to the other, positions and velocities are linear in time. Masses are
    /// those of the earlier snapshot, accelerations 0. `time` lies between the two;
    /// numbers are rounded to float in single precision. Where both snapshots have the same periodic box, bodies
    /// inside it take the way to the nearest image, through its sides, and stay inside.
    BodyState at(double time, Precision precision) const;

    /// Whether √(Σ d²) exceeds half of √(Σ l²): d = |x₁ − x₀ − h (v₀ + v₁)/2|, l the largest of |x₁ − x₀|, h|v₀| and
    /// h|v₁|. So where orbits are shorter than h, or velocities are in units other than lengths per time.
    bool straight() const { return straight_; }

private:
    template <class Real>
    BodyState made(double time) const;
    Vec3d end_of(std::size_t body) const;
    bool within(std::size_t body) const;

    const SeriesState& from_;
    const SeriesState& to_;
    Pool& pool_;
    double box_;  // of both; 0: none
    bool straight_ = false;
};

}  // namespace orrery
