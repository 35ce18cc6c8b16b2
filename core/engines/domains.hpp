// SPDX-License-Identifier: MIT
// Domain decomposition of the octree: pieces of the Hilbert curve, one for each rank (Warren & Salmon 1993, Proc.
// Supercomputing '93, 12).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/physics/keys.hpp"

namespace orrery {

/// Domain r are the keys [begin(r), ends[r]).
struct Domains {
    std::vector<std::uint64_t> ends;  ///< increasing; the last is kKeyEnd

    int count() const { return static_cast<int>(ends.size()); }
    std::uint64_t begin(int domain) const { return domain == 0 ? 0 : ends[static_cast<std::size_t>(domain) - 1]; }
    std::uint64_t end(int domain) const { return ends[static_cast<std::size_t>(domain)]; }
    int of(std::uint64_t key) const;
};

/// The coarsest level at which a cell begins with this key, of 0 to kKeyLevels.
int level_of_border(std::uint64_t key);

/// A cell with keys of several domains: no rank has all of its bodies.
struct BorderCell {
    static constexpr int kOctants = 8;

    std::int32_t level;
    std::uint64_t first;  ///< key
    std::int32_t
        child[kOctants];  ///< along the curve: the number of a border cell, or -1 − the domain that has all of it

    friend bool operator==(const BorderCell&, const BorderCell&) = default;
};

/// All of them, level by level from the root, and along the curve within a level. None if there is one domain.
std::vector<BorderCell> border_cells(const Domains& domains);

/// What the bodies of a domain cost, each, in any unit.
struct DomainCosts {
    Domains domains;
    std::vector<double> of_body;
};

/// Cuts the curve into domains of nearly the same cost, at borders of cells. `samples`: keys of bodies chosen evenly,
/// in order; `bodies`: how many there are. The cell that begins at a cut has more than `least` bodies, as far as
/// samples can tell, and is of `deepest` level at most. `before`: null, every body costs the same. No value where this
/// is not possible, as when most bodies are in one place.
std::optional<Domains> cut_curve(std::span<const std::uint64_t> samples, std::uint64_t bodies, int domains,
                                 std::uint64_t least, int deepest, const DomainCosts* before = nullptr);

}  // namespace orrery
