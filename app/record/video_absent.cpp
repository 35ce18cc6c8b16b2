// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/record/video.hpp"
#include "core/base/error.hpp"

namespace orrery {

std::string why_no_video(std::string_view) { return "this build has no libav (libavformat, libavcodec, libswscale)"; }

std::unique_ptr<Recorder> make_video_recorder(const RecorderConfig& config, std::string_view container) {
    environment_error(fmt::format("{}: {}", config.path.string(), why_no_video(container)));
}

std::vector<VideoEncoder> list_video_encoders() { return {}; }

}  // namespace orrery
