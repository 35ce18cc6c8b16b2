// SPDX-License-Identifier: MIT
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
#include "core/engines/cpu/tree/order.hpp"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/physics/opening.hpp"

namespace orrery {

/// |a|, which fits into a Real wherever the components do.
template <class Real>
Real length_of(const Vec4<Real>& a) {
    const Real x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z), most = std::max({x, y, z});
    if (!(most > 0)) return x + y + z;  // 0, or NaN
    return most * std::sqrt((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most));
}

/// Magnitudes of the accelerations of the last whole evaluation, with which relative criteria compare. They are those
/// that were written: restore() has them from there, to the bit.
template <class Real>
class PreviousAccelerations {
public:
    /// By body: of the evaluation under way.
    std::vector<Real>& next() { return next_; }
    /// There are those of as many bodies.
    bool of(std::size_t bodies) const { return previous_.size() == bodies; }

    /// Those in next() are of the last whole evaluation from now on, made under this constant of gravity in units of
    /// 2^power.
    void remember(Pool& pool, double constant, int power) {
        previous_.swap(next_);
        next_.resize(previous_.size());
        constant_ = constant, power_ = power;
        if (!(constant > 0)) return previous_.clear();  // there is nothing to compare with
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
    /// Those of `bodies` alone; the evaluation was made under the same constant. The mean stays.
    void renew(std::span<const std::uint32_t> bodies) {
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

    /// Before group(): from their units to those of this evaluation, in which an acceleration is 2^power and G is 1.
    void take(int power) { unit_ = static_cast<Real>(std::ldexp(1 / constant_, power_ - power)); }
    Real operator[](std::uint32_t body) const { return previous_[body]; }
    /// group_acceleration() of bodies, in the units of take(), given the least and the mean of theirs.
    Real group(Real least, Real mean) const {
        const Real a = unit_ * group_acceleration(least, mean, mean_);
        // A lost body makes all of them NaN. The step is then refused; it need not open every cell before.
        return std::isfinite(a) ? a : std::numeric_limits<Real>::max();
    }
    /// heavy_acceleration() of one body, in the same units.
    Real heavy(std::uint32_t body) const {
        const Real a = unit_ * heavy_acceleration(previous_[body]);
        return std::isfinite(a) ? a : std::numeric_limits<Real>::max();
    }
    /// group() of those at [range.first, range.first + range.count) of an order.
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
    double constant_ = 1;                // of gravity, under which they were made
    int power_ = 0;                      // their unit is this power of two
    Real mean_ = 0, unit_ = 1;
};

}  // namespace orrery
