// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "core/bodies/interpolation.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"

namespace orrery::cuda {

/// Bodies of a snapshot in device memory.
template <class Real>
struct MomentColumns {
    const Vec4<Real>* position_mass;
    const Vec4<Real>* velocity;  ///< w = 0
};

/// Enqueues interpolating the bodies between two snapshots (core/physics/interpolated.hpp, in double, rounded once).
/// Makes a single pass over memory: 96 bytes per body in float, 192 in double.
template <class Real>
void interpolate(const MomentColumns<Real>& from, const MomentColumns<Real>& to, const WayPoint& at,
                 Vec4<Real>* position_mass, Vec4<Real>* velocity, std::uint64_t count, cudaStream_t stream);

/// Caches snapshots in device memory, rounded to Real, so that displaying one again costs only interpolate(). Holds as
/// many as fit into half of the memory that was free at the first call.
template <class Real>
class MomentStore {
public:
    using Ends = std::array<MomentColumns<Real>, 2>;

    MomentStore();
    ~MomentStore();
    /// Both ends of an interpolation, uploaded if necessary; valid until the next call. Empty if there is no room for
    /// two. Returns once host memory has been read; the device may still be copying, in stream order.
    std::optional<Ends> ends_of(const Interpolation& way, cudaStream_t stream);

private:
    struct Held {
        std::weak_ptr<const TimedBodies> of;
        DeviceBuffer<Vec4<Real>> rows;  // positions, then velocities
    };
    struct Stage {
        PinnedBuffer<Vec4<Real>> rows;
        Event copied;
    };

    const Held* find(const Interpolation::Moment& moment);
    const Held& bring(const Interpolation::Moment& moment, const Held* beside, cudaStream_t stream);
    DeviceBuffer<Vec4<Real>> room_for(std::size_t rows, const Held* beside);
    void upload(const Bodies& bodies, Vec4<Real>* d_rows, cudaStream_t stream);

    std::list<Held> held_;  // most recently used first
    std::size_t most_ = 0;  // capacity in snapshots of count_ bodies
    std::size_t count_ = 0;
    std::optional<std::array<Stage, 2>> stages_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace orrery::cuda
