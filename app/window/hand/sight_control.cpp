// SPDX-License-Identifier: MIT
#include "app/window/hand/sight_control.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "app/window/overlays.hpp"
#include "core/plot/scales.hpp"

namespace orrery {
namespace {

constexpr int kOrbitPoints = 256;
constexpr double kWholeWay = 0.98;  // fraction of the anomalies of a hyperbola

glm::dvec3 point_of(const Vec3d& v) { return {v.x, v.y, v.z}; }

bool finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

void SightControl::update(double second) {
    const glm::dvec2 window = core_.size;
    SightState& sight = core_.state.sight;
    sight.arrows.clear(), sight.orbit.clear(), sight.contours.clear();
    const auto& seen = core_.simulation.status().inspection;
    const Picked& picked = core_.state.hand.picked;
    if (picked != tracked_) {
        tracked_ = picked;
        track_.clear();
    }
    if (seen && picked) note_track(*seen);
    sight.track_rows = track_.size();
    // Split screen shows two cameras, and this is neither of them.
    const bool split = core_.state.status.compare.on && core_.state.comparison.view.mode == CompareMode::kSplit;
    if (split) return;
    const OrbitCamera camera = core_.shown_camera();
    if (sight.settings.contours) place_contours(camera, window);
    if (!seen || !picked) return;
    if (sight.settings.arrows) place_arrows(camera, window, *seen, second);
    if (sight.settings.orbit && seen->orbit) place_orbit(camera, window, *seen);
}

void SightControl::place_arrows(const OrbitCamera& camera, glm::dvec2 window, const Inspection& seen, double second) {
    const auto add = [&](const Vec3d& from, const Vec3d& by, bool acceleration) {
        if (!finite(from) || !finite(by)) return;
        const auto a = camera.project(point_of(from), window.x, window.y),
                   b = camera.project(point_of(from + by), window.x, window.y);
        if (a && b) core_.state.sight.arrows.push_back({*a, *b, acceleration});
    };
    const auto add_both = [&](const BodyMotion& motion) {
        add(motion.position, second * motion.velocity, false);
        add(motion.position, (0.5 * second * second) * motion.acceleration, true);
    };
    if (seen.motions.size() <= kMostRings) return void(std::ranges::for_each(seen.motions, add_both));
    BodyMotion mean{};
    const double share = 1 / static_cast<double>(seen.motions.size());
    for (const BodyMotion& motion : seen.motions) {
        mean.position = mean.position + share * motion.position;
        mean.velocity = mean.velocity + share * motion.velocity;
        mean.acceleration = mean.acceleration + share * motion.acceleration;
    }
    add_both(mean);
}

void SightControl::place_orbit(const OrbitCamera& camera, glm::dvec2 window, const Inspection& seen) {
    const KeplerOrbit& orbit = seen.orbit->orbit;
    const double most = orbit.closed() ? std::numbers::pi : kWholeWay * std::acos(-1 / orbit.eccentricity);
    std::vector<std::vector<glm::dvec2>>& pieces = core_.state.sight.orbit;
    bool continues = false;
    for (int i = 0; i <= kOrbitPoints; ++i) {
        const double anomaly = most * (2.0 * i / kOrbitPoints - 1);
        const auto at = camera.project(point_of(seen.orbit->centre + orbit.at(anomaly)), window.x, window.y);
        if (at && !continues) pieces.emplace_back();
        if (at) pieces.back().push_back(*at);
        continues = at.has_value();
    }
}

void SightControl::place_contours(const OrbitCamera& camera, glm::dvec2 window) {
    const AnalysisStatus& status = core_.simulation.status().analysis;
    if (!status.now || !status.now->plane || status.settings.kind != core_.state.plots.analysis.kind) return;
    const AnalysisPlane& plane = *status.now->plane;
    const std::vector<AnalysisContour>& contours = status.now->panels.front().contours;
    std::vector<SightContour>& shown = core_.state.sight.contours;
    for (std::size_t level = 0; level < contours.size(); ++level) {
        const float depth = static_cast<float>(level + 1) / static_cast<float>(contours.size());
        for (const AnalysisPath& path : contours[level].paths) {
            bool continues = false;
            for (const PlotPoint& point : path) {
                const auto at =
                    camera.project(point_of(plane.origin + point.x * plane.x + point.y * plane.y), window.x, window.y);
                if (at && !continues) shown.push_back({depth, {}});
                if (at) shown.back().points.push_back(*at);
                continues = at.has_value();
            }
        }
    }
}

void SightControl::note_track(const Inspection& seen) {
    if (!track_.empty() && seen.step == last_step_) return;
    last_step_ = seen.step;
    for (const BodyMotion& motion : seen.motions) track_.push_back({seen.step, seen.time, motion});
    if (track_.size() > kMostRows)
        track_.erase(track_.begin(), track_.begin() + static_cast<std::ptrdiff_t>(track_.size() - kMostRows));
}

std::string SightControl::track_csv() const {
    std::string text = "step,time,body,x,y,z,vx,vy,vz\n";
    for (const Row& row : track_) {
        const Vec3d &x = row.motion.position, &v = row.motion.velocity;
        fmt::format_to(std::back_inserter(text), "{},{:.17g},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n",
                       row.step, row.time, row.motion.id, x.x, x.y, x.z, v.x, v.y, v.z);
    }
    return text;
}

namespace {

constexpr ImU32 kVelocity = IM_COL32(86, 180, 233, 235), kAcceleration = IM_COL32(230, 159, 0, 235),
                kOrbit = IM_COL32(130, 225, 255, 130);

void arrow(ImDrawList& draw, const SightArrow& one, float scale) {
    const ImVec2 from{static_cast<float>(one.from.x), static_cast<float>(one.from.y)},
        to{static_cast<float>(one.to.x), static_cast<float>(one.to.y)};
    const float x = to.x - from.x, y = to.y - from.y, long_ = std::hypot(x, y), head = 7 * scale;
    if (long_ < 2 * scale) return;
    const ImU32 color = one.acceleration ? kAcceleration : kVelocity;
    const ImVec2 along{x / long_ * head, y / long_ * head};
    draw.AddLine(from, to, color, 1.6f * scale);
    draw.AddTriangleFilled(to, {to.x - along.x - along.y / 2, to.y - along.y + along.x / 2},
                           {to.x - along.x + along.y / 2, to.y - along.y - along.x / 2}, color);
}

void polyline(ImDrawList& draw, const std::vector<glm::dvec2>& points, ImU32 color, float width) {
    std::vector<ImVec2> path;
    for (const glm::dvec2& at : points) path.push_back({static_cast<float>(at.x), static_cast<float>(at.y)});
    draw.AddPolyline(path.data(), static_cast<int>(path.size()), color, 0, width);
}

}  // namespace

void sight_overlay(const Widgets& ui, const UiState& state) {
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    for (const SightContour& contour : state.sight.contours) {
        const PlotColor color = cell_color(0.35 + 0.65 * static_cast<double>(contour.depth));
        polyline(draw, contour.points, IM_COL32(color.red, color.green, color.blue, 170), 1.2f * ui.scale());
    }
    for (const auto& piece : state.sight.orbit) polyline(draw, piece, kOrbit, 1.4f * ui.scale());
    for (const SightArrow& one : state.sight.arrows) arrow(draw, one, ui.scale());
}

}  // namespace orrery
