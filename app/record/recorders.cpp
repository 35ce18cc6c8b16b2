// SPDX-License-Identifier: MIT
#include "app/record/recorders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/record/picture_files.hpp"
#include "app/record/video.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

constexpr PictureFormat kPng{"PNG", ".png", png_bytes}, kExr{"OpenEXR", ".exr", exr_bytes};

template <const PictureFormat& Format>
bool is_picture(const std::filesystem::path& path) {
    return extension_of(path) == Format.extension && !is_pattern(path);
}
template <const PictureFormat& Format>
std::unique_ptr<Recorder> make_picture(const RecorderConfig& config) {
    return make_picture_recorder(config, Format);
}
template <const PictureFormat& Format>
std::unique_ptr<Recorder> make_sequence(const RecorderConfig& config) {
    return make_sequence_recorder(config, Format);
}

bool is_exr_sequence(const std::filesystem::path& path) {
    return extension_of(path) == kExr.extension && is_pattern(path);
}

bool is_png_sequence(const std::filesystem::path& path) {
    if (extension_of(path) == ".png") return is_pattern(path);
    std::error_code ignored;
    if (path.empty() || std::filesystem::is_directory(path, ignored)) return !path.empty();
    return !path.has_extension() && !std::filesystem::exists(path, ignored);  // will be created
}

constexpr std::string_view kMp4 = "mp4", kWebm = "webm", kGif = "gif", kApng = "apng";

template <const std::string_view& Container>
bool is_video(const std::filesystem::path& path) {
    return extension_of(path) == fmt::format(".{}", Container);
}
template <const std::string_view& Container>
std::string why_no_video() {
    const VideoLibrary* library = video_library();
    return library ? library->why_not(Container) : why_no_video_library();
}
template <const std::string_view& Container>
std::unique_ptr<Recorder> make_video_recorder(const RecorderConfig& config) {
    return video_library()->make(config, Container);
}

/// Bytes per pixel of a frame; for videos, at quality 80.
double bytes_per_pixel(const RecorderConfig& config) {
    const std::string_view id = recorder_for(config.path).id;
    if (id == "gif") return 0.3;
    if (id.starts_with("exr")) return 12;
    if (config.bits == 16) return 5;
    if (id == "png" || id == "png-sequence" || id == "apng") return 0.8;
    return 0.03 * std::pow(2.0, (config.quality - 80) / 15.0);
}

/// Free bytes where this path will be written; empty if unknown.
std::optional<std::uint64_t> free_bytes(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::absolute(path, error);
    while (!folder.empty() && !std::filesystem::is_directory(folder, error) && folder != folder.root_path())
        folder = folder.parent_path();  // not created yet
    const auto space = std::filesystem::space(folder, error);
    if (error) return std::nullopt;
    return space.available;
}

}  // namespace

std::span<const RecorderEntry> recorders() {
    static constexpr auto always = [] { return std::string{}; };
    static constexpr auto menu = std::to_array<RecorderEntry>({
        {kMp4, "MP4 video", "plays everywhere, even if the recording is interrupted", "NAME.mp4", is_video<kMp4>,
         why_no_video<kMp4>, make_video_recorder<kMp4>},
        {kWebm, "WebM video", "royalty-free; smaller files, slower to encode", "NAME.webm", is_video<kWebm>,
         why_no_video<kWebm>, make_video_recorder<kWebm>},
        {kGif, "GIF", "animated in any web page; 256 colours per frame, large files; at most 50 frames per second",
         "NAME.gif", is_video<kGif>, why_no_video<kGif>, make_video_recorder<kGif>},
        {kApng, "Animated PNG", "animated in browsers; lossless, large files", "NAME.apng", is_video<kApng>,
         why_no_video<kApng>, make_video_recorder<kApng>},
        {"png", "PNG picture", "one picture, exact", "NAME.png", is_picture<kPng>, always, make_picture<kPng>, true},
        {"png-sequence", "PNG sequence", "one numbered file per frame, lossless; byte-identical on every run",
         "FOLDER, NAME_%05d.png", is_png_sequence, always, make_sequence<kPng>},
        {"exr", "OpenEXR picture", "one picture in floats: linear colours, light, and depth", "NAME.exr",
         is_picture<kExr>, why_no_exr, make_picture<kExr>, true, true},
        {"exr-sequence", "OpenEXR sequence", "one numbered file of floats per frame: linear colours, light, and depth",
         "NAME_%05d.exr", is_exr_sequence, why_no_exr, make_sequence<kExr>, false, true},
    });
    return menu;
}

const RecorderEntry& recorder_for(const std::filesystem::path& path) {
    std::string known;
    for (const RecorderEntry& entry : recorders()) {
        if (entry.accepts(path)) return entry;
        known += (known.empty() ? "" : ", ") + std::string{entry.names};
    }
    std::error_code ignored;
    if (!path.has_extension() && std::filesystem::exists(path, ignored))
        usage_error(fmt::format("'{}': exists and is not a folder; recorders write {}", path.string(), known));
    usage_error(fmt::format("'{}': no recorder writes this kind of file; recorders write {}", path.string(), known));
}

RecorderConfig fitted(RecorderConfig config) {
    constexpr int kGifFps = 50;  // GIF delays are in hundredths of a second, and players slow down delays below two
    const std::string_view id = recorder_for(config.path).id;
    if (id == kGif) config.fps = std::min(config.fps, kGifFps);
    if (id == kMp4 || id == kWebm) config.width += config.width % 2, config.height += config.height % 2;
    return config;
}

std::unique_ptr<Recorder> make_recorder(const RecorderConfig& config) {
    const RecorderEntry& entry = recorder_for(config.path);
    if (config.width < 1 || config.height < 1 || config.fps < 1 || config.quality < 1 || config.quality > 100) {
        usage_error(fmt::format("{}: cannot record {} x {} pixels at {} fps and quality {}", config.path.string(),
                                config.width, config.height, config.fps, config.quality));
    }
    if (config.bits == 16 && !entry.id.starts_with("png"))
        usage_error(fmt::format("{}: 16-bit colours need PNG pictures; .exr has floats", config.path.string()));
    if (config.bits == 10 && entry.id != kMp4 && entry.id != kWebm)
        usage_error(fmt::format("{}: 10-bit colours (HDR10) need an MP4 or WebM video", config.path.string()));
    if (const std::string why = entry.why_not(); !why.empty()) {
        environment_error(fmt::format("{}: {} cannot be written: {}", config.path.string(), entry.label, why));
    }
    return entry.make(config);
}

std::vector<VideoEncoder> list_video_encoders() {
    const VideoLibrary* library = video_library();
    return library ? library->encoders() : std::vector<VideoEncoder>{};
}

std::string extension_of(const std::filesystem::path& path) { return lower_case(path.extension().string()); }

std::filesystem::path with_counter(const std::filesystem::path& path, int counter) {
    if (!path.has_filename()) return fmt::format("{}-{}/", path.parent_path().string(), counter);
    const std::string name = path.filename().string();
    if (is_pattern(path)) {
        const std::size_t at = name.find('%');
        return path.parent_path() / fmt::format("{}-{}-{}", name.substr(0, at), counter, name.substr(at));
    }
    return path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), counter, path.extension().string());
}

bool holds_something(const std::filesystem::path& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) return !std::filesystem::is_empty(path, none);
    if (is_pattern(path))
        return std::filesystem::exists(numbered(path, 0), none) || std::filesystem::exists(numbered(path, 1), none);
    return std::filesystem::is_regular_file(path, none);  // a device or a FIFO has no content to lose
}

std::uint64_t estimated_bytes(const RecorderConfig& config, std::uint64_t pictures) {
    const double pixels = static_cast<double>(config.width) * config.height;
    return static_cast<std::uint64_t>(bytes_per_pixel(config) * pixels * static_cast<double>(pictures));
}

void require_space(const RecorderConfig& config, std::uint64_t pictures) {
    const auto free = free_bytes(config.path);
    const std::uint64_t need = estimated_bytes(config, pictures);
    if (free && *free < need / 2)
        environment_error(fmt::format("{}: {} frames need about {}, but the disk has only {} left",
                                      config.path.string(), pictures, bytes_text(need), bytes_text(*free)));
}

std::string bytes_text(std::uint64_t bytes) {
    const auto b = static_cast<double>(bytes);
    if (b < 1e6) return fmt::format("{:.0f} kB", std::ceil(b / 1e3));
    return b < 1e9 ? fmt::format("{:.1f} MB", b / 1e6) : fmt::format("{:.1f} GB", b / 1e9);
}

}  // namespace orrery
