// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <glm/vec3.hpp>

#include "app/camera/camera_state.hpp"
#include "app/camera/flight.hpp"
#include "app/camera/orbit_camera.hpp"
#include "app/window/gestures.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// The camera under the hand of a person: mouse, keys, bookmarks, a path that plays, and following the bodies.
class CameraControl {
public:
    const OrbitCamera& camera() const { return camera_; }
    const CameraState& state() const { return state_; }
    /// By itself, though not with the bodies.
    bool moving() const { return camera_.moving() || flight_.moving() || state_.playing; }
    /// What a panel or a scene file asks for. Another time on the path goes there, and a path that begins to play does
    /// so at its start when it had come to its end.
    void set(const CameraState& state);

    void mouse(const MouseInput& input, double picture_height);
    void turn(double yaw) { camera_.drag(yaw, 0); }  ///< radians, by no hand; stop_turning() when it is over
    void stop_turning() { camera_.release(); }
    /// Time passes. `flight`: the wish to fly to the right, up and forward; see Flight.
    void advance(double seconds, const glm::dvec3& flight);
    /// The path goes on by itself, too: a recording calls it for each of its pictures, advance() does so otherwise.
    void advance_path(double seconds);
    void hold_path(bool hold) { path_held_ = hold; }  ///< while a recording says when it goes on

    void bodies_moved(const Frame& frame);  ///< a new frame has come
    void fit(const FrameExtent& extent, double aspect, Transition transition);
    void set_follow(Follow follow);
    void set_mode(CameraMode mode);

    void store(int place);   ///< 1 to kCameraPlaces
    bool recall(int place);  ///< false: nothing was stored there
    void go_to(const CameraPose& pose, Transition transition) { take_over(), camera_.go_to(pose, transition); }

    /// A key of the path here and now, at the time of the path; at its end the time then goes on by 2 s, so that the
    /// next key follows this one.
    void add_key();
    bool toggle_playing();  ///< false: there is no path yet

private:
    void take_over();  ///< a hand on the mouse ends the playing

    OrbitCamera camera_;
    Flight flight_;
    CameraState state_;
    bool dragging_ = false, path_held_ = false;
    std::optional<glm::dvec3> followed_;  // where what is followed was
};

}  // namespace orrery
