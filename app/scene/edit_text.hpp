// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/scene/scene_value.hpp"
#include "core/simulation/edit.hpp"

namespace orrery {

/// An edit as an inline TOML table: { do = "throw", bodies = [3], by = [0.0, 0.1, 0.0] }, with the members its kind
/// uses.
std::string edit_text(const Edit& edit);
/// Throws Error{kUsage} with the position.
Edit read_edit(const SceneValue& value);

}  // namespace orrery
