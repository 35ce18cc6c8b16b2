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
    std::string folder;               ///< absolute
    std::vector<GalleryFile> files;   ///< of the folder: folders, then what can be opened
    std::string problem;              ///< why the folder cannot be read; empty: it can
    std::vector<GalleryFile> recent;  ///< the last one first
};

/// What a person asked of it in one frame.
struct GalleryWish {
    std::optional<std::string_view> page;
    std::optional<std::string> search, folder;
    std::optional<bool> at_start;
    bool close = false;
};

}  // namespace orrery
