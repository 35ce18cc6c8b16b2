// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string_view>

#include "app/render/image.hpp"
#include "app/window/features.hpp"
#include "app/window/lab/lab_state.hpp"
#include "app/window/window.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The window's link to the laboratory: the measuring thread, and the state shown by the panel.
class LabLink {
public:
    explicit LabLink(const WindowClock& clock) : clock_{clock} {}
    /// Call once per frame. Updates `state` if something was measured.
    void update(LabState& state);
    /// Starts with the current settings. Throws Error{kUsage} if there is no such experiment.
    void start(LabState& state);
    void cancel() { lab_.cancel(); }

private:
    void show_form(LabState& state);

    const WindowClock& clock_;
    WindowClock::TimePoint form_since_{};
    BackgroundLab lab_;
};

/// Applies the settings; another experiment or backend resets to its default range and all of its maps.
void choose(LabState& state, const LabSettings& settings);

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
