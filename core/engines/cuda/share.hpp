// SPDX-License-Identifier: MIT
// Exchange of results between ranks, shared by device engines and body systems.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/vec.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery::cuda {

/// Gathers accelerations on all ranks: each rank has computed its part of `things`, each of which is `each` consecutive
/// bodies.
template <class Real>
void gather_accelerations(Ranks& ranks, Vec4<Real>* acceleration, std::uint64_t count, std::uint64_t things,
                          std::uint64_t each, DeviceRanks::Stream stream) {
    std::vector<std::size_t> ends = ends_of_parts(ranks, things, each, count);
    for (std::size_t& end : ends) end *= sizeof(Vec4<Real>);
    device_ranks(ranks).gather(reinterpret_cast<std::byte*>(acceleration), ends, stream);
}

/// Copies the first rank's buffer to all ranks.
template <class T>
void take_of_first(Ranks& ranks, DeviceBuffer<T>& buffer, DeviceRanks::Stream stream) {
    device_ranks(ranks).broadcast(reinterpret_cast<std::byte*>(buffer.data()), buffer.size() * sizeof(T), 0, stream);
}

/// Adds up vectors over the ranks; each rank receives the sums of its part of the bodies.
template <class Real>
void sum_own_part(Ranks& ranks, Vec4<Real>* sums, std::uint64_t count, DeviceRanks::Stream stream) {
    constexpr auto kType = sizeof(Real) == 4 ? DeviceNumbers::Type::kFloat : DeviceNumbers::Type::kDouble;
    device_ranks(ranks).sum_parts({sums, 4 * count, kType}, ends_of_parts(ranks, count, 4, 4 * count), stream);
}

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
