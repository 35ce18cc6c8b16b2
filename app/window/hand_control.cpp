// SPDX-License-Identifier: MIT
#include "app/window/hand_control.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "app/window/pick.hpp"

namespace orrery {
namespace {

constexpr double kReach = 12;  // pixels at scale 1 between a click and the body that it means

}  // namespace

void HandControl::use(const MouseInput& input, glm::dvec2 window, double content_scale) {
    HandState& hand = core_.state.hand;
    hand.box = input.box_done ? std::nullopt : input.box;
    if (!scenes_.bodies_seen() || (!input.click && !input.box_done)) return;
    if (side_by_side()) {
        if (input.box_done)
            core_.messages.notice("Bodies cannot be picked in split screen; choose Wipe, Difference or Flip");
        return;
    }
    const OrbitCamera camera = core_.shown_camera();
    const PickView view{camera, window.x, window.y};
    const std::vector<Vec4f> bodies = picture_.view().read_bodies();
    std::vector<std::uint32_t> found;
    if (input.box_done) found = bodies_in(bodies, view, *input.box);
    if (input.click)
        if (const auto body = body_at(bodies, view, *input.click, kReach * content_scale)) found.push_back(*body);
    const bool any = !found.empty() || hand.picked;
    if (any) pick(found.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(found)));
}

bool HandControl::side_by_side() const {
    return core_.state.status.compare.on && core_.state.compare_view.mode == CompareMode::kSplit;
}

void HandControl::pick(Picked picked) {
    HandState& hand = core_.state.hand;
    core_.simulation.send(Inspect{picked});
    hand.picked = std::move(picked);
    if (hand.picked)
        core_.state.panel = "hand";
    else
        hand.markers.clear();
    if (core_.camera.state().follow == Follow::kPicked)
        core_.camera.set_follow(hand.picked ? Follow::kPicked : Follow::kNothing);
}

void HandControl::forget() {
    core_.state.hand = {};
    if (core_.camera.state().follow == Follow::kPicked) core_.camera.set_follow(Follow::kNothing);
}

void HandControl::place_markers(glm::dvec2 window) {
    HandState& hand = core_.state.hand;
    hand.markers.clear();
    if (!scenes_.bodies_seen() || !hand.picked || side_by_side()) return;
    const OrbitCamera camera = core_.shown_camera();
    for (const Vec4d& body : core_.simulation.frame().watched)
        if (const auto at = camera.project({body.x, body.y, body.z}, window.x, window.y)) hand.markers.push_back(*at);
}

void HandControl::toggle_follow() {
    const bool following = core_.camera.state().follow != Follow::kNothing;
    const Follow next = following ? Follow::kNothing : core_.state.hand.picked ? Follow::kPicked : Follow::kMassCentre;
    core_.camera.set_follow(next);
    core_.messages.notice(following                 ? "Following nothing"
                          : next == Follow::kPicked ? "Following the selection"
                                                    : "Following the centre of mass",
                          "follow");
}

}  // namespace orrery
