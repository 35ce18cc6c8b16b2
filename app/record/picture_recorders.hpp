// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/recorder.hpp"

namespace orrery {

/// A format of single pictures.
struct PictureFormat {
    std::string_view name, extension;  ///< "PNG", ".png"
    std::vector<std::byte> (*bytes)(const std::filesystem::path& path, const Image& image);
};

/// Writes a single picture, NAME.EXTENSION.
std::unique_ptr<Recorder> make_picture_recorder(const RecorderConfig& config, const PictureFormat& format);
/// Writes a folder (created if missing; frame_00000.png and so on) or a pattern NAME_%05d.png. Counts from 0.
std::unique_ptr<Recorder> make_sequence_recorder(const RecorderConfig& config, const PictureFormat& format);

/// Prints a note on standard error. The separate video library calls this function in the main program.
void note_of_recording(const std::string& what);

/// Throws Error{kUsage} if the image size differs from the configuration.
void check_size(const RecorderConfig& config, const Image& image);

}  // namespace orrery
