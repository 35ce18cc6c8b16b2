// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/record/recorder.hpp"

namespace orrery {

/// Estimated size in bytes of this many frames, within a factor of three, from measured frames of the presets.
std::uint64_t estimated_bytes(const RecorderConfig& config, std::uint64_t pictures);
/// Free bytes where this path will be written; empty if unknown.
std::optional<std::uint64_t> free_bytes(const std::filesystem::path& path);
/// Throws Error{kEnvironment} if even half of the estimate does not fit.
void require_space(const RecorderConfig& config, std::uint64_t pictures);
/// "1.2 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace orrery
