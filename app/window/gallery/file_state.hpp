// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// State of the gallery of scenes and files, of the card of an imported file, and of the questions about unsaved bodies.

// Pages of the gallery.
inline constexpr std::string_view kAllPage = "All", kScenesPage = "Scenes", kRecentPage = "Recent",
                                  kFilesPage = "Open a file";

/// A scene or a preset with its picture.
struct GalleryCard {
    std::string id, label, doc;
    std::string_view family;  ///< one of gallery_pages()
    std::uint64_t bodies;
    std::string map;  ///< thread map that the picture shows; empty: the stored picture
};

/// An entry of a folder or of the recent files.
struct GalleryFile {
    std::string path, name;
    bool folder = false;
    std::string what;  ///< "TIPSY, 1.2 MB"; empty: not known
};

/// State of the gallery of scenes and files.
struct GalleryState {
    bool on = false;
    bool at_start = true;   ///< opens with the window if no scene was named
    std::string_view page;  ///< of gallery_pages()
    std::string search;
    std::vector<GalleryCard> cards;
    bool type_file = false;               ///< the folder field gets the keyboard focus in this frame
    std::string typed;                    ///< text of the folder field: a folder, or the beginning of a path in it
    std::string folder;                   ///< absolute path of the folder shown
    std::string base;                     ///< base of relative paths: the folder that was chosen last
    std::vector<GalleryFile> files;       ///< entries of the folder: folders, then files that can be opened
    std::size_t snapshots = 0;            ///< number of snapshots in the folder, which can be played as a series
    std::string problem;                  ///< why the folder cannot be read; empty if it can
    std::vector<GalleryFile> recent;      ///< most recent first
    std::optional<GalleryFile> last_run;  ///< the bodies of the window that was closed last
};

/// The user's requests to the gallery in one frame.
struct GalleryRequest {
    std::optional<std::string_view> page;
    std::optional<std::string> search, folder, typed;
    std::optional<bool> at_start;
    bool close = false;
};

/// State of the import card that Status does not contain.
struct ImportState {
    std::uint64_t closed = 0;    ///< scene_serial of the scene whose card was closed
    std::string folder;          ///< folder of the file
    std::size_t neighbours = 0;  ///< number of snapshots in that folder, including this one
};

enum class LeaveAnswer : std::uint8_t { kStay, kLeave, kSaveAndLeave };

/// The question asked before closing the window, naming what would be lost.
struct LeaveQuestion {
    std::string text;                        ///< one line per loss; empty: the window may close without a question
    std::string leave;                       ///< label of the button that closes
    bool may_save = false;                   ///< the bodies can be saved
    LeaveAnswer enter = LeaveAnswer::kStay;  ///< answer of the Enter key: it loses nothing
    bool asked() const { return !text.empty(); }
    friend bool operator==(const LeaveQuestion&, const LeaveQuestion&) = default;
};

/// Bodies saved automatically by a window that was not closed properly.
struct AutosaveOffer {
    std::string path;
    std::string text;     ///< "saved at 14:32, 12 MB"
    std::string problem;  ///< why it cannot be opened; empty if it can
};
/// The user's answer to an offer.
struct AutosaveAnswer {
    std::string path;
    bool open = false;  ///< true: continue with these bodies; false: remove the file
};

}  // namespace orrery
