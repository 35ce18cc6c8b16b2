// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {

/// The ids of a menu as text: "a, b, c". A repeated id (an engine on two backends) is listed once.
template <class Entry>
std::string ids(std::span<const Entry> menu) {
    std::string text;
    std::string_view last;
    for (const Entry& entry : menu) {
        if (entry.id == last) continue;
        text += (text.empty() ? "" : ", ") + std::string{entry.id};
        last = entry.id;
    }
    return text;
}

/// " (did you mean 'tree'?)" if an id of the menu resembles `typed`, else empty.
template <class Menu>
std::string did_you_mean(const Menu& menu, std::string_view typed) {
    const auto meant = nearest_id(menu, typed);
    return meant ? fmt::format(" (did you mean '{}'?)", *meant) : std::string{};
}

/// The menu entry with this id. Throws Error{kUsage} "no preset 'x' (did you mean 'a'?); there are a, b, c".
template <class Entry>
const Entry& find_in_menu(std::span<const Entry> menu, std::string_view what, std::string_view id) {
    const auto entry = std::ranges::find(menu, id, &Entry::id);
    if (entry == menu.end())
        usage_error(fmt::format("no {} '{}'{}; there are {}", what, id, did_you_mean(menu, id), ids(menu)));
    return *entry;
}

}  // namespace orrery
