// SPDX-License-Identifier: MIT
#include "app/record/picture_legend.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/picture/compare_colors.hpp"
#include "app/picture/legend.hpp"
#include "app/record/compare_layout.hpp"

namespace orrery {
namespace {

constexpr float kLeast = 11;         // pixels: smaller text is illegible
constexpr float kShare = 1 / 45.0f;  // of the frame's height

float text_height_for(int height, int supersampling) {
    return std::round(std::max(kLeast, kShare * static_cast<float>(height))) * static_cast<float>(supersampling);
}

}  // namespace

PictureLegend::PictureLegend(int height, int supersampling)
    : text_height_{text_height_for(height, supersampling)}, pass_{std::make_unique<DrawListPass>(text_height_)} {}

/// Adds the characters of body names that the pass lacks.
void PictureLegend::take_names(const Frame& frame) {
    if (frame.words == words_) return;
    words_ = frame.words;
    Glyphs extra = words_ ? extra_glyphs(words_->names) : Glyphs{};
    if (extra == extra_) return;
    extra_ = std::move(extra);
    pass_ = std::make_unique<DrawListPass>(text_height_, extra_);
}

void PictureLegend::draw(const Frame& frame, const FrameExtent& extent, std::span<const Vec4f> places,
                         const OrbitCamera& camera, const ViewSettings& view, GLuint target, int width, int height) {
    take_names(frame);
    static const BodyMetadata kNone;
    const Legend legend = make_legend({.view = view,
                                       .extent = extent,
                                       .words = frame.words ? *frame.words : kNone,
                                       .time = frame.time,
                                       .scale_factor = frame.scale_factor,
                                       .colored = frame.no_color.empty(),
                                       .places = places,
                                       .camera = camera,
                                       .width = static_cast<double>(width),
                                       .height = static_cast<double>(height),
                                       .longest_scale = 11.0 * text_height_});
    const auto right = static_cast<float>(width) - text_height_, bottom = static_cast<float>(height) - text_height_;
    draw_legend(pass_->begin(), pass_->font(), text_height_, legend,
                {.left = text_height_, .right = right, .bottom = bottom, .above_right = 0});
    pass_->draw(target, width, height);
}

/// A name on a shaded box at the upper edge, between left and right; shrunk if there is not enough room.
void PictureLegend::name(ImDrawList& draw, const std::string& words, unsigned ink, float left, float right,
                         bool at_right) {
    const float gap = text_height_ / 2, room = std::max(right - left - 2 * gap, 1.0f);
    const float wide = pass_->font()->CalcTextSizeA(text_height_, 1e9f, 0, words.c_str()).x;
    const float size = text_height_ * std::min(1.0f, room / wide), width = wide * size / text_height_;
    const ImVec2 at{at_right ? right - gap - width : left + gap, gap};
    draw.AddRectFilled({at.x - gap / 2, at.y - gap / 3}, {at.x + width + gap / 2, at.y + size + gap / 3},
                       IM_COL32(0, 0, 0, 150));
    draw.AddText(pass_->font(), size, at, ink, words.c_str());
}

void PictureLegend::draw(const Compared& c, GLuint target, int width, int height) {
    const auto right = static_cast<float>(width), bottom = static_cast<float>(height);
    const CompareMode mode = c.seen.mode;
    const ComparePanes panes = compare_panes(c.seen, width, 0);
    const auto divider = static_cast<float>(panes.divider);
    take_names(c.frame);
    ImDrawList& draw = pass_->begin();
    if (c.words) {
        static const BodyMetadata kNone;
        const BodyMetadata& words = c.frame.words ? *c.frame.words : kNone;
        const bool split = mode == CompareMode::kSplit;
        const OrbitCamera camera = split ? pane_camera(c.camera, panes.divider, height) : c.camera;
        Legend legend = make_legend({.view = c.view,
                                     .extent = c.extent,
                                     .words = words,
                                     .time = c.frame.time,
                                     .scale_factor = c.frame.scale_factor,
                                     .colored = c.frame.no_color.empty(),
                                     .places = c.places,
                                     .camera = camera,
                                     .width = static_cast<double>(split ? panes.divider : width),
                                     .height = static_cast<double>(height),
                                     .longest_scale = 11.0 * text_height_});
        if (split) legend.labels.clear();  // they would overlap the other half
        if (mode == CompareMode::kDifference && legend.colors) legend.colors = distance_bar(c.view, c.distances, words);
        draw_legend(
            draw, pass_->font(), text_height_, legend,
            {.left = text_height_, .right = right - text_height_, .bottom = bottom - text_height_, .above_right = 0});
    }
    if (mode == CompareMode::kSplit || mode == CompareMode::kWipe) {
        draw.AddLine({divider, 0}, {divider, bottom}, IM_COL32(255, 255, 255, 110), std::max(1.0f, text_height_ / 12));
        name(draw, c.a, kColorOfA, 0, divider, true);
        name(draw, c.b, kColorOfB, divider, right, false);
    } else {
        const bool difference = mode == CompareMode::kDifference, b = difference || c.seen.show_b;
        name(draw, b ? c.b : c.a, b ? kColorOfB : kColorOfA, 0, difference ? right / 2 : right, false);
        if (difference) name(draw, c.a, kColorOfA, right / 2, right, true);
    }
    pass_->draw(target, width, height);
}

}  // namespace orrery
