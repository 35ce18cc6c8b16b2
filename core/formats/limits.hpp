// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_stretches.hpp"

namespace orrery {

inline constexpr std::size_t kBlock = 1 << 20;  ///< bytes of a file held in memory at a time
inline constexpr std::array<std::string_view, 7> kQuantities{"mass", "x", "y", "z", "vx", "vy", "vz"};

/// Throws Error{kUsage} naming `path`, the body and the number, unless the bodies are valid, fit into single precision,
/// and number at most `most`. `format` is for the message.
void check_single_precision(const BodyStretches& bodies, const std::string& path, std::string_view format,
                            std::uint64_t most);
/// validate() of core/bodies/bodies.hpp.
void validate(const BodyStretches& bodies, const std::string& source);

/// Throws Error{kEnvironment} unless enough memory is available to read `bodies` bodies of `path` with ids and species.
/// Call it before allocating, since a small file may hold many bodies.
void require_memory_for(const std::filesystem::path& path, std::uint64_t bodies);

/// Throws Error{kUsage} unless G = 1, as implied by a format without G.
void check_unit_constant(const Scene& scene, const std::string& path, std::string_view format);

/// Clears the species if all are kHalo, which is the default.
void simplify_species(Bodies& bodies);

/// Adds a note to the scene if bodies have no mass, with their number by species.
void note_massless(Scene& scene);
/// The same, of `massless` among `bodies` bodies.
void note_massless(Scene& scene, const std::array<std::uint64_t, kSpeciesCount>& massless, std::uint64_t bodies,
                   bool with_species);

/// Adds a note to the scene if an id occurs more than once, and names it. Takes at most 8 bytes per body.
void note_duplicate_ids(Scene& scene);

}  // namespace orrery
