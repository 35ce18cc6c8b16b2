// SPDX-License-Identifier: MIT
#include "core/engines/fmm_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/tree_choice.hpp"

namespace orrery {
namespace {

constexpr double kBestInFloat = 1e-6;  // relative RMS error, for a million bodies

/// Measured accuracy of an order; docs/measuring.md describes the method.
struct OrderError {
    int order;
    double cheapest_from;  ///< accuracy from which on it is faster than the next order
    /// Relative RMS error of the relative criterion at α = 10^−1, 10^−2, … 10^−6: the largest of six presets with 20
    /// 000 to 100 000 bodies.
    std::array<double, 6> by_alpha;
    double at_theta_one;  ///< upper bound for the geometric criterion, divided by θ^order
};
constexpr auto kOnHost = std::to_array<OrderError>({
    {1, 1e9, {1.7e-1, 1.1e-1, 5.6e-2, 2.0e-2, 6.9e-4, 1.6e-5}, 0.2},
    {2, 1e9, {4.4e-2, 2.6e-2, 1.1e-2, 4.2e-3, 8.0e-4, 3.2e-5}, 0.068},
    {3, 4e-3, {1.9e-2, 1.1e-2, 3.5e-3, 1.1e-3, 2.9e-4, 3.6e-5}, 0.031},
    {4, 1.5e-3, {8.4e-3, 5.1e-3, 1.5e-3, 4.4e-4, 1.0e-4, 1.6e-5}, 0.015},
    {5, 4e-4, {4.4e-3, 2.8e-3, 8.1e-4, 1.9e-4, 4.4e-5, 7.9e-6}, 0.009},
    {6, 6e-5, {2.1e-3, 1.5e-3, 4.6e-4, 9.1e-5, 2.0e-5, 4.0e-6}, 0.0055},
    {8, 0, {5.9e-4, 5.4e-4, 1.9e-4, 2.9e-5, 4.1e-6, 1.3e-6}, 0.002},
});

/// On a device, expansions of low orders take hardly less time than order 3, and registers hold no order above 6.
constexpr auto kOnDevice = std::to_array<OrderError>({
    {3, 2.5e-3, {3.0e-2, 2.6e-2, 6.4e-3, 1.5e-3, 4.5e-4, 6.8e-5}, 0.039},
    {4, 3e-4, {1.6e-2, 1.3e-2, 3.6e-3, 6.5e-4, 7.5e-5, 1.3e-5}, 0.02},
    {5, 3e-4, {8.0e-3, 6.2e-3, 2.3e-3, 3.7e-4, 3.9e-5, 4.4e-6}, 0.0125},
    {6, 0, {3.6e-3, 3.3e-3, 1.6e-3, 2.5e-4, 3.3e-5, 3.8e-6}, 0.0085},
});

/// These errors fall with the number of bodies, as cells are filled more evenly: error ∝ N^−power between `from` and
/// `to`.
struct Fall {
    double from, to;  ///< bodies
    std::array<double, 6> by_alpha;
};
constexpr Fall kFallOnHost{1, 1, {}}, kFallOnDevice{1e5, 1.6e7, {0.33, 0.33, 0.28, 0.13, 0, 0}};

/// What a backend offers.
struct Offer {
    std::span<const OrderError> orders;
    Fall fall;
    int default_leaf, good_for_most;
};
Offer offer_of(Backend backend) {
    return backend == Backend::kCuda ? Offer{kOnDevice, kFallOnDevice, 16, 4} : Offer{kOnHost, kFallOnHost, 64, 5};
}

/// The cheapest order for an accuracy; if α or θ is given, an order that suits most cases.
const OrderError& order_for(const TreeConfig& config, Backend backend) {
    const Offer offer = offer_of(backend);
    const bool chosen = config.theta > 0 || config.alpha > 0;
    const int order = config.order == 0 && chosen ? offer.good_for_most : config.order;
    const double accuracy = config.accuracy > 0 ? config.accuracy : kDefaultAccuracy;
    const auto found = std::ranges::find_if(offer.orders, [=](const OrderError& each) {
        return order == 0 ? each.cheapest_from <= accuracy : each.order == order;
    });
    if (found == offer.orders.end())
        usage_error(
            fmt::format("order {}: `fmm` on {} offers {}", order, name(backend), fmt::join(fmm_orders(backend), ", ")));
    return *found;
}

using ErrorByAlpha = std::array<double, 6>;

ErrorByAlpha errors_of(const OrderError& order, const Fall& fall, std::uint64_t count) {
    ErrorByAlpha errors = order.by_alpha;
    const double more = std::clamp(static_cast<double>(count), fall.from, fall.to) / fall.from;
    for (std::size_t i = 0; more > 1 && i < errors.size(); ++i) errors[i] *= std::pow(more, -fall.by_alpha[i]);
    return errors;
}

/// Interpolates the table as a power of α between two entries, and extrapolates the last one. Above its first entry the
/// opening angle alone limits the error.
double alpha_of(double accuracy, const ErrorByAlpha& errors) {
    if (accuracy >= errors[0]) return 0.1;
    std::size_t i = 0;
    while (i + 2 < errors.size() && errors[i + 1] > accuracy) ++i;
    const double part = std::log(accuracy / errors[i]) / std::log(errors[i + 1] / errors[i]);
    return std::pow(10.0, -1 - static_cast<double>(i) - part);
}
double error_at(double alpha, const ErrorByAlpha& errors) {
    const double place = -1 - std::log10(alpha);
    if (place <= 0) return errors[0];
    const auto i = static_cast<std::size_t>(std::min(place, 4.0));
    return errors[i] * std::pow(errors[i + 1] / errors[i], place - static_cast<double>(i));
}

}  // namespace

std::vector<int> fmm_orders(Backend backend) {
    std::vector<int> orders;
    for (const OrderError& each : offer_of(backend).orders) orders.push_back(each.order);
    return orders;
}

FmmChoice fmm_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale) {
    require_accepted(kTreeGroup, {.tree = config});
    const OrderError& error = order_for(config, backend);
    FmmChoice choice{.theta = config.theta,
                     .accuracy = config.accuracy > 0 ? config.accuracy : kDefaultAccuracy,
                     .order = error.order,
                     .leaf = config.leaf > 0 ? config.leaf : offer_of(backend).default_leaf};
    const ErrorByAlpha errors = errors_of(error, offer_of(backend).fall, count);
    if (config.theta > 0) {
        choice.accuracy = error.at_theta_one * std::pow(config.theta, choice.order);
    } else if (config.alpha > 0) {
        choice.alpha = config.alpha, choice.accuracy = error_at(config.alpha, errors);
    } else {
        choice.alpha = alpha_of(scale * choice.accuracy, errors);
    }
    return choice;
}

void require_fmm_accuracy(const EngineConfig& config) {
    if (config.precision != Precision::kDouble && config.tree.accuracy > 0 && config.tree.accuracy < kBestInFloat)
        usage_error(fmt::format("accuracy {:g}: single precision reaches {:g} at best; use --precision double",
                                config.tree.accuracy, kBestInFloat));
}

std::string FmmChoice::text() const {
    const std::string rule =
        relative() ? fmt::format("relative α {:.3g}", alpha) : fmt::format("geometric θ {:.3g}", theta);
    return fmt::format("{}, order {}, leaves of {}", rule, order, leaf);
}

double fmm_tolerance(const EngineConfig& config) {
    constexpr double kOthers = 2;  // margin for bodies other than those of the table
    return kOthers * fmm_choice(config.tree, config.backend, 0).accuracy +
           (config.precision == Precision::kDouble ? 1e-13 : 2e-6);
}

}  // namespace orrery
