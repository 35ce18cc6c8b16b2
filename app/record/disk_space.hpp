// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/record/recorder.hpp"

namespace orrery {

/// About how many bytes so many pictures will take: from pictures of the presets, within a factor of three.
std::uint64_t estimated_bytes(const RecorderConfig& config, std::uint64_t pictures);
/// Bytes that are free where this path will be written; nothing when the system does not say.
std::optional<std::uint64_t> free_bytes(const std::filesystem::path& path);
/// Throws Error{kEnvironment} when even half of the estimate does not fit.
void require_space(const RecorderConfig& config, std::uint64_t pictures);
/// "1.2 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace orrery
