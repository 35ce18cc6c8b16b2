// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/render/view_settings.hpp"
#include "app/ui/style.hpp"
#include "core/settings/setting_member.hpp"

namespace orrery {

/// What a window remembers from one day to the next.
struct UserSettings {
    int width = 1280, height = 720;  ///< in screen coordinates
    double text_scale = 1;           ///< of all letters and controls, on top of the screen's own
    std::string panel = "engine";    ///< id of the one that is open
    bool panels = true, figures = true;
    ViewSettings view;  ///< without colour range and octree, which belong to a scene
    friend bool operator==(const UserSettings&, const UserSettings&) = default;
};

/// All of UserSettings but `view`, of which view_settings() says what is remembered.
std::span<const Setting<UserSettings>> window_settings();

/// $XDG_CONFIG_HOME/orrery/settings.toml, or ~/.config/orrery/settings.toml; empty when there is neither.
std::filesystem::path user_settings_path();

struct UserSettingsRead {
    UserSettings settings;
    std::vector<std::string> problems;  ///< a line each, with the place in the file; what is wrong there is left out
};
/// The usual settings when there is no such file.
UserSettingsRead read_user_settings(const std::filesystem::path& path);
/// Makes the folder too. Throws Error{kEnvironment} naming the path.
void write_user_settings(const std::filesystem::path& path, const UserSettings& settings);

}  // namespace orrery
