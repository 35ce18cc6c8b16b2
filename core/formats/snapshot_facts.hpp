// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// A snapshot as the reader understood it, for the person who opens it.
struct SnapshotFacts {
    std::string format;                                      ///< label; empty: the scene comes from no snapshot
    bool softening_suggested = false, dt_suggested = false;  ///< the value is that of suggest.hpp
    std::array<std::uint64_t, kSpeciesCount> of_species{};   ///< bodies; all 0: the file states no species
    bool suggests() const { return softening_suggested || dt_suggested; }
};

/// `scene` as read_snapshot() returned it for this path. Throws as read_snapshot() does.
SnapshotFacts facts_of(const std::filesystem::path& path, const Scene& scene);

}  // namespace orrery
