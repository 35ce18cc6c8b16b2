// SPDX-License-Identifier: MIT
#include "core/engines/fmm_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

constexpr double kUsualAccuracy = 1e-3;  // where nothing is asked for
constexpr int kUsualLeaf = 64;

/// Measured accuracy of an order; docs/measuring.md says how.
struct OrderError {
    int order;
    double cheapest_from;  ///< accuracy from which on it is faster than the next order
    /// Relative RMS error of the relative criterion at α = 10^−1, 10^−2, … 10^−6: the largest of 20 000 to 100 000
    /// bodies of six presets.
    std::array<double, 6> by_alpha;
    double at_theta_one;  ///< of the geometric criterion, at most so much times θ^order
};
constexpr auto kOrders = std::to_array<OrderError>({
    {1, 1e9, {1.7e-1, 1.1e-1, 5.6e-2, 2.0e-2, 6.9e-4, 1.6e-5}, 0.2},
    {2, 1e9, {4.4e-2, 2.6e-2, 1.1e-2, 4.2e-3, 8.0e-4, 3.2e-5}, 0.068},
    {3, 4e-3, {1.9e-2, 1.1e-2, 3.5e-3, 1.1e-3, 2.9e-4, 3.6e-5}, 0.031},
    {4, 1.5e-3, {8.4e-3, 5.1e-3, 1.5e-3, 4.4e-4, 1.0e-4, 1.6e-5}, 0.015},
    {5, 4e-4, {4.4e-3, 2.8e-3, 8.1e-4, 1.9e-4, 4.4e-5, 7.9e-6}, 0.009},
    {6, 6e-5, {2.1e-3, 1.5e-3, 4.6e-4, 9.1e-5, 2.0e-5, 4.0e-6}, 0.0055},
    {8, 0, {5.9e-4, 5.4e-4, 1.9e-4, 2.9e-5, 4.1e-6, 1.3e-6}, 0.002},
});

const OrderError& of_order(int order) { return *std::ranges::find(kOrders, order, &OrderError::order); }

/// The cheapest one for an accuracy; by a criterion that somebody chose, one that is good for most.
int fmm_order(const TreeConfig& config) {
    if (config.order != 0) return config.order;
    if (config.theta > 0 || config.alpha > 0) return 5;
    const double accuracy = config.accuracy > 0 ? config.accuracy : kUsualAccuracy;
    return std::ranges::find_if(kOrders, [=](const OrderError& each) { return each.cheapest_from <= accuracy; })->order;
}

/// Between two α of the table by the power of α that joins them, beyond its end by the last one. Before its first one
/// the angle alone limits the error.
double alpha_of(double accuracy, const OrderError& of) {
    const auto& errors = of.by_alpha;
    if (accuracy >= errors[0]) return 0.1;
    std::size_t i = 0;
    while (i + 2 < errors.size() && errors[i + 1] > accuracy) ++i;
    const double part = std::log(accuracy / errors[i]) / std::log(errors[i + 1] / errors[i]);
    return std::pow(10.0, -1 - static_cast<double>(i) - part);
}
double error_at(double alpha, const OrderError& of) {
    const double place = -1 - std::log10(alpha);
    if (place <= 0) return of.by_alpha[0];
    const auto i = static_cast<std::size_t>(std::min(place, 4.0));
    return of.by_alpha[i] * std::pow(of.by_alpha[i + 1] / of.by_alpha[i], place - static_cast<double>(i));
}

}  // namespace

FmmChoice fmm_choice(const TreeConfig& config, double scale) {
    require_accepted(kTreeGroup, {.tree = config});
    FmmChoice choice{.theta = config.theta,
                     .accuracy = config.accuracy > 0 ? config.accuracy : kUsualAccuracy,
                     .order = fmm_order(config),
                     .leaf = config.leaf > 0 ? config.leaf : kUsualLeaf};
    const OrderError& error = of_order(choice.order);
    if (config.theta > 0) {
        choice.accuracy = error.at_theta_one * std::pow(config.theta, choice.order);
    } else if (config.alpha > 0) {
        choice.alpha = config.alpha, choice.accuracy = error_at(config.alpha, error);
    } else {
        choice.alpha = alpha_of(scale * choice.accuracy, error);
    }
    return choice;
}

std::string FmmChoice::text() const {
    const std::string rule =
        relative() ? fmt::format("relative α {:.3g}", alpha) : fmt::format("geometric θ {:.3g}", theta);
    return fmt::format("{}, order {}, leaves of {}", rule, order, leaf);
}

double fmm_tolerance(const EngineConfig& config) {
    constexpr double kOthers = 2;  // what other bodies err more than those of the table
    return kOthers * fmm_choice(config.tree).accuracy + (config.precision == Precision::kDouble ? 1e-13 : 2e-6);
}

}  // namespace orrery
