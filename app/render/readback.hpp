// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "app/render/gl/gl_info.hpp"
#include "app/render/image_pool.hpp"
#include "app/render/render_target.hpp"

namespace orrery {

/// How finished pictures are copied to the host.
enum class ReadbackWay {
    kTexture,  ///< glGetTextureImage, which blocks: the fast path of software GL, whose pictures are in host memory
    kBuffer,   ///< packed into a GL buffer by a compute shader and copied to mapped memory while GL continues
    kCuda,     ///< packed likewise; CUDA copies the buffer to pinned memory while GL continues
};
std::string_view name_of(ReadbackWay way);

/// The only place that copies finished pictures to the host, with several in flight: drawing one, copying the previous
/// one and encoding the one before that overlap. Never uses glReadPixels, which on data-centre GPUs takes a slow path
/// of the rasteriser: 200 ms for 1280 × 720 on an H200, where CUDA's copy takes 0.2 ms. Its GL context must be current
/// in every member, including the destructor.
class Readback {
public:
    static constexpr std::size_t kMost = 3;  ///< pictures in flight

    /// Chooses the path by trying. Pictures are drawn at `supersampling` times the width and height, and averaged.
    Readback(const GlInfo& gl, int supersampling);
    /// With a given path. Throws Error{kEnvironment} if it does not work here.
    Readback(ReadbackWay way, int supersampling);
    ~Readback();

    /// Starts copying a picture to the host, whose size is a multiple of supersampling; it may be overwritten at once.
    /// Requires fewer than kMost in flight.
    void begin(const RenderTarget& picture);
    std::size_t in_flight() const noexcept { return waiting_.size(); }
    bool ready() const;  ///< the oldest one in flight has arrived
    /// The oldest one in flight. Waits for it.
    SharedImage take();

    ReadbackWay way() const noexcept { return way_; }
    /// One line: why CUDA is not used; empty if it is.
    const std::string& why_not_cuda() const noexcept { return why_not_cuda_; }
    /// Total seconds of copying so far, excluding the wait for drawing where it can be separated.
    double copy_seconds() const noexcept { return copy_seconds_; }

private:
    struct Slot;
    class Packer;
    void adopt(ReadbackWay way);
    void read_now(const RenderTarget& picture);
    std::unique_ptr<Slot> slot_for(int width, int height);

    ReadbackWay way_;
    int supersampling_;
    std::string why_not_cuda_;
    ImagePool pool_;
    std::unique_ptr<Packer> packer_;
    std::deque<std::unique_ptr<Slot>> waiting_;  // oldest first
    std::vector<std::unique_ptr<Slot>> idle_;
    Image large_;  // before averaging, kTexture
    double copy_seconds_ = 0;
};

}  // namespace orrery
