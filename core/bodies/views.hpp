// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/base/vec.hpp"

struct CUstream_st;

namespace orrery {

struct Host {};    // where a pointer points is part of its type:
struct Device {};  // handing device memory to a host engine does not compile

/// Where work is queued: nowhere on the host, on a stream on the device.
template <class Space>
struct Queue {};
template <>
struct Queue<Device> {
    CUstream_st* stream = nullptr;
};

/// Bodies in the memory of `Space`. Borrows, never owns.
template <class Space, class Real>
struct BodyView {
    const Vec4<Real>* position_mass;  ///< `count` of them; w = mass
    Vec4<Real>* acceleration;         ///< `count` of them; w = potential when asked for, else unspecified
    std::size_t count;
};

}  // namespace orrery
