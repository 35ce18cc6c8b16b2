// SPDX-License-Identifier: MIT
#include "app/render/widths.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/base/give_way.hpp"
#include "core/bodies/neighbours.hpp"

namespace orrery {

/// Used by one thread at a time: by the one that draws, or by that of `coming_`.
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
    return coming_.valid() && coming_.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
}

void SharedBuffer::Widths::adopt(const Found& found) {
    const std::size_t bytes = std::max<std::size_t>(found.distances.size(), 1) * sizeof(float);
    if (buffer_.bytes() < bytes) buffer_ = GlBuffer{bytes + bytes / 2, GL_DYNAMIC_STORAGE_BIT};
    if (!found.distances.empty()) buffer_.write(found.distances.data(), found.distances.size() * sizeof(float));
    serial_ = found.serial, neighbours_ = found.neighbours, count_ = found.distances.size();
}

GLuint SharedBuffer::Widths::of(const SharedBuffer& bodies, std::uint64_t serial, int neighbours, bool wait) {
    if (coming_.valid() && (wait || came())) {
        const Found found = coming_.get();
        if (!wait || found.serial == serial) adopt(found);
    }
    const bool newest = serial_ == serial && neighbours_ == neighbours;
    if (!newest && wait) {
        adopt(finder_->find(bodies.read(bodies.count()), serial, neighbours, false));
    } else if (!newest && !coming_.valid()) {
        coming_ = std::async(std::launch::async, [this, places = bodies.read(bodies.count()), serial, neighbours] {
            give_way();
            return finder_->find(places, serial, neighbours, true);
        });
    }
    return count_ == bodies.count() && serial_ != 0 ? buffer_.name() : 0;
}

}  // namespace orrery
