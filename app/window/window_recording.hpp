// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/record/recorder.hpp"
#include "app/ui/ui_state.hpp"

namespace orrery {

/// The record button's end of the recorders.
class WindowRecording {
public:
    /// Throws as make_recorder() does; then nothing has begun. Sizes in pixels; odd ones lose a row or column, since
    /// video wants even ones.
    void start(const RecordSettings& settings, int width, int height);
    /// Throws when the disk refuses; the recording is then over, and the message says what is left.
    void add(const Image& image);
    /// Completes the file. Throws when the disk refuses.
    void stop();

    bool active() const { return recorder_ != nullptr; }
    const RecordingState& state() const { return state_; }  ///< of the one under way, else of the last

private:
    std::unique_ptr<Recorder> recorder_;
    RecordingState state_;
};

/// "orrery-20240131-235959" with this in between; never the name of something that exists.
std::string name_by_time(std::string_view suffix);

}  // namespace orrery
