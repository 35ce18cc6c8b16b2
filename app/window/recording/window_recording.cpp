// SPDX-License-Identifier: MIT
#include "app/window/recording/window_recording.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "app/record/recorders.hpp"
#include "app/render/color_modes.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

/// The path if the user has named none: a video if possible, otherwise images.
std::string default_path() {
    for (const RecorderEntry& entry : recorders()) {
        if (!entry.why_not().empty()) continue;
        for (const std::string_view suffix : {".mp4", ".webm", "-%05d.png"})
            if (entry.accepts(std::string{"orrery"} + std::string{suffix})) return name_by_time(suffix);
    }
    return name_by_time(".mp4");  // will be refused with the reason
}

/// "film.mp4" to "film.session.toml"; for a folder or a pattern, a file beside it.
std::filesystem::path session_path(std::filesystem::path film) {
    if (!film.has_filename()) film = film.parent_path();  // "frames/"
    if (std::filesystem::is_directory(film)) return film.string() + ".session.toml";
    std::string stem = film.stem().string();
    stem.resize(std::min(stem.find('%'), stem.size()));
    return film.parent_path() / ((stem.empty() ? "frames" : stem) + ".session.toml");
}

}  // namespace

std::string name_by_time(std::string_view suffix) {
    const std::string stem = fmt::format("orrery-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
    std::string name = stem + std::string{suffix};
    for (int i = 2; std::filesystem::exists(name); ++i) name = fmt::format("{}-{}{}", stem, i, suffix);
    return name;
}

/// Avoids existing files: another person's scene file may name a path, and a key starts the recording.
std::filesystem::path WindowRecording::free_name(const std::filesystem::path& wanted, bool session) const {
    const auto taken = [&](const std::filesystem::path& path) {
        if (own_.contains(path)) return false;
        return holds_something(path) || (session && std::filesystem::exists(session_path(path)));
    };
    std::filesystem::path path = wanted;
    for (int i = 2; taken(path); ++i) path = with_counter(wanted, i);
    return path;
}

void WindowRecording::start(const RecordSettings& settings, const GlInfo& gl, int width, int height) {
    RecorderConfig config;
    config.path =
        settings.path.empty() ? default_path() : free_name(expand_home(settings.path), settings.session).string();
    const bool own_size = settings.width > 0 && settings.height > 0 && !settings.ui;
    config.width = std::max(2, (own_size ? settings.width : width) & ~1);
    config.height = std::max(2, (own_size ? settings.height : height) & ~1);
    config.fps = settings.fps;
    config = fitted(config);
    config.quality = settings.quality;
    config.bits = settings.bits;
    if (settings.ui && (settings.bits != 8 || recorder_for(config.path).light))
        usage_error(config.path.string() + ": the window with its panels has 8 bits per channel and no light");
    const auto planned = static_cast<std::uint64_t>(std::llround(settings.duration * config.fps));
    require_space(config, planned);
    if (settings.ui)
        window_pictures_ = std::make_unique<Readback>(gl, 1);
    else
        maker_ =
            std::make_unique<PictureMaker>(gl,
                                           PictureSize{config.width, config.height, settings.supersampling,
                                                       settings.lens, settings.bits, recorder_for(config.path).light},
                                           config.fps, settings.legend);
    auto recorder = make_recorder(config);
    own_.insert(config.path);
    state_ = {.active = true,
              .path = config.path.string(),
              .description = recorder->description(),
              .width = config.width,
              .height = config.height,
              .fps = config.fps,
              .planned = planned};
    encoder_ = std::make_unique<BackgroundRecorder>(std::move(recorder), encoding_limits(config));
    ending_ = false;
    with_ui_ = settings.ui;
    times_ = {};
    start_ = Clock::now();
    due_ = still_due_ = clock_.now();
    period_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / config.fps));
}

void WindowRecording::note_session(const SceneFile& start) {
    session_ = std::make_unique<SessionWriter>(session_path(state_.path), start);
    state_.session = session_->path().string();
    noted_pose_.reset();
    noted_view_ = start.view;
    noted_seen_.reset();
}

namespace {

/// The frame may be older than a request for cells or other colours.
ViewSettings seen_in(const Frame& frame, ViewSettings view) {
    view.octree.on &= frame.cells != nullptr;
    view.color_mode = color_mode(frame.extent.color_by).id;
    return view;
}

/// It may also be older than a request for distances.
CompareView seen_in(const Frame& frame, CompareView view) {
    if ((view.mode == CompareMode::kDifference) != frame.other->distances)
        view.mode = frame.other->distances ? CompareMode::kDifference : CompareMode::kSplit;
    view.plots = CompareView{}.plots;  // plots belong to the window
    return view;
}

}  // namespace

void WindowRecording::add(const SharedBuffer& bodies, const Frame& frame, const CameraPose& pose,
                          const ViewSettings& view, const OtherBodies* other) {
    if (!frame.other) other = nullptr;
    const ViewSettings seen = seen_in(frame, view);
    std::optional<OtherBodies> both;
    if (other) both.emplace(OtherBodies{other->bodies, seen_in(frame, other->view), other->time_a, other->time_b});
    const bool other_view = both && noted_seen_ != both->view;
    if (session_ && (noted_pose_ != pose || noted_view_ != seen || other_view)) {
        SessionEvent event{.picture = state_.frames, .step = frame.step};
        if (noted_pose_ != pose) event.pose = noted_pose_ = pose;
        if (noted_view_ != seen) event.view = noted_view_ = seen;
        if (other_view) event.seen = noted_seen_ = both->view;
        session_->add(event);
    }
    {
        const StageClock clock{times_.draw};
        maker_->draw(bodies, frame, pose, seen, both ? &*both : nullptr);
    }
    added(frame);
}

void WindowRecording::show_halos(const ShownHalos& halos, bool compared) {
    if (!maker_) return;
    const PictureSize& size = maker_->size();
    const bool can = !session_ && !compared && size.lens == Lens::kFlat && size.bits != 10;
    maker_->show_halos(can ? halos : ShownHalos{});
}

void WindowRecording::add_window(const Frame& frame, GLuint screen) {
    {
        const StageClock clock{times_.draw};
        if (!window_copy_) window_copy_.emplace(state_.width, state_.height);
        copy_window(screen, *window_copy_);
        window_pictures_->begin(*window_copy_);
    }
    added(frame);
}

Readback* WindowRecording::readback() { return maker_ ? &maker_->readback() : window_pictures_.get(); }

bool WindowRecording::room() const {
    if (!encoder_) return true;
    const Readback* pictures = maker_ ? &maker_->readback() : window_pictures_.get();
    return encoder_->room() && (!pictures || pictures->in_flight() < Readback::kMost);
}

/// The name of an incomplete video.
std::filesystem::path WindowRecording::partial_file() const {
    const std::filesystem::path path = state_.path;
    return path.parent_path() / (path.stem().string() + ".partial" + path.extension().string());
}

/// Reads the size of the file twice per second of video.
void WindowRecording::measure_file() {
    if (state_.frames % static_cast<std::uint64_t>(std::max(1, state_.fps / 2)) != 0) return;
    std::error_code problem;
    const std::uintmax_t bytes = std::filesystem::file_size(partial_file(), problem);
    if (!problem) state_.bytes = bytes;
}

/// Passes on all frames that have arrived; after the end of a recording also the others, as they arrive.
void WindowRecording::hand_over() {
    Readback* pictures = readback();
    if (!pictures) return;
    while (encoder_->room() && pictures->ready()) encoder_->add(pictures->take());
    state_.times = times_;
    state_.times.copy = pictures->copy_seconds();
    if (pictures->way() == ReadbackWay::kTexture) state_.times.draw -= state_.times.copy;  // which is spent waiting
    state_.times.frame = std::chrono::duration<double>(Clock::now() - start_).count();
    state_.times.encode = encoder_->encode_seconds();
    state_.times = state_.times.over(state_.frames);
    if (!ending_ || pictures->in_flight() > 0) return;
    maker_.reset(), window_pictures_.reset(), window_copy_.reset();
    encoder_->finish();
}

void WindowRecording::added(const Frame& frame) {
    constexpr std::chrono::seconds kBacklog{1};  // longer delays are not made up for
    due_ = std::max(due_ + period_, clock_.now() - kBacklog);
    ++state_.frames;
    last_step_ = frame.step;
    hand_over();
    measure_file();
    const std::chrono::duration<double> took = Clock::now() - start_;
    state_.seconds_left = state_.planned > state_.frames ? took.count() / static_cast<double>(state_.frames) *
                                                               static_cast<double>(state_.planned - state_.frames)
                                                         : 0;
}

bool WindowRecording::still_due() {
    const auto now = clock_.now();
    if (!active() || now < still_due_) return false;
    still_due_ = std::max(still_due_ + period_, now - period_);  // while paused, delays are not made up for
    return true;
}

void WindowRecording::note(const ComputedAction& action) {
    if (!session_ || state_.frames == 0) return;
    session_->add({.picture = state_.frames - 1, .step = last_step_, .actions = {action}});
}

void WindowRecording::stop() {
    if (!active()) return;
    if (session_) session_->add({.picture = state_.frames, .step = last_step_, .end = true});
    session_.reset();
    ending_ = state_.ending = true;
    hand_over();
}

void WindowRecording::cancel() {
    const std::filesystem::path partial = partial_file();
    abandon();
    std::error_code ignored;
    if (!state_.session.empty()) std::filesystem::remove(state_.session, ignored);
    std::filesystem::remove(partial, ignored);
}

void WindowRecording::abandon() {
    encoder_.reset();
    maker_.reset(), window_pictures_.reset(), window_copy_.reset();
    session_.reset();
    ending_ = false;
    state_.active = state_.ending = false;
}

void WindowRecording::wait() {
    if (!encoder_) return;
    for (; ending_ && readback(); hand_over()) encoder_->drain();
    encoder_->wait();
}

bool WindowRecording::poll() {
    if (!encoder_) return false;
    if (!encoder_->done()) hand_over();
    if (!encoder_->done()) return false;
    try {
        encoder_->rethrow();
    } catch (...) {
        abandon();
        throw;
    }
    abandon();
    return true;
}

}  // namespace orrery
