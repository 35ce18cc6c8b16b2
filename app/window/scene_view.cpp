// SPDX-License-Identifier: MIT
#include "app/window/scene_view.hpp"

#include "app/window/hand/pick.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kSlow{5};  // slower pictures may take at most half of the time

}  // namespace

void SceneView::upload(const Frame& frame) {
    bodies_.upload(frame);
    renderer_.note_passed(frame);
    renderer_.show_cells(frame.cells);
    extent_ = frame.extent;
    no_color_ = frame.no_color;
    words_ = frame.words;
    time_ = frame.time, scale_factor_ = frame.scale_factor, expansion_ = frame.expansion;
    stale_ = true;
}

void SceneView::draw(int width, int height, const OrbitCamera& camera, const ViewSettings& settings, Pace pace) {
    const bool resized = !target_ || target_->width() != width || target_->height() != height;
    const bool changed =
        resized || !(camera.pose() == drawn_pose_) || camera.shift() != drawn_shift_ || !(settings == drawn_settings_);
    stale_ |= settings.mode == DrawMode::kSmoothed && drawn().widths_came();
    if (!changed && !stale_) return;
    const auto start = Clock::now();
    if (!changed && pace == Pace::kAffordable && start < next_affordable_) return;
    if (resized) target_.emplace(width, height);
    renderer_.resize(width, height);
    renderer_.draw(bodies_, extent_, camera, settings, *target_);
    stale_ = false;
    ++pictures_;
    drawn_pose_ = camera.pose(), drawn_shift_ = camera.shift();
    drawn_settings_ = settings;
    if (!software_) return;
    glFinish();  // measures drawing by the CPU; the window would wait for it a little later anyway
    const auto end = Clock::now();
    next_affordable_ = end - start > kSlow ? end + (end - start) : end;
}

Periodic SceneView::space_in(const ViewSettings& settings) const {
    return periodic_of(settings, words_ ? words_->box : 0);
}

std::vector<Vec4f> SceneView::read_bodies() const { return bodies_.read(bodies_.count()); }

BodySet SceneView::within(const OrbitCamera& camera, double width, double height, const Outline& line) const {
    const SharedBuffer& seen = drawn();
    // Software GL would compute on the same cores, and slower.
    const BodySet found = software_
                              ? bodies_within(seen.read(seen.count()), Projector{camera, width, height}, line, space())
                              : lasso_.within(seen, camera, width, height, line, space());
    if (!seen.rows()) return found;
    std::vector<std::uint32_t> of_frame = found.rows();
    for (std::uint32_t& body : of_frame) body = (*seen.rows())[body];
    return BodySet::of_rows(seen.bodies_of_frame(), of_frame);
}

Legend SceneView::legend(const OrbitCamera& camera, const ViewSettings& settings, int width, int height,
                         double longest_scale) const {
    static const BodyMetadata kNone;
    const BodyMetadata& words = words_ ? *words_ : kNone;
    const bool labels = settings.guides.labels && !words.names.empty();
    const std::vector<Vec4f> places = labels ? bodies_.read(kMostLabels) : std::vector<Vec4f>{};
    return make_legend({.view = settings,
                        .extent = extent_,
                        .words = words,
                        .time = time_,
                        .scale_factor = scale_factor_,
                        .expansion = expansion_,
                        .colored = no_color_.empty(),
                        .places = places,
                        .camera = camera,
                        .width = static_cast<double>(width),
                        .height = static_cast<double>(height),
                        .longest_scale = longest_scale});
}

void SceneView::show(GLuint screen) const {
    const int width = target_->width(), height = target_->height();
    glBlitNamedFramebuffer(target_->framebuffer(), screen, 0, 0, width, height, 0, 0, width, height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
}

}  // namespace orrery
