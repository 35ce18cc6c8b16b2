// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <glm/vec3.hpp>

#include "app/camera/camera_state.hpp"
#include "app/camera/orbit_camera.hpp"
#include "app/camera/periodic.hpp"
#include "app/window/hand/gestures.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

/// Camera control: mouse, keys, bookmarks, path playback, and following the bodies.
class CameraControl {
public:
    const OrbitCamera& camera() const { return camera_; }
    const CameraState& state() const { return state_; }
    /// True if the camera moves by itself, apart from following bodies.
    bool moving() const { return camera_.moving() || flight_.moving() || state_.playing; }
    /// Applies the settings of a panel or a scene file. A changed path time moves the camera there, and playback
    /// restarts from the beginning if it had reached the end.
    void set(const CameraState& state);

    /// If the target's position in the window is given, the wheel zooms to the mouse, unless the camera follows
    /// something.
    void mouse(const MouseInput& input, double picture_height, std::optional<glm::dvec2> target_at = {});
    void fly_to(const glm::dvec3& place);            ///< approaches it smoothly
    void turn(double yaw) { camera_.drag(yaw, 0); }  ///< automatic rotation, radians; call stop_turning() at the end
    void stop_turning() { camera_.release(); }
    /// Advances time. `flight`: requested motion to the right, up and forward; see Flight.
    void advance(double seconds, const glm::dvec3& flight);
    /// Advances the path separately: called by a recording for each of its frames, otherwise by advance().
    void advance_path(double seconds);
    void hold_path(bool hold) { path_held_ = hold; }  ///< while a recording controls its time

    void bodies_moved(const Frame& frame, const Periodic& space);  ///< for a new frame
    void fit(const FrameExtent& extent, double aspect, Transition transition);
    void set_follow(Follow follow);
    void set_mode(CameraMode mode);

    void store(int place);   ///< 1 to kCameraPlaces
    bool recall(int place);  ///< false if nothing is stored there
    void go_to(const CameraPose& pose, Transition transition) { take_over(), camera_.go_to(pose, transition); }

    /// Adds the current pose as a key at the current path time; at the end of the path the time then advances by 2 s,
    /// so that the next key follows this one.
    void add_key();
    bool toggle_playing();  ///< false if there is no path

private:
    void take_over();  ///< mouse input ends playback

    OrbitCamera camera_;
    Flight flight_;
    CameraState state_;
    bool dragging_ = false, path_held_ = false;
    std::optional<glm::dvec3> followed_;  // last position of the followed target
};

}  // namespace orrery
