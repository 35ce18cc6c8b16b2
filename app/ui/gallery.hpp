// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "app/ui/style.hpp"
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

inline constexpr std::string_view kAllPage = "All", kScenesPage = "Scenes", kRecentPage = "Recent",
                                  kFilesPage = "Open a file";
/// Pages of the gallery: all cards, shipped scenes, each family of presets, recent files, a folder.
std::vector<std::string_view> gallery_pages(const GalleryState& gallery);

/// The texture of a card's picture, by the card's id; 0 if it is not ready yet.
using PictureOf = std::function<std::uintptr_t(std::string_view id)>;

/// Shows scenes and presets by their pictures, and files by folder, over the whole window.
void gallery_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, const PictureOf& picture_of,
                     UiRequests& requests);

}  // namespace orrery
