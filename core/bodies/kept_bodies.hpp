// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>

#include "core/base/precision.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Bodies that are kept to be come back to: places, masses and velocities in the precision of the system that held
/// them, 28 or 56 bytes each, and their labels.
class KeptBodies {
public:
    KeptBodies() = default;
    /// Uninitialised, in kSingle or kDouble; in the memory of `old` if that has as many bytes.
    KeptBodies(Precision precision, std::size_t count, KeptBodies old);

    Precision precision() const { return precision_; }
    std::size_t count() const { return count_; }
    /// Of the numbers. Labels are few where there are any.
    std::size_t bytes() const { return bytes_of(precision_, count_); }
    static constexpr std::size_t bytes_of(Precision precision, std::size_t count) {
        return count * (precision == Precision::kSingle ? kRow<float> : kRow<double>);
    }
    Bodies bodies() const;  ///< all of it, in double

    // Null of no bodies. Only in the precision that it has.
    template <class Real>
    Vec4<Real>* position_mass() const {
        return reinterpret_cast<Vec4<Real>*>(memory_.get());
    }
    template <class Real>
    Vec3<Real>* velocity() const {
        return reinterpret_cast<Vec3<Real>*>(memory_.get() + count_ * sizeof(Vec4<Real>));
    }

    Bodies labels;  ///< names, species, ids, pins and charges alone

private:
    template <class Real>
    static constexpr std::size_t kRow = sizeof(Vec4<Real>) + sizeof(Vec3<Real>);

    struct Free {
        void operator()(std::byte* memory) const;
    };
    Precision precision_ = Precision::kSingle;
    std::size_t count_ = 0;
    std::unique_ptr<std::byte[], Free> memory_;
};

/// The same of bodies that lie elsewhere.
KeptBodies kept(const Bodies& bodies, Precision precision, KeptBodies old = {});

}  // namespace orrery
