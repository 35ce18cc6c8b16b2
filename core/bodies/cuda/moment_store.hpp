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
#include "core/cuda/event.hpp"

namespace orrery::cuda {

/// Bodies of a moment in a device's memory.
template <class Real>
struct MomentColumns {
    const Vec4<Real>* position_mass;
    const Vec4<Real>* velocity;  ///< w = 0
};

/// Enqueues writing where the bodies are between two moments, by core/physics/interpolated.hpp in double, rounded once.
/// Memory is passed over once: 96 bytes a body in float, 192 in double.
template <class Real>
void interpolate(const MomentColumns<Real>& from, const MomentColumns<Real>& to, const WayPoint& at,
                 Vec4<Real>* position_mass, Vec4<Real>* velocity, std::uint64_t count, cudaStream_t stream);

/// Moments that have been shown, rounded to Real, in the memory of the device, so that showing one again takes no more
/// than interpolate(): as many as fit into half of the memory that was free when it was first called.
template <class Real>
class MomentStore {
public:
    using Ends = std::array<MomentColumns<Real>, 2>;

    MomentStore();
    ~MomentStore();
    /// Both ends of a way, brought there if they are not; valid until the next call. Empty: there is no room for two.
    /// Returns when the host's memory has been read; the device may still be copying, in the order of the stream.
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

    std::list<Held> held_;  // the last one asked for first
    std::size_t most_ = 0;  // of this many bodies
    std::size_t count_ = 0;
    std::optional<std::array<Stage, 2>> stages_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace orrery::cuda
