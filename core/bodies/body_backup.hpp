// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>

#include "core/base/backend.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// A backup of all bodies: positions, masses and velocities in the precision of the body system (28 or 56 bytes per
/// body), and their labels.
class BodyBackup {
public:
    BodyBackup() = default;
    /// Uninitialised, kSingle or kDouble. Reuses the memory of `old` if it has the same size.
    BodyBackup(Precision precision, std::size_t count, BodyBackup old);

    Precision precision() const { return precision_; }
    std::size_t count() const { return count_; }
    /// Size without labels, which are usually few.
    std::size_t bytes() const { return bytes_of(precision_, count_); }
    static constexpr std::size_t bytes_of(Precision precision, std::size_t count) {
        return count * (precision == Precision::kSingle ? kRow<float> : kRow<double>);
    }
    Bodies bodies() const;  ///< all data, in double

    // Null without bodies. `Real` must match precision().
    template <class Real>
    Vec4<Real>* position_mass() const {
        return reinterpret_cast<Vec4<Real>*>(memory_.get());
    }
    template <class Real>
    Vec3<Real>* velocity() const {
        return reinterpret_cast<Vec3<Real>*>(memory_.get() + count_ * sizeof(Vec4<Real>));
    }

    Bodies labels;  ///< only names, species, ids, pins and charges

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

/// A backup of bodies on the host.
BodyBackup backup_of(const Bodies& bodies, Precision precision, BodyBackup old = {});

}  // namespace orrery
