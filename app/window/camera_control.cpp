// SPDX-License-Identifier: MIT
#include "app/window/camera_control.hpp"

namespace orrery {
namespace {

constexpr double kTurnPerHeight = 3.2;  // radians for a drag over the height of the picture

}  // namespace

void CameraControl::mouse(const MouseInput& input, double picture_height) {
    if (input.turning && (input.dx != 0 || input.dy != 0)) {
        const double radians = kTurnPerHeight / picture_height;
        camera_.drag(-input.dx * radians, input.dy * radians);
    }
    if (dragging_ && !input.turning) camera_.release();
    dragging_ = input.turning;
    if (input.panning) camera_.pan(input.dx / picture_height, -input.dy / picture_height);
    if (input.notches != 0) camera_.dolly(input.notches);
}

void CameraControl::bodies_moved(const FrameExtent& extent) {
    const glm::dvec3 centre{extent.centre.x, extent.centre.y, extent.centre.z};
    if (follow_ && last_centre_) camera_.translate(centre - *last_centre_);
    last_centre_ = centre;
}

void CameraControl::fit(const FrameExtent& extent, double aspect, Transition transition) {
    camera_.fit(extent, aspect, transition);
}

void CameraControl::store(int place) { places_.at(static_cast<std::size_t>(place - 1)) = camera_.pose(); }

bool CameraControl::recall(int place) {
    const auto& pose = places_.at(static_cast<std::size_t>(place - 1));
    if (pose) camera_.go_to(*pose, Transition::kSmooth);
    return pose.has_value();
}

}  // namespace orrery
