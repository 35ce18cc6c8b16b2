// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/cuda/device_buffer.hpp"
#include "core/engines/views.hpp"
#include "core/physics/gravity.hpp"

namespace orrery::cuda {

/// Some bodies against all, with jerks: what `direct` does, and `half` where it is not asked for all bodies, because
/// there is no triangle of pairs then. A thread per row, and columns in tiles of shared memory; where rows are few the
/// columns are cut into splits, so that they fill the device. An item is a block of rows with a split. The same bits on
/// every run.
template <class Real>
class JerkRows {
public:
    /// Returns the number of items.
    std::uint64_t begin(BodyView<Device, Real> bodies, JerkView<Device, Real> motion, const Gravity& gravity);
    void run(std::uint64_t first, std::uint64_t last, cudaStream_t stream) const;
    /// As describe_jerk_rows() of tile_config.hpp.
    std::string choice() const;

private:
    std::uint64_t items() const;

    BodyView<Device, Real> bodies_{};
    JerkView<Device, Real> motion_{};
    Gravity gravity_;
    unsigned splits_ = 1;
    DeviceBuffer<Vec4<Real>> pulls_, jerks_;  // [row][split]
};

}  // namespace orrery::cuda
