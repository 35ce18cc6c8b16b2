// SPDX-License-Identifier: MIT
#pragma once
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/hwcontext.h>
}

#include <span>
#include <string>
#include <string_view>

#include "app/record/libav.hpp"
#include "app/record/recorder.hpp"

namespace orrery {

/// An encoder that may exist in the installed libav.
struct EncoderEntry {
    std::string_view container;  ///< recorder id
    const char* name;            ///< in libav
    /// Applies the quality setting, before the encoder is opened.
    void (*configure)(AVCodecContext& codec, AVDictionary*& options, const RecorderConfig& config);
    AVPixelFormat format = AV_PIX_FMT_YUV420P;  ///< pixel format of frames from the host
    bool gpu = false;                           ///< a hardware encoder: opens only with a suitable GPU
    /// The device whose memory the encoder reads frames from, if any; frames are uploaded to it.
    AVHWDeviceType device = AV_HWDEVICE_TYPE_NONE;
    bool hdr = false;  ///< 10 bits, for HDR10; otherwise 8
};

/// The reference screen of HDR10 videos: primaries of sRGB, as our colours have; 0.005 to 1000 cd/m².
struct HdrScreen {
    static constexpr int kBrightest = 1000;  ///< cd/m², maximum of any pixel; finish.glsl
    static constexpr double kDarkest = 0.005;
    static constexpr double kRed[2] = {0.64, 0.33}, kGreen[2] = {0.3, 0.6}, kBlue[2] = {0.15, 0.06},
                            kWhite[2] = {0.3127, 0.329};
};

/// Ordered by preference within each container: hardware encoders first, because they leave the CPU cores free.
std::span<const EncoderEntry> encoder_menu();

/// An opened encoder.
struct OpenEncoder {
    const EncoderEntry* entry = nullptr;
    LibavOwned<AVCodecContext> codec;
};

/// Width or height that an encoder of this format needs for frames of this size: 4:2:0 halves the chroma in both
/// directions, so a frame of odd size repeats its last column or row.
int encoded_size(AVPixelFormat format, int size);

/// Opens the first encoder of `container` that works, or config.encoder if it is given. `global_header` as required by
/// the container's muxer. Throws Error{kEnvironment} with the message of each encoder, and Error{kUsage} for a name
/// that is not in the menu.
OpenEncoder open_encoder(std::string_view container, const RecorderConfig& config, bool global_header);

/// The reason why this encoder does not exist or, for a hardware encoder, does not open, in one line; empty if it
/// works.
std::string why_not(const EncoderEntry& entry);

/// Copies a frame to the memory of the encoder's device, with its time stamp. Does not throw: returns null and sets
/// `status` on failure.
LibavOwned<AVFrame> uploaded(const AVCodecContext& codec, const AVFrame& picture, int& status);

}  // namespace orrery
