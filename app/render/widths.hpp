// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

#include "app/render/shared_buffer.hpp"

namespace orrery {

/// Distances of bodies to their k-th neighbours, in GL memory. For bodies that a device has written, the device finds
/// them; for others, they are found at once, or by a thread while older ones are in use.
class SharedBuffer::Widths {
public:
    Widths();
    ~Widths();
    /// `serial` changes whenever the bodies do. Otherwise as SharedBuffer::widths().
    BodyWidths of(const SharedBuffer& bodies, std::uint64_t serial, int neighbours, bool wait);
    bool came() const;
    bool due() const { return coming_.valid() || late_; }

private:
    struct Finder;
    struct Found {
        std::uint64_t serial;
        int neighbours;
        std::vector<float> distances;
    };
    void adopt(const Found& found);
    BodyWidths on_device(Interop& device, std::size_t count, std::uint64_t serial, int neighbours, bool wait);

    std::unique_ptr<Finder> finder_;
    std::future<Found> coming_;
    GlBuffer buffer_;
    std::uint64_t serial_ = 0;
    int neighbours_ = 0;
    std::size_t count_ = 0;
    BodyWidths of_device_;        // found by a device
    bool late_ = false;           // of_device_ belongs to an earlier frame
    std::uint64_t searched_ = 0;  // the frame whose distances a search is finding; 0: none
    std::chrono::steady_clock::time_point last_part_{};
};

}  // namespace orrery
