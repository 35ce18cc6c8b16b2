// SPDX-License-Identifier: MIT
#include "app/record/video.hpp"

namespace orrery {

const VideoLibrary* video_library() { return nullptr; }
std::string why_no_video_library() { return "this build has no libav (libavformat, libavcodec, libswscale)"; }

}  // namespace orrery
