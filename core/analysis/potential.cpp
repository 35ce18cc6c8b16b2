// SPDX-License-Identifier: MIT
// Potentials and accelerations under the force of all bodies, the potential in a plane, and its contours.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "core/analysis/analyses.hpp"
#include "core/analysis/bins.hpp"
#include "core/analysis/subject.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_system.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

constexpr std::size_t kDirectBodies = 8192;  // above this `fmm` is faster
constexpr double kPotentialAccuracy = 1e-5;  // relative accuracy of the forces; potentials are more accurate
constexpr double kSlice = 0.02;              // seconds between checks for a stop

void require_gravity(const Scene& scene) {
    if (scene.gravity.law != PairLaw::kGravity)
        usage_error(fmt::format("{}: this plot needs the force of gravity, and the law is {}", scene.id,
                                pair_law(scene.gravity.law).id));
}

/// Accelerations and potentials of bodies under their own gravity. Empty if stopped.
std::vector<Vec4d> field_of(const Subject& subject, const Bodies& bodies, const std::stop_token& stop) {
    EngineConfig config{.engine = bodies.size() > kDirectBodies ? "fmm" : "direct",
                        .precision = Precision::kDouble,
                        .threads = subject.pool().threads()};
    config.tree.accuracy = config.engine == "fmm" ? kPotentialAccuracy : 0;
    const auto system = make_body_system(config, bodies);
    const std::uint64_t items = system->begin_forces(subject.scene().gravity, Potential::kCompute);
    double rate = 0;  // items per second
    for (std::uint64_t first = 0; first < items;) {
        if (stop.stop_requested()) return {};
        const auto start = std::chrono::steady_clock::now();
        const auto slice = static_cast<std::uint64_t>(std::max(1.0, kSlice * rate));
        const std::uint64_t last = std::min(items, first + slice);
        system->run_forces(first, last);
        system->wait();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        rate = static_cast<double>(last - first) / std::max(1e-6, took.count());
        first = last;
    }
    return system->accelerations();
}

/// All bodies of the scene, followed by the points as massless bodies, since the engines compute forces on bodies.
std::vector<Vec4d> with_points(const Subject& subject, const std::vector<Vec3d>& points) {
    std::vector<Vec4d> bodies = subject.scene().bodies.position_mass;
    bodies.reserve(bodies.size() + points.size());
    for (const Vec3d& point : points) {
        const Vec3d at = subject.in_scene(point);
        bodies.push_back({at.x, at.y, at.z, 0});
    }
    return bodies;
}

}  // namespace

std::vector<double> potentials_of(const Subject& subject, const std::stop_token& stop) {
    require_gravity(subject.scene());
    const std::vector<Vec4d> field = field_of(subject, subject.scene().bodies, stop);
    std::vector<double> potentials;
    for (std::size_t i = 0; i < subject.size() && !field.empty(); ++i) potentials.push_back(field[subject.index(i)].w);
    return potentials;
}

std::vector<double> potentials_at(const Subject& subject, const std::vector<Vec3d>& points,
                                  const std::stop_token& stop) {
    require_gravity(subject.scene());
    Bodies bodies;
    bodies.position_mass = with_points(subject, points);
    bodies.velocity.resize(bodies.position_mass.size());
    const std::vector<Vec4d> field = field_of(subject, bodies, stop);
    std::vector<double> potentials;
    for (std::size_t i = subject.scene().bodies.size(); i < field.size(); ++i) potentials.push_back(field[i].w);
    return potentials;
}

std::vector<Vec3d> accelerations_at(const Subject& subject, const std::vector<Vec3d>& points,
                                    const std::stop_token& stop) {
    const Scene& scene = subject.scene();
    require_gravity(scene);
    const std::vector<Vec4d> bodies = with_points(subject, points);
    const std::size_t first = scene.bodies.size();
    std::vector<Vec4d> found(points.size());
    const std::size_t blocks = (points.size() + kReferenceBlock - 1) / kReferenceBlock;
    subject.pool().parallel_for(0, blocks, [&](std::uint64_t block) {
        if (stop.stop_requested()) return;
        const std::size_t begin = block * kReferenceBlock, count = std::min(kReferenceBlock, points.size() - begin);
        std::uint32_t which[kReferenceBlock];
        for (std::size_t k = 0; k < count; ++k) which[k] = static_cast<std::uint32_t>(first + begin + k);
        references_of_block({bodies.data(), first + points.size()}, {which, count}, scene.gravity, &found[begin]);
    });
    if (stop.stop_requested()) return {};
    std::vector<Vec3d> accelerations;
    for (const Vec4d& each : found) accelerations.push_back(subject.from_scene(xyz(each)));
    return accelerations;
}

namespace {

constexpr std::size_t kCellsOfPlane = 64;  // along each side
constexpr std::size_t kLevels = 12;
constexpr double kShareInside = 0.9, kRoom = 1.25;  // the plane extends beyond the sphere with most of the mass

/// Default half-width of the plane; for a single body it follows from the softening, otherwise it is 1.
double reach_of(const Subject& subject) {
    const double reach = kRoom * subject.radius_of(kShareInside, false);
    if (reach > 0) return reach;
    const double softening = subject.scene().gravity.softening;
    return softening > 0 ? 5 * softening : 1;
}

}  // namespace

Bins cells_of_plane(const Subject& subject, const AnalysisSettings& settings, std::size_t standard) {
    const double reach = reach_of(subject), low = settings.from.value_or(-reach), high = settings.to.value_or(reach);
    if (!(low < high)) usage_error(fmt::format("{}: from must be below to", settings.kind));
    return {low, high, settings.bins > 0 ? static_cast<std::size_t>(settings.bins) : standard, false};
}

AnalysisResult potential_in_plane(const Subject& subject, const AnalysisSettings& settings,
                                  const std::stop_token& stop) {
    const Bins cells = cells_of_plane(subject, settings, kCellsOfPlane);
    const std::size_t count = cells.size();
    std::vector<Vec3d> points;
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t column = 0; column < count; ++column)
            points.push_back({cells.middle(column), cells.middle(row), 0});
    const std::vector<double> potentials = potentials_at(subject, points, stop);
    if (stop.stop_requested()) return {};

    const UnitNames& units = subject.units();
    const std::string x_label = with_unit("x", units.length), y_label = with_unit("y", units.length),
                      depth_label = with_unit("−Φ", units.energy());
    PlotCells grid{cells.edges(), cells.edges(), {}, depth_label};
    AnalysisColumn columns[] = {
        {"x", x_label, {}}, {"y", y_label, {}}, {"potential", with_unit("Φ", units.energy()), {}}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        grid.values.push_back(-potentials[i]);
        columns[0].values.push_back(points[i].x);
        columns[1].values.push_back(points[i].y);
        columns[2].values.push_back(potentials[i]);
    }
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    result.columns.assign(std::begin(columns), std::end(columns));
    AnalysisPanel panel{.title = "Potential in the plane", .x_label = x_label, .y_label = y_label};
    for (const double level : contour_levels(grid, kLevels))
        panel.contours.push_back({level, contour_lines(grid, level)});
    panel.grid = std::move(grid);
    result.panels.push_back(std::move(panel));
    result.plane =
        AnalysisPlane{subject.centre(), subject.direction_in_scene({1, 0, 0}), subject.direction_in_scene({0, 1, 0})};
    return result;
}

namespace {

/// An edge between two neighbouring cell centres, identified by its lower left one: twice its index, plus 1 if
/// vertical.
using Edge = std::size_t;
using Crossing = std::pair<Edge, Edge>;  // the edges through which a line enters and leaves a square

class Squares {
public:
    Squares(const PlotCells& grid, double level)
        : grid_{grid}, level_{level}, columns_{grid.x_edges.size() - 1}, rows_{grid.y_edges.size() - 1} {
        for (std::size_t row = 0; row + 1 < rows_; ++row)
            for (std::size_t column = 0; column + 1 < columns_; ++column) cross(column, row);
    }

    /// Joins crossings at the edges that they share.
    std::vector<AnalysisPath> paths() {
        std::multimap<Edge, std::size_t> at;
        for (std::size_t i = 0; i < crossings_.size(); ++i)
            at.emplace(crossings_[i].first, i), at.emplace(crossings_[i].second, i);
        std::vector<char> used(crossings_.size());
        const auto follow = [&](Edge from, std::size_t first) {
            AnalysisPath path{point(from)};
            for (std::size_t next = first; next != kNone;) {
                used[next] = 1;
                from = crossings_[next].first == from ? crossings_[next].second : crossings_[next].first;
                path.push_back(point(from));
                next = kNone;
                const auto [begin, end] = at.equal_range(from);
                for (auto it = begin; it != end; ++it)
                    if (!used[it->second]) next = it->second;
            }
            return path;
        };
        std::vector<AnalysisPath> all;
        for (const auto& [edge, crossing] : at)  // first the lines that end at the border, from their ends
            if (at.count(edge) == 1 && !used[crossing]) all.push_back(follow(edge, crossing));
        for (std::size_t i = 0; i < crossings_.size(); ++i)
            if (!used[i]) all.push_back(follow(crossings_[i].first, i));
        return all;
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    Edge edge(std::size_t column, std::size_t row, bool up) const {
        return 2 * (row * columns_ + column) + (up ? 1 : 0);
    }

    void cross(std::size_t c, std::size_t r) {
        const std::array corners{grid_.at(c, r), grid_.at(c + 1, r), grid_.at(c + 1, r + 1), grid_.at(c, r + 1)};
        if (!std::ranges::all_of(corners, [](double v) { return std::isfinite(v); })) return;
        // Edge i lies between corners i and i + 1.
        const std::array edges{edge(c, r, false), edge(c + 1, r, true), edge(c, r + 1, false), edge(c, r, true)};
        std::array<bool, 4> in{};
        for (std::size_t i = 0; i < 4; ++i) in[i] = corners[i] >= level_;
        std::vector<std::size_t> cut;
        for (std::size_t i = 0; i < 4; ++i)
            if (in[i] != in[(i + 1) % 4]) cut.push_back(i);
        if (cut.size() == 2) crossings_.emplace_back(edges[cut[0]], edges[cut[1]]);
        if (cut.size() < 4) return;
        const bool middle = corners[0] + corners[1] + corners[2] + corners[3] >= 4 * level_;
        // A line around each of the two corners that differ from the middle: corner i lies between edges i − 1 and i.
        for (std::size_t i = 0; i < 4; ++i)
            if (in[i] != middle) crossings_.emplace_back(edges[(i + 3) % 4], edges[i]);
    }

    PlotPoint point(Edge e) const {
        const std::size_t column = e / 2 % columns_, row = e / 2 / columns_;
        const bool up = e % 2 == 1;
        const double a = grid_.at(column, row), b = up ? grid_.at(column, row + 1) : grid_.at(column + 1, row);
        const double share = std::clamp((level_ - a) / (b - a), 0.0, 1.0);
        const auto middle = [](const std::vector<double>& edges, std::size_t i) {
            return 0.5 * (edges[i] + edges[i + 1]);
        };
        const double x = middle(grid_.x_edges, column), y = middle(grid_.y_edges, row);
        return up ? PlotPoint{x, std::lerp(y, middle(grid_.y_edges, row + 1), share)}
                  : PlotPoint{std::lerp(x, middle(grid_.x_edges, column + 1), share), y};
    }

    const PlotCells& grid_;
    double level_;
    std::size_t columns_, rows_;
    std::vector<Crossing> crossings_;
};

}  // namespace

std::vector<AnalysisPath> contour_lines(const PlotCells& grid, double level) {
    if (grid.x_edges.size() < 3 || grid.y_edges.size() < 3) return {};
    return Squares{grid, level}.paths();
}

std::vector<double> contour_levels(const PlotCells& grid, std::size_t count) {
    std::vector<double> values = grid.values;
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    if (values.empty()) return {};
    std::ranges::sort(values);
    std::vector<double> levels;
    for (std::size_t i = 1; i <= count; ++i) levels.push_back(values[i * (values.size() - 1) / (count + 1)]);
    // A level equal to the minimum has no line.
    std::erase_if(levels, [&](double level) { return !(level > values.front()); });
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    return levels;
}

}  // namespace orrery
