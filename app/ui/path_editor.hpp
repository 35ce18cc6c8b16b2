// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// The camera's path: a strip of time with its keys, and what is done to them. Returns whether `camera` was edited.
bool path_editor(Widgets& ui, CameraState& camera, Wishes& wishes);

}  // namespace orrery
