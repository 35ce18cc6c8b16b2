// SPDX-License-Identifier: MIT
#include "core/plot/scales.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr double kSame = 1e-9;  // relative: rounding errors of steps and logarithms
constexpr double kShades = 64;

double decade_below(double value) { return std::pow(10, std::floor(std::log10(value) + kSame)); }

/// 1 to 9 times powers of ten in the range.
std::vector<double> digits_of_decades(PlotRange range) {
    constexpr double kMostPower = 308;
    std::vector<double> values;
    const double last = std::min(std::log10(range.high) + kSame, kMostPower);
    for (double power = std::floor(std::log10(range.low) + kSame); power <= last; ++power)
        for (int digit = 1; digit <= 9; ++digit)
            if (const double value = digit * std::pow(10, power);
                value >= range.low * 0.999 && value <= range.high * 1.001)
                values.push_back(value);
    return values;
}

int first_digit(double value) { return static_cast<int>(std::lround(value / decade_below(value))); }

bool is_decade(double value) { return std::abs(std::log10(value) - std::round(std::log10(value))) < 1e-6; }

std::string decade_text(double value) {
    const double decade = std::floor(std::log10(value) + kSame);
    return fmt::format("{:.0f}e{:.0f}", value / std::pow(10, decade), decade);
}

}  // namespace

double round_step(double span, int parts) {
    const double rough = span / parts, power = std::pow(10, std::floor(std::log10(rough) + kSame));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - kSame)) return factor * power;
    return 10 * power;
}

std::vector<double> multiples(double step, double low, double high) {
    constexpr int kMost = 1000;
    std::vector<double> values;
    const double first = std::ceil(low / step - kSame), last = std::floor(high / step + kSame);
    for (int i = 0; i < kMost && first + i <= last; ++i) values.push_back((first + i) * step + 0.0);  // no −0
    return values;
}

std::vector<double> decades(double low, double high) {
    constexpr int kMost = 6;
    std::vector<double> values;
    const double first = std::log10(low), last = std::log10(high);
    const double every = std::max(1.0, std::ceil((last - first) / kMost - kSame));
    for (double power = std::ceil(first - kSame); power <= last + kSame; power += every)
        values.push_back(std::pow(10, power));
    return values;
}

PlotRange round_decades(PlotRange range) {
    const double low = std::max(range.low, 1e-300), digits = low / decade_below(low);
    const PlotRange round{decade_below(low) * (digits > 4.999   ? 5
                                               : digits > 1.999 ? 2
                                                                : 1),
                          round_step(std::max(range.high, 1e-300), 1)};
    return {round.low, round.high < 9 * round.low ? 10 * round.low : round.high};
}

double PlotScale::on_scale(double value) const { return logarithmic_ ? std::log10(std::max(value, 1e-300)) : value; }

void PlotScale::include(double value) {
    if (holds(value)) low_ = std::min(low_, on_scale(value)), high_ = std::max(high_, on_scale(value));
}

void PlotScale::finish(int parts, double margin) {
    if (empty()) low_ = high_ = 0;
    if (low_ == high_) high_ = low_ + 1;
    step_ = round_step(logarithmic_ ? high_ - low_ : std::max(high_ - low_, margin > 0 ? 0.2 : 0.0), parts);
    if (logarithmic_) step_ = std::max(1.0, step_);
    if (margin == 0) return;
    if (logarithmic_) {
        low_ = std::floor(low_), high_ = std::ceil(high_);  // whole decades
    } else {
        low_ = step_ * std::max(std::floor(low_ / step_ - margin), low_ < 0 ? -HUGE_VAL : 0.0);
        high_ = step_ * std::ceil(high_ / step_ + margin);
    }
    if (low_ == high_) high_ += step_;
}

PlotRange PlotScale::range() const {
    return logarithmic_ ? PlotRange{std::pow(10, low_), std::pow(10, high_)} : PlotRange{low_, high_};
}

double PlotScale::share(double value) const { return (on_scale(value) - low_) / (high_ - low_); }

std::vector<PlotTick> PlotScale::ticks() const {
    std::vector<double> values = multiples(step_, low_, high_);
    if (logarithmic_) {
        for (double& value : values) value = std::pow(10, std::round(value));
        if (values.size() < 2) {  // less than two decades
            values = digits_of_decades(range());
            std::erase_if(values, [](double value) {
                const int digit = first_digit(value);
                return digit != 1 && digit != 2 && digit != 5;
            });
        }
    }
    std::vector<PlotTick> ticks;
    for (const double value : values) {
        const bool power = logarithmic_ && (value < 0.009 || value > 99'999) && is_decade(value);
        ticks.push_back({value, power ? decade_text(value) : fmt::format("{:g}", value)});
    }
    return ticks;
}

std::vector<PlotTick> PlotScale::fine_ticks(int parts) const {
    std::vector<PlotTick> ticks;
    if (!logarithmic_) {
        const double step = round_step(high_ - low_, parts);
        const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + kSame)), 0, 9);
        for (const double value : multiples(step, low_, high_))
            ticks.push_back({value, fmt::format("{:.{}f}", value, decimals)});
        return ticks;
    }
    const bool few = high_ - std::floor(low_ + kSame) < 2.5;  // then 2 and 5 times a decade have numbers too
    for (const double value : digits_of_decades(range())) {
        const int digit = first_digit(value);
        const bool named = digit == 1 || (few && (digit == 2 || digit == 5));
        const bool plain = value >= 0.099 && value < 1e4;
        ticks.push_back({value, !named ? "" : plain ? fmt::format("{:g}", value) : decade_text(value)});
    }
    return ticks;
}

PlotColor cell_color(double share) {
    const double shade = std::min(std::floor(std::clamp(share, 0.0, 1.0) * kShades), kShades - 1) / (kShades - 1);
    const double place = shade * (kViridisColors.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(place), kViridisColors.size() - 2);
    const auto part = [&](unsigned shift) {
        const double low = kViridisColors[i] >> shift & 255, high = kViridisColors[i + 1] >> shift & 255;
        return static_cast<std::uint8_t>(std::lround(std::lerp(low, high, place - static_cast<double>(i))));
    };
    return {part(16), part(8), part(0)};
}

CellScale::CellScale(std::span<const double> values, bool linear) : linear_{linear} {
    for (const double value : values)
        if (drawn(value)) low_ = std::min(low_, value), high_ = std::max(high_, value);
}

bool CellScale::drawn(double value) const { return std::isfinite(value) && (linear_ || value > 0); }

double CellScale::share(double value) const {
    if (!(high_ > low_)) return 1;
    return linear_ ? (value - low_) / (high_ - low_) : std::log(value / low_) / std::log(high_ / low_);
}

std::optional<PlotColor> CellScale::color(double value) const {
    if (!drawn(value) || empty()) return std::nullopt;
    return cell_color(share(value));
}

std::vector<double> CellScale::ticks() const {
    if (empty()) return {};
    if (low_ == high_) return {high_};
    if (linear_) {
        PlotScale scale{{low_, high_}, false};
        std::vector<double> round;
        for (const PlotTick& tick : scale.fine_ticks(5))
            if (!tick.text.empty()) round.push_back(tick.value);
        return round.size() < 2 ? std::vector{low_, high_} : round;
    }
    const std::vector<double> round = decades(low_, high_);
    return round.size() < 2 ? std::vector{low_, high_} : round;
}

}  // namespace orrery
