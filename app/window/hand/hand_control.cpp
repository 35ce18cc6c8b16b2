// SPDX-License-Identifier: MIT
#include "app/window/hand/hand_control.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "app/window/hand/pick.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {
namespace {

constexpr int kPathSteps = 128;

Vec3d pull(std::span<const Vec4d> pulling, const Gravity& gravity, Vec3d at) {
    Vec4d sum{};
    if (gravity.law != PairLaw::kGravity && gravity.law != PairLaw::kSpline) return {};
    for (const Vec4d& other : pulling) add_acceleration(sum, at, other, gravity.softening * gravity.softening);
    return gravity.constant * xyz(sum);
}

/// The path of a massless body within `duration` among fixed bodies, by leapfrog, including its start: shown while
/// aiming. A straight line under a law other than gravity.
std::vector<Vec3d> predicted_path(std::span<const Vec4d> pulling, const Gravity& gravity, Vec3d position,
                                  Vec3d velocity, double duration) {
    const double dt = duration / kPathSteps;
    std::vector<Vec3d> path{position};
    Vec3d acceleration = pull(pulling, gravity, position);
    for (int i = 0; i < kPathSteps; ++i) {
        velocity = velocity + 0.5 * dt * acceleration;
        position = position + dt * velocity;
        acceleration = pull(pulling, gravity, position);
        velocity = velocity + 0.5 * dt * acceleration;
        path.push_back(position);
    }
    return path;
}

constexpr double kReach = 12;  // pixels at scale 1: largest distance between a click and the body that it picks
constexpr double kMassPerNotch = 1.25;
constexpr std::uint32_t kDefaultCount = 500;  // of a cluster
constexpr double kDefaultSize = 0.1;          // of a cluster, as a fraction of the scene's radius
constexpr double kDefaultReach = 0.25;        // of a brush, as a fraction of the scene's radius
constexpr double kOutlineGap = 10;            // pixels from the outermost picked bodies to the line around them
constexpr double kStrokeGap = 0.05;           // seconds between two touches of a brush

/// The closed line that was drawn, a lasso or the edges of a box.
std::vector<OutlinePoint> line_of(const MouseInput& input) {
    if (input.box_done) {
        const auto [x0, y0, x1, y1] = *input.box;
        return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    }
    std::vector<OutlinePoint> corners;
    for (const glm::dvec2 at : input.lasso) corners.push_back({at.x, at.y});
    return corners;
}

}  // namespace

void HandControl::use(const MouseInput& input, double content_scale) {
    const glm::dvec2 window = core_.size;
    HandState& hand = core_.state.hand;
    hand.box = input.box_done ? std::nullopt : input.box;
    hand.lasso = input.lasso_done ? std::vector<glm::dvec2>{} : input.lasso;
    hand.tool.brushes ? brush(input, window) : aim(input, window);
    const bool drawn = input.box_done || input.lasso_done;
    if (!scenes_.bodies_seen() || (!input.click && !drawn)) return;
    if (side_by_side()) {
        if (drawn) core_.messages.notice("Bodies cannot be picked in split screen; choose Wipe, Difference or Flip");
        return;
    }
    const OrbitCamera camera = core_.shown_camera();
    if (drawn) return enclose(picture_.view().within(camera, window.x, window.y, Outline{line_of(input)}));
    const SharedBuffer& seen = picture_.view().drawn();
    std::vector<std::uint32_t> found;
    if (const auto body = body_at(seen.read(seen.count()), {camera, window.x, window.y, picture_.view().space()},
                                  *input.click, kReach * content_scale))
        found.push_back(seen.rows() ? (*seen.rows())[*body] : *body);
    if (input.click_adds) {
        if (found.empty()) return;  // missed the intended body
        found = with_picked(found.front());
    }
    const bool any = !found.empty() || hand.picked;
    if (any) pick(found.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(found)));
    if (input.twice && any && core_.state.hand.picked) fly_to_picked();
}

/// Combines bodies that were enclosed with the selection.
void HandControl::enclose(const BodySet& found) {
    const Picked& before = core_.state.hand.picked;
    const BodySet selected = before ? BodySet::of_rows(found.bodies(), *before) : BodySet{found.bodies()};
    std::vector<std::uint32_t> rows = combined(core_.state.hand.combines, selected, found).rows();
    if (rows.empty() && !before) return;
    pick(rows.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(rows)));
}

/// The selection with this body added, or removed if it is selected; sorted.
std::vector<std::uint32_t> HandControl::with_picked(std::uint32_t body) const {
    std::vector<std::uint32_t> all;
    if (const Picked& picked = core_.state.hand.picked) all = *picked;
    if (std::erase(all, body) == 0) all.push_back(body);
    std::ranges::sort(all);
    return all;
}

/// Flies to the picked body and follows it.
void HandControl::fly_to_picked() {
    const std::vector<Vec4f> bodies = picture_.view().read_bodies();
    const std::uint32_t body = core_.state.hand.picked->front();
    if (body >= bodies.size()) return;
    core_.camera.set_follow(Follow::kPicked);
    const Vec3d seen = picture_.view().space().nearest({bodies[body].x, bodies[body].y, bodies[body].z});
    core_.camera.fly_to({seen.x, seen.y, seen.z});
}

bool HandControl::side_by_side() const {
    return core_.state.status.compare.on && core_.state.comparison.view.mode == CompareMode::kSplit;
}

void HandControl::pick(Picked picked) {
    if (picked && core_.simulation.status().source.cloud.on)
        return core_.messages.notice("Bodies of a cloud cannot be picked: each represents many");
    HandState& hand = core_.state.hand;
    core_.state.hand.new_name.reset();
    core_.simulation.send(Inspect{picked});
    hand.picked = std::move(picked);
    if (!hand.picked)
        hand.markers.clear();
    else if (const std::string_view page = core_.state.layout.panel;
             page != "plots" && page != "halos" && page != "selection")  // these pages describe them
        core_.state.layout.panel = "hand";
    if (core_.camera.state().follow == Follow::kPicked)
        core_.camera.set_follow(hand.picked ? Follow::kPicked : Follow::kNothing);
}

void HandControl::forget() {
    const SetOperation combines = core_.state.hand.combines;
    core_.state.hand = {};
    core_.state.hand.combines = combines;
    const Frame& frame = core_.simulation.frame();
    NewBodies& palette = core_.state.hand.tool.palette;
    palette.count = kDefaultCount, palette.mass = frame.words ? frame.words->mean_mass : 0;
    palette.radius = kDefaultSize * frame.extent.radius;
    core_.state.hand.tool.reach = kDefaultReach * frame.extent.radius;
    core_.state.hand.tool.strength = frame.extent.radius / std::max(second(), 1e-300);
    bodies_ = frame.count;
    if (core_.camera.state().follow == Follow::kPicked) core_.camera.set_follow(Follow::kNothing);
}

bool HandControl::grabs(glm::dvec2 at, double content_scale) const {
    const HandState& hand = core_.state.hand;
    if (!scenes_.bodies_seen() || side_by_side()) return false;
    if (hand.tool.adds || hand.tool.brushes) return true;
    return std::ranges::any_of(hand.markers,
                               [&](glm::dvec2 mark) { return glm::length(mark - at) <= kReach * content_scale; });
}

/// An arrow is as long as the path of one second, at the scene's default speed.
double HandControl::second() const {
    const Status& status = core_.simulation.status();
    return 60 * status.dynamics.dt * status.scene.steps_per_frame;
}

/// All bodies except the picked ones, or a sample of them with the total mass.
std::vector<Vec4d> HandControl::field() const {
    constexpr std::size_t kMostPulling = 4096;
    const std::vector<Vec4f> bodies = picture_.view().read_bodies();
    const Frame& frame = core_.simulation.frame();
    const double mean = frame.words ? frame.words->mean_mass : 0;
    const std::size_t stride = 1 + (bodies.size() - 1) / kMostPulling;
    const Picked& picked = core_.state.hand.picked;
    std::vector<Vec4d> pulling;
    for (std::size_t i = 0; i < bodies.size(); i += stride) {
        if (!core_.state.hand.tool.adds && picked && std::ranges::binary_search(*picked, static_cast<std::uint32_t>(i)))
            continue;
        const double mass = mean * (frame.masses && i < frame.masses->size() ? (*frame.masses)[i] : 1);
        pulling.push_back({bodies[i].x, bodies[i].y, bodies[i].z, mass * static_cast<double>(stride)});
    }
    return pulling;
}

/// The point under the mouse, at the distance of the camera's target.
Vec3d HandControl::place_under(const OrbitCamera& camera, glm::dvec2 from, glm::dvec2 window) {
    const auto middle = camera.project(camera.pose().target, window.x, window.y);
    const glm::dvec2 off = middle ? from - *middle : glm::dvec2{0};
    const glm::dvec3 at = camera.pose().target + (off.x * camera.right() - off.y * camera.up()) /
                                                     camera.pixels_per_length(camera.pose().distance, window.y);
    return {at.x, at.y, at.z};
}

/// While pressed, a brush acts repeatedly; the whole stroke is undone at once.
void HandControl::brush(const MouseInput& input, glm::dvec2 window) {
    HandState& hand = core_.state.hand;
    const bool begins = input.aim && !hand.brush;
    hand.brush.reset();
    if (!input.aim || !scenes_.bodies_seen()) return;
    const OrbitCamera camera = core_.shown_camera();
    const HandTool& tool = hand.tool;
    const auto now = std::chrono::steady_clock::now();
    if (begins) ++stroke_, touched_ = now - std::chrono::milliseconds{50};
    const double passed = std::chrono::duration<double>(now - touched_).count();
    if (!input.aim->done)
        hand.brush = {input.aim->to, tool.reach * camera.pixels_per_length(camera.pose().distance, window.y)};
    if (passed < kStrokeGap) return;
    touched_ = now;
    const glm::dvec3 normal = camera.back();
    NewBodies place;
    place.position = place_under(camera, input.aim->to, window), place.radius = tool.reach;
    place.normal = {normal.x, normal.y, normal.z};
    recording_.act(EditBodies{{.kind = *tool.brushes,
                               .factor = tool.strength * std::min(passed, 2 * kStrokeGap),
                               .add = place,
                               .stroke = stroke_}});
}

void HandControl::begin_aim(const OrbitCamera& camera, glm::dvec2 from, glm::dvec2 window) {
    const HandState& hand = core_.state.hand;
    field_ = field();
    if (hand.tool.adds) {
        held_ = place_under(camera, from, window), held_speed_ = {};
        return;
    }
    const auto& seen = core_.simulation.status().inspection;
    if (seen && seen->body) held_ = seen->body->position, held_speed_ = seen->body->velocity;
    if (seen && seen->group) held_ = seen->group->centre, held_speed_ = seen->group->velocity;
}

std::vector<glm::dvec2> HandControl::path_seen(const OrbitCamera& camera, Vec3d velocity, glm::dvec2 window) const {
    constexpr double kSecondsAhead = 4;
    std::vector<glm::dvec2> path;
    for (const Vec3d& at :
         predicted_path(field_, core_.simulation.status().dynamics.gravity, held_, velocity, kSecondsAhead * second()))
        if (const auto seen = camera.project({at.x, at.y, at.z}, window.x, window.y)) path.push_back(*seen);
    return path;
}

void HandControl::aim(const MouseInput& input, glm::dvec2 window) {
    HandState& hand = core_.state.hand;
    const bool begins = input.aim && !hand.aim;
    hand.aim.reset();
    if (!input.aim || !scenes_.bodies_seen()) return;
    const OrbitCamera camera = core_.shown_camera();
    if (begins) begin_aim(camera, input.aim->from, window);
    hand.tool.palette.mass *= std::pow(kMassPerNotch, input.notches);
    const glm::dvec3 to_eye = camera.eye() - glm::dvec3{held_.x, held_.y, held_.z};
    const double depth = std::max(glm::dot(to_eye, camera.back()), 1e-9 * camera.pose().distance);
    const glm::dvec2 drawn = input.aim->to - input.aim->from;
    const glm::dvec3 way =
        (drawn.x * camera.right() - drawn.y * camera.up()) / camera.pixels_per_length(depth, window.y);
    const bool moves = input.aim->moves && !hand.tool.adds;
    const Vec3d by = (moves ? 1 : 1 / second()) * Vec3d{way.x, way.y, way.z};
    if (input.aim->done) return released(by, moves);
    hand.aim = HandAim{input.aim->from, input.aim->to, moves, length(by), {}};
    if (!moves && (hand.tool.adds || hand.count() == 1)) hand.aim->path = path_seen(camera, held_speed_ + by, window);
}

/// Carries out the edit that was drawn.
void HandControl::released(Vec3d by, bool moves) {
    HandState& hand = core_.state.hand;
    NewBodies& palette = hand.tool.palette;
    if (hand.tool.adds) {
        palette.position = held_, palette.velocity = by;
        const glm::dvec3 normal = core_.camera.camera().back();
        palette.normal = {normal.x, normal.y, normal.z};
        added_ = true;
        recording_.act(EditBodies{{.kind = *hand.tool.adds, .add = palette}});
        ++palette.seed;
    } else if (length(by) > 0 && hand.picked) {
        recording_.act(
            EditBodies{{.kind = moves ? EditKind::kMove : EditKind::kThrow, .bodies = *hand.picked, .by = by}});
    }
}

void HandControl::remove_picked() {
    if (!core_.state.hand.picked) return core_.messages.notice("Pick a body first: click on it");
    recording_.act(EditBodies{{.kind = EditKind::kRemove, .bodies = *core_.state.hand.picked}});
    if (core_.simulation.status().encounters.rule.on()) pick(nullptr);
    core_.messages.notice("Ctrl + Z brings them back", "removed");
}

/// After a change, the indices belong to other bodies, unless the simulation has tracked the picked ones. Bodies just
/// added are picked.
void HandControl::bodies_changed(const Frame& frame) {
    const std::size_t count = frame.count, before = std::exchange(bodies_, count);
    if (before == 0 || count == before) return;
    const bool picks = std::exchange(added_, false) && count > before;
    if (!picks && frame.picked && core_.state.hand.picked) return void(core_.state.hand.picked = frame.picked);
    // A frame from before the simulation received the selection; a later one will have it.
    if (!picks && count < before && core_.simulation.status().encounters.rule.on()) return;
    if (!picks) return core_.state.hand.picked ? pick(nullptr) : void();
    std::vector<std::uint32_t> added(count - before);
    std::iota(added.begin(), added.end(), static_cast<std::uint32_t>(before));
    pick(std::make_shared<const std::vector<std::uint32_t>>(std::move(added)));
}

void HandControl::update() {
    place_markers();
    sight_.update(second());
}

void HandControl::apply(const UiRequests& requests) {
    if (requests.pick) pick(*requests.pick);
    if (requests.enclosed) enclose(BodySet::of_rows(core_.simulation.frame().count, *requests.enclosed));
}

void HandControl::place_markers() {
    HandState& hand = core_.state.hand;
    hand.markers.clear(), hand.outline.clear();
    if (!scenes_.bodies_seen() || !hand.picked || side_by_side()) return;
    const OrbitCamera camera = core_.shown_camera();
    const Periodic space = picture_.view().space();
    for (const Vec4d& body : core_.simulation.frame().watched) {
        const Vec3d drawn = space.nearest(xyz(body));
        if (const auto at = camera.project({drawn.x, drawn.y, drawn.z}, core_.size.x, core_.size.y))
            hand.markers.push_back(*at);
    }
    if (hand.count() > kMostRings) hand.outline = hull_of(hand.markers, kOutlineGap);
}

void HandControl::toggle_follow() {
    const bool following = core_.camera.state().follow != Follow::kNothing;
    const Follow next = following                 ? Follow::kNothing
                        : core_.state.hand.picked ? Follow::kPicked
                                                  : Follow::kCentreOfMass;
    core_.camera.set_follow(next);
    core_.camera.bodies_moved(core_.simulation.frame(), core_.state.picture.space);  // bodies at rest send no new frame
    core_.messages.notice(following                 ? "Following nothing"
                          : next == Follow::kPicked ? "Following the selection"
                                                    : "Following the centre of mass",
                          "follow");
}

}  // namespace orrery
