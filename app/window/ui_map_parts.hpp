// SPDX-License-Identifier: MIT
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "app/window/ui_state.hpp"

namespace orrery {

// Parts of ui_map_text().
nlohmann::json lab_json(const UiState& state);
nlohmann::json gallery_json(const GalleryState& gallery);

}  // namespace orrery
