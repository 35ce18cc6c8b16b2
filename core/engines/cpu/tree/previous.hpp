// SPDX-License-Identifier: MIT
// Accelerations of the previous evaluation, the error scale of the relative acceptance criterion.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/physics/opening.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {

/// |a|, computed without overflow if the components do not overflow.
template <class Real>
Real length_of(const Vec4<Real>& a) {
    const Real x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z), most = std::max({x, y, z});
    if (!(most > 0)) return x + y + z;  // 0, or NaN
    return most * std::sqrt((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most));
}

/// Magnitudes of the accelerations of the last whole evaluation, with which relative criteria compare. They are
/// computed from the accelerations as stored, so that restore() reproduces them bitwise.
template <class Real>
class PreviousAccelerations {
public:
    /// Magnitudes of the evaluation under way, by body.
    std::vector<Real>& next() { return next_; }
    /// True if there is a previous evaluation of this number of bodies.
    bool covers(std::size_t bodies) const { return previous_.size() == bodies; }

    /// Makes next() the last whole evaluation, computed under this gravitational constant in units of 2^power.
    void remember(Pool& pool, double constant, int power) {
        previous_.swap(next_);
        next_.resize(previous_.size());
        constant_ = constant, power_ = power;
        if (!(constant > 0)) return previous_.clear();  // without gravity there is nothing to compare with
        std::vector<double> sums((previous_.size() + kBlock - 1) / kBlock);
        pool.parallel_for(0, sums.size(), [&](std::uint64_t b) {
            double sum = 0;
            for (std::size_t i = b * kBlock; i < std::min(previous_.size(), (b + 1) * kBlock); ++i) sum += previous_[i];
            sums[b] = sum;
        });
        double all = 0;
        for (const double sum : sums) all += sum;
        mean_ = static_cast<Real>(all / static_cast<double>(previous_.size()));
    }
    /// Takes over only the values of `bodies`, computed under the same constant. The mean is unchanged.
    void update(std::span<const std::uint32_t> bodies) {
        for (const std::uint32_t body : bodies) previous_[body] = next_[body];
    }
    void restore(Pool& pool, const Vec4<Real>* accelerations, std::size_t count, double constant) {
        next_.resize(count);
        pool.parallel_for(0, (count + kBlock - 1) / kBlock, [&](std::uint64_t b) {
            for (std::size_t i = b * kBlock; i < std::min<std::size_t>(count, (b + 1) * kBlock); ++i)
                next_[i] = length_of(accelerations[i]);
        });
        remember(pool, constant, 0);
    }
    void forget() { previous_.clear(); }

    /// Call before group(): converts to the units of this evaluation, in which G is 1 and an acceleration is 2^power.
    void set_units(int power) { unit_ = static_cast<Real>(std::ldexp(1 / constant_, power_ - power)); }
    Real operator[](std::uint32_t body) const { return previous_[body]; }
    /// group_acceleration() in the units of set_units(), given the least and the mean acceleration of a group.
    Real group(Real least, Real mean) const {
        const Real a = unit_ * group_acceleration(least, mean, mean_);
        // A lost body makes all of them NaN. The step will be refused, so avoid opening every cell first.
        return std::isfinite(a) ? a : std::numeric_limits<Real>::max();
    }
    /// heavy_acceleration() of one body, in the same units.
    Real heavy(std::uint32_t body) const {
        const Real a = unit_ * heavy_acceleration(previous_[body]);
        return std::isfinite(a) ? a : std::numeric_limits<Real>::max();
    }
    /// group() of the bodies at [range.first, range.first + range.count) of an order.
    Real group(std::span<const std::uint32_t> order, BodySpan range) const {
        Real least = previous_[order[range.first]], sum = 0;
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const Real a = previous_[order[range.first + i]];
            least = std::min(least, a), sum += a;
        }
        return group(least, sum / static_cast<Real>(range.count));
    }

private:
    static constexpr std::size_t kBlock = 16384;
    std::vector<Real> previous_, next_;  // |acceleration| by body
    double constant_ = 1;                // gravitational constant under which they were computed
    int power_ = 0;                      // their unit is 2^this
    Real mean_ = 0, unit_ = 1;
};

}  // namespace orrery
