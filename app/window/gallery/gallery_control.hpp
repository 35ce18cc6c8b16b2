// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/features.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"

namespace orrery {

/// Draws a thread map into a box: the launch grid on the left, the triangle of tiles on the right. A block and its tile
/// have the same colour; blocks without a tile are crossed out. With `moves`, one block after the other lights up
/// together with its tile.
void draw_map_picture(ImDrawList& draw, ImVec2 low, ImVec2 high, const std::string& map, bool moves);

/// Textures of the pictures in assets/thumbnails, created on first use, a few per frame. Needs the window's OpenGL
/// context.
class Thumbnails {
public:
    Thumbnails() = default;
    Thumbnails(const Thumbnails&) = delete;
    Thumbnails& operator=(const Thumbnails&) = delete;
    ~Thumbnails();

    void begin_frame() { left_ = kMostInAFrame; }
    /// 0: there is no such picture, or too many were created in this frame.
    std::uintptr_t of(std::string_view id);
    std::size_t made() const { return textures_.size(); }

private:
    static constexpr int kMostInAFrame = 4;
    std::map<std::string, unsigned, std::less<>> textures_;
    int left_ = 0;
};

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

/// The same for the first 2000 entries of a folder; 0 if it cannot be read.
std::size_t count_snapshots_in(const std::filesystem::path& folder);

}  // namespace orrery
