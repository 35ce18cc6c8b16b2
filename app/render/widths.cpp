// SPDX-License-Identifier: MIT
#include "app/render/widths.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/pool.hpp"
#include "core/spatial/neighbours.hpp"

namespace orrery {
namespace {

constexpr double kLeastPart = 5e-4, kLongestPart = 4e-3;  // seconds

}  // namespace

/// Used by one thread at a time: the drawing thread or that of `coming_`.
struct SharedBuffer::Widths::Finder {
    Neighbours neighbours;
    std::optional<Pool> pool;
    bool background = false;

    Found find(const std::vector<Vec4f>& places, std::uint64_t serial, int k, bool in_background) {
        if (!pool || background != in_background) pool.emplace(0, in_background), background = in_background;
        Found found{serial, k, {}};
        neighbours.find(*pool, places, k, found.distances);
        return found;
    }
};

SharedBuffer::Widths::Widths() : finder_{std::make_unique<Finder>()} {}

SharedBuffer::Widths::~Widths() {
    if (coming_.valid()) coming_.wait();
}

bool SharedBuffer::Widths::came() const {
    return late_ || (coming_.valid() && coming_.wait_for(std::chrono::seconds{0}) == std::future_status::ready);
}

void SharedBuffer::Widths::adopt(const Found& found) {
    const std::size_t bytes = std::max<std::size_t>(found.distances.size(), 1) * sizeof(float);
    if (buffer_.bytes() < bytes) buffer_ = GlBuffer{bytes + bytes / 2, GL_DYNAMIC_STORAGE_BIT};
    if (!found.distances.empty()) buffer_.write(found.distances.data(), found.distances.size() * sizeof(float));
    serial_ = found.serial, neighbours_ = found.neighbours, count_ = found.distances.size();
}

/// Other work on the device waits for the search, so it gets a quarter of the time between two frames, unless each
/// frame needs its own distances.
BodyWidths SharedBuffer::Widths::on_device(Interop& device, std::size_t count, std::uint64_t serial, int neighbours,
                                           bool wait) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> since = now - std::exchange(last_part_, now);
    const bool newest = of_device_.distances != 0 && serial_ == serial && neighbours_ == neighbours;
    const bool serves = of_device_.distances != 0 && neighbours_ == neighbours && count_ == count && !wait;
    late_ = !newest && serves;
    if (newest) return of_device_;
    if (!late_) {
        of_device_ = device.find_neighbours(count, neighbours);
        serial_ = serial, neighbours_ = neighbours, count_ = count, searched_ = 0;
        return of_device_;
    }
    if (searched_ == 0) searched_ = serial;
    const double seconds = std::clamp(since.count() / 4, kLeastPart, kLongestPart);
    if (const auto found = device.find_part(count, neighbours, seconds)) {
        of_device_ = *found;
        serial_ = std::exchange(searched_, 0);
        late_ = serial_ != serial;
    }
    return of_device_;
}

BodyWidths SharedBuffer::Widths::of(const SharedBuffer& bodies, std::uint64_t serial, int neighbours, bool wait) {
    if (bodies.interop_ && bodies.way() == Way::kInterop && bodies.count() > 0)
        if (const BodyWidths found = on_device(*bodies.interop_, bodies.count(), serial, neighbours, wait);
            found.distances != 0)
            return found;
    if (of_device_.distances != 0 || late_) of_device_ = {}, late_ = false, serial_ = searched_ = 0;
    if (coming_.valid() && (wait || came())) {
        const Found found = coming_.get();
        if (!wait || found.serial == serial) adopt(found);
    }
    const bool newest = serial_ == serial && neighbours_ == neighbours;
    if (!newest && wait) {
        adopt(finder_->find(bodies.read(bodies.count()), serial, neighbours, false));
    } else if (!newest && !coming_.valid()) {
        coming_ = std::async(std::launch::async, [this, places = bodies.read(bodies.count()), serial, neighbours] {
            lower_thread_priority();
            return finder_->find(places, serial, neighbours, true);
        });
    }
    return {.distances = count_ == bodies.count() && serial_ != 0 ? buffer_.name() : 0};
}

}  // namespace orrery
