// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/platform/surface.hpp"
#include "app/window/features.hpp"
#include "app/window/imgui_host.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The open page, detached pages, language and style of the window.
class LayoutControl final : public Feature {
public:
    LayoutControl(WindowCore& core, Surface& window, ImGuiHost& imgui) : core_{core}, window_{window}, imgui_{imgui} {}

    void recall(const UserSettings& settings) override;
    void apply(const UiRequests& requests) override;
    void remember(UserSettings& settings) const override;
    void set_keyboard(bool on);  ///< turns keyboard control of the panels on or off
    void set_clean(bool on);     ///< hides panels, figures, legend and title, or restores what was shown before

private:
    struct Shown {
        bool panels = true, overlay = true;
    };

    void show_folder_of(const std::string& file);  ///< or copies its path to the clipboard
    void play(const std::string& file);            ///< in the desktop's player

    WindowCore& core_;
    Surface& window_;
    ImGuiHost& imgui_;
    Shown before_clean_;
};

/// The page Camera.
class CameraPage final : public Feature {
public:
    explicit CameraPage(WindowCore& core) : core_{core} {}
    void update() override { core_.state.camera = core_.camera.state(); }
    void apply(const UiRequests& requests) override;

private:
    WindowCore& core_;
};

}  // namespace orrery
