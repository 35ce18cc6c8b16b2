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

/// How drawn pictures come to the host.
enum class ReadbackWay {
    kTexture,  ///< glGetTextureImage, which waits: the fast way of software GL, whose pictures are in host memory
    kBuffer,   ///< packed into a GL buffer by a compute shader and copied to mapped memory while GL goes on
    kCuda,     ///< packed likewise; CUDA copies the buffer to pinned memory while GL goes on
};
std::string_view name_of(ReadbackWay way);

/// The one place that brings finished pictures to the host, several in flight: drawing one, copying the one before and
/// encoding the one before that overlap. Never through glReadPixels, which on data-centre GPUs goes by a slow path of
/// the rasteriser: 200 ms for 1280 × 720 on an H200, where CUDA's copy takes 0.2 ms. Needs its GL context current in
/// every member, destructor included.
class Readback {
public:
    static constexpr std::size_t kMost = 3;  ///< pictures in flight

    /// Chooses the way by trying. Pictures were drawn `supersampling` times as wide and high, and are averaged.
    Readback(const GlInfo& gl, int supersampling);
    /// By this way. Throws Error{kEnvironment} when it does not work here.
    Readback(ReadbackWay way, int supersampling);
    ~Readback();

    /// Begins to bring a picture to the host, whose size is a multiple of supersampling; it may be drawn over at once.
    /// Fewer than kMost are in flight.
    void begin(const RenderTarget& picture);
    std::size_t in_flight() const noexcept { return waiting_.size(); }
    bool ready() const;  ///< the oldest one in flight has arrived
    /// The oldest one in flight. Waits for it.
    SharedImage take();

    ReadbackWay way() const noexcept { return way_; }
    /// One line: why not by CUDA; empty where it is.
    const std::string& why_not_cuda() const noexcept { return why_not_cuda_; }
    /// Seconds that bringing all pictures so far took, waiting for their drawing left out where it can be told apart.
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
