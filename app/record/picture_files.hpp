// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/record/recorders.hpp"
#include "app/render/image.hpp"

namespace orrery {

/// The bytes of an RGB PNG (level 1, filter SUB: slightly slower than uncompressed, a third of the size for starry
/// skies), with 16 bits if the image has them. The same image gives the same bytes. `path` is for messages. Throws
/// Error{kEnvironment}.
std::vector<std::byte> png_bytes(const std::filesystem::path& path, const Image& image);

/// Decodes a PNG. `name` is for messages. Throws Error{kEnvironment} if `bytes` are not a valid PNG.
Image decoded_png(std::string_view name, std::string_view bytes);

/// Writes the PNG to a file that appears when it is complete. Throws Error{kEnvironment} with the path.
void write_png(const std::filesystem::path& path, const Image& image);

/// Why this build cannot write OpenEXR; empty if it can.
std::string why_no_exr();
/// An OpenEXR file of floats (ZIP, lossless) with the channels R, G and B (linear, 1 is drawn white), `light` and Z of
/// Image::deep, and forward.u and forward.v of its motion. The attribute `bodyMass` is the mass of one unit of light,
/// if known. `path` is for messages. Throws Error{kEnvironment}.
std::vector<std::byte> exr_bytes(const std::filesystem::path& path, const Image& image);

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
