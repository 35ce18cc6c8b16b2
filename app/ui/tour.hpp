// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// A card of the first steps.
struct TourCard {
    std::string_view title, text;
    std::string_view panel;  ///< id of the page that is open beside it
    std::string_view shown;  ///< label of the widget that is framed; empty: none
    CommandCall tried;       ///< by its button
    std::string_view button, tip;
};
std::span<const TourCard> tour_cards();

/// The card that the tour has come to, beside the page that it is about; `widgets` are those of this frame.
void tour_overlay(Widgets& ui, const UiState& state, std::span<const WidgetMap::Widget> widgets, Wishes& wishes);

}  // namespace orrery
