// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>

#include "app/render/image.hpp"
#include "app/window/feature.hpp"
#include "app/window/lab/lab_link.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

class WindowPicture;

/// The laboratory in the window: its panel, the actions of its buttons, and pausing the bodies while it measures.
class LabControl final : public Feature {
public:
    explicit LabControl(WindowCore& core);

    void update() override;
    void apply(const UiRequests& requests) override;
    void toggle();  ///< opens or closes the panel
    void act(LabAction action);

    /// Position of its overlay in this frame, in window coordinates; none while it is closed.
    void set_place(const std::optional<Rectangle>& place) { place_ = place; }
    /// True if this frame will be captured, so that nothing may cover the overlay.
    bool capture_pending() const { return capture_pending_; }
    /// Captures the overlay after the panels are drawn. `pixels` of the framebuffer per window coordinate.
    void capture(const WindowPicture& window, glm::dvec2 pixels);

private:
    WindowCore& core_;
    LabLink lab_;
    std::optional<Rectangle> place_;
    std::string_view panel_before_ = "engine";
    bool capture_pending_ = false, paused_bodies_ = false;
    Image picture_;  // its memory is reused
};

}  // namespace orrery
