// SPDX-License-Identifier: MIT
#include "core/engines/cpu/fmm/schedule.hpp"

#include <algorithm>
#include <bit>

namespace orrery {

Rounds::Rounds(std::span<const PartPair> pairs, std::size_t parts) {
    std::vector<std::vector<std::uint64_t>> taken(parts);  // by part: one bit per round that contains it
    std::vector<std::uint32_t> round_of;
    const auto word = [&](std::uint32_t part, std::size_t i) { return i < taken[part].size() ? taken[part][i] : 0; };
    const auto take = [&](std::uint32_t part, std::size_t round) {
        if (taken[part].size() <= round / 64) taken[part].resize(round / 64 + 1);
        taken[part][round / 64] |= std::uint64_t{1} << round % 64;
    };
    std::size_t rounds = 0;
    for (const PartPair pair : pairs) {
        std::size_t i = 0;
        while (~(word(pair.a, i) | word(pair.b, i)) == 0) ++i;
        const std::size_t round = 64 * i + static_cast<std::size_t>(std::countr_one(word(pair.a, i) | word(pair.b, i)));
        take(pair.a, round), take(pair.b, round);
        round_of.push_back(static_cast<std::uint32_t>(round));
        rounds = std::max(rounds, round + 1);
    }
    starts_.assign(rounds + 1, 0);
    for (const std::uint32_t round : round_of) ++starts_[round + 1];
    for (std::size_t round = 0; round < rounds; ++round) starts_[round + 1] += starts_[round];
    std::vector<std::size_t> next(starts_.begin(), starts_.end());
    order_.resize(pairs.size());
    for (std::uint32_t i = 0; i < pairs.size(); ++i) order_[next[round_of[i]]++] = i;
}

}  // namespace orrery
