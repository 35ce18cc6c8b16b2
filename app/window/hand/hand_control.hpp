// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

#include "app/window/hand/gestures.hpp"
#include "app/window/hand/sight_control.hpp"
#include "app/window/recording/recording_control.hpp"
#include "app/window/scenes/scene_control.hpp"

namespace orrery {

/// Picks, deselects and edits bodies. Sizes of the window in its own coordinates, not in pixels.
class HandControl final : public Feature {
public:
    HandControl(WindowCore& core, const WindowPicture& picture, const SceneControl& scenes, RecordingControl& recording)
        : core_{core}, picture_{picture}, scenes_{scenes}, recording_{recording}, sight_{core} {}

    /// True if a drag from there adds a body or moves the picked ones, instead of moving the camera.
    bool grabs(glm::dvec2 at, double content_scale) const;

    void use(const MouseInput& input, double content_scale);
    void update() override;
    void apply(const UiRequests& requests) override;
    void pick(Picked picked);
    void forget();  ///< call for another scene: its bodies are not the picked ones
    void toggle_follow();
    void remove_picked();
    void bodies_changed(const Frame& frame);  ///< for each frame: edits and encounters change bodies

    const SightControl& sight() const { return sight_; }

private:
    double second() const;  ///< time of the scene per second, at its default speed
    void place_markers();
    std::vector<std::uint32_t> with_picked(std::uint32_t body) const;
    void fly_to_picked();
    bool side_by_side() const;  ///< a comparison shows two pictures
    void enclose(const BodySet& found);
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
    SightControl sight_;
    std::vector<Vec4d> field_;                         // bodies that attract the aimed body
    Vec3d held_{}, held_speed_{};                      // position and velocity of the aim at its start
    std::uint32_t stroke_ = 0;                         // number of the last stroke
    std::chrono::steady_clock::time_point touched_{};  // last touch of that stroke
    std::size_t bodies_ = 0;
    bool added_ = false;  // true if the next change adds bodies
};

}  // namespace orrery
