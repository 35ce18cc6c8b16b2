// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Bodies and accelerations of a BodySystem, bit for bit, on the host.
struct BodyState {
    Precision precision = Precision::kSingle;
    std::size_t count = 0;
    /// `count` Vec4 each of positions and masses, velocities, and accelerations. With compensated summation also the
    /// compensation of the first two; w unused.
    std::vector<std::byte> bytes;
};

inline std::size_t columns_of(const BodyState& state) {
    const std::size_t row = state.precision == Precision::kSingle ? sizeof(Vec4f) : sizeof(Vec4d);
    return state.count == 0 ? 3 : state.bytes.size() / (state.count * row);
}

template <class Real>
struct BodyVectors {
    std::vector<Vec4<Real>> position_mass, velocity, acceleration;
    std::vector<Vec4<Real>> position_low, velocity_low;  ///< only with compensated summation
};

template <class Real>
BodyState pack(std::span<const Vec4<Real>> position_mass, std::span<const Vec4<Real>> velocity,
               std::span<const Vec4<Real>> acceleration, std::span<const Vec4<Real>> position_low = {},
               std::span<const Vec4<Real>> velocity_low = {}) {
    BodyState state{.precision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble,
                    .count = position_mass.size(),
                    .bytes = std::vector<std::byte>(3 * position_mass.size_bytes() + 2 * position_low.size_bytes())};
    std::byte* to = state.bytes.data();
    for (const auto& column : {position_mass, velocity, acceleration, position_low, velocity_low}) {
        if (column.empty()) continue;
        std::memcpy(to, column.data(), column.size_bytes());
        to += column.size_bytes();
    }
    return state;
}

/// Converts to the requested precision; exact if the state has the same or a lower precision.
template <class Real>
BodyVectors<Real> unpack(const BodyState& state) {
    const auto column = [&]<class From>(std::size_t which, From) {
        std::vector<Vec4<From>> from(state.count);
        std::memcpy(from.data(), state.bytes.data() + which * state.count * sizeof(Vec4<From>),
                    state.count * sizeof(Vec4<From>));
        std::vector<Vec4<Real>> to;
        to.reserve(state.count);
        for (const Vec4<From>& v : from) to.push_back(convert<Real>(v));
        return to;
    };
    const auto all = [&](auto zero) -> BodyVectors<Real> {
        BodyVectors<Real> found{column(0, zero), column(1, zero), column(2, zero), {}, {}};
        if (columns_of(state) == 5) found.position_low = column(3, zero), found.velocity_low = column(4, zero);
        return found;
    };
    return state.precision == Precision::kSingle ? all(0.0f) : all(0.0);
}

/// The bodies at one moment, readable from any thread. The caller that requested the copy need not wait until it is on
/// the host.
class BodyCopy {
public:
    BodyCopy() = default;
    BodyCopy(const BodyCopy&) = delete;
    BodyCopy& operator=(const BodyCopy&) = delete;
    virtual ~BodyCopy() = default;

    /// The state on the host. May take long; throws Error{kEnvironment} if the device fails.
    virtual BodyState state() const = 0;
    virtual bool at_hand() const = 0;  ///< true if state() only copies host memory
};

class HostCopy final : public BodyCopy {
public:
    explicit HostCopy(BodyState state) : state_{std::move(state)} {}
    BodyState state() const override { return state_; }
    bool at_hand() const override { return true; }

private:
    BodyState state_;
};

/// Positions, masses and velocities in double; no labels.
Bodies bodies_of(const BodyState& state);
/// The inverse; accelerations are 0.
BodyState state_of(const Bodies& bodies);

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
