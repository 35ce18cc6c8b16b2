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
    /// Applies the quality setting; called before it is opened.
    void (*configure)(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config);
    AVPixelFormat format = AV_PIX_FMT_YUV420P;  ///< pixel format of frames from the host
    bool gpu = false;                           ///< a hardware encoder: opens if there is such a GPU
    /// The device from whose memory the encoder reads frames, if any. They are uploaded.
    AVHWDeviceType device = AV_HWDEVICE_TYPE_NONE;
    bool hdr = false;  ///< takes 10 bits, for HDR10; the others take 8
};

/// The screen for which HDR10 videos are made: primaries of sRGB, as our colours have; 0.005 to 1000 cd/m².
struct HdrScreen {
    static constexpr int kBrightest = 1000;  ///< cd/m², of any pixel; finish.glsl
    static constexpr double kDarkest = 0.005;
    static constexpr double kRed[2] = {0.64, 0.33}, kGreen[2] = {0.3, 0.6}, kBlue[2] = {0.15, 0.06},
                            kWhite[2] = {0.3127, 0.329};
};

/// Best first for each container: hardware encoders first, because they leave the cores free.
std::span<const EncoderEntry> encoder_menu();

}  // namespace orrery
