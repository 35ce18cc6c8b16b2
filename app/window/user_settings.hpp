// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/platform/surface.hpp"
#include "app/render/view_settings.hpp"
#include "app/ui/style.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// Settings of the window that are kept between sessions.
struct UserSettings {
    int width = 1280, height = 720;  ///< in screen coordinates
    double text_scale = 1;           ///< of text and controls, relative to the screen's scale
    std::string panel = "scene";     ///< id of the open panel
    bool panels = true, figures = true;
    bool gallery = true;            ///< opens the gallery at a start without a scene
    bool tour = true;               ///< starts the tour at a start without a scene; off if an existing file lacks it
    double autosave = 10;           ///< minutes between two checkpoints of the run; 0: none
    std::string language = "auto";  ///< id of languages()
    std::string theme = "dark";     ///< id of themes()
    std::string detached;           ///< pages in their own windows, see detached_panels()
    std::string advanced;           ///< ids of the pages whose fold Advanced is open, separated by blanks
    int sidebar = 376;              ///< width in pixels at scale 1
    ViewSettings view;              ///< without colour range and octree, which belong to a scene
    std::map<std::string, SettingValue, std::less<>> own;  ///< of FeatureEntry::remembered, by id
    friend bool operator==(const UserSettings&, const UserSettings&) = default;
};

/// All of UserSettings except `view`, whose remembered settings are in view_settings(), and `own`.
std::span<const Setting<UserSettings>> window_settings();

struct UserSettingsRead {
    UserSettings settings;
    std::vector<std::string> problems;  ///< one line each, with the position in the file; wrong values are ignored
    bool replaceable = true;            ///< false: the path is not a regular file, but a FIFO for example
};
/// The default settings if the file does not exist.
UserSettingsRead read_user_settings(const std::filesystem::path& path);
/// Also creates the folder. Throws Error{kEnvironment} naming the path.
void write_user_settings(const std::filesystem::path& path, const UserSettings& settings);

class Feature;
struct UiState;

/// Settings that the window keeps between sessions, unless it is a fresh one.
class Remembered {
public:
    explicit Remembered(bool fresh);

    int width() const { return read_.settings.width; }  ///< of the window, in screen coordinates
    int height() const { return read_.settings.height; }
    const UserSettings& settings() const { return read_.settings; }
    const std::vector<std::string>& problems() const { return read_.problems; }  ///< of the file, a line each
    /// Path of another file in the same folder; empty if nothing is kept.
    std::filesystem::path beside(std::string_view name) const {
        return path_.empty() ? path_ : path_.parent_path() / name;
    }
    /// Writes at once that the tour has been shown.
    void note_tour() const;
    void recall(UiState& state) const;  ///< settings of FeatureEntry::remembered
    /// Writes the settings that each feature adds. `size`: none in full screen.
    void save(std::span<Feature* const> parts, const UiState& state, const std::optional<WindowSize>& size) const;

private:
    void write(const UserSettings& settings) const;

    std::filesystem::path path_;  // empty: nothing is kept
    UserSettingsRead read_;
};

}  // namespace orrery
