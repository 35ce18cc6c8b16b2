// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/vec.hpp"
#include "core/engines/engine.hpp"

namespace orrery {

/// Bodies with their accelerations as a BodySystem holds them, to the bit; on the host.
struct BodyState {
    Precision precision = Precision::kSingle;
    std::size_t count = 0;
    std::vector<std::byte> bytes;  ///< three times `count` Vec4: positions and masses, velocities, accelerations
};

template <class Real>
struct BodyVectors {
    std::vector<Vec4<Real>> position_mass, velocity, acceleration;
};

template <class Real>
BodyState pack(std::span<const Vec4<Real>> position_mass, std::span<const Vec4<Real>> velocity,
               std::span<const Vec4<Real>> acceleration) {
    BodyState state{.precision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble,
                    .count = position_mass.size(),
                    .bytes = std::vector<std::byte>(3 * position_mass.size_bytes())};
    std::byte* to = state.bytes.data();
    for (const auto& column : {position_mass, velocity, acceleration}) {
        std::memcpy(to, column.data(), column.size_bytes());
        to += column.size_bytes();
    }
    return state;
}

/// In the precision asked for: exact where it is that of the state, or a wider one.
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
        return {column(0, zero), column(1, zero), column(2, zero)};
    };
    return state.precision == Precision::kSingle ? all(0.0f) : all(0.0);
}

}  // namespace orrery
