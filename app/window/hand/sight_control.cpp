// SPDX-License-Identifier: MIT
#include "app/window/hand/sight_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

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

}  // namespace orrery
