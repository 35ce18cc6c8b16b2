// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>

#include "app/render/image.hpp"
#include "app/window/lab_link.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

class WindowPicture;

/// The laboratory in the window: its panel, what its buttons do, and the bodies' rest while it measures.
class LabControl {
public:
    explicit LabControl(WindowCore& core);

    void update();  ///< once per frame
    void toggle();  ///< the panel
    void act(LabAction action);

    /// Where its overlay is drawn in this frame, in window coordinates; none while it is closed.
    void set_place(const std::optional<Rectangle>& place) { place_ = place; }
    /// This frame is to become a picture of it: nothing may cover it.
    bool photo_wanted() const { return photo_wanted_; }
    /// Takes it, when the panels are drawn. `pixels` of the framebuffer per window coordinate.
    void photograph(const WindowPicture& window, glm::dvec2 pixels);

private:
    WindowCore& core_;
    LabLink lab_;
    std::optional<Rectangle> place_;
    std::string_view panel_before_ = "engine";
    bool photo_wanted_ = false, paused_bodies_ = false;
    Image picture_;  // its memory is reused
};

}  // namespace orrery
