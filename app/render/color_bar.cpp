// SPDX-License-Identifier: MIT
#include "app/render/color_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/plot/scales.hpp"

namespace orrery {
namespace {

constexpr double kMostDecades = 12;  // below the high end, if the low end is 0
constexpr int kMostTicks = 6;

std::string number(double x) {
    const double size = std::abs(x);
    if (size == 0) return "0";
    return size >= 1e5 || size < 1e-3 ? fmt::format("{:.2g}", x) : fmt::format("{:.6g}", x);
}

std::vector<ColorTick> linear_ticks(ScalarRange range, bool whole) {
    std::vector<ColorTick> ticks;
    const double span = range.high - range.low;
    if (!(span > 0)) return {{0, number(range.low)}};
    double step = round_step(span, kMostTicks - 1);
    if (whole) step = std::max(1.0, std::round(step));
    for (const double value : multiples(step, range.low, range.high))
        ticks.push_back({static_cast<float>((value - range.low) / span), number(value)});
    return ticks;
}

std::vector<ColorTick> decade_ticks(ScalarRange range) {
    const PlotScale scale{{range.low, range.high}, true};
    if (!(range.high > range.low)) return {{0, number(range.low)}};
    std::vector<ColorTick> ticks;
    for (const double value : decades(range.low, range.high))
        ticks.push_back({static_cast<float>(scale.share(value)), number(value)});
    if (ticks.size() >= 2) return ticks;
    // Less than two whole decades: label the ends.
    const auto three_digits = [](double x) { return number(std::stod(fmt::format("{:.3g}", x))); };
    return {{0, three_digits(range.low)}, {1, three_digits(range.high)}};
}

/// Ticks at powers of ten on both sides of 0, every one or every other, and at 0.
std::vector<ColorTick> symmetric_ticks(ScalarRange range) {
    const double knee = symmetric_knee(ColorScale::kSymmetric, range);
    const auto at = [&](double value) {
        return (std::asinh(value / knee) - std::asinh(range.low / knee)) /
               (std::asinh(range.high / knee) - std::asinh(range.low / knee));
    };
    if (!(range.high > range.low) || !(knee > 0)) return {{0, number(range.low)}};
    std::vector<ColorTick> ticks;
    const double first = std::pow(10.0, std::floor(std::log10(knee * std::pow(10.0, kSymmetricDecades))));
    const auto add = [&](double value) {
        if (value >= range.low && value <= range.high) ticks.push_back({static_cast<float>(at(value)), number(value)});
    };
    for (const double share : {1.0, 1e-2}) add(-first * share);
    add(0);
    for (const double share : {1e-2, 1.0}) add(first * share);
    return ticks;
}

/// One tick per visible species; its position as in shaders/color.glsl.
std::vector<ColorTick> species_ticks(std::bitset<kSpeciesCount> seen) {
    std::vector<ColorTick> ticks;
    for (std::size_t i = 0; i < kSpeciesCount; ++i)
        if (seen[i])
            ticks.push_back(
                {(static_cast<float>(i) + 0.5f) / kNamedColors, std::string{name(static_cast<Species>(i))}});
    return ticks;
}

/// One tick per band.
void show_bands(ColorBar& bar) {
    constexpr std::array kBands{"i", "r", "g"};
    bar.names = true;
    for (std::size_t k = 0; k < kBands.size(); ++k)
        bar.ticks.push_back({(static_cast<float>(k) + 0.5f) / kBands.size(), kBands[k]});
    for (std::size_t i = 0; i < bar.colors.size(); ++i) {
        const std::size_t band = i * kBands.size() / bar.colors.size();
        bar.colors[i] = {band == 0 ? 1.0f : 0, band == 1 ? 1.0f : 0, band == 2 ? 1.0f : 0, 1};
    }
}

}  // namespace

ColorScale color_scale(const ViewSettings& settings, const FrameExtent& extent) {
    constexpr double kWide = 100;  // ratio of values from which a field is shown by its logarithm
    const ColorScale own = color_mode(extent.color_by).scale;
    if (without_order(own)) return own;
    if (settings.color_scale == ScaleChoice::kLinear) return ColorScale::kLinear;
    if (settings.color_scale == ScaleChoice::kLogarithmic) return ColorScale::kLogarithmic;
    if (settings.color_scale == ScaleChoice::kSymmetric) return ColorScale::kSymmetric;
    if (extent.color_by != ColorBy::kField || !(extent.scalar_low > 0)) return own;
    return extent.scalar_high > kWide * extent.scalar_low ? ColorScale::kLogarithmic : own;
}

double symmetric_knee(ColorScale scale, ScalarRange range) {
    if (scale != ColorScale::kSymmetric) return 0;
    return std::max(std::abs(range.low), std::abs(range.high)) * std::pow(10.0, -kSymmetricDecades);
}

ScalarRange scalar_range(const ViewSettings& settings, const FrameExtent& extent) {
    ScalarRange range = settings.scalar_range.value_or(ScalarRange{extent.scalar_low, extent.scalar_high});
    if (color_scale(settings, extent) != ColorScale::kLogarithmic) return range;
    if (!(range.high > 0)) return {1, 1};
    range.low = std::max(range.low, range.high * std::pow(10.0, -kMostDecades));
    return range;
}

ColorBar distance_bar(const ViewSettings& settings, ScalarRange range, const BodyMetadata& words) {
    ColorBar bar{.title = "Distance of B from A",
                 .colors = color_table(color_map_for(settings.color_map, ColorBy::kSpeed))};
    if (!words.length_unit.empty()) bar.title += ", " + words.length_unit;
    bar.ticks = decade_ticks({std::pow(10.0, range.low), std::pow(10.0, range.high)});
    return bar;
}

ColorBar color_bar(const ViewSettings& settings, const FrameExtent& extent, const BodyMetadata& words,
                   double expansion) {
    const ColorModeEntry& mode = color_mode(extent.color_by);
    const ShownUnit unit = shown_unit(mode.unit, {words.length_unit, words.mass_unit, words.days_per_time,
                                                  peculiar_factor(words.cosmology, expansion)});
    ColorBar bar{.title = std::string{mode.label}, .colors = color_table(color_map_for(settings.color_map, mode.by))};
    if (!extent.field.empty()) bar.title = extent.field;
    if (!extent.field_unit.empty()) bar.title += ", " + extent.field_unit;
    if (!unit.text.empty()) bar.title += ", " + unit.text;
    if (extent.missing > 0) bar.title += fmt::format(", {:.2g} % without a value", 100 * extent.missing);
    if (extent.samples > 0) bar.title += fmt::format(", from a sample of {}", extent.samples);
    if (mode.by == ColorBy::kStarlight) return show_bands(bar), bar;
    bar.categories = mode.scale == ColorScale::kCategories;
    if (bar.categories) return bar;
    if (mode.scale == ColorScale::kNamed) {
        bar.names = true, bar.ticks = species_ticks(words.species & ~settings.species.hidden());
        return bar;
    }
    const ColorScale scale = color_scale(settings, extent);
    ScalarRange range = scalar_range(settings, extent);
    range = {range.low * unit.factor, range.high * unit.factor};
    if (settings.dispersion) {
        bar.title = "Spread: " + bar.title;
        if (scale == ColorScale::kLogarithmic)
            bar.title += ", decades", range = {std::log10(range.low), std::log10(range.high)};
        bar.ticks = linear_ticks({0, (range.high - range.low) / 2}, false);
        return bar;
    }
    if (scale == ColorScale::kSymmetric) return bar.ticks = symmetric_ticks(range), bar;
    bar.ticks =
        scale == ColorScale::kLogarithmic ? decade_ticks(range) : linear_ticks(range, mode.by == ColorBy::kLevel);
    return bar;
}

}  // namespace orrery
