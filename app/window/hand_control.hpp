// SPDX-License-Identifier: MIT
#pragma once
#include <glm/vec2.hpp>

#include "app/window/gestures.hpp"
#include "app/window/scene_control.hpp"

namespace orrery {

/// Picks bodies and lets them go. Sizes of the window in its own coordinates, not in pixels.
class HandControl {
public:
    HandControl(WindowCore& core, const WindowPicture& picture, const SceneControl& scenes)
        : core_{core}, picture_{picture}, scenes_{scenes} {}

    void use(const MouseInput& input, glm::dvec2 window, double content_scale);
    void pick(Picked picked);
    void forget();  ///< bodies of another scene are not those that were picked
    void place_markers(glm::dvec2 window);
    void toggle_follow();

private:
    bool side_by_side() const;  ///< two pictures of a comparison

    WindowCore& core_;
    const WindowPicture& picture_;
    const SceneControl& scenes_;
};

}  // namespace orrery
