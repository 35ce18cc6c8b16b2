// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include "app/record/recorders.hpp"

namespace orrery {

/// libav compiled in (video_libav.cpp) or not (video_absent.cpp). `container` is "mp4", "webm", "gif" or "apng".
std::string why_no_video(std::string_view container);
std::unique_ptr<Recorder> make_video_recorder(const RecorderConfig& config, std::string_view container);

}  // namespace orrery
