// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// Two parts of something that are both written to when they meet; perhaps the same.
struct PartPair {
    std::uint32_t a, b;
    friend bool operator==(const PartPair&, const PartPair&) = default;
};

/// Pairs in rounds, in each of which no part occurs twice: the pairs of a round may be worked on by any threads at any
/// time, and every part meets the others in one order. Depends on nothing but the pairs.
class Rounds {
public:
    Rounds() = default;
    /// Of `parts` parts. A pair comes into the first round that has neither of its two.
    Rounds(std::span<const PartPair> pairs, std::size_t parts);

    /// Indices of pairs, round by round.
    std::span<const std::uint32_t> order() const { return order_; }
    /// Where in order() each round begins, and at last its end.
    std::span<const std::size_t> starts() const { return starts_; }

private:
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> starts_{0};
};

}  // namespace orrery
