// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Reads bodies in host memory, in place, as double. Non-owning.
class BodyReader {
public:
    explicit BodyReader(const Bodies& bodies)
        : count_{bodies.size()},
          labels_{bodies},
          in_double_{bodies.position_mass.data()},
          velocity_{bodies.velocity.data()} {}
    /// Columns of Vec4, as in BodyColumns.
    template <class Real>
    BodyReader(const Vec4<Real>* position_mass, const Vec4<Real>* velocity, std::size_t count, const Bodies& labels)
        : count_{count}, labels_{labels} {
        if constexpr (sizeof(Real) == sizeof(float))
            in_single_ = position_mass, velocity_single_ = velocity;
        else
            in_double_ = position_mass, velocity_double_ = velocity;
    }

    std::size_t size() const { return count_; }
    /// Names, species, ids, pins and charges; the other columns may or may not be empty.
    const Bodies& labels() const { return labels_; }
    Vec4d position_mass(std::size_t i) const { return in_single_ ? convert<double>(in_single_[i]) : in_double_[i]; }
    double mass(std::size_t i) const { return in_single_ ? in_single_[i].w : in_double_[i].w; }
    Vec3d velocity(std::size_t i) const {
        if (velocity_) return velocity_[i];
        return velocity_single_ ? xyz(convert<double>(velocity_single_[i])) : xyz(velocity_double_[i]);
    }

private:
    std::size_t count_;
    const Bodies& labels_;
    const Vec4f* in_single_ = nullptr;
    const Vec4d* in_double_ = nullptr;
    const Vec3d* velocity_ = nullptr;
    const Vec4f* velocity_single_ = nullptr;
    const Vec4d* velocity_double_ = nullptr;
};

}  // namespace orrery
