// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// Editor of the camera path: a time strip with its keys. Returns whether `camera` was edited.
bool path_editor(Widgets& ui, CameraState& camera, UiRequests& requests);

}  // namespace orrery
