// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavcodec/avcodec.h>
}

#include <span>
#include <string_view>

#include "app/record/recorder.hpp"

namespace orrery {

/// An encoder that may exist in the installed libav.
struct EncoderEntry {
    std::string_view container;  ///< recorder id
    const char* name;            ///< libav's
    /// Sets what quality means to it; called before it is opened.
    void (*configure)(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config);
    AVPixelFormat format = AV_PIX_FMT_YUV420P;
};

/// Best first for each container.
std::span<const EncoderEntry> encoder_menu();

}  // namespace orrery
