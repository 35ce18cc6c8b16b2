// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "app/window/feature.hpp"
#include "app/window/gallery/thumbnails.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The gallery's cards and folders, and the recent files, which are stored in a file with one path per line.
class GalleryControl final : public Feature {
public:
    explicit GalleryControl(WindowCore& core) : core_{core} {}

    /// `recent`: file that stores the recent files; empty: they are not stored.
    void begin(bool at_start, std::filesystem::path recent);
    void open(std::string_view page);
    void toggle();
    void close() { core_.state.gallery.on = false; }
    void recall(const UserSettings& settings) override { core_.state.gallery.at_start = settings.gallery; }
    void apply(const UiRequests& requests) override;
    void remember(UserSettings& settings) const override { settings.gallery = core_.state.gallery.at_start; }
    void opened(const SceneRequest& request);  ///< call when a scene has been opened
    Thumbnails& thumbnails() { return thumbnails_; }

private:
    void show(const GalleryRequest& request);
    void show_folder(const std::string& folder);
    void show_typed(const std::string& typed);
    void list(const std::filesystem::path& folder, const std::string& begin);
    void show_recent();
    void write_recent();

    WindowCore& core_;
    Thumbnails thumbnails_;
    std::filesystem::path recent_path_;
    std::vector<std::string> recent_;
};

}  // namespace orrery
