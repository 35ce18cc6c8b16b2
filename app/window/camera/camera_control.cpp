// SPDX-License-Identifier: MIT
#include "app/window/camera/camera_control.hpp"

#include <cmath>

namespace orrery {
namespace {

constexpr double kTurnPerHeight = 3.2;  // radians for a drag over the height of the picture
constexpr double kLookPerHeight = 1.6;  // the same, for looking around while flying
constexpr double kNextKey = 2;          // seconds after a key at the end of a path

std::optional<glm::dvec3> place(const std::optional<Vec3d>& v) {
    return v ? std::optional{glm::dvec3{v->x, v->y, v->z}} : std::nullopt;
}

std::optional<glm::dvec3> place_to_follow(Follow follow, const Frame& frame, const Periodic& space) {
    const auto seen = [&](const std::optional<Vec3d>& at) {
        return place(at ? std::optional{space.nearest(*at)} : at);
    };
    switch (follow) {
        case Follow::kMiddle:
            return place(space.extent(frame.extent).centre);
        case Follow::kCentreOfMass:
            return seen(frame.centre_of_mass);
        case Follow::kPicked:
            return seen(frame.watched_centre());
        case Follow::kNothing:
            break;
    }
    return std::nullopt;
}

}  // namespace

void CameraControl::set(const CameraState& state) {
    const bool sought = state.path_time != state_.path_time, starts = state.playing && !state_.playing;
    if (state.fov != state_.fov) camera_.set_fov(state.fov);
    if (state.follow != state_.follow) set_follow(state.follow);
    if (state.mode != state_.mode) set_mode(state.mode);
    flight_.set_speed(state.fly_speed);
    state_ = state;
    state_.fly_speed = flight_.speed();
    if (state_.path.empty()) state_.playing = false;
    if (state_.key && *state_.key >= state_.path.keys.size()) state_.key.reset();
    if (state_.path.empty()) return;
    if (starts && !state_.path.loop && state_.path_time >= state_.path.keys.back().time)
        state_.path_time = state_.path.keys.front().time;
    if (sought || starts) advance_path(0);
}

void CameraControl::mouse(const MouseInput& input, double picture_height, std::optional<glm::dvec2> target_at) {
    if (input.aim) return;
    const bool moved = input.dx != 0 || input.dy != 0, flying = state_.mode == CameraMode::kFly;
    if ((moved && (input.turning || input.panning)) || input.notches != 0) take_over();
    if (input.turning && moved) {
        const double radians = (flying ? kLookPerHeight : kTurnPerHeight) / picture_height;
        if (flying)
            camera_.look(-input.dx * radians, -input.dy * radians);
        else
            camera_.drag(-input.dx * radians, input.dy * radians);
    }
    if (dragging_ && !input.turning) camera_.release();
    dragging_ = input.turning && !flying;
    if (input.panning) camera_.pan(input.dx / picture_height, -input.dy / picture_height);
    if (input.notches == 0) return;
    if (flying)
        flight_.faster(input.notches), state_.fly_speed = flight_.speed();
    else if (target_at && state_.follow == Follow::kNothing)
        camera_.dolly_towards(input.notches, (input.at.x - target_at->x) / picture_height,
                              (target_at->y - input.at.y) / picture_height);
    else
        camera_.dolly(input.notches);
}

void CameraControl::fly_to(const glm::dvec3& place) {
    constexpr double kNearer = 0.4;  // factor of the distance
    take_over();
    flight_.stop();
    CameraPose pose = camera_.pose();
    pose.target = place, pose.distance *= kNearer;
    camera_.go_to(pose, Transition::kSmooth);
}

void CameraControl::advance(double seconds, const glm::dvec3& flight) {
    if (state_.mode == CameraMode::kFly) {
        if (flight != glm::dvec3{0}) take_over();
        flight_.advance(camera_, flight, seconds);
    }
    if (state_.playing && !path_held_) advance_path(seconds);
    camera_.advance(seconds);
    state_.fov = camera_.pose().fov;
}

void CameraControl::advance_path(double seconds) {
    if (state_.path.empty()) return;
    const CameraPath& path = state_.path;
    if (state_.playing) {
        state_.path_time += seconds;
        const double end = path.keys.front().time + path.duration();
        if (path.loop && path.duration() > 0 && state_.path_time >= end)
            state_.path_time -= path.duration() * std::ceil((state_.path_time - end) / path.duration() + 1e-12);
        if (!path.loop && state_.path_time >= end) state_.path_time = end, state_.playing = false;
    }
    camera_.go_to(path.evaluate(state_.path_time), Transition::kAtOnce);
}

void CameraControl::take_over() { state_.playing = false; }

void CameraControl::bodies_moved(const Frame& frame, const Periodic& space) {
    const auto now = place_to_follow(state_.follow, frame, space);
    if (now && followed_ && !state_.playing) camera_.translate(*now - *followed_);
    if (now && !followed_ && state_.follow != Follow::kMiddle) {  // following the middle keeps the pose
        CameraPose pose = camera_.pose();
        pose.target = *now;
        if (!state_.playing) camera_.go_to(pose, Transition::kSmooth);
    }
    followed_ = now;
}

void CameraControl::fit(const FrameExtent& extent, double aspect, Transition transition) {
    take_over();
    flight_.stop();
    camera_.fit(extent, aspect, transition);
}

void CameraControl::set_follow(Follow follow) {
    state_.follow = follow;
    followed_.reset();
}

void CameraControl::set_mode(CameraMode mode) {
    state_.mode = mode;
    flight_.stop();
    camera_.release();
    dragging_ = false;
}

void CameraControl::store(int place) { state_.places.at(static_cast<std::size_t>(place - 1)) = camera_.pose(); }

bool CameraControl::recall(int place) {
    const auto& pose = state_.places.at(static_cast<std::size_t>(place - 1));
    if (pose) take_over(), camera_.go_to(*pose, Transition::kSmooth);
    return pose.has_value();
}

void CameraControl::add_key() {
    CameraPath& path = state_.path;
    state_.key = path.add(state_.path_time, camera_.pose());
    if (*state_.key + 1 == path.keys.size()) state_.path_time += kNextKey;
}

bool CameraControl::toggle_playing() {
    CameraState next = state_;
    next.playing = !next.playing && !next.path.empty();
    set(next);
    return !state_.path.empty();
}

}  // namespace orrery
