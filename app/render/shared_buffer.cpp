// SPDX-License-Identifier: MIT
#include "app/render/shared_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/gl/sharing.hpp"
#include "core/spatial/neighbours.hpp"

namespace orrery {
namespace {

/// Grows by at least half, so that a slowly increasing number of bodies does not reallocate for every frame.
void reserve(GlBuffer& buffer, std::size_t bytes) {
    if (buffer.bytes() >= bytes) return;
    const std::size_t grown = std::max(bytes, buffer.bytes() + buffer.bytes() / 2);
    buffer = GlBuffer{};  // frees the old one first: both may not fit
    buffer = GlBuffer{grown, GL_DYNAMIC_STORAGE_BIT};
}

constexpr double kLeastPart = 5e-4, kLongestPart = 4e-3;  // seconds

/// A range of bodies that the previous buffer contains completely, or not at all.
struct Run {
    std::size_t from, to, count;
    bool there;
};

/// The ranges of a frame, as few as possible: consecutive blocks that were consecutive before are merged.
std::vector<Run> runs(const std::vector<FrameBlock>& blocks, const std::vector<FrameBlock>* before) {
    std::unordered_map<std::uint64_t, std::size_t> places;
    std::size_t at = 0;
    if (before)
        for (const FrameBlock& block : *before) places[block.stamp] = at, at += block.count;
    std::vector<Run> all;
    at = 0;
    for (const FrameBlock& block : blocks) {
        const auto found = places.find(block.stamp);
        const bool there = found != places.end();
        const std::size_t from = there ? found->second : at;
        if (!all.empty() && all.back().there == there && all.back().from + all.back().count == from)
            all.back().count += block.count;
        else
            all.push_back({from, at, block.count, there});
        at += block.count;
    }
    return all;
}

}  // namespace

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

SharedBuffer::SharedBuffer() = default;
SharedBuffer::SharedBuffer(SharedBuffer&&) noexcept = default;
SharedBuffer& SharedBuffer::operator=(SharedBuffer&&) noexcept = default;
SharedBuffer::~SharedBuffer() = default;

std::uint64_t SharedBuffer::next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void SharedBuffer::upload(const Frame& frame) {
    if (frame.gl) {
        try {
            upload_gl(frame);
        } catch (const DeviceLost&) {
            return;  // the device was opened again since the frame was filled; the next frame replaces the present one
        }
    } else {
        lent_ = {};
    }
    serial_ = next_serial();
    if (frame.device) {
        upload_device(frame);
    } else if (frame.blocks) {
        upload_blocks(frame);
        way_ = Way::kHost;
    } else if (!frame.gl) {
        upload_host(frame.host.data(), std::min(frame.count, frame.host.size()));
        way_ = Way::kHost;
    }
    if (!frame.blocks || frame.device || frame.gl) upload_masses(frame), blocks_ = nullptr;
    lights_ = frame.lights;
    all_bodies_ = std::max<std::size_t>(count_, frame.all_bodies);
    if (frame.radii != radii_.values) radii_.assign(frame.radii);
    step_ = frame.step;
    words_ = frame.words;
    picked_ = frame.picked;
}

void SharedBuffer::upload_masses(const Frame& frame) {
    if (frame.masses == masses_.values) return;
    masses_.assign(frame.masses && frame.masses->size() == frame.count ? frame.masses : nullptr);
    if (!masses_.values) return;
    const std::size_t bytes = frame.masses->size() * sizeof(float);
    GlBuffer& buffer = masses_.buffers[masses_.current];
    reserve(buffer, bytes);
    buffer.write(frame.masses->data(), bytes);
    bytes_from_host_ += bytes;
}

void SharedBuffer::take_properties(const SharedBuffer& from, GLuint vertices) {
    Frame properties;
    properties.count = count_ = from.count_;
    properties.masses = from.masses_.values;
    upload_masses(properties);
    if (from.radii_.values != radii_.values) radii_.assign(from.radii_.values);
    current_ = vertices;
    serial_ = next_serial();
    lights_ = from.lights_, all_bodies_ = from.all_bodies_, step_ = from.step_;
    words_ = from.words_, picked_ = from.picked_;
    way_ = Way::kHost;
}

/// Copies blocks that the previous frame's buffer contains from there, which costs a GPU almost nothing, and the rest
/// from the host. The vertices equal those of upload_host(), byte for byte.
void SharedBuffer::upload_blocks(const Frame& frame) {
    const bool lights = frame.masses && frame.masses->size() == frame.count;
    const auto* before = blocks_ && current_ == host_[1 - next_host_].name() && lights == (masses_.values != nullptr)
                             ? blocks_.get()
                             : nullptr;
    const GlBuffer& old = host_[1 - next_host_];
    const GlBuffer& old_masses = masses_.buffers[masses_.current];
    GlBuffer& buffer = host_[next_host_];
    GlBuffer& masses = masses_.buffers[1 - masses_.current];
    reserve(buffer, frame.count * sizeof(Vec4f));
    if (lights) reserve(masses, frame.count * sizeof(float));
    const auto place = [&](const Run& run, const GlBuffer& from, GlBuffer& to, const void* data, std::size_t each) {
        if (run.there)
            return glCopyNamedBufferSubData(from.name(), to.name(), static_cast<GLintptr>(run.from * each),
                                            static_cast<GLintptr>(run.to * each),
                                            static_cast<GLsizeiptr>(run.count * each));
        to.write(static_cast<const std::byte*>(data) + run.to * each, run.count * each, run.to * each);
        bytes_from_host_ += run.count * each;
    };
    for (const Run& run : runs(*frame.blocks, before)) {
        if (run.count == 0) continue;
        place(run, old, buffer, frame.host.data(), sizeof(Vec4f));
        if (lights) place(run, old_masses, masses, frame.masses->data(), sizeof(float));
    }
    current_ = buffer.name(), count_ = frame.count;
    next_host_ = 1 - next_host_;
    if (lights) masses_.current = 1 - masses_.current;
    masses_.assign(lights ? frame.masses : nullptr);
    blocks_ = frame.blocks;
}

double SharedBuffer::mean_mass_power(float power) const {
    if (!masses_.values || power == 0) return 1;
    if (power == masses_.power) return masses_.mean_power;
    double sum = 0;
    for (const float mass : *masses_.values) sum += std::pow(static_cast<double>(mass), static_cast<double>(power));
    masses_.power = power, masses_.mean_power = sum / static_cast<double>(masses_.values->size());
    return masses_.mean_power;
}

void SharedBuffer::upload_host(const Vec4f* vertices, std::size_t count) {
    GlBuffer& buffer = host_[next_host_];
    next_host_ = (next_host_ + 1) % host_.size();
    reserve(buffer, count * sizeof(Vec4f));
    if (count > 0) buffer.write(vertices, count * sizeof(Vec4f));
    bytes_from_host_ += count * sizeof(Vec4f);
    current_ = buffer.name();
    count_ = count;
}

void SharedBuffer::upload_device(const Frame& frame) {
    const std::size_t bytes = frame.count * sizeof(Vec4f);
    auto& [buffer, interop, staging, why_not] = device_;
    if (why_not.empty() && buffer.bytes() < std::max<std::size_t>(bytes, 1)) {
        interop.reset();
        reserve(buffer, bytes);
        interop = try_interop(buffer.name(), buffer.bytes(), why_not);
        if (!interop) buffer = GlBuffer{};
    }
    if (interop) {
        interop->copy(*frame.device, frame.count);
        current_ = buffer.name();
        count_ = frame.count;
        way_ = Way::kInterop;
        return;
    }
    staging.resize(frame.count);
    download(*frame.device, staging);
    upload_host(staging.data(), frame.count);
    way_ = Way::kStaging;
}

SharedBuffer::Lent::~Lent() {
    if (!buffer_) return;
    buffer_->add_reader(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    glFlush();  // otherwise the device may wait without end
}

/// Without effect, throws DeviceLost if the device was opened again since the frame was filled.
void SharedBuffer::upload_gl(const Frame& frame) {
    if (gl::frames_are_shared_here() && !frame.gl->stale()) {
        glWaitSync(static_cast<GLsync>(frame.gl->written()), 0, GL_TIMEOUT_IGNORED);
        lent_ = Lent{frame.gl};
        current_ = frame.gl->name();
        count_ = frame.count;
        way_ = Way::kShared;
        return;
    }
    device_.staging = frame.gl->read();
    lent_ = {};
    upload_host(device_.staging.data(), frame.count);
    way_ = Way::kStaging;
}

BodyWidths SharedBuffer::widths(int neighbours, bool wait) const {
    if (!widths_) widths_ = std::make_unique<Widths>();
    return widths_->of(*this, serial_, neighbours, wait);
}

bool SharedBuffer::widths_came() const { return widths_ && widths_->came(); }
bool SharedBuffer::widths_due() const { return widths_ && widths_->due(); }

std::vector<Vec4f> SharedBuffer::read(std::size_t most) const {
    std::vector<Vec4f> vertices(std::min(most, count_));
    if (!vertices.empty())
        glGetNamedBufferSubData(current_, 0, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vec4f)), vertices.data());
    return vertices;
}

std::vector<Vec4f> SharedBuffer::largest(std::size_t most) const {
    if (!radii_.values || radii_.values->size() != count_) return {};
    const std::vector<float>& radii = *radii_.values;
    std::vector<std::uint32_t>& by_radius = radii_.largest;
    most = std::min(most, count_);
    if (by_radius.size() != most) {
        std::vector<std::uint32_t> all(count_);
        std::iota(all.begin(), all.end(), 0u);
        const auto larger = [&](std::uint32_t a, std::uint32_t b) {
            return radii[a] != radii[b] ? radii[a] > radii[b] : a < b;
        };
        std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(most), larger);
        by_radius.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most));
    }
    std::vector<Vec4f> found(by_radius.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        glGetNamedBufferSubData(current_, static_cast<GLintptr>(by_radius[k] * sizeof(Vec4f)), sizeof(Vec4f),
                                &found[k]);
        found[k].w = radii[by_radius[k]];
    }
    return found;
}

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
    if (bodies.device_.interop && bodies.way() == Way::kInterop && bodies.count() > 0)
        if (const BodyWidths found = on_device(*bodies.device_.interop, bodies.count(), serial, neighbours, wait);
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

std::string_view name_of(SharedBuffer::Way way) {
    switch (way) {
        case SharedBuffer::Way::kNone:
            return "none";
        case SharedBuffer::Way::kHost:
            return "host";
        case SharedBuffer::Way::kInterop:
            return "interop";
        case SharedBuffer::Way::kStaging:
            return "staging";
        case SharedBuffer::Way::kShared:
            return "shared";
    }
    return "unknown";
}

}  // namespace orrery
