// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/hwcontext.h>
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
    AVPixelFormat format = AV_PIX_FMT_YUV420P;  ///< of pictures as they come from the host
    bool gpu = false;                           ///< a GPU's own encoder: opens where there is such a GPU
    /// Where the encoder reads pictures from memory of a device: which. They are uploaded.
    AVHWDeviceType device = AV_HWDEVICE_TYPE_NONE;
};

/// Best first for each container: a GPU's where one opens, since it leaves the cores to other work.
std::span<const EncoderEntry> encoder_menu();

}  // namespace orrery
