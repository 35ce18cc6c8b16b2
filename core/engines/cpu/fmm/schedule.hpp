// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// Two parts that are both written to when they interact; may be the same part.
struct PartPair {
    std::uint32_t a, b;
    friend bool operator==(const PartPair&, const PartPair&) = default;
};

/// Schedules pairs into rounds in which no part occurs twice: the pairs of a round can be processed by any threads in
/// any order, and the interactions of each part are added in a fixed order. Depends only on the pairs.
class Rounds {
public:
    Rounds() = default;
    /// `parts`: number of parts. A pair is put into the first round that contains neither of its parts.
    Rounds(std::span<const PartPair> pairs, std::size_t parts);

    /// Indices of pairs, round by round.
    std::span<const std::uint32_t> order() const { return order_; }
    /// Start of each round in order(), followed by the end of the last.
    std::span<const std::size_t> starts() const { return starts_; }

private:
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> starts_{0};
};

}  // namespace orrery
