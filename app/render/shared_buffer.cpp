// SPDX-License-Identifier: MIT
#include "app/render/shared_buffer.hpp"

#include "app/render/widths.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace orrery {

namespace {

/// Grows by at least half, so that a slowly increasing number of bodies does not reallocate for every frame.
void reserve(GlBuffer& buffer, std::size_t bytes) {
    if (buffer.bytes() >= bytes) return;
    const std::size_t grown = std::max(bytes, buffer.bytes() + buffer.bytes() / 2);
    buffer = GlBuffer{};  // frees the old one first: both may not fit
    buffer = GlBuffer{grown, GL_DYNAMIC_STORAGE_BIT};
}

}  // namespace

SharedBuffer::SharedBuffer() = default;
SharedBuffer::SharedBuffer(SharedBuffer&&) noexcept = default;
SharedBuffer& SharedBuffer::operator=(SharedBuffer&&) noexcept = default;
SharedBuffer::~SharedBuffer() = default;

std::uint64_t SharedBuffer::next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void SharedBuffer::upload(const Frame& frame) {
    serial_ = next_serial();
    if (frame.device) {
        upload_device(frame);
    } else if (frame.blocks) {
        upload_blocks(frame);
        way_ = Way::kHost;
    } else {
        upload_host(frame.host.data(), std::min(frame.count, frame.host.size()));
        way_ = Way::kHost;
    }
    if (!frame.blocks || frame.device) upload_masses(frame), blocks_ = nullptr;
    lights_ = frame.lights;
    all_bodies_ = std::max<std::size_t>(count_, frame.all_bodies);
    if (frame.radii != radii_) radii_ = frame.radii, by_radius_.clear();
    step_ = frame.step;
    words_ = frame.words;
}

void SharedBuffer::upload_masses(const Frame& frame) {
    if (frame.masses == masses_) return;
    masses_ = frame.masses && frame.masses->size() == frame.count ? frame.masses : nullptr;
    power_ = 0, mean_power_ = 1;
    if (!masses_) return;
    const std::size_t bytes = masses_->size() * sizeof(float);
    reserve(mass_buffers_[mass_buffer_], bytes);
    mass_buffers_[mass_buffer_].write(masses_->data(), bytes);
    bytes_from_host_ += bytes;
}

namespace {

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

void write_at(const GlBuffer& buffer, std::size_t at, const void* data, std::size_t bytes) {
    glNamedBufferSubData(buffer.name(), static_cast<GLintptr>(at), static_cast<GLsizeiptr>(bytes), data);
}

}  // namespace

/// Copies blocks that the previous frame's buffer contains from there, which costs a GPU almost nothing, and the rest
/// from the host. The vertices equal those of upload_host(), byte for byte.
void SharedBuffer::upload_blocks(const Frame& frame) {
    const bool lights = frame.masses && frame.masses->size() == frame.count;
    const auto* before =
        blocks_ && current_ == host_[1 - next_host_].name() && lights == (masses_ != nullptr) ? blocks_.get() : nullptr;
    const GlBuffer& old = host_[1 - next_host_];
    const GlBuffer& old_masses = mass_buffers_[mass_buffer_];
    GlBuffer& buffer = host_[next_host_];
    GlBuffer& masses = mass_buffers_[1 - mass_buffer_];
    reserve(buffer, frame.count * sizeof(Vec4f));
    if (lights) reserve(masses, frame.count * sizeof(float));
    const auto place = [&](const Run& run, const GlBuffer& from, const GlBuffer& to, const void* data,
                           std::size_t each) {
        if (run.there)
            return glCopyNamedBufferSubData(from.name(), to.name(), static_cast<GLintptr>(run.from * each),
                                            static_cast<GLintptr>(run.to * each),
                                            static_cast<GLsizeiptr>(run.count * each));
        write_at(to, run.to * each, static_cast<const std::byte*>(data) + run.to * each, run.count * each);
        bytes_from_host_ += run.count * each;
    };
    for (const Run& run : runs(*frame.blocks, before)) {
        if (run.count == 0) continue;
        place(run, old, buffer, frame.host.data(), sizeof(Vec4f));
        if (lights) place(run, old_masses, masses, frame.masses->data(), sizeof(float));
    }
    current_ = buffer.name(), count_ = frame.count;
    next_host_ = 1 - next_host_;
    if (lights) mass_buffer_ = 1 - mass_buffer_;
    masses_ = lights ? frame.masses : nullptr;
    power_ = 0, mean_power_ = 1;
    blocks_ = frame.blocks;
}

double SharedBuffer::mean_mass_power(float power) const {
    if (!masses_ || power == 0) return 1;
    if (power == power_) return mean_power_;
    double sum = 0;
    for (const float mass : *masses_) sum += std::pow(static_cast<double>(mass), static_cast<double>(power));
    power_ = power, mean_power_ = sum / static_cast<double>(masses_->size());
    return mean_power_;
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
    if (why_not_.empty() && device_.bytes() < std::max<std::size_t>(bytes, 1)) {
        interop_.reset();
        reserve(device_, bytes);
        interop_ = try_interop(device_.name(), device_.bytes(), why_not_);
        if (!interop_) device_ = GlBuffer{};
    }
    if (interop_) {
        interop_->copy(*frame.device, frame.count);
        current_ = device_.name();
        count_ = frame.count;
        way_ = Way::kInterop;
        return;
    }
    staging_.resize(frame.count);
    download(*frame.device, staging_);
    upload_host(staging_.data(), frame.count);
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
    if (!radii_ || radii_->size() != count_) return {};
    const std::vector<float>& radii = *radii_;
    most = std::min(most, count_);
    if (by_radius_.size() != most) {
        std::vector<std::uint32_t> all(count_);
        std::iota(all.begin(), all.end(), 0u);
        const auto larger = [&](std::uint32_t a, std::uint32_t b) {
            return radii[a] != radii[b] ? radii[a] > radii[b] : a < b;
        };
        std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(most), larger);
        by_radius_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most));
    }
    std::vector<Vec4f> found(by_radius_.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        glGetNamedBufferSubData(current_, static_cast<GLintptr>(by_radius_[k] * sizeof(Vec4f)), sizeof(Vec4f),
                                &found[k]);
        found[k].w = radii[by_radius_[k]];
    }
    return found;
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
    }
    return "unknown";
}

}  // namespace orrery
