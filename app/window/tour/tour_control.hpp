// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/gallery/gallery_control.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

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
