// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/base/vec.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery::cuda {

/// Accelerations of which each rank computes some, in any order: a buffer with zeros where other ranks compute.
template <class Real>
class SharedAccelerations {
public:
    void share(Ranks& ranks) { ranks_ = &ranks; }
    /// True if there are other ranks.
    bool shares() const { return ranks_ && ranks_->count() > 1; }
    Ranks& ranks() const { return *ranks_; }

    void reserve(std::uint64_t bodies) {
        if (found_.size() < bodies) found_ = {}, found_ = DeviceBuffer<Vec4<Real>>{bodies};
    }
    void clear(std::uint64_t bodies, cudaStream_t stream) {
        check(cudaMemsetAsync(found_.data(), 0, bodies * sizeof(Vec4<Real>), stream), "clearing");
    }
    Vec4<Real>* data() { return found_.data(); }
    /// Enqueues writing the accelerations of all ranks. Exactly one rank has each value, so an integer sum reproduces
    /// it bitwise.
    void join(std::uint64_t bodies, Vec4<Real>* acceleration, cudaStream_t stream) {
        const std::uint64_t bytes = bodies * sizeof(Vec4<Real>);
        device_ranks(*ranks_).sum({found_.data(), bytes / sizeof(std::uint32_t), DeviceNumbers::Type::kUint32}, stream);
        check(cudaMemcpyAsync(acceleration, found_.data(), bytes, cudaMemcpyDeviceToDevice, stream), "joining");
    }

private:
    Ranks* ranks_ = nullptr;
    DeviceBuffer<Vec4<Real>> found_;
};

}  // namespace orrery::cuda
