// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/picture/compare_view.hpp"
#include "app/picture/fonts.hpp"
#include "app/picture/halo_marks.hpp"
#include "app/picture/legend.hpp"
#include "app/render/exposure.hpp"
#include "app/render/image.hpp"
#include "app/render/readback.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"
#include "app/render/view_settings.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Draws colour bar, scale bar, clock and names, if enabled in the view, without a window. The text height is
/// proportional to the frame height. Its GL context must be current in every member function and in the destructor.
class PictureLegend {
public:
    /// For frames of this height, drawn `supersampling` times as high.
    PictureLegend(int height, int supersampling);
    ~PictureLegend();

    /// Draws over width × height pixels of `target`. `places` are the positions of the first bodies; `extent` gives the
    /// range of colours.
    void draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places, const OrbitCamera& camera,
              const ViewSettings& view, GLuint target, int width, int height);

    /// Draws haloes at the time of the frame; `members`: positions of the bodies of the lit one.
    void draw_halos(const ShownHalos& halos, const Frame& frame, std::span<const Vec4f> members,
                    const OrbitCamera& camera, const Periodic& space, GLuint target, int width, int height);

    /// For a comparison: labels of the panes and, if `words`, the annotations of draw() for both.
    struct Compared {
        const Frame& frame;         ///< A's frame, which contains B's
        const FrameExtent& extent;  ///< range of colours of both
        std::span<const Vec4f> places;
        const OrbitCamera& camera;
        const ViewSettings& view;
        const CompareView& seen;
        ScalarRange distances;
        std::string a, b;  ///< labels
        bool words;
    };
    void draw(const Compared& compared, GLuint target, int width, int height);

private:
    class DrawListPass;
    void take_names(const Frame& frame);
    Legend legend_of(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places,
                     const OrbitCamera& camera, const ViewSettings& view, int width, int height) const;
    void name(ImDrawList& draw, const std::string& words, unsigned ink, float left, float right, bool at_right);

    float text_height_;
    std::unique_ptr<DrawListPass> pass_;
    std::shared_ptr<const BodyMetadata> words_;  // metadata with the names whose characters the pass has
    Glyphs extra_;
};

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
