// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/analyses.hpp"
#include "core/analysis/bins.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/pool.hpp"

namespace orrery {
namespace {

double flat_radius(Vec3d x) { return std::hypot(x.x, x.y); }

double radial_velocity(const Subject& s, std::size_t i, double) {
    const double r = length(s.position(i));
    return r > 0 ? dot(s.position(i), s.velocity(i)) / r : 0;
}
double outward_velocity(const Subject& s, std::size_t i, double) {
    const Vec3d x = s.position(i), v = s.velocity(i);
    const double flat = flat_radius(x);
    return flat > 0 ? (x.x * v.x + x.y * v.y) / flat : 0;
}
double around_velocity(const Subject& s, std::size_t i, double) {
    const Vec3d x = s.position(i), v = s.velocity(i);
    const double flat = flat_radius(x);
    return flat > 0 ? (x.x * v.y - x.y * v.x) / flat : 0;
}
double across_velocity(const Subject& s, std::size_t i, double) {
    const Vec3d x = s.position(i);
    const double r = length(x);
    return r > 0 ? length(cross(x, s.velocity(i))) / r : length(s.velocity(i));
}
Vec3d spin(const Subject& s, std::size_t i) { return cross(s.position(i), s.velocity(i)); }

using U = UnitNames;

constexpr auto kQuantities = std::to_array<QuantityEntry>({
    {"x", "x", "position along x, from the centre", "x", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return s.position(i).x; }},
    {"y", "y", "position along y, from the centre", "y", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return s.position(i).y; }},
    {"z", "z", "height along the axis, from the centre", "z", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return s.position(i).z; }},
    {"r", "Radius r", "distance from the centre", "r", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return length(s.position(i)); }, false, true},
    {"R", "Radius R", "distance from the axis", "R", &U::length_text,
     [](const Subject& s, std::size_t i, double) { return flat_radius(s.position(i)); }, false, true},
    {"v_x", "v_x", "velocity along x", "v_x", &U::speed,
     [](const Subject& s, std::size_t i, double) { return s.velocity(i).x; }},
    {"v_y", "v_y", "velocity along y", "v_y", &U::speed,
     [](const Subject& s, std::size_t i, double) { return s.velocity(i).y; }},
    {"v_z", "v_z", "velocity along the axis", "v_z", &U::speed,
     [](const Subject& s, std::size_t i, double) { return s.velocity(i).z; }},
    {"v", "Speed v", "speed against the centre", "v", &U::speed,
     [](const Subject& s, std::size_t i, double) { return length(s.velocity(i)); }, false, true},
    {"v_r", "v_r", "velocity away from the centre", "v_r", &U::speed, radial_velocity},
    {"v_R", "v_R", "velocity away from the axis", "v_R", &U::speed, outward_velocity},
    {"v_phi", "v_φ", "velocity around the axis", "v_φ", &U::speed, around_velocity},
    {"v_t", "v_t", "speed across the direction to the centre", "v_t", &U::speed, across_velocity, false, true},
    {"mass", "Mass", "mass of the body", "mass", &U::mass_text,
     [](const Subject& s, std::size_t i, double) { return s.mass(i); }, false, true},
    {"L", "L", "angular momentum about the centre, per mass", "L", &U::angular_momentum,
     [](const Subject& s, std::size_t i, double) { return length(spin(s, i)); }, false, true},
    {"L_z", "L_z", "angular momentum about the axis, per mass", "L_z", &U::angular_momentum,
     [](const Subject& s, std::size_t i, double) { return spin(s, i).z; }},
    {"phi", "Φ", "potential, per mass", "Φ", &U::energy,
     [](const Subject&, std::size_t, double potential) { return potential; }, true},
    {"E", "Energy E", "energy against the centre, per mass: v²/2 + Φ", "E", &U::energy,
     [](const Subject& s, std::size_t i, double potential) {
         return 0.5 * dot(s.velocity(i), s.velocity(i)) + potential;
     },
     true},
});

}  // namespace

std::span<const QuantityEntry> quantities() { return kQuantities; }

std::vector<double> values_of(const QuantityEntry& quantity, const Subject& subject,
                              std::span<const double> potentials) {
    std::vector<double> values(subject.size());
    by_blocks(subject.pool(), values.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            values[i] = quantity.of(subject, i, potentials.empty() ? 0 : potentials[i]);
        return 0;
    });
    return values;
}

std::string label_of(const QuantityEntry& quantity, const UnitNames& units) {
    return with_unit(std::string{quantity.symbol}, (units.*quantity.unit)());
}

namespace {

const QuantityEntry& quantity(const std::string& id) { return find_in_menu(quantities(), "quantity", id); }

/// A number per body of the subject: a quantity, or a field of the scene, which is NaN where a body has no value.
struct AxisValues {
    std::string id, symbol, label;
    std::vector<double> of_bodies;
};

AxisValues values_of_field(const Subject& subject, const std::string& name) {
    const std::vector<BodyField>& fields = subject.scene().bodies.fields;
    const auto found = std::ranges::find(fields, name, &BodyField::name);
    if (found == fields.end()) {
        std::vector<std::string_view> names;
        for (const BodyField& each : fields) names.push_back(each.name);
        usage_error(
            fmt::format("field {} is not loaded; {}", name,
                        names.empty() ? "load it with --fields" : fmt::format("loaded: {}", fmt::join(names, ", "))));
    }
    AxisValues values{name, name, with_unit(name, found->unit), std::vector<double>(subject.size())};
    for (std::size_t i = 0; i < subject.size(); ++i)
        values.of_bodies[i] = static_cast<double>((*found->values)[subject.index(i)]);
    return values;
}

/// The values of each axis: of its field if it has one, otherwise of its quantity. Empty if stopped.
struct AxisChoice {
    const std::string &quantity, &field;
};
std::vector<AxisValues> values_of(const Subject& subject, std::span<const AxisChoice> axes,
                                  const std::stop_token& stop) {
    const auto needs = [](const AxisChoice& axis) {
        return axis.field.empty() && quantity(axis.quantity).needs_potential;
    };
    std::vector<double> potentials;
    if (std::ranges::any_of(axes, needs)) potentials = potentials_of(subject, stop);
    if (stop.stop_requested()) return {};
    std::vector<AxisValues> all;
    for (const AxisChoice& axis : axes) {
        if (!axis.field.empty()) {
            all.push_back(values_of_field(subject, axis.field));
            continue;
        }
        const QuantityEntry& entry = quantity(axis.quantity);
        all.push_back({std::string{entry.id}, std::string{entry.symbol}, label_of(entry, subject.units()),
                       values_of(entry, subject, potentials)});
    }
    return all;
}

/// Bins over the range of all values; on a logarithmic scale, of those above 0.
Bins bins_of(const std::vector<double>& values, std::size_t count, std::optional<double> from, std::optional<double> to,
             bool logarithmic, std::string_view of) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double value : values)
        if (!logarithmic || value > 0) low = std::min(low, value), high = std::max(high, value);
    if (low > high)
        usage_error(logarithmic ? fmt::format("{}: no value is above 0; a logarithmic axis is not possible", of)
                                : fmt::format("{}: none of these bodies has a value", of));
    if (from) low = *from;
    if (to) high = *to;
    if (low == high && !from && !to) {  // all values are equal: add room on either side
        const double room = low != 0 ? 0.5 * std::abs(low) : 0.5;
        low -= room, high += room;
    }
    if (!(low < high) || (logarithmic && !(low > 0)))
        usage_error(fmt::format("{} from {:g} to {:g}: expected ascending numbers, above 0 on a logarithmic scale", of,
                                low, high));
    return {low, high, count, logarithmic};
}

/// The total weight of the bodies in each bin; bin_of(i) is Bins::kNone for bodies outside.
template <class BinOf>
std::vector<double> weighed(const Subject& subject, AnalysisWeight weight, std::size_t count, const BinOf& bin_of) {
    std::vector<double> sums(count);
    for (const std::vector<double>&part :
         by_blocks(subject.pool(), subject.size(), [&](std::size_t first, std::size_t last) {
             std::vector<double> own(count);
             for (std::size_t i = first; i < last; ++i)
                 if (const std::size_t bin = bin_of(i); bin != Bins::kNone)
                     own[bin] += weight == AnalysisWeight::kMass ? subject.mass(i) : 1;
             return own;
         }))
        for (std::size_t i = 0; i < count; ++i) sums[i] += part[i];
    return sums;
}

std::string weight_label(const Subject& subject, AnalysisWeight weight) {
    return weight == AnalysisWeight::kMass ? with_unit("mass", subject.units().mass) : "bodies";
}

std::size_t count_of(const AnalysisSettings& settings, double automatic) {
    return static_cast<std::size_t>(settings.bins > 0 ? settings.bins : static_cast<int>(automatic));
}

/// The intervals of an axis, and their columns: lower end, upper end, middle.
struct Intervals {
    Bins bins;
    std::vector<AnalysisColumn> columns;
};
Intervals intervals_of(const AxisValues& x, const AnalysisSettings& settings) {
    // 2 N^(1/3): the rule of Rice university (Lane 2015, Online Statistics Education, 2.B)
    const std::size_t count =
        count_of(settings, std::clamp(2 * std::cbrt(static_cast<double>(x.of_bodies.size())), 4.0, 100.0));
    Intervals made{
        bins_of(x.of_bodies, count, settings.from, settings.to, settings.scale == AnalysisScale::kLogarithmic, x.id),
        {{fmt::format("{}_low", x.id), "lower " + x.label, {}},
         {fmt::format("{}_high", x.id), "upper " + x.label, {}},
         {x.id, x.label, {}}}};
    for (std::size_t i = 0; i < count; ++i) {
        made.columns[0].values.push_back(made.bins.low(i));
        made.columns[1].values.push_back(made.bins.high(i));
        made.columns[2].values.push_back(made.bins.middle(i));
    }
    return made;
}

/// The bodies of a plot over these values, of which `y` may be null.
std::shared_ptr<const PlottedBodies> plotted(const Subject& subject, AnalysisWeight weight, const AxisValues& x,
                                             const AxisValues* y) {
    auto bodies = std::make_shared<PlottedBodies>();
    bodies->x = x.of_bodies;
    if (y) bodies->y = y->of_bodies;
    if (subject.size() != subject.scene().bodies.size())
        for (std::size_t i = 0; i < subject.size(); ++i) bodies->rows.push_back(subject.index(i));
    if (weight == AnalysisWeight::kMass)
        for (std::size_t i = 0; i < subject.size(); ++i) bodies->weights.push_back(static_cast<float>(subject.mass(i)));
    return bodies;
}

AnalysisResult plane(const Subject& subject, const AnalysisSettings& settings, const AxisChoice& of_x,
                     const AxisChoice& of_y, const std::stop_token& stop) {
    const std::array axes{of_x, of_y};
    const std::vector<AxisValues> values = values_of(subject, axes, stop);
    if (values.empty()) return {};
    const AxisValues &x = values[0], &y = values[1];
    const std::vector<double>&xs = x.of_bodies, &ys = y.of_bodies;
    const std::size_t count =
        count_of(settings, std::clamp(std::sqrt(static_cast<double>(subject.size())) / 2, 16.0, 128.0));
    const bool logarithmic = settings.scale == AnalysisScale::kLogarithmic;
    const Bins across = bins_of(xs, count, settings.from, settings.to, logarithmic, x.id);
    const Bins upward = bins_of(ys, count, {}, {}, false, y.id);
    PlotCells grid{across.edges(), upward.edges(), {}, weight_label(subject, settings.weight)};
    grid.values = weighed(subject, settings.weight, count * count, [&](std::size_t i) {
        const std::size_t column = across.of(xs[i]), row = upward.of(ys[i]);
        return column == Bins::kNone || row == Bins::kNone ? Bins::kNone : row * count + column;
    });
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    AnalysisColumn columns[] = {{fmt::format("{}_low", x.id), "lower " + x.label, {}},
                                {fmt::format("{}_high", x.id), "upper " + x.label, {}},
                                {fmt::format("{}_low", y.id), "lower " + y.label, {}},
                                {fmt::format("{}_high", y.id), "upper " + y.label, {}},
                                {settings.weight == AnalysisWeight::kMass ? "mass" : "bodies", grid.label, {}}};
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t column = 0; column < count; ++column) {
            const double cell[] = {across.low(column), across.high(column), upward.low(row), upward.high(row),
                                   grid.at(column, row)};
            for (std::size_t k = 0; k < 5; ++k) columns[k].values.push_back(cell[k]);
        }
    result.columns.assign(std::begin(columns), std::end(columns));
    result.panels.push_back({.title = fmt::format("{} over {}", y.symbol, x.symbol),
                             .x_label = x.label,
                             .y_label = y.label,
                             .log_x = logarithmic,
                             .grid = std::move(grid)});
    result.plotted = plotted(subject, settings.weight, x, &y);
    return result;
}

AnalysisResult plane_of(const Subject& subject, const AnalysisSettings& settings, const std::string& x,
                        const std::string& y, const std::stop_token& stop) {
    const std::string none;
    return plane(subject, settings, {x, none}, {y, none}, stop);
}

}  // namespace

AnalysisResult histogram(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const std::array axes{AxisChoice{settings.x, settings.x_field}};
    const std::vector<AxisValues> all = values_of(subject, axes, stop);
    if (all.empty()) return {};
    const AxisValues& x = all[0];
    auto [bins, columns] = intervals_of(x, settings);
    columns.push_back({settings.weight == AnalysisWeight::kMass ? "mass" : "bodies",
                       weight_label(subject, settings.weight),
                       weighed(subject, settings.weight, bins.size(),
                               [&bins = bins, &x](std::size_t i) { return bins.of(x.of_bodies[i]); })});
    AnalysisResult result{.title = {}, .note = {}, .columns = std::move(columns), .panels = {}};
    result.panels.push_back({.title = fmt::format("Histogram of {}", x.symbol),
                             .x_label = x.label,
                             .y_label = result.columns[3].symbol,
                             .log_x = settings.scale == AnalysisScale::kLogarithmic,
                             .lines = {{.label = result.columns[3].symbol, .x = 0, .y = 3, .stairs = true}}});
    result.plotted = plotted(subject, settings.weight, x, nullptr);
    return result;
}

AnalysisResult profile_of_two(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const std::array axes{AxisChoice{settings.x, settings.x_field}, AxisChoice{settings.y, settings.y_field}};
    const std::vector<AxisValues> all = values_of(subject, axes, stop);
    if (all.empty()) return {};
    const AxisValues &x = all[0], &y = all[1];
    auto [bins, columns] = intervals_of(x, settings);
    const std::size_t count = bins.size();
    std::vector<double> weight(count), mean(count), squares(count), bodies(count);
    for (std::size_t i = 0; i < subject.size(); ++i) {
        const std::size_t bin = bins.of(x.of_bodies[i]);
        const double value = y.of_bodies[i], own = settings.weight == AnalysisWeight::kMass ? subject.mass(i) : 1;
        if (bin == Bins::kNone || !std::isfinite(value)) continue;
        ++bodies[bin];
        if (!(own > 0)) continue;
        // West 1979, Comm. ACM 22, 532: no difference of large sums
        const double change = value - mean[bin];
        weight[bin] += own;
        mean[bin] += change * own / weight[bin];
        squares[bin] += own * change * (value - mean[bin]);
    }
    AnalysisColumn means{"mean", y.label, {}}, spread{"dispersion", "dispersion", {}};
    for (std::size_t i = 0; i < count; ++i) {
        means.values.push_back(weight[i] > 0 ? mean[i] : NAN);
        spread.values.push_back(weight[i] > 0 ? std::sqrt(squares[i] / weight[i]) : NAN);
    }
    columns.insert(columns.end(), {std::move(means), std::move(spread), {"bodies", "bodies", std::move(bodies)}});
    AnalysisResult result{.title = {}, .note = {}, .columns = std::move(columns), .panels = {}};
    result.panels.push_back({.title = fmt::format("{} over {}", y.symbol, x.symbol),
                             .x_label = x.label,
                             .y_label = y.label,
                             .log_x = settings.scale == AnalysisScale::kLogarithmic,
                             .lines = {{.label = "mean", .x = 2, .y = 3}, {.label = "dispersion", .x = 2, .y = 4}}});
    result.plotted = plotted(subject, settings.weight, x, nullptr);
    return result;
}

AnalysisResult histogram_2d(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    return plane(subject, settings, {settings.x, settings.x_field}, {settings.y, settings.y_field}, stop);
}

AnalysisResult phase_space_radial(const Subject& subject, const AnalysisSettings& settings,
                                  const std::stop_token& stop) {
    return plane_of(subject, settings, "r", "v_r", stop);
}

AnalysisResult phase_space_speed(const Subject& subject, const AnalysisSettings& settings,
                                 const std::stop_token& stop) {
    return plane_of(subject, settings, "r", "v", stop);
}

AnalysisResult energy_momentum(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    return plane_of(subject, settings, "E", "L", stop);
}

}  // namespace orrery
