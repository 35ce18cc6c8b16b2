// SPDX-License-Identifier: MIT
// Projections and slices of density and fields, interpolated as in smoothed-particle hydrodynamics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analyses.hpp"
#include "core/analysis/bins.hpp"
#include "core/analysis/voxels.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t kCellsOfProjection = 256;
constexpr std::size_t kRowsOfStrip = 8;
constexpr std::size_t kArrowsAcross = 20;
constexpr double kLogarithmicFrom = 50;  // ratio of the largest to the smallest value
constexpr double kLeastDensity = 1e-6;   // of the largest one: smaller ones are not drawn
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<std::string_view, 6> kDensityFields{"Density", "Densities", "RHO", "rho", "Dens", "den"};

const BodyField* field_named(const Scene& scene, std::string_view name) {
    const auto found = std::ranges::find(scene.bodies.fields, name, &BodyField::name);
    return found == scene.bodies.fields.end() ? nullptr : &*found;
}

const BodyField& loaded_field(const Scene& scene, const std::string& name) {
    if (const BodyField* const field = field_named(scene, name)) return *field;
    usage_error(fmt::format("field {} is not loaded; load it with --fields", name));
}

/// A body as its kernel adds it to a grid.
struct Blob {
    double x, y, z, support, mass, weight, value;
};

/// Bodies without a value are left out.
std::vector<Blob> blobs_of(const Subject& subject, const AnalysisSettings& settings) {
    const Scene& scene = subject.scene();
    const BodyField* const field = settings.field.empty() ? nullptr : &loaded_field(scene, settings.field);
    const BodyField* density = nullptr;
    if (settings.weight == AnalysisWeight::kVolume) {
        for (const std::string_view name : kDensityFields)
            if (!density) density = field_named(scene, name);
        if (!density) usage_error("weight volume needs the field rho of the file: load it with --fields rho");
    }
    const std::vector<double> supports =
        kernel_supports(subject.pool(), scene.bodies.fields, subject.position_mass(), subject.indices());
    std::vector<Blob> blobs;
    for (std::size_t i = 0; i < subject.size(); ++i) {
        const auto number = [&](const BodyField& of) { return static_cast<double>((*of.values)[subject.index(i)]); };
        const double value = field ? number(*field) : 1, mass = subject.mass(i);
        const double weight = settings.weight == AnalysisWeight::kNumber ? 1 : density ? mass / number(*density) : mass;
        if (!std::isfinite(value) || !std::isfinite(weight)) continue;
        const Vec3d at = subject.position(i);
        blobs.push_back({at.x, at.y, at.z, supports[i], mass, weight, value});
    }
    if (blobs.empty()) usage_error(fmt::format("{}: none of these bodies has a value", settings.field));
    return blobs;
}

/// Cells of a square plane that a blob reaches, along one side.
struct Reach {
    std::ptrdiff_t first, last;
};
Reach reach_along(const Bins& cells, double middle, double support) {
    const double step = cells.high(0) - cells.low(0), low = cells.low(0) + 0.5 * step;
    return {static_cast<std::ptrdiff_t>(std::ceil((middle - support - low) / step)),
            static_cast<std::ptrdiff_t>(std::floor((middle + support - low) / step))};
}

/// Calls add(cell, blob, share) for each cell of the plane that a blob reaches, where shares(blob, dx, dy) is the share
/// at a distance from the blob. Strips of rows run concurrently; the order of the blobs in a cell is always the same.
template <class Shares, class Add>
void spread(Pool& pool, const Bins& cells, const std::vector<Blob>& blobs, const Shares& shares, const Add& add,
            const std::stop_token& stop) {
    const std::size_t count = cells.size(), strips = (count + kRowsOfStrip - 1) / kRowsOfStrip;
    const auto side = static_cast<std::ptrdiff_t>(count);
    std::vector<std::vector<std::uint32_t>> of_strip(strips);
    for (std::uint32_t i = 0; i < blobs.size(); ++i) {
        const Reach x = reach_along(cells, blobs[i].x, blobs[i].support),
                    y = reach_along(cells, blobs[i].y, blobs[i].support);
        if (x.last < 0 || x.first >= side || y.last < 0 || y.first >= side) continue;
        const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(y.first, 0)) / kRowsOfStrip;
        const auto last = static_cast<std::size_t>(std::min(y.last, side - 1)) / kRowsOfStrip;
        for (std::size_t strip = first; strip <= last; ++strip) of_strip[strip].push_back(i);
    }
    pool.parallel_for(0, strips, [&](std::uint64_t strip) {
        const auto begin = static_cast<std::ptrdiff_t>(strip * kRowsOfStrip);
        const std::ptrdiff_t end = std::min(side, begin + static_cast<std::ptrdiff_t>(kRowsOfStrip));
        for (const std::uint32_t i : of_strip[strip]) {
            if (stop.stop_requested()) return;
            const Blob& blob = blobs[i];
            const Reach x = reach_along(cells, blob.x, blob.support), y = reach_along(cells, blob.y, blob.support);
            for (std::ptrdiff_t row = std::max(y.first, begin); row <= std::min(y.last, end - 1); ++row)
                for (std::ptrdiff_t column = std::max<std::ptrdiff_t>(x.first, 0); column <= std::min(x.last, side - 1);
                     ++column) {
                    const double dx = cells.middle(static_cast<std::size_t>(column)) - blob.x,
                                 dy = cells.middle(static_cast<std::size_t>(row)) - blob.y;
                    if (const double share = shares(blob, dx, dy); share > 0)
                        add(static_cast<std::size_t>(row * side + column), blob, share);
                }
        }
    });
}

/// Title and labels of a grid, and the rule by which its cells are computed.
struct Shown {
    std::string title, label, column;
    bool maximum = false, mean = true;
};

template <class Shares>
std::vector<double> on_grid(const Subject& subject, const Bins& cells, const std::vector<Blob>& blobs,
                            const Shown& shown, const Shares& shares, const std::stop_token& stop) {
    const std::size_t count = cells.size() * cells.size();
    std::vector<double> sums(count, shown.maximum ? kNoValue : 0), weights(count);
    spread(
        subject.pool(), cells, blobs, shares,
        [&](std::size_t cell, const Blob& blob, double share) {
            if (shown.maximum)
                sums[cell] = std::fmax(sums[cell], blob.value);
            else if (shown.mean)
                sums[cell] += blob.weight * share * blob.value, weights[cell] += blob.weight * share;
            else
                sums[cell] += blob.mass * share;
        },
        stop);
    if (shown.mean && !shown.maximum)
        for (std::size_t i = 0; i < count; ++i) sums[i] = weights[i] > 0 ? sums[i] / weights[i] : kNoValue;
    return sums;
}

/// Kernels narrower than a cell are widened to it, so that no body falls between the middles of cells.
void widen(std::vector<Blob>& blobs, const Bins& cells) {
    for (Blob& blob : blobs) blob.support = std::max(blob.support, cells.high(0) - cells.low(0));
}

bool shown_linear(const AnalysisSettings& settings, const std::vector<double>& values) {
    if (settings.scale != AnalysisScale::kAuto) return settings.scale == AnalysisScale::kLinear;
    double low = HUGE_VAL, high = 0;
    for (const double value : values) {
        if (value < 0) return true;
        if (value > 0) low = std::min(low, value), high = std::max(high, value);
    }
    return high < kLogarithmicFrom * low;
}

std::array<std::string, 2> names_of_sides(AnalysisAxis axis) {
    if (axis == AnalysisAxis::kX) return {"y", "z"};
    if (axis == AnalysisAxis::kY) return {"x", "z"};
    return {"x", "y"};
}

Shown shown_of(const Subject& subject, AnalysisSettings& settings, bool slice) {
    if (settings.weight == AnalysisWeight::kAuto) settings.weight = AnalysisWeight::kMass;
    if (settings.field.empty()) {
        if (settings.weight != AnalysisWeight::kMass)
            usage_error("density is a sum of masses: choose a field for another weight");
        const UnitNames& units = subject.units();
        return slice ? Shown{"Density in a slice", with_unit("density", units.density()), "density", false, false}
                     : Shown{"Density along the axis", with_unit("mass per area", units.surface_density()),
                             "surface_density", false, false};
    }
    if (slice && settings.weight == AnalysisWeight::kMaximum)
        usage_error("weight maximum: a slice has one value at each point");
    const std::string_view by = settings.weight == AnalysisWeight::kMaximum  ? "maximum"
                                : settings.weight == AnalysisWeight::kVolume ? "volume-weighted"
                                : settings.weight == AnalysisWeight::kNumber ? "mean of bodies"
                                                                             : "mass-weighted";
    const std::string unit = loaded_field(subject.scene(), settings.field).unit;
    return {fmt::format("{}, {}", settings.field, by), with_unit(settings.field, unit), settings.field,
            settings.weight == AnalysisWeight::kMaximum, true};
}

AnalysisResult result_of(const Subject& subject, const AnalysisSettings& settings, const Bins& cells,
                         const Shown& shown, std::vector<double> values) {
    const std::array<std::string, 2> names = names_of_sides(settings.axis);
    const std::string x_label = with_unit(names[0], subject.units().length),
                      y_label = with_unit(names[1], subject.units().length);
    AnalysisColumn columns[] = {{names[0], x_label, {}}, {names[1], y_label, {}}, {shown.column, shown.label, values}};
    for (std::size_t row = 0; row < cells.size(); ++row)
        for (std::size_t column = 0; column < cells.size(); ++column) {
            columns[0].values.push_back(cells.middle(column));
            columns[1].values.push_back(cells.middle(row));
        }
    PlotCells grid{cells.edges(), cells.edges(), std::move(values), shown.label};
    grid.linear = shown_linear(settings, grid.values);
    if (!shown.mean) {  // the edges of kernels would take most of the colours
        const double most = std::ranges::max(grid.values);
        for (double& value : grid.values)
            if (value < kLeastDensity * most) value = 0;
    }
    AnalysisResult result{.title = shown.title, .note = {}, .columns = {}, .panels = {}};
    result.columns.assign(std::begin(columns), std::end(columns));
    result.panels.push_back({.title = shown.title, .x_label = x_label, .y_label = y_label, .grid = std::move(grid)});
    result.plane =
        AnalysisPlane{subject.centre(), subject.direction_in_scene({1, 0, 0}), subject.direction_in_scene({0, 1, 0})};
    return result;
}

/// The vectors of the bodies of a subject, in its frame: velocities, or a field of three components.
std::vector<Vec3d> vectors_of(const Subject& subject, const std::string& name) {
    std::vector<Vec3d> all;
    if (name == "v") {
        for (std::size_t i = 0; i < subject.size(); ++i) all.push_back(subject.velocity(i));
        return all;
    }
    std::array<const BodyField*, 3> parts{};
    for (std::size_t k = 0; k < 3; ++k) parts[k] = &loaded_field(subject.scene(), fmt::format("{}[{}]", name, k));
    for (std::size_t i = 0; i < subject.size(); ++i) {
        const auto part = [&](std::size_t k) { return static_cast<double>((*parts[k]->values)[subject.index(i)]); };
        all.push_back(subject.from_scene({part(0), part(1), part(2)}));
    }
    return all;
}

/// A line to the tip, and two to the ends of its head.
AnalysisPath arrow(double x, double y, double dx, double dy) {
    constexpr double kHead = 0.35, kHalf = 0.5;
    const PlotPoint tip{x + dx, y + dy};
    const auto back = [&](double side) {
        return PlotPoint{tip.x - kHead * (dx - side * kHalf * dy), tip.y - kHead * (dy + side * kHalf * dx)};
    };
    return {{x, y}, tip, back(1), tip, back(-1)};
}

}  // namespace

AnalysisResult projection(const Subject& subject, const AnalysisSettings& given, const std::stop_token& stop) {
    AnalysisSettings settings = given;
    const Shown shown = shown_of(subject, settings, false);
    const Bins cells = cells_of_plane(subject, settings, kCellsOfProjection);
    const double step = cells.high(0) - cells.low(0);
    std::vector<Blob> blobs = blobs_of(subject, settings);
    widen(blobs, cells);
    static const ColumnKernel column;
    const auto along = [&](const Blob& blob, double dx, double dy) {
        return column(std::hypot(dx, dy) / blob.support) / (blob.support * blob.support);
    };
    // Few cells sample a narrow kernel badly; its mass is then divided among them in proportion.
    for (Blob& blob : blobs) {
        if (blob.support >= 2 * step) continue;
        const Reach x = reach_along(cells, blob.x, blob.support), y = reach_along(cells, blob.y, blob.support);
        double sum = 0;
        for (std::ptrdiff_t row = y.first; row <= y.last; ++row)
            for (std::ptrdiff_t at = x.first; at <= x.last; ++at)
                sum += along(blob, cells.low(0) + (static_cast<double>(at) + 0.5) * step - blob.x,
                             cells.low(0) + (static_cast<double>(row) + 0.5) * step - blob.y);
        if (sum > 0) blob.mass /= sum * step * step, blob.weight /= sum * step * step;
    }
    AnalysisResult result =
        result_of(subject, settings, cells, shown, on_grid(subject, cells, blobs, shown, along, stop));
    result.note = "line integrals of the cubic spline kernel (Monaghan & Lattanzio 1985)";
    return result;
}

AnalysisResult slice(const Subject& subject, const AnalysisSettings& given, const std::stop_token& stop) {
    AnalysisSettings settings = given;
    const Shown shown = shown_of(subject, settings, true);
    const Bins cells = cells_of_plane(subject, settings, kCellsOfProjection);
    std::vector<Blob> blobs = blobs_of(subject, settings);
    widen(blobs, cells);
    const double height = settings.height;
    const auto in_plane = [height](const Blob& blob, double dx, double dy) {
        const double dz = height - blob.z, h = blob.support;
        return sph_kernel(std::sqrt(dx * dx + dy * dy + dz * dz) / h) / (h * h * h);
    };
    AnalysisResult result =
        result_of(subject, settings, cells, shown, on_grid(subject, cells, blobs, shown, in_plane, stop));
    result.note = "the cubic spline kernel (Monaghan & Lattanzio 1985)";
    if (settings.arrows.empty()) return result;

    const Bins coarse{cells.edges().front(), cells.edges().back(), kArrowsAcross, false};
    const std::vector<Vec3d> vectors = vectors_of(subject, settings.arrows);
    AnalysisSettings of_density = settings;
    of_density.field.clear();
    std::vector<Blob> moved = blobs_of(subject, of_density);  // all bodies of the subject, in order
    std::vector<double> parts[2];
    for (int k = 0; k < 2; ++k) {
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i].value = k == 0 ? vectors[i].x : vectors[i].y;
        std::vector<Blob> known = moved;
        std::erase_if(known, [](const Blob& blob) { return !std::isfinite(blob.value); });
        parts[k] = on_grid(subject, coarse, known, {{}, {}, {}, false, true}, in_plane, stop);
    }
    double longest = 0;
    for (std::size_t i = 0; i < parts[0].size(); ++i)
        if (const double size = std::hypot(parts[0][i], parts[1][i]); size > longest) longest = size;
    if (!(longest > 0)) return result;
    const double scale = (coarse.high(0) - coarse.low(0)) / longest;
    for (std::size_t i = 0; i < parts[0].size(); ++i) {
        const double dx = scale * parts[0][i], dy = scale * parts[1][i];
        if (!std::isfinite(dx) || !std::isfinite(dy)) continue;
        result.panels.front().arrows.push_back(
            arrow(coarse.middle(i % kArrowsAcross) - dx / 2, coarse.middle(i / kArrowsAcross) - dy / 2, dx, dy));
    }
    const std::string unit =
        settings.arrows == "v" ? subject.units().speed() : loaded_field(subject.scene(), settings.arrows + "[0]").unit;
    result.note +=
        fmt::format("; longest arrow: {} = {:.3g}{}{}", settings.arrows, longest, unit.empty() ? "" : " ", unit);
    return result;
}

}  // namespace orrery
