// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/scene/scene_value.hpp"
#include "core/simulation/edit.hpp"

namespace orrery {

/// An edit as an inline table of TOML: { do = "throw", bodies = [3], by = [0.0, 0.1, 0.0] }, with what its kind reads.
std::string edit_text(const Edit& edit);
/// Throws Error{kUsage} with the position.
Edit read_edit(const SceneValue& value);

}  // namespace orrery
