// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/base/vec.hpp"

struct CUstream_st;

namespace orrery {

struct Host {};    // the memory space of a pointer is part of its type:
struct Device {};  // passing device memory to a host engine does not compile
struct Gl {};      // buffer objects of the OpenGL device, which have names instead of addresses

/// The queue for work: empty on the host, a stream on the device.
template <class Space>
struct Queue {};
template <>
struct Queue<Device> {
    CUstream_st* stream = nullptr;
};

/// Bodies in the memory of `Space`. Non-owning.
template <class Space, class Real>
struct BodyView {
    const Vec4<Real>* position_mass;  ///< `count` elements; w = mass
    Vec4<Real>* acceleration;         ///< `count` elements; w = potential if requested, otherwise unspecified
    std::size_t count;
    /// Low parts of the positions, `count` elements, in x, y and z; null: none. Single-precision engines that offer
    /// mixed precision add them to every difference of two positions.
    const Vec4<Real>* low = nullptr;
    const Real* charge = nullptr;  ///< `count` elements, for PairLaw::kCoulomb; null: the bodies are uncharged
};

/// Names of buffer objects, 0 where the fields above are null.
template <class Real>
struct BodyView<Gl, Real> {
    std::uint32_t position_mass, acceleration;
    std::size_t count;
    std::uint32_t low = 0, charge = 0;
};

/// Arrays that Hermite schemes need in addition to accelerations.
template <class Space, class Real>
struct JerkView {
    const Vec4<Real>* velocity;  ///< of all bodies; w unused
    Vec4<Real>* jerk;            ///< da/dt of all bodies; w unspecified
    const std::uint32_t* rows;   ///< the `row_count` bodies whose acceleration and jerk are requested
    std::size_t row_count;
};

/// Bodies whose accelerations are requested, by ascending index.
template <class Space>
struct DueView {
    const std::uint32_t* rows;
    std::size_t count;
};

}  // namespace orrery
