// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "app/record/picture_legend.hpp"
#include "app/render/extent_follower.hpp"
#include "app/render/render_target.hpp"
#include "app/render/renderer.hpp"

namespace orrery {

/// The size of a recording's pictures, in pixels, and how many times wider and higher they are drawn.
struct PictureSize {
    int width = 1280, height = 720;
    int supersampling = 1;
    friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

/// The camera's part of a recording, for the window's button and for `orrery record`: the same frames, poses and
/// settings give the same bytes. Draws offscreen, at a size of its own. Needs its GL context current in every member,
/// destructor included.
class PictureMaker {
public:
    /// Throws Error{kEnvironment} when this OpenGL cannot draw so large a picture.
    PictureMaker(const GlInfo& gl, const PictureSize& size, int fps, bool legend = false);

    /// Draws one state into the next picture. `bodies` are those of `frame`.
    const Image& next(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose,
                      const ViewSettings& settings);
    std::uint64_t pictures() const { return pictures_; }
    const PictureSize& size() const { return size_; }

    /// Takes a state between two pictures into the trails.
    void see(const SharedBuffer& bodies, const ViewSettings& settings) { renderer_.see(bodies, settings); }

private:
    PictureSize size_;
    int fps_;
    Renderer renderer_;
    RenderTarget target_;
    ExtentFollower follower_;
    std::optional<PictureLegend> legend_;
    Image drawn_, image_;  // before and after supersampling
    std::uint64_t pictures_ = 0;
};

/// Each pixel has the mean light of factor × factor pixels of `from`, whose size is a multiple of it.
void shrink(const Image& from, int factor, Image& into);

}  // namespace orrery
