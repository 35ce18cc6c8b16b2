// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/render/gl/objects.hpp"
#include "app/render/interop.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// The newest frame's vertices in GL memory. Used only by the thread of the GL context.
class SharedBuffer {
public:
    enum class Way {
        kNone,     ///< nothing uploaded
        kHost,     ///< the frame is in host memory: one copy
        kInterop,  ///< the frame is on the device: copied device to device through a registered buffer
        kStaging,  ///< the frame is on a device whose memory OpenGL cannot use here: two copies through host memory
        kShared,   ///< the frame is in a buffer of the OpenGL device, which is drawn from: no copy
    };

    SharedBuffer();
    SharedBuffer(SharedBuffer&&) noexcept;
    SharedBuffer& operator=(SharedBuffer&&) noexcept;
    ~SharedBuffer();

    /// Uploads the frame to name(). Returns when `frame` may be reused.
    void upload(const Frame& frame);

    GLuint name() const noexcept { return current_; }
    std::size_t count() const noexcept { return count_; }
    std::vector<Vec4f> read(std::size_t most) const;      ///< the first vertices, from GL; waits
    std::int64_t step() const noexcept { return step_; }  ///< of the frame
    /// Indices of these bodies in the frame, ascending; null: all of them.
    const std::shared_ptr<const std::vector<std::uint32_t>>& rows() const noexcept { return rows_; }
    std::size_t bodies_of_frame() const noexcept { return rows_ ? bodies_of_frame_ : count_; }
    /// Name of a buffer with one mass per body as a float, relative to the mean; 0: all masses are equal.
    GLuint masses() const noexcept { return masses_.values ? masses_.buffers[masses_.current].name() : 0; }
    /// True if masses() are light, in units of the light of one body.
    bool lights() const noexcept { return lights_; }
    std::size_t all_bodies() const noexcept { return all_bodies_; }  ///< number of bodies represented: count() or more
    /// The mean of masses() to this power.
    double mean_mass_power(float power) const;
    /// The largest bodies of the frame with their radii in w, from GL; empty if bodies are points. Waits.
    std::vector<Vec4f> largest(std::size_t most) const;
    /// Distances of bodies to their k-th neighbours; none if they are unknown and `wait` is false. A separate thread
    /// then reads the bodies back and searches them, and the distances may be those of an earlier frame.
    BodyWidths widths(int neighbours, bool wait) const;
    /// True if newer distances than those that widths() returned last are available.
    bool widths_came() const;
    bool widths_due() const;                                                              ///< a search is in progress
    const std::shared_ptr<const BodyMetadata>& words() const noexcept { return words_; }  ///< of the frame
    /// Indices of the picked bodies of the frame; null: none.
    const std::shared_ptr<const std::vector<std::uint32_t>>& picked() const noexcept { return picked_; }
    Way way() const noexcept { return way_; }
    /// Bytes of vertices and masses that upload() has read from the host; blocks already in GL are copied there.
    std::uint64_t bytes_from_host() const noexcept { return bytes_from_host_; }
    /// The reason, in one line; empty until a device frame was uploaded, and if interop works.
    const std::string& why_not_interop() const noexcept { return device_.why_not; }

private:
    class Widths;
    friend class ShownBodies;
    friend class BodiesBetween;
    static std::uint64_t next_serial();
    void upload_host(const Vec4f* vertices, std::size_t count);
    void upload_blocks(const Frame& frame);
    void upload_device(const Frame& frame);
    void upload_gl(const Frame& frame);
    void upload_masses(const Frame& frame);
    /// Everything except the vertices, which are in `vertices`, is that of `from`.
    void take_properties(const SharedBuffer& from, GLuint vertices);

    /// Masses of bodies relative to their mean; null: all are equal.
    struct Masses {
        std::shared_ptr<const std::vector<float>> values;
        std::array<GlBuffer, 2> buffers;  // alternate for frames with blocks
        std::size_t current = 0;          // index of a buffer
        mutable float power = 0;          // power of the mean below
        mutable double mean_power = 1;

        void assign(std::shared_ptr<const std::vector<float>> masses) {
            values = std::move(masses), power = 0, mean_power = 1;
        }
    };
    struct Radii {
        std::shared_ptr<const std::vector<float>> values;
        mutable std::vector<std::uint32_t> largest;  // indices; empty: not searched

        void assign(std::shared_ptr<const std::vector<float>> radii) { values = std::move(radii), largest.clear(); }
    };
    /// The buffer of a frame of the OpenGL device while it is drawn from. Its end leaves a fence after which the device
    /// may write to it.
    class Lent {
    public:
        Lent() = default;
        explicit Lent(std::shared_ptr<gl::FrameBuffer> buffer) : buffer_{std::move(buffer)} {}
        Lent(Lent&&) noexcept = default;
        Lent& operator=(Lent&& other) noexcept {
            Lent taken{std::move(other)};
            std::swap(buffer_, taken.buffer_);
            return *this;
        }
        ~Lent();

    private:
        std::shared_ptr<gl::FrameBuffer> buffer_;
    };
    struct DeviceWay {
        GlBuffer buffer;
        std::unique_ptr<Interop> interop;  // uses `buffer`, so it is destroyed first
        std::vector<Vec4f> staging;
        std::string why_not;
    };

    // Host frames alternate between two buffers, so that writing one never waits for drawing from the other.
    std::array<GlBuffer, 2> host_;
    std::size_t next_host_ = 0;
    DeviceWay device_;
    Lent lent_;
    GLuint current_ = 0;
    std::size_t count_ = 0;
    std::int64_t step_ = 0;
    Masses masses_;
    Radii radii_;
    std::shared_ptr<const std::vector<FrameBlock>> blocks_;  // of the current buffer
    std::uint64_t bytes_from_host_ = 0;
    bool lights_ = false;
    std::size_t all_bodies_ = 0;
    std::shared_ptr<const BodyMetadata> words_;
    std::shared_ptr<const std::vector<std::uint32_t>> picked_;
    mutable std::unique_ptr<Widths> widths_;
    std::uint64_t serial_ = 0;  // of the current content; unique among all buffers
    std::shared_ptr<const std::vector<std::uint32_t>> rows_;
    std::size_t bodies_of_frame_ = 0;
    Way way_ = Way::kNone;
};

std::string_view name_of(SharedBuffer::Way way);

}  // namespace orrery
