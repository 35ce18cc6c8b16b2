// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "app/render/gl/gl_info.hpp"
#include "app/render/image.hpp"
#include "app/render/render_target.hpp"

namespace orrery {

/// How finished frames are copied to the host.
enum class ReadbackWay {
    kTexture,  ///< glGetTextureImage, which blocks: fastest with software GL, whose frames are in host memory
    kBuffer,   ///< packed into a GL buffer by a compute shader and copied to mapped memory while GL continues
    kCuda,     ///< packed in the same way; CUDA copies the buffer to pinned memory while GL continues
};
std::string_view name_of(ReadbackWay way);

/// Copies all finished frames to the host, with several in flight: drawing one, copying the previous one and encoding
/// the one before that overlap. Never uses glReadPixels, which on data-centre GPUs takes a slow path of the rasteriser:
/// 200 ms for 1280 × 720 on an H200, where a copy by CUDA takes 0.2 ms. Its GL context must be current in every member
/// function and in the destructor.
class Readback {
public:
    static constexpr std::size_t kMost = 3;  ///< frames in flight

    /// Chooses a method by trying. Frames are drawn at `supersampling` times the width and height, and averaged.
    Readback(const GlInfo& gl, int supersampling);
    /// Uses the given method. Throws Error{kEnvironment} if it does not work here.
    Readback(ReadbackWay way, int supersampling);
    ~Readback();

    /// Starts copying a frame to the host; its size must be a multiple of the supersampling. It may be overwritten at
    /// once. Requires fewer than kMost in flight.
    void begin(const RenderTarget& picture);
    std::size_t in_flight() const noexcept { return waiting_.size(); }
    bool ready() const;  ///< the oldest frame in flight has arrived
    /// The oldest frame in flight. Waits for it.
    SharedImage take();

    ReadbackWay way() const noexcept { return way_; }
    /// Why CUDA is not used, in one line; empty if it is.
    const std::string& why_not_cuda() const noexcept { return why_not_cuda_; }
    /// Total seconds of copying so far, excluding the wait for drawing where the two can be separated.
    double copy_seconds() const noexcept { return copy_seconds_; }

private:
    struct Slot;
    class Packer;
    void adopt(ReadbackWay way);
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
