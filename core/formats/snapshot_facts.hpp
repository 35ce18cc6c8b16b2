// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// How the reader interpreted a snapshot, to be shown to the user.
struct SnapshotFacts {
    std::string format;                                      ///< label; empty: the scene does not come from a snapshot
    bool softening_suggested = false, dt_suggested = false;  ///< the value is that of suggest.hpp
    std::array<std::uint64_t, kSpeciesCount> of_species{};   ///< bodies per species; all 0: not stated
    bool suggests() const { return softening_suggested || dt_suggested; }
};

/// As read_snapshot(), with the facts.
Scene read_snapshot(const std::filesystem::path& path, SnapshotFacts& facts);

}  // namespace orrery
