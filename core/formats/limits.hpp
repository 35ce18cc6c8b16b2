// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/bodies/bodies.hpp"

namespace orrery {

inline constexpr std::uintmax_t kShowProgress = 64ull << 20;  ///< a file of this size takes long enough for a bar
inline constexpr std::size_t kBlock = 1 << 20;                ///< bytes of a file held at a time
inline constexpr std::array<std::string_view, 7> kQuantities{"mass", "x", "y", "z", "vx", "vy", "vz"};

/// Throws Error{kUsage} naming `path`, the body and the number, unless the bodies are sound, hold numbers that single
/// precision can hold, and are at most `most`. `format` is for the message.
void check_single_precision(const Scene& scene, const std::string& path, std::string_view format, std::uint64_t most);

/// Throws Error{kUsage} unless G = 1, which is what a format without G stands for.
void check_unit_constant(const Scene& scene, const std::string& path, std::string_view format);

/// Sets species to none if all are kHalo, which is what none means.
void simplify_species(Bodies& bodies);

/// Adds to the notes of the scene when ids are there twice, and names one. Takes memory of 8 bytes per body at most.
void note_duplicate_ids(Scene& scene);

}  // namespace orrery
