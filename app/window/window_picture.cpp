// SPDX-License-Identifier: MIT
#include "app/window/window_picture.hpp"

#include "app/picture/compare_view.hpp"
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

void ComparePicture::upload(const Frame* b) {
    if (!b) return b_.reset();
    if (!b_) b_.emplace(gl_), drawn_.reset();
    b_->upload(*b);
}

ScalarRange ComparePicture::distances() const { return b_ ? distance_range(b_->extent()) : ScalarRange{}; }

void ComparePicture::draw(SceneView& a, int width, int height, int left, const OrbitCamera& camera,
                          const ViewSettings& settings, const CompareView& view, Pace pace) {
    if (!target_ || target_->width() != width || target_->height() != height)
        target_.emplace(width, height), drawn_.reset();
    const bool beside = view.mode == CompareMode::kSplit || view.mode == CompareMode::kWipe;
    b_->expose_like(beside ? &a : nullptr);
    const auto with = [pace](SceneView& shown) {
        return [&shown, pace](int wide, int high, const OrbitCamera& eye, const ViewSettings& chosen) {
            shown.draw(wide, high, eye, chosen, pace);
            return shown.framebuffer();
        };
    };
    draw_compared({.target = target_->framebuffer(),
                   .width = width,
                   .height = height,
                   .left = left,
                   .camera = camera,
                   .settings = settings,
                   .view = view,
                   .distances = distances()},
                  with(a), with(*b_));
    const Drawn now{a.pictures(), b_->pictures(), left, view};
    if (drawn_ == now) return;
    drawn_ = now;
    ++pictures_;
}

void ComparePicture::show(GLuint screen) const {
    const int width = target_->width(), height = target_->height();
    glBlitNamedFramebuffer(target_->framebuffer(), screen, 0, 0, width, height, 0, 0, width, height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, screen);
}

namespace {

constexpr int kRest = 2;  // least pause before the next picture of moving bodies, as a multiple of the drawing time

}  // namespace

void WindowPicture::upload(const Frame& frame) {
    view_.upload(frame);
    both_.upload(frame.other.get());
}

void WindowPicture::draw(Pace pace) {
    const UiState& state = core_.state;
    if (state.picture.width < 1 || state.picture.height < 1) return;  // minimised
    began_ = std::chrono::steady_clock::now();
    const OrbitCamera camera = core_.shown_camera();
    if (comparing()) {
        const auto left = static_cast<int>(core_.covered.left);
        both_.draw(view_, state.picture.width, state.picture.height, left, camera, state.view, state.comparison.view,
                   pace);
        if (!composed_) both_.show(screen());
        return;
    }
    view_.draw(state.picture.width, state.picture.height, camera, state.view, pace);
    if (!composed_) view_.show(screen());
}

bool WindowPicture::compose(bool all, bool needed, const ImDrawData& panels) {
    const Shown now = shown_now();
    another_ = now != composed_of_;
    composed_of_ = now;
    return composed_->draw(comparing() ? both_.framebuffer() : view_.framebuffer(), core_.state.picture.width,
                           core_.state.picture.height, all || another_, needed, panels);
}

/// A frame with a new picture is drawn completely. Frames in between cost little, so panels stay smooth, and the
/// simulation, which shares the cores, gets most of the time.
void WindowPicture::shown() {
    if (!std::exchange(another_, false)) return;
    const auto now = std::chrono::steady_clock::now(), then = now + kRest * (now - began_);
    view_.rest_until(then), both_.rest_until(then);
}

void WindowPicture::read(Image& into) {
    const UiState& state = core_.state;
    const OrbitCamera& camera = core_.camera.camera();
    if (!comparing()) {
        view_.draw(state.picture.width, state.picture.height, camera, state.view, Pace::kNow);
        return view_.read(into);
    }
    both_.draw(view_, state.picture.width, state.picture.height, 0, camera, state.view, state.comparison.view,
               Pace::kNow);
    both_.read(into);
}

void WindowPicture::read_window(int width, int height, Image& into) const {
    const RenderTarget copy{width, height};
    copy_window(screen(), copy);
    copy.read(into);
}

}  // namespace orrery
