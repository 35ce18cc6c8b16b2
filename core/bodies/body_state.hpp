// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/vec.hpp"

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

}  // namespace orrery
