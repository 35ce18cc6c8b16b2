// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A scene or a preset with its picture.
struct GalleryCard {
    std::string id, label, doc;
    std::string_view family;  ///< one of gallery_pages()
    std::uint64_t bodies;
};

/// A line of a folder, or of the files opened last.
struct GalleryFile {
    std::string path, name;
    bool folder = false;
    std::string what;  ///< "TIPSY, 1.2 MB"; empty: not known
};

/// What the gallery of scenes and files shows.
struct GalleryState {
    bool on = false;
    bool at_start = true;   ///< it opens with the window when no scene was named
    std::string_view page;  ///< of gallery_pages()
    std::string search;
    std::vector<GalleryCard> cards;
    std::string typed;                    ///< in the field of the folder: a folder, or the beginning of a path in it
    std::string folder;                   ///< absolute; its lines are shown
    std::string base;                     ///< where a relative path begins: the folder that was chosen last
    std::vector<GalleryFile> files;       ///< of the folder: folders, then what can be opened
    std::size_t snapshots = 0;            ///< of the folder, which can be played as a series
    std::string problem;                  ///< why the folder cannot be read; empty: it can
    std::vector<GalleryFile> recent;      ///< the last one first
    std::optional<GalleryFile> last_run;  ///< the bodies of the window that was closed last
};

/// What a person asked of it in one frame.
struct GalleryWish {
    std::optional<std::string_view> page;
    std::optional<std::string> search, folder, typed;
    std::optional<bool> at_start;
    bool close = false;
};

}  // namespace orrery
