// SPDX-License-Identifier: MIT
#include "app/window/window_recording.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "app/record/recorders.hpp"

namespace orrery {
namespace {

/// For a person who named no file: video where it works, else pictures.
std::string default_path() {
    for (const RecorderEntry& entry : recorders()) {
        if (!entry.why_not().empty()) continue;
        for (const std::string_view suffix : {".mp4", ".webm", "-%05d.png"})
            if (entry.accepts(std::string{"orrery"} + std::string{suffix})) return name_by_time(suffix);
    }
    return name_by_time(".mp4");  // refused with its reason
}

}  // namespace

std::string name_by_time(std::string_view suffix) {
    const std::string stem = fmt::format("orrery-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
    std::string name = stem + std::string{suffix};
    for (int i = 2; std::filesystem::exists(name); ++i) name = fmt::format("{}-{}{}", stem, i, suffix);
    return name;
}

void WindowRecording::start(const RecordSettings& settings, int width, int height) {
    RecorderConfig config;
    config.path = settings.path.empty() ? default_path() : settings.path;
    config.width = std::max(2, width & ~1);
    config.height = std::max(2, height & ~1);
    config.fps = settings.fps;
    recorder_ = make_recorder(config);
    state_ = {true, config.path.string(), recorder_->description(), 0, config.width, config.height};
}

void WindowRecording::add(const Image& image) {
    try {
        recorder_->add(image);
        ++state_.frames;
    } catch (...) {
        recorder_.reset();
        state_.active = false;
        throw;
    }
}

void WindowRecording::stop() {
    const std::unique_ptr<Recorder> recorder = std::move(recorder_);
    state_.active = false;
    if (recorder) recorder->finish();
}

}  // namespace orrery
