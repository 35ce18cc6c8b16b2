// SPDX-License-Identifier: MIT
#include "app/commands/check_truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/bodies/sampling.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/opening.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSample = 1024;
/// Cancellation in three dimensions that the engines' tolerances include: 2.5 to 3.1 in presets and in cubic lattices.
constexpr double kTypicalCancellation = 3;
/// For laws with high powers of the distance: 13 in the Lennard-Jones force against 2 in gravity.
constexpr double kSteepness = 6.5;
/// Potentials are compared less strictly: they are sums of terms of one sign, over which rounding accumulates.
constexpr double kPotentialSlack = 4;
/// A plain tree forms different cells and groups than an engine does.
constexpr double kCriterionSlack = 2;
/// The error of a single body scatters: up to 0.43 of the accuracy was measured in presets with a star, planet or hole.
constexpr double kHeavySlack = 2;
/// Bodies whose own error is measured.
constexpr std::size_t kMostHeavy = 64;
/// Default of --theta for engines that accept cells by angle alone.
constexpr double kDefaultTheta = 0.5;

/// Relative rounding error of sums of thousands of terms in this precision; `mixed` computes forces in single.
double rounding_of_sums(Precision precision) { return precision == Precision::kDouble ? 1e-13 : 2e-6; }

/// Sums over the forces of all others on one body, divided by G for Plummer's law.
struct BodySums {
    Vec4d net{};                                    ///< acceleration, w: potential
    double magnitudes = 0, depths = 0;              ///< Σ|a_ij| and Σ|φ_ij|
    double lost_in_single = 0, lost_in_double = 0;  ///< Σ|a_ij| below the rounding unit of `magnitudes`
};
/// `terms` is scratch memory, one number per body.
BodySums sums_on(std::size_t i, const std::vector<Vec4d>& bodies, const Gravity& gravity,
                 std::span<const double> charge, std::vector<double>& terms) {
    const double softening2 = gravity.softening * gravity.softening;
    const auto add_pair = [&](Vec4d& one, std::size_t j) {
        if (gravity.law == PairLaw::kGravity) return add_acceleration(one, xyz(bodies[i]), bodies[j], softening2);
        const std::array pair{bodies[i], bodies[j]};
        const std::array of{charge.empty() ? 0 : charge[i], charge.empty() ? 0 : charge[j]};
        one = pair_law_reference(pair.data(), of.data(), 2, 0, gravity);
    };
    BodySums sums;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        Vec4d one{};
        if (j != i) add_pair(one, j);
        terms[j] = length(xyz(one));
        sums.magnitudes += terms[j], sums.depths += std::abs(one.w);
        sums.net = {sums.net.x + one.x, sums.net.y + one.y, sums.net.z + one.z, sums.net.w + one.w};
    }
    for (const double term : terms) {
        if (term < 0x1p-24 * sums.magnitudes) sums.lost_in_single += term;
        if (term < 0x1p-53 * sums.magnitudes) sums.lost_in_double += term;
    }
    return sums;
}

}  // namespace

double relative_error(double difference2, double size2) {
    if (size2 > 0) return std::sqrt(difference2 / size2);
    return difference2 == 0 ? 0 : std::numeric_limits<double>::infinity() * (difference2 > 0 ? 1.0 : difference2);
}

Conditioning conditioning(const std::vector<Vec4d>& bodies, const Gravity& gravity, std::span<const double> charge) {
    double net = 0, sum = 0, single = 0, full = 0, potential = 0, depth = 0;
    std::vector<double> terms(bodies.size());
    for (const std::size_t i : sample_indices(bodies.size(), kSample)) {
        const BodySums sums = sums_on(i, bodies, gravity, charge, terms);
        net += dot(xyz(sums.net), xyz(sums.net)), sum += sums.magnitudes * sums.magnitudes;
        single += sums.lost_in_single * sums.lost_in_single, full += sums.lost_in_double * sums.lost_in_double;
        potential += sums.net.w * sums.net.w, depth += sums.depths * sums.depths;
    }
    if (!(net > 0 && potential > 0)) return {};
    return {std::sqrt(sum / net), std::sqrt(depth / potential), std::sqrt(single / net), std::sqrt(full / net)};
}

TreeChoice criterion_of(const EngineEntry& entry, const EngineConfig& config) {
    TreeConfig tree = config.tree;
    tree.leaf = tree.group = 0;
    if (entry.opens_by_theta_alone()) {
        tree.order = 1;
        if (!(tree.theta > 0)) tree.theta = kDefaultTheta;
    }
    // The order is that of the backend; groups and α are those of the CPU, as in PlainTree.
    tree.order = tree_choice(tree, config.backend, 0).order;
    return tree_choice(tree, Backend::kCpu, 0);
}

const std::vector<Vec4d>& CheckTruth::held(Precision precision) {
    const std::vector<Vec4d>& exact = scene_.bodies.position_mass;
    if (precision != Precision::kSingle) return exact;
    if (!compared_) {
        compared_ = true;
        for (const Vec4d& body : exact) rounded_.push_back(convert<double>(convert<float>(body)));
        if (rounded_ == exact) rounded_.clear();
    }
    return rounded_.empty() ? exact : rounded_;
}

const std::vector<Vec4d>& CheckTruth::accelerations(Law law, Precision precision) {
    const std::vector<Vec4d>& bodies = held(precision);
    std::vector<Vec4d>& truth = truths_[{law, &bodies == &rounded_}];
    if (truth.empty()) {
        truth.resize(bodies.size());
        pool_.parallel_for(0, bodies.size(), [&](std::uint64_t i) {
            truth[i] = reference_acceleration(law, bodies.data(), bodies.size(), i, scene_.gravity,
                                              scene_.bodies.charge.data());
        });
    }
    return truth;
}

double CheckTruth::rounding(Law law) {
    if (&held(Precision::kSingle) != &rounded_) return 0;
    const auto &exact = accelerations(law, Precision::kDouble), &rounded = accelerations(law, Precision::kSingle);
    double off = 0, size = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const Vec3d d = xyz(rounded[i]) - xyz(exact[i]);
        off += dot(d, d), size += dot(xyz(exact[i]), xyz(exact[i]));
    }
    return relative_error(off, size);
}

const std::vector<HeavyBody>& CheckTruth::heavy_bodies() {
    if (heavy_) return *heavy_;
    heavy_.emplace();
    const std::vector<Vec4d>& bodies = scene_.bodies.position_mass;
    const std::vector<Vec4d>& truth = accelerations(Law::kPairs, Precision::kDouble);
    double mass = 0, force = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) mass += bodies[i].w, force += bodies[i].w * length(xyz(truth[i]));
    const auto count = static_cast<double>(bodies.size());
    const double G = scene_.gravity.law == PairLaw::kGravity ? scene_.gravity.constant : 1;
    std::vector<double> terms(bodies.size());
    for (std::size_t i = 0; i < bodies.size() && heavy_->size() < kMostHeavy; ++i) {
        if (bodies[i].w < heavy_from(mass, count)) continue;
        const BodySums sums = sums_on(i, bodies, scene_.gravity, scene_.bodies.charge, terms);
        const double least = force / count / bodies[i].w, size = std::max(length(xyz(truth[i])), least) / G;
        if (size > 0)
            heavy_->push_back(
                {i, least, sums.magnitudes / size, sums.lost_in_single / size, sums.lost_in_double / size});
    }
    return *heavy_;
}

double CheckTruth::heavy_error(const std::vector<Vec4d>& found, const std::vector<Vec4d>& truth) {
    if (!attracts_masses(scene_.gravity.law)) return 0;
    double worst = 0;
    for (const HeavyBody& body : heavy_bodies()) {
        const Vec3d off = xyz(found[body.index]) - xyz(truth[body.index]);
        const double size = std::max(length(xyz(truth[body.index])), body.least), error = length(off);
        if (!(error <= worst * size)) worst = size > 0 ? error / size : std::numeric_limits<double>::infinity();
    }
    return worst;
}

/// Sums are as exact for a heavy body as its cancellation allows. Of trees only the relative criterion bounds the error
/// of each heavy body.
double CheckTruth::accepted_of_heavy(const EngineEntry& entry, const EngineConfig& config) {
    const bool relative = has_groups(entry) && criterion_of(entry, config).relative();
    if (entry.law != Law::kPairs || !attracts_masses(scene_.gravity.law) || (entry.has_tree() && !relative))
        return std::numeric_limits<double>::infinity();
    const double unit = rounding_of_sums(config.precision);
    const double of_sums = is_tree(entry) ? unit : std::max(entry.tolerance(config), unit);
    double rounding = 0;
    for (const HeavyBody& body : heavy_bodies())
        rounding = std::max(rounding,
                            of_sums * std::max(1.0, body.cancellation) +
                                (config.precision == Precision::kDouble ? body.lost_in_double : body.lost_in_single));
    return is_tree(entry) ? kHeavySlack * criterion_of(entry, config).accuracy + rounding : rounding;
}

template <class Error>
double CheckTruth::worst_of_trees(double theta, double alpha, int order, const Error& error) {
    if (trees_.empty())
        for (int alignment = 0; alignment < PlainTree::kAlignments; ++alignment)
            trees_.emplace_back(scene_.bodies.position_mass, accelerations(Law::kPairs, Precision::kDouble),
                                scene_.gravity, alignment);
    const auto [worst, is_new] = criteria_.try_emplace({theta, alpha, order});
    if (is_new)
        for (const PlainTree& tree : trees_) worst->second = std::max(worst->second, error(tree));
    return worst->second;
}

double CheckTruth::criterion_error(const EngineEntry& entry, const EngineConfig& config) {
    const TreeChoice choice = criterion_of(entry, config);
    return worst_of_trees(choice.theta(), choice.alpha(), choice.order,
                          [&](const PlainTree& tree) { return tree.error(choice, pool_); });
}

Accepted CheckTruth::accepted_of_expansions(const EngineEntry& entry, const EngineConfig& config) {
    Accepted accepted = this->accepted(entry, config);
    const TreeChoice choice = fmm_choice(config.tree, config.backend, scene_.bodies.size());
    const bool on_device = config.backend == Backend::kCuda;
    const double no_alpha = on_device ? -2 : -1;  // keys of criteria_ that no tree uses, one for each backend
    if (on_device && !device_tree_)
        device_tree_.emplace(scene_.bodies.position_mass, accelerations(Law::kPairs, Precision::kDouble),
                             scene_.gravity, PlainTree::kAsOnDevice);
    accepted.criterion = worst_of_trees(choice.theta(), no_alpha, choice.order, [&](const PlainTree& tree) {
        const double of_cells = tree.expansion_error(choice.theta(), choice.order, pool_);
        return on_device ? std::max(of_cells, tree.group_expansion_error(choice.theta(), choice.order, pool_))
                         : of_cells;
    });
    if (on_device)
        accepted.criterion =
            std::max(accepted.criterion, device_tree_->group_expansion_error(choice.theta(), choice.order, pool_));
    const double unit = rounding_of_sums(config.precision);
    accepted.acceleration =
        std::max(accepted.acceleration, kCriterionSlack * accepted.criterion + unit * conditioning_->cancellation);
    accepted.potential =
        std::max(accepted.potential, kPotentialSlack * accepted.acceleration + unit * conditioning_->potential);
    return accepted;
}

Accepted CheckTruth::accepted(const EngineEntry& entry, const EngineConfig& config) {
    Accepted accepted{.acceleration = entry.tolerance(config), .potential = 0};
    if (entry.law != Law::kPairs) {
        accepted.potential = kPotentialSlack * accepted.acceleration;
        return accepted;
    }
    if (!conditioning_) conditioning_ = conditioning(scene_.bodies.position_mass, scene_.gravity, scene_.bodies.charge);
    const Conditioning& sums = *conditioning_;
    const double steep = attracts_masses(scene_.gravity.law) ? 1 : kSteepness,
                 cancelled = steep * std::max(1.0, sums.cancellation / kTypicalCancellation),
                 unit = rounding_of_sums(config.precision),
                 lost = config.precision == Precision::kDouble ? sums.lost_in_double : sums.lost_in_single;
    if (has_groups(entry)) {
        accepted.criterion = criterion_error(entry, config);
        accepted.acceleration =
            std::max(accepted.acceleration, kCriterionSlack * accepted.criterion + unit * cancelled);
    } else {
        accepted.acceleration = cancelled * accepted.acceleration + lost;
    }
    accepted.potential = kPotentialSlack * accepted.acceleration + unit * sums.potential;
    accepted.heavy = accepted_of_heavy(entry, config);
    return accepted;
}

}  // namespace orrery
