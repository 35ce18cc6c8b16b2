// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "app/window/commands.hpp"
#include "app/window/gallery/gallery_control.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"

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

/// The tour of the first steps. It starts by itself only at the first start without a scene; the gallery, which
/// otherwise opens at such a start, follows it.
class TourControl final : public Feature {
public:
    TourControl(WindowCore& core, GalleryControl& gallery, const Remembered& remembered)
        : core_{core}, gallery_{gallery}, remembered_{remembered} {}

    /// Returns whether the tour has begun. `at_start`: started without a scene, and with stored settings.
    bool begin(bool at_start);
    void start();
    void end();
    void recall(const UserSettings& settings) override { core_.state.tour.at_start = settings.tour; }
    void apply(const UiRequests& requests) override;
    void remember(UserSettings& settings) const override { settings.tour = core_.state.tour.at_start; }

private:
    void show(std::size_t card);

    WindowCore& core_;
    GalleryControl& gallery_;
    const Remembered& remembered_;
    bool gallery_follows_ = false;
};

}  // namespace orrery
