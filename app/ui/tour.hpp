// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// A card of the tour.
struct TourCard {
    std::string_view title, text;
    std::string_view panel;  ///< id of the page open beside it
    std::string_view shown;  ///< label of the widget to frame; empty: none
    CommandCall tried;       ///< command of its button
    std::string_view button, tip;
};
std::span<const TourCard> tour_cards();

/// The current card of the tour, beside the page that it explains; `widgets` are those of this frame.
void tour_overlay(Widgets& ui, const UiState& state, std::span<const WidgetMap::Widget> widgets, UiRequests& requests);

}  // namespace orrery
