// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/gallery_control.hpp"
#include "app/window/remembered.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The tour of the first steps. It comes by itself at the first start without a scene, and never again; the gallery,
/// which otherwise comes at such a start, follows it.
class TourControl {
public:
    TourControl(WindowCore& core, GalleryControl& gallery, const Remembered& remembered)
        : core_{core}, gallery_{gallery}, remembered_{remembered} {}

    /// Whether the tour has begun. `at_start`: without a scene, and with settings.
    bool begin(bool at_start);
    void start();
    void end();
    void apply(const TourWish& wish);

private:
    void show(std::size_t card);

    WindowCore& core_;
    GalleryControl& gallery_;
    const Remembered& remembered_;
    bool gallery_follows_ = false;
};

}  // namespace orrery
