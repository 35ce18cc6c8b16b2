// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include "app/record/encoder_menu.hpp"
#include "app/record/libav.hpp"

namespace orrery {

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
