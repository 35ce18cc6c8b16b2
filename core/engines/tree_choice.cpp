// SPDX-License-Identifier: MIT
#include "core/engines/tree_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/error.hpp"
#include "core/engines/cpu/tuning.hpp"
#include "core/engines/cuda/fmm/tuning.hpp"
#include "core/engines/cuda/tree/tuning.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/physics/opening.hpp"

namespace orrery {
namespace {

// `tree`

constexpr int kMostTreeOrder = 2;

/// The options and defaults of a backend's tree. OpenGL's walks are those of CUDA.
struct TreeLimits {
    int group_step, group_most;  // group sizes are multiples of group_step up to group_most
    int leaf;
    double monopoles_from;  // accuracy from which on they are faster: on a CPU, walking costs more than evaluating
};
constexpr TreeLimits limits_of(Backend backend) {
    return backend == Backend::kCpu ? TreeLimits{8, 128, cpu::kTreeLeaf, cpu::kMonopolesFrom}
                                    : TreeLimits{32, 128, cuda::kTreeLeaf, cuda::kMonopolesFrom};
}

/// Quadrupoles if θ or α is given: they gain more accuracy for the same walk.
int order_of(const TreeConfig& config, Backend backend) {
    if (config.order != 0) return config.order;
    const Mac mac = mac_of(config);
    const auto* asked = std::get_if<Accuracy>(&mac);
    return !asked || asked->error < limits_of(backend).monopoles_from ? 2 : 1;
}

double accuracy_of(const Mac& mac, int order) {
    if (const auto* theta = std::get_if<Theta>(&mac)) return accuracy_of_theta(theta->value, order);
    if (const auto* alpha = std::get_if<Alpha>(&mac)) return accuracy_of_alpha(alpha->value, order);
    return std::get<Accuracy>(mac).error;
}

/// α of `tree` for a relative RMS error.
double fitted_alpha(double accuracy, Backend backend, int order, int group, std::uint64_t count) {
    if (backend != Backend::kCpu) return cuda::measured_alpha(accuracy, order, count);
    // α was fitted with groups of kTreeGroup. Smaller groups have smaller boxes and keep cells less far away: by this
    // measured factor.
    const double closer = std::sqrt(std::min(1.0, group / static_cast<double>(cpu::kTreeGroup)));
    return closer * alpha_for(accuracy, order);
}

// `fmm`

constexpr double kBestInFloat = 1e-6;  // relative RMS error, for a million bodies

const FmmFit& fit_of(Backend backend) { return backend == Backend::kCuda ? cuda::kFmmFit : cpu::kFmmFit; }

/// The cheapest order for an accuracy; if α or θ is given, an order that suits most cases.
const FmmOrder& order_for(const TreeConfig& config, const Mac& mac, Backend backend) {
    const FmmFit& fit = fit_of(backend);
    const auto* asked = std::get_if<Accuracy>(&mac);
    const int order = config.order == 0 && !asked ? fit.good_for_most : config.order;
    const auto found = std::ranges::find_if(fit.orders, [=](const FmmOrder& each) {
        return order == 0 ? each.cheapest_from <= asked->error : each.order == order;
    });
    if (found == fit.orders.end())
        usage_error(
            fmt::format("order {}: `fmm` on {} offers {}", order, name(backend), fmt::join(fmm_orders(backend), ", ")));
    return *found;
}

using ErrorByAlpha = std::array<double, 6>;

ErrorByAlpha errors_of(const FmmOrder& order, const FmmFall& fall, std::uint64_t count) {
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

std::optional<Mac> requested_mac(const TreeConfig& config) {
    if (config.theta > 0) return Theta{config.theta};
    if (config.alpha > 0) return Alpha{config.alpha};
    if (config.accuracy > 0) return Accuracy{config.accuracy};
    return std::nullopt;
}

Mac mac_of(const TreeConfig& config) { return requested_mac(config).value_or(Accuracy{kDefaultAccuracy}); }

std::string TreeChoice::text() const {
    const std::string rule =
        relative() ? fmt::format("relative α {:.3g}", alpha()) : fmt::format("geometric θ {:.3g}", theta());
    if (group == 0) return fmt::format("{}, order {}, leaves of {}", rule, order, leaf);
    return fmt::format("{}, {}, leaves of {}, groups of {}", rule, order == 2 ? "quadrupoles" : "monopoles", leaf,
                       group);
}

TreeChoice tree_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale) {
    require_accepted(kTreeGroup, {.tree = config});
    const TreeLimits limits = limits_of(backend);
    if (config.order > kMostTreeOrder)
        usage_error(fmt::format(
            "order {}: `tree` offers 1 (monopoles) and 2 (quadrupoles); use `fmm` for higher orders", config.order));
    if (config.group > limits.group_most || config.group % limits.group_step != 0)
        usage_error(fmt::format("group size {}: must be a multiple of {} up to {}", config.group, limits.group_step,
                                limits.group_most));
    const int order = order_of(config, backend);
    TreeChoice choice{.mac = mac_of(config), .order = order, .leaf = config.leaf > 0 ? config.leaf : limits.leaf};
    choice.group = config.group > 0           ? config.group
                   : backend == Backend::kCpu ? cpu::kTreeGroup
                                              : cuda::group_for(order, count);
    choice.accuracy = accuracy_of(choice.mac, order);
    if (std::holds_alternative<Accuracy>(choice.mac))
        choice.mac = Alpha{fitted_alpha(scale * choice.accuracy, backend, order, choice.group, count)};
    return choice;
}

TreeChoice fmm_choice(const TreeConfig& config, Backend backend, std::uint64_t count, double scale) {
    require_accepted(kTreeGroup, {.tree = config});
    const Mac mac = mac_of(config);
    const FmmOrder& error = order_for(config, mac, backend);
    TreeChoice choice{.mac = mac, .order = error.order, .leaf = config.leaf > 0 ? config.leaf : fit_of(backend).leaf};
    const ErrorByAlpha errors = errors_of(error, fit_of(backend).fall, count);
    if (const auto* theta = std::get_if<Theta>(&mac)) {
        choice.accuracy = error.at_theta_one * std::pow(theta->value, choice.order);
    } else if (const auto* alpha = std::get_if<Alpha>(&mac)) {
        choice.accuracy = error_at(alpha->value, errors);
    } else {
        choice.accuracy = std::get<Accuracy>(mac).error;
        choice.mac = Alpha{alpha_of(scale * choice.accuracy, errors)};
    }
    return choice;
}

double accuracy_to_keep(const TreeConfig& config) {
    const Mac mac = mac_of(config);
    const auto* asked = std::get_if<Accuracy>(&mac);
    return config.keep_accuracy && asked ? asked->error : 0;
}

void require_fmm_accuracy(const EngineConfig& config) {
    if (config.precision != Precision::kDouble && config.tree.accuracy > 0 && config.tree.accuracy < kBestInFloat)
        usage_error(fmt::format("accuracy {:g}: single precision reaches {:g} at best; use --precision double",
                                config.tree.accuracy, kBestInFloat));
}

std::vector<int> fmm_orders(Backend backend) {
    std::vector<int> orders;
    for (const FmmOrder& each : fit_of(backend).orders) orders.push_back(each.order);
    return orders;
}

std::vector<int> fmm_orders_near(const TreeConfig& config, Backend backend) {
    const std::span<const FmmOrder> all = fit_of(backend).orders;
    const FmmOrder* const chosen = &order_for(config, mac_of(config), backend);
    std::vector<int> orders{chosen->order};
    if (chosen != &all.back()) orders.push_back(chosen[1].order);
    if (chosen != &all.front()) orders.push_back(chosen[-1].order);
    return orders;
}

std::vector<int> expansion_orders(const EngineEntry& entry) {
    if (!entry.has(Capability::kAccuracy)) return {1};
    if (entry.has(Capability::kGroups)) return {1, kMostTreeOrder};
    return fmm_orders(entry.backend);
}

std::vector<int> swept_orders(const EngineEntry& entry) {
    const std::vector<int> all = expansion_orders(entry);
    return all.size() > 2 ? std::vector{4, 6} : all;
}

EngineEntry tree_entry(Backend backend, std::string_view doc, std::uint64_t max_bodies,
                       AnyEngine (*make)(const EngineConfig&)) {
    return {.id = "tree",
            .label = "Tree (Barnes–Hut)",
            .doc = doc,
            .backend = backend,
            .tolerance_single = 1.5e-3,
            .tolerance_double = 1.5e-3,
            .max_bodies = max_bodies,
            .capabilities = {Capability::kTree, Capability::kAccuracy, Capability::kGroups, Capability::kDue,
                             Capability::kMixed},
            .own_units = true,
            .make = make,
            .own_tolerance = tree_tolerance};
}

double tree_tolerance(const EngineConfig& config) {
    const int order = order_of(config.tree, config.backend);
    const double accuracy = accuracy_of(mac_of(config.tree), order);
    // A uniform sphere is the worst case for monopoles: the errors of all cells of a size have the same sign and add up
    // with the number of cells. At a million bodies the error is 4.2 times that in a Plummer sphere.
    const double presets = order == 2 ? 2 : 5;
    return presets * accuracy + (config.precision == Precision::kDouble ? 1e-13 : 2e-6);
}

double fmm_tolerance(const EngineConfig& config) {
    constexpr double kOthers = 2;  // margin for bodies other than those of the table
    return kOthers * fmm_choice(config.tree, config.backend, 0).accuracy +
           (config.precision == Precision::kDouble ? 1e-13 : 2e-6);
}

}  // namespace orrery
