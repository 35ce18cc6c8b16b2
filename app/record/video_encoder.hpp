// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include "app/record/encoder_menu.hpp"
#include "app/record/libav.hpp"

namespace orrery {

/// An encoder that is open.
struct OpenEncoder {
    const EncoderEntry* entry = nullptr;
    LibavOwned<AVCodecContext> codec;
};

/// Width and height that an encoder of this format needs for pictures of this size: 4:2:0 halves the colour in both
/// directions, so a picture of odd size repeats its last column or row.
int encoded_size(AVPixelFormat format, int size);

/// The first encoder of `container` that opens: config.encoder alone, if that is named. `global_header` as required by
/// the container's muxer. Throws Error{kEnvironment} with the message of each one, and Error{kUsage} for a name that is
/// not in the menu.
OpenEncoder open_encoder(std::string_view container, const RecorderConfig& config, bool global_header);

/// Empty if this encoder exists and, for a hardware encoder, opens; otherwise the reason, one line.
std::string why_not(const EncoderEntry& entry);

/// A frame in memory of the encoder's device, with the same time. Does not throw: null and `status` on failure.
LibavOwned<AVFrame> uploaded(const AVCodecContext& codec, const AVFrame& picture, int& status);

}  // namespace orrery
