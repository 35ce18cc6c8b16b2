// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/lower_case.hpp"

namespace orrery {

/// Number of insertions, deletions, substitutions and swaps of neighbouring characters that turn one word into the
/// other (Damerau–Levenshtein, optimal string alignment).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::exchange(last, row);
    }
    return last[b.size()];
}

/// The menu id that a mistyped one most likely stands for: at most a third of the characters differ, or the id begins
/// with what was typed.
template <std::ranges::input_range Menu>
std::optional<std::string_view> nearest_id(Menu&& menu, std::string_view typed) {
    const std::string wanted = lower_case(typed);
    std::optional<std::string_view> nearest;
    std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    for (const auto& entry : menu) {
        const std::string id = lower_case(entry.id);
        const std::size_t apart = wanted.size() >= 3 && id.starts_with(wanted) ? 1 : edit_distance(wanted, id);
        if (apart < least) least = apart, nearest = entry.id;
    }
    return nearest;
}

}  // namespace orrery
