// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>

#include "app/platform/surface.hpp"
#include "app/window/feature.hpp"
#include "app/window/user_settings.hpp"

namespace orrery {

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
