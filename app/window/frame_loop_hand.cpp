// SPDX-License-Identifier: MIT
// Camera and hand: what they do with the mouse, and what they need of the simulation.
#include <fmt/format.h>
#include <imgui.h>

#include "app/window/frame_loop.hpp"
#include "app/window/pick.hpp"

namespace orrery {
namespace {

constexpr double kReach = 12;  // pixels at scale 1 between a click and the body that it means

}  // namespace

void FrameLoop::use_mouse(const MouseInput& input) {
    camera_.mouse(input, std::max(1, window_.framebuffer_height()));
    state_.hand.box = input.box_done ? std::nullopt : input.box;
    if (!bodies_seen_ || (!input.click && !input.box_done)) return;
    if (side_by_side()) {
        if (input.box_done) notice("Bodies are picked where there is one picture: wiped, differences, or in turn");
        return;
    }
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const PickView view{camera_.camera(), size.x, size.y};
    const std::vector<Vec4f> bodies = view_.read_bodies();
    std::vector<std::uint32_t> found;
    if (input.box_done) found = bodies_in(bodies, view, *input.box);
    if (input.click)
        if (const auto body = body_at(bodies, view, *input.click, kReach * window_.content_scale()))
            found.push_back(*body);
    const bool any = !found.empty() || state_.hand.picked;
    if (any) pick(found.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(found)));
}

bool FrameLoop::side_by_side() const {
    return state_.status.compare.on && state_.compare_view.mode == CompareMode::kSplit;
}

void FrameLoop::pick(Picked picked) {
    simulation_.send(Inspect{picked});
    state_.hand.picked = std::move(picked);
    if (state_.hand.picked)
        state_.panel = "hand";
    else
        state_.hand.markers.clear();
    if (camera_.state().follow == Follow::kPicked)
        camera_.set_follow(state_.hand.picked ? Follow::kPicked : Follow::kNothing);
}

/// Bodies of another scene are not those that were picked.
void FrameLoop::forget_picked() {
    state_.hand = {};
    if (camera_.state().follow == Follow::kPicked) camera_.set_follow(Follow::kNothing);
}

void FrameLoop::place_markers() {
    state_.hand.markers.clear();
    if (!bodies_seen_ || !state_.hand.picked || side_by_side()) return;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    for (const Vec4d& body : simulation_.frame().watched)
        if (const auto at = camera_.camera().project({body.x, body.y, body.z}, size.x, size.y))
            state_.hand.markers.push_back(*at);
}

/// The simulation spends no time on what nobody looks at.
void FrameLoop::ask_for_mass_centre() {
    const bool wanted = camera_.state().follow == Follow::kMassCentre;
    if (wanted == mass_centre_asked_) return;
    mass_centre_asked_ = wanted;
    simulation_.send(WatchMassCentre{wanted});
}

void FrameLoop::toggle_follow() {
    const bool following = camera_.state().follow != Follow::kNothing;
    const Follow next = following ? Follow::kNothing : state_.hand.picked ? Follow::kPicked : Follow::kMassCentre;
    camera_.set_follow(next);
    notice(following                 ? "Following nothing"
           : next == Follow::kPicked ? "Following what is picked"
                                     : "Following the centre of mass",
           "follow");
}

void FrameLoop::toggle_fly() {
    const bool fly = camera_.state().mode == CameraMode::kOrbit;
    camera_.set_mode(fly ? CameraMode::kFly : CameraMode::kOrbit);
    notice(fly ? "Fly: W A S D Q E move, drag looks round, the wheel changes the speed" : "Turning round the bodies",
           "camera");
}

void FrameLoop::add_camera_key() {
    camera_.add_key();
    const CameraPath& path = camera_.state().path;
    notice(fmt::format("Keyframe {} of {} at {:.2f} s", *camera_.state().key + 1, path.keys.size(),
                       path.keys[*camera_.state().key].time));
}

void FrameLoop::play_path() {
    if (!camera_.toggle_playing()) notice("The camera has no path yet; key K adds a keyframe");
}

}  // namespace orrery
