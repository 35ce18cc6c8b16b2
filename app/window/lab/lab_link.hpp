// SPDX-License-Identifier: MIT
#pragma once
#include "app/window/lab/lab_state.hpp"
#include "app/window/window_clock.hpp"

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

/// The papers' range on a device; on a CPU a range that takes about a minute.
LabSettings default_lab_settings(const std::string& experiment, Backend backend);
/// Applies the settings; another experiment or backend resets to its default range and all of its maps.
void choose(LabState& state, const LabSettings& settings);

}  // namespace orrery
