// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

#include "app/window/thumbnails.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// The gallery's cards and folders, and the files that were opened last, which it keeps in a file of one path a line.
class GalleryControl {
public:
    explicit GalleryControl(WindowCore& core) : core_{core} {}

    /// `recent`: where the last files are kept; empty: they are not.
    void begin(bool at_start, std::filesystem::path recent);
    void open(std::string_view page);
    void toggle();
    void close() { core_.state.gallery.on = false; }
    void apply(const GalleryWish& wish);
    void opened(const SceneRequest& request);  ///< a scene is in the picture
    Thumbnails& thumbnails() { return thumbnails_; }

private:
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
