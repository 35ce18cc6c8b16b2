// SPDX-License-Identifier: MIT
#include "app/record/picture_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "app/picture/legend.hpp"
#include "app/record/compare_layout.hpp"
#include "app/render/brightness.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

int drawn_width(const PictureSize& size) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    const int longest = std::max(size.width, size.height) * size.supersampling;
    if (longest > largest)
        environment_error(fmt::format("{} × {} pixels, supersampled {} times: this OpenGL draws up to {}", size.width,
                                      size.height, size.supersampling, largest));
    return size.width * size.supersampling;
}

}  // namespace

struct PictureMaker::Both {
    Renderer b;  // with trails of its own
    std::optional<RenderTarget> pane_a, pane_b;
    ExtentFollower distances;
};

PictureMaker::PictureMaker(const GlInfo& gl, const PictureSize& size, int fps, bool legend)
    : gl_{gl},
      size_{size},
      fps_{fps},
      renderer_{gl},
      target_{drawn_width(size), size.height * size.supersampling},
      legend_wanted_{legend},
      legend_{size.height, size.supersampling},
      readback_{gl, size.supersampling} {
    renderer_.set_content_scale(content_scale());
}

PictureMaker::~PictureMaker() = default;

/// What is drawn larger and averaged is to look as if it had been drawn at once.
double PictureMaker::content_scale() const { return size_.supersampling * picture_scale(size_.height, 1); }

void PictureMaker::draw(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose,
                        const ViewSettings& settings, const OtherBodies* other) {
    const FrameExtent extent = follower_.follow(frame.extent, 1.0 / fps_);
    renderer_.note_passed(frame);
    renderer_.show_cells(frame.cells);
    if (other && frame.other) {
        draw_both(bodies, frame, extent, pose, settings, *other);
    } else {
        both_.reset();
        draw_one(bodies, frame, extent, pose, settings);
    }
    ++pictures_;
    readback_.begin(target_);
}

namespace {

/// The first bodies, where some have names that are wanted.
std::vector<Vec4f> named_places(const SharedBuffer& bodies, const Frame& frame, const ViewSettings& settings) {
    const bool labels = settings.guides.labels && frame.words && !frame.words->names.empty();
    return labels ? bodies.read(kMostLabels) : std::vector<Vec4f>{};
}

std::string named(const char* which, const std::string& computed, const std::string& time) {
    return fmt::format("{}: {}{}{}", which, computed, time.empty() ? "" : ", ", time);
}

}  // namespace

void PictureMaker::draw_one(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent,
                            const CameraPose& pose, const ViewSettings& settings) {
    const OrbitCamera camera{pose};
    renderer_.resize(target_.width(), target_.height());
    renderer_.draw(bodies, extent, camera, settings, target_);
    if (legend_wanted_)
        legend_.draw(frame, extent, named_places(bodies, frame, settings), camera, settings, target_.framebuffer(),
                     target_.width(), target_.height());
}

void PictureMaker::draw_both(const SharedBuffer& bodies, const Frame& frame, const FrameExtent& extent,
                             const CameraPose& pose, const ViewSettings& settings, const OtherBodies& other) {
    if (!both_) {
        both_ = std::make_unique<Both>(Both{.b = Renderer{gl_}});
        both_->b.set_content_scale(content_scale());
    }
    const OrbitCamera camera{pose};
    const bool difference = other.view.mode == CompareMode::kDifference;
    if (!difference) both_->distances = ExtentFollower{};
    const FrameExtent extent_b = difference ? both_->distances.follow(frame.other->extent, 1.0 / fps_) : extent;
    const ScalarRange distances = distance_range(extent_b);
    renderer_.record_trails(bodies, settings),
        both_->b.record_trails(other.bodies, settings);  // also of the one that is hidden
    const auto with = [](Renderer& renderer, std::optional<RenderTarget>& pane, const SharedBuffer& shown,
                         const FrameExtent& of) {
        return [&](int width, int height, const OrbitCamera& eye, const ViewSettings& view) {
            if (!pane || pane->width() != width || pane->height() != height) pane.emplace(width, height);
            renderer.resize(width, height);
            renderer.draw(shown, of, eye, view, *pane);
            return pane->framebuffer();
        };
    };
    draw_compared({.target = target_.framebuffer(),
                   .width = target_.width(),
                   .height = target_.height(),
                   .left = 0,
                   .camera = camera,
                   .settings = settings,
                   .view = other.view,
                   .distances = distances},
                  with(renderer_, both_->pane_a, bodies, extent),
                  with(both_->b, both_->pane_b, other.bodies, extent_b));
    legend_.draw({.frame = frame,
                  .extent = extent,
                  .places = named_places(other.view.show_b || difference ? other.bodies : bodies, frame, settings),
                  .camera = camera,
                  .view = settings,
                  .seen = other.view,
                  .distances = distances,
                  .a = named("A", frame.computed, other.time_a),
                  .b = named("B", frame.other->computed, other.time_b),
                  .words = legend_wanted_},
                 target_.framebuffer(), target_.width(), target_.height());
}

}  // namespace orrery
