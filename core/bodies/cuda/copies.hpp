// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "core/bodies/body_state.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"

namespace orrery::cuda {

/// Copies a device's bodies on the device, and transfers the copies to the host concurrently with other work, through
/// pinned memory. Thread-safe. Copies keep the store alive; it reuses the memory of the last released copy.
class CopyStore : public std::enable_shared_from_this<CopyStore> {
public:
    /// The columns to copy: consecutive arrays of `count` vectors each.
    struct State {
        Precision precision;
        std::size_t count;
        std::array<const void*, 3> d_columns;
        std::size_t column_bytes;
    };

    /// Enqueues the copy; null if it needs more than an eighth of the free memory.
    std::shared_ptr<const BodyCopy> keep(const State& state, cudaStream_t stream);

private:
    class Kept;
    DeviceBuffer<std::byte> take(std::size_t bytes);  ///< empty if there is no room
    void give_back(DeviceBuffer<std::byte> memory) noexcept;
    void fetch(const DeviceBuffer<std::byte>& from, const Event& ready, std::span<std::byte> to);

    std::mutex spare_mutex_, way_mutex_;
    DeviceBuffer<std::byte> spare_;
    struct Way {  ///< to the host
        Stream stream{Priority::kLow};
        std::array<PinnedBuffer<std::byte>, 2> stops;
        std::array<Event, 2> arrived;
    };
    std::optional<Way> way_;
};

}  // namespace orrery::cuda
