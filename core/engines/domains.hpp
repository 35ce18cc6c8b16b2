// SPDX-License-Identifier: MIT
// Domain decomposition of the octree: each rank owns one interval of the Hilbert curve (Warren & Salmon 1993, Proc.
// Supercomputing '93, 12).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/spatial/keys.hpp"

namespace orrery {

/// Domain r owns the keys [begin(r), ends[r]).
struct Domains {
    std::vector<std::uint64_t> ends;  ///< increasing; the last is kKeyEnd

    int count() const { return static_cast<int>(ends.size()); }
    std::uint64_t begin(int domain) const { return domain == 0 ? 0 : ends[static_cast<std::size_t>(domain) - 1]; }
    std::uint64_t end(int domain) const { return ends[static_cast<std::size_t>(domain)]; }
    int of(std::uint64_t key) const;
};

/// The coarsest level, 0 to kKeyLevels, at which a cell begins with this key.
int level_of_border(std::uint64_t key);

/// A cell whose keys span several domains, so that no rank has all of its bodies.
struct BorderCell {
    static constexpr int kOctants = 8;

    std::int32_t level;
    std::uint64_t first;           ///< key
    std::int32_t child[kOctants];  ///< along the curve: index of a border cell, or -1 − the domain that owns it whole

    friend bool operator==(const BorderCell&, const BorderCell&) = default;
};

/// All border cells, level by level from the root, and along the curve within a level. Empty if there is one domain.
std::vector<BorderCell> border_cells(const Domains& domains);

/// Measured cost per body in each domain, in any unit.
struct DomainCosts {
    Domains domains;
    std::vector<double> of_body;
};

/// Cuts the curve into domains of nearly equal cost, at cell boundaries. `samples`: keys of evenly chosen bodies,
/// sorted; `bodies`: how many bodies there are. The cell that begins at a cut has more than `least` bodies, as
/// estimated from the samples, and a level of at most `deepest`. `before`: cost per body in the previous domains; null:
/// every body costs the same. Returns no value if no such cut exists, as when most bodies coincide.
std::optional<Domains> cut_curve(std::span<const std::uint64_t> samples, std::uint64_t bodies, int domains,
                                 std::uint64_t least, int deepest, const DomainCosts* before = nullptr);

}  // namespace orrery
