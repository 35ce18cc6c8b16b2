// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>

#include "app/camera/orbit_camera.hpp"
#include "app/ui/command.hpp"

namespace orrery {

/// What the mouse did over the picture, since the last frame.
struct MouseInput {
    bool turning = false, panning = false;  ///< a drag is under way
    float dx = 0, dy = 0;                   ///< pixels, y downward
    double notches = 0;                     ///< of the wheel
};

/// The camera under the hand of a person: mouse, bookmarks, and following the bodies.
class CameraControl {
public:
    const OrbitCamera& camera() const { return camera_; }
    void mouse(const MouseInput& input, double picture_height);
    void advance(double seconds) { camera_.advance(seconds); }
    /// A new frame has come.
    void bodies_moved(const FrameExtent& extent);
    void fit(const FrameExtent& extent, double aspect, Transition transition);

    void store(int place);   ///< 1 to kCameraPlaces
    bool recall(int place);  ///< false: nothing was stored there
    void go_to(const CameraPose& pose, Transition transition) { camera_.go_to(pose, transition); }
    const auto& places() const { return places_; }
    void set_places(const std::array<std::optional<CameraPose>, kCameraPlaces>& places) { places_ = places; }
    bool follow() const { return follow_; }
    void set_follow(bool follow) { follow_ = follow; }

private:
    OrbitCamera camera_;
    std::array<std::optional<CameraPose>, kCameraPlaces> places_;
    bool follow_ = false, dragging_ = false;
    std::optional<glm::dvec3> last_centre_;
};

}  // namespace orrery
