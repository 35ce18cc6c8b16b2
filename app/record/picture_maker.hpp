// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/record/picture_legend.hpp"
#include "app/render/exposure.hpp"
#include "app/render/image.hpp"
#include "app/render/readback.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"

namespace orrery {

/// The frame size of a recording in pixels, and the supersampling factor.
struct PictureSize {
    int width = 1280, height = 720;
    int supersampling = 1;
    Lens lens = Lens::kFlat;
    int bits = 8;        ///< per channel: 8, or 16 in Image::deep
    bool light = false;  ///< Image::deep has light and depth
    friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

/// The second simulation of a comparison, whose frame is the first one's `other`.
struct OtherBodies {
    const SharedBuffer& bodies;
    CompareView view;
    std::string time_a, time_b;  ///< additional text after the names; empty if a recording must be reproducible
};

/// The drawing part of a recording, for the window and for `orrery record`: the same frames, poses and settings give
/// the same bytes. Draws offscreen, at its own size. Its GL context must be current in every member function and in the
/// destructor.
class PictureMaker {
public:
    /// Throws Error{kEnvironment} if OpenGL cannot draw frames of this size.
    PictureMaker(const GlInfo& gl, const PictureSize& size, int fps, bool legend = false);
    ~PictureMaker();

    /// Draws one state into the next frame and starts its readback. `bodies` are those of `frame`. With `other`, draws
    /// a labelled comparison. Do not call while full().
    void draw(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose, const ViewSettings& settings,
              const OtherBodies* other = nullptr);
    /// Motion blur: the next draw() shows the mean light of `instants` of the given number, each added by
    /// add_instant(), with the colours and the tone curve of `frame`. Throws Error{kUsage} for stereo.
    void open_shutter(const Frame& frame, int instants);
    void add_instant(const SharedBuffer& bodies, const CameraPose& pose, const ViewSettings& settings);
    /// The next draw() stores motion vectors to this next frame in Image::deep; only with PictureSize::light.
    void move_to(const SharedBuffer& bodies, const CameraPose& pose) { next_ = Next{&bodies, pose}; }

    /// True if the maximum number of frames is in flight.
    bool full() const { return readback_.in_flight() + deep_.size() >= Readback::kMost; }
    bool empty() const { return readback_.in_flight() == 0 && deep_.empty(); }
    bool ready() const { return !deep_.empty() || readback_.ready(); }  ///< take() does not wait
    SharedImage take();                                                 ///< the oldest frame that was not yet taken
    std::uint64_t pictures() const { return pictures_; }                ///< number of frames drawn
    Readback& readback() { return readback_; }
    const Readback& readback() const { return readback_; }
    double gl_ms() const { return renderer_.gpu_ms(); }  ///< of a recent frame, see Renderer
    const PictureSize& size() const { return size_; }

    /// Draws these haloes over each frame; without a catalogue none.
    void show_halos(ShownHalos halos) { halos_ = std::move(halos); }

    /// Adds a state between two frames to the trails.
    void record_trails(const SharedBuffer& bodies, const ViewSettings& settings) {
        renderer_.record_trails(bodies, settings);
    }

private:
    struct Both;
    struct Next {
        const SharedBuffer* bodies;
        CameraPose pose;
    };
    FrameExtent followed(const Frame& frame);
    void draw_one(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent, const CameraPose& pose,
                  const ViewSettings& settings);
    void draw_stereo(const SharedBuffer& bodies, const FrameExtent& extent, const CameraPose& pose,
                     const ViewSettings& settings);
    void draw_both(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent, const CameraPose& pose,
                   const ViewSettings& settings, const OtherBodies& other);
    void draw_halos(const SharedBuffer& bodies, const Frame& frame, const OrbitCamera& camera, const Periodic& space);
    double content_scale() const;
    bool is_deep() const { return size_.bits != 8 || size_.light; }
    void keep_deep(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent, const CameraPose& pose,
                   const ViewSettings& settings);

    const GlInfo& gl_;
    PictureSize size_;
    int fps_;
    Renderer renderer_;
    RenderTarget target_;
    ExtentFollower follower_;
    std::optional<FrameExtent> shutter_extent_;  // while the shutter is open
    std::optional<Next> next_;
    bool legend_wanted_;
    PictureLegend legend_;
    ShownHalos halos_;
    std::unique_ptr<Both> both_;       // exists during comparisons
    std::optional<RenderTarget> eye_;  // one eye's view, for stereo
    Readback readback_;
    std::deque<SharedImage> deep_;  // images that bypass readback_, oldest first
    std::uint64_t pictures_ = 0;
};

}  // namespace orrery
