// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/cuda/device_buffer.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"

namespace orrery::cuda {

/// Forces and jerks on some bodies from all bodies. Used by `direct`, and by `half` when not all bodies are due,
/// because the pairs then do not form a triangle. One thread per row, and columns in tiles of shared memory; if there
/// are few rows, the columns are divided into splits to fill the device. A work item is a block of rows with a split.
/// Bitwise identical on every run.
template <class Real>
class JerkRows {
public:
    /// Returns the number of items.
    std::uint64_t begin(BodyView<Device, Real> bodies, JerkView<Device, Real> motion, const Gravity& gravity);
    void run(std::uint64_t first, std::uint64_t last, cudaStream_t stream);
    /// See describe_jerk_rows() in tile_config.hpp.
    std::string choice() const;

private:
    std::uint64_t items() const;

    BodyView<Device, Real> bodies_{};
    JerkView<Device, Real> motion_{};
    Gravity gravity_;
    unsigned splits_ = 1;
    DeviceBuffer<Vec4<Real>> accelerations_, jerks_;  // [row][split]
};

}  // namespace orrery::cuda
