// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string_view>

#include "app/ui/widgets.hpp"

namespace orrery {

/// A combo over a menu whose entries carry id, label and doc; `value` is compared and set through `field`.
/// `why_not(entry)` returns why an entry cannot be chosen, or an empty text.
template <class Menu, class Value, class Field, class WhyNot>
bool menu_combo(Widgets& ui, std::string_view label, const Menu& menu, Value& value, Field field, std::string_view tip,
                const WhyNot& why_not) {
    const auto now = std::ranges::find_if(menu, [&](const auto& entry) { return entry.*field == value; });
    if (!ui.begin_combo(label, now == menu.end() ? std::string_view{"?"} : now->label, tip)) return false;
    bool edited = false;
    for (const auto& entry : menu)
        if (ui.choice(entry.label, entry.*field == value, entry.doc, why_not(entry)))
            value = entry.*field, edited = true;
    ui.end_combo();
    return edited;
}

template <class Menu, class Value, class Field>
bool menu_combo(Widgets& ui, std::string_view label, const Menu& menu, Value& value, Field field,
                std::string_view tip) {
    return menu_combo(ui, label, menu, value, field, tip, [](const auto&) { return std::string_view{}; });
}

}  // namespace orrery
