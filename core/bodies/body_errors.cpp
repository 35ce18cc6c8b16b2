// SPDX-License-Identifier: MIT
#include "core/bodies/body_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/base/pool.hpp"
#include "core/bodies/sampling.hpp"
#include "core/spatial/curve_order.hpp"

namespace orrery {
namespace {

// Interactions of the reference, about half a second of one core; gravity is computed in vectors of doubles.
constexpr double kGravityCost = 4e8, kPairCost = 5e7, kTripletCost = 1.5e7;
constexpr std::size_t kLeastSamples = 256;  // of gravity
/// Measured bodies before and after a body along the curve among which the nearest one is searched.
constexpr std::size_t kNear = 4;
constexpr double kMostError = 1e30;  // replaces infinity, for a body without a force

float relative_error(Vec3d found, Vec3d reference) {
    const Vec3d d = found - reference;
    const double d2 = dot(d, d), error = d2 == 0 ? 0 : std::sqrt(d2 / dot(reference, reference));
    return static_cast<float>(error < kMostError ? error : kMostError);
}

class ErrorsOf {
public:
    ErrorsOf(Pool& pool, const BodyState& state, Law law, const Gravity& gravity, std::span<const double> charge)
        : pool_{pool}, rows_{unpack<double>(state)}, law_{law}, gravity_{gravity}, charge_{charge} {}

    std::size_t samples() const {
        const auto within = [&](double cost) { return affordable_samples(law_, count(), count(), cost); };
        if (law_ != Law::kPairs) return within(kTripletCost);
        return gravity() ? std::max(within(kGravityCost), std::min(count(), kLeastSamples)) : within(kPairCost);
    }

    std::vector<float> of(const std::vector<std::uint32_t>& which, const std::stop_token& stop) const {
        std::vector<float> errors(which.size());
        pool_.parallel_for(0, (which.size() + kReferenceBlock - 1) / kReferenceBlock, [&](std::uint64_t block) {
            if (stop.stop_requested()) return;
            const std::size_t first = block * kReferenceBlock;
            const auto some = std::span{which}.subspan(first, std::min(kReferenceBlock, which.size() - first));
            const auto references = references_of(some);
            for (std::size_t k = 0; k < some.size(); ++k)
                errors[first + k] = relative_error(xyz(rows_.acceleration[some[k]]), xyz(references[k]));
        });
        return errors;
    }

    BodyErrors of_sample(std::size_t samples, const std::stop_token& stop) const {
        CurveOrder<double> curve;
        curve.update(pool_, rows_.position_mass.data(), nullptr, count(), 0);
        const std::vector<std::uint32_t>& order = curve.order();
        const std::vector<std::size_t> places = sample_indices(count(), samples);
        std::vector<std::uint32_t> which;
        which.reserve(samples);
        for (const std::size_t place : places) which.push_back(order[place]);
        const std::vector<float> measured = of(which, stop);
        BodyErrors errors{std::vector<float>(count()), samples};
        for_each_in_blocks(pool_, count(), [&](std::size_t place) {
            const auto after = static_cast<std::size_t>(std::ranges::upper_bound(places, place) - places.begin());
            errors.each[order[place]] = measured[nearest(order[place], which, after)];
        });
        return errors;
    }

    std::size_t count() const { return rows_.position_mass.size(); }

private:
    bool gravity() const { return law_ == Law::kPairs && gravity_.law == PairLaw::kGravity; }

    std::array<Vec4d, kReferenceBlock> references_of(std::span<const std::uint32_t> some) const {
        const std::vector<Vec4d>& bodies = rows_.position_mass;
        std::array<Vec4d, kReferenceBlock> references{};
        if (gravity()) {
            references_of_block(std::span<const Vec4d>{bodies}, some, gravity_, references.data());
            return references;
        }
        for (std::size_t k = 0; k < some.size(); ++k)
            references[k] =
                reference_acceleration(law_, bodies.data(), bodies.size(), some[k], gravity_, charge_.data());
        return references;
    }

    /// Index of the measured body, among those around `after` in `which`, that is nearest to this body.
    std::size_t nearest(std::uint32_t body, const std::vector<std::uint32_t>& which, std::size_t after) const {
        const auto distance2 = [&](std::size_t k) {
            const Vec3d d = xyz(rows_.position_mass[which[k]]) - xyz(rows_.position_mass[body]);
            return dot(d, d);
        };
        std::size_t best = after - 1;  // the body itself, if it is measured
        double least = distance2(best);
        for (std::size_t k = after - std::min(after, kNear); k < std::min(after + kNear, which.size()); ++k)
            if (const double d2 = distance2(k); d2 < least) best = k, least = d2;
        return best;
    }

    Pool& pool_;
    BodyVectors<double> rows_;
    Law law_;
    Gravity gravity_;
    std::span<const double> charge_;
};

}  // namespace

BodyErrors body_errors(Pool& pool, const BodyState& state, Law law, const Gravity& gravity,
                       std::span<const double> charge, const std::stop_token& stop) {
    const ErrorsOf bodies{pool, state, law, gravity, charge};
    const std::size_t samples = bodies.samples();
    if (samples < bodies.count()) return bodies.of_sample(samples, stop);
    std::vector<std::uint32_t> all(bodies.count());
    std::iota(all.begin(), all.end(), 0u);
    return {bodies.of(all, stop), 0};
}

}  // namespace orrery
