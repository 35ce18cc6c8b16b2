// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "app/platform/surface.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// Settings that the window keeps between sessions, unless it is a fresh one.
class Remembered {
public:
    explicit Remembered(bool fresh);

    int width() const { return read_.settings.width; }  ///< of the window, in screen coordinates
    int height() const { return read_.settings.height; }
    void adopt(WindowCore& core) const;
    /// Path of another file in the same folder; empty if nothing is kept.
    std::filesystem::path beside(std::string_view name) const {
        return path_.empty() ? path_ : path_.parent_path() / name;
    }
    /// Writes at once that the tour has been shown.
    void note_tour() const;
    /// `view`: the user's choices. `panels`: whether they are shown, apart from attract mode. `size`: none in full
    /// screen.
    void save(const UiState& state, const ViewSettings& view, bool panels, const std::optional<WindowSize>& size) const;

private:
    void write(const UserSettings& settings) const;

    std::filesystem::path path_;  // empty: nothing is kept
    UserSettingsRead read_;
};

}  // namespace orrery
