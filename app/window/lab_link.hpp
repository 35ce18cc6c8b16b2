// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/lab_state.hpp"
#include "app/window/window_clock.hpp"

namespace orrery {

/// The window's end of the laboratory: the thread that measures, and what the panel shows of it.
class LabLink {
public:
    explicit LabLink(const WindowClock& clock) : clock_{clock} {}
    /// Once per frame. Brings `state` up to date when something was measured.
    void update(LabState& state);
    /// As the settings say. Throws Error{kUsage} when there is no such experiment.
    void start(LabState& state);
    void cancel() { lab_.cancel(); }

private:
    void show_form(LabState& state);

    const WindowClock& clock_;
    WindowClock::TimePoint form_since_{};
    BackgroundLab lab_;
};

/// The papers' range on a device; on a CPU what takes a minute.
LabSettings usual_lab_settings(const std::string& experiment, Backend backend);
/// Takes what was chosen; with another experiment or backend come its usual range and all of its maps.
void choose(LabState& state, const LabSettings& settings);

}  // namespace orrery
