// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "app/record/recorder.hpp"

namespace orrery {

/// NAME.png: takes one picture.
std::unique_ptr<Recorder> make_png_recorder(const RecorderConfig& config);
/// A folder (created if missing; frame_00000.png and so on) or a pattern NAME_%05d.png. Counts from 0.
std::unique_ptr<Recorder> make_png_sequence_recorder(const RecorderConfig& config);

/// Throws Error{kUsage} if the image size differs from the configuration.
void check_size(const RecorderConfig& config, const Image& image);

}  // namespace orrery
