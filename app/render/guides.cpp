// SPDX-License-Identifier: MIT
#include "app/render/guides.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr int kReach = 14;  // cells of the grid between the target and its edge
constexpr std::uint32_t kGrid = 0xffb8a490, kAxes[3] = {0xff5a5af0, 0xff5ac864, 0xfff09650};  // ImGui's order: ABGR

Vec3f at(double x, double y, double z) { return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}; }

void add_grid(std::vector<SceneLine>& lines, const OrbitCamera& camera, double spacing, double z) {
    const glm::dvec3 target = camera.pose().target;
    const double x0 = std::round(target.x / spacing), y0 = std::round(target.y / spacing);
    for (int i = -kReach; i <= kReach; ++i)
        for (int j = -kReach; j < kReach; ++j) {
            const double away = std::hypot(i, j + 0.5) / kReach;
            if (away >= 1) continue;
            const double weight = 0.5 * (1 - away) * (1 - away);
            const auto line = [&](double ax, double ay, double bx, double by, double fixed) {
                // Every tenth line is slightly stronger; these form the next coarser grid.
                const double strong = std::fmod(std::abs(fixed), 10) < 0.5 ? 2 : 1;
                lines.push_back({at(spacing * ax, spacing * ay, z), static_cast<float>(spacing),
                                 at(spacing * bx, spacing * by, z), packed_look(kGrid, strong * weight)});
            };
            line(x0 + i, y0 + j, x0 + i, y0 + j + 1, x0 + i);
            line(x0 + j, y0 + i, x0 + j + 1, y0 + i, y0 + i);
        }
}

}  // namespace

double round_length(double length) {
    if (!(length > 0) || !std::isfinite(length)) return 0;
    const double power = std::pow(10.0, std::floor(std::log10(length))), part = length / power;
    return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

double grid_spacing(const OrbitCamera& camera) {
    const double height = 1 / camera.pixels_per_length(camera.pose().distance, 1);  // of the frame, as a length
    return round_length(height / 4);
}

std::vector<SceneLine> guide_lines(const GuideView& view, const OrbitCamera& camera, const FrameExtent& extent) {
    std::vector<SceneLine> lines;
    const double spacing = grid_spacing(camera);
    if (!(spacing > 0)) return lines;
    const double z = std::abs(extent.centre.z) < extent.radius ? 0 : extent.centre.z;
    if (view.grid) add_grid(lines, camera, spacing, z);
    if (view.axes)
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3f to = at(axis == 0 ? 5 * spacing : 0, axis == 1 ? 5 * spacing : 0, axis == 2 ? 5 * spacing : 0);
            lines.push_back({{0, 0, 0}, static_cast<float>(5 * spacing), to, packed_look(kAxes[axis], 1)});
        }
    return lines;
}

ScaleBar scale_bar(const OrbitCamera& camera, double height, double most) {
    const double per_length = camera.pixels_per_length(camera.pose().distance, height);
    const double length = round_length(most / per_length);
    return {length, length * per_length};
}

}  // namespace orrery
