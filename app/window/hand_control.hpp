// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

#include "app/window/gestures.hpp"
#include "app/window/recording_control.hpp"
#include "app/window/scene_control.hpp"

namespace orrery {

/// Picks bodies, lets them go, and edits them. Sizes of the window in its own coordinates, not in pixels.
class HandControl {
public:
    HandControl(WindowCore& core, const WindowPicture& picture, const SceneControl& scenes, RecordingControl& recording)
        : core_{core}, picture_{picture}, scenes_{scenes}, recording_{recording} {}

    /// A drag from there is the hand's: it adds a body, or has hold of what is picked.
    bool grabs(glm::dvec2 at, double content_scale) const;

    void use(const MouseInput& input, glm::dvec2 window, double content_scale);
    void pick(Picked picked);
    void forget();  ///< bodies of another scene are not those that were picked
    void place_markers(glm::dvec2 window);
    void toggle_follow();
    void remove_picked();
    double second() const;                    ///< time of the scene that goes by in a second at its usual speed
    void bodies_changed(const Frame& frame);  ///< with each frame: after an edit or an encounter there may be others

private:
    std::vector<std::uint32_t> with_picked(std::uint32_t body) const;
    void fly_to_picked();
    bool side_by_side() const;  ///< two pictures of a comparison
    void aim(const MouseInput& input, glm::dvec2 window);
    void released(Vec3d by, bool moves);
    void begin_aim(const OrbitCamera& camera, glm::dvec2 from, glm::dvec2 window);
    std::vector<glm::dvec2> path_seen(const OrbitCamera& camera, Vec3d velocity, glm::dvec2 window) const;
    void brush(const MouseInput& input, glm::dvec2 window);
    static Vec3d place_under(const OrbitCamera& camera, glm::dvec2 from, glm::dvec2 window);
    std::vector<Vec4d> field() const;

    WindowCore& core_;
    const WindowPicture& picture_;
    const SceneControl& scenes_;
    RecordingControl& recording_;
    std::vector<Vec4d> field_;                         // of the aim under way: bodies that pull
    Vec3d held_{}, held_speed_{};                      // likewise: what is aimed, where it was taken hold of
    std::uint32_t stroke_ = 0;                         // number of the last one
    std::chrono::steady_clock::time_point touched_{};  // within it
    std::size_t bodies_ = 0;
    bool added_ = false;  // of the next change
};

}  // namespace orrery
