// SPDX-License-Identifier: MIT
#include "app/record/disk_space.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/record/recorders.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

/// Bytes per pixel of a frame; for videos, at quality 80.
double bytes_per_pixel(const RecorderConfig& config) {
    const std::string_view id = recorder_for(config.path).id;
    if (id == "gif") return 0.3;
    if (id.starts_with("exr")) return 12;
    if (config.bits == 16) return 5;
    if (id == "png" || id == "png-sequence" || id == "apng") return 0.8;
    return 0.03 * std::pow(2.0, (config.quality - 80) / 15.0);
}

}  // namespace

std::uint64_t estimated_bytes(const RecorderConfig& config, std::uint64_t pictures) {
    const double pixels = static_cast<double>(config.width) * config.height;
    return static_cast<std::uint64_t>(bytes_per_pixel(config) * pixels * static_cast<double>(pictures));
}

std::optional<std::uint64_t> free_bytes(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::absolute(path, error);
    while (!folder.empty() && !std::filesystem::is_directory(folder, error) && folder != folder.root_path())
        folder = folder.parent_path();  // not created yet
    const auto space = std::filesystem::space(folder, error);
    if (error) return std::nullopt;
    return space.available;
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
