// SPDX-License-Identifier: MIT
#include "core/bodies/error_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/random.hpp"

namespace orrery {
namespace {

constexpr std::size_t kCandidates = 32768;  // the sample is drawn from at most this many bodies
constexpr std::uint64_t kSeed = 0x6f727265;
constexpr std::size_t kFirstBatch = 16;       // references computed before the time per reference is known
constexpr double kGolden = 0.61803398874989;  // golden ratio: shifting rounds by it covers the range evenly

std::vector<std::uint32_t> candidates(std::size_t count, double offset) {
    std::vector<std::uint32_t> all(std::min(count, kCandidates));
    const double apart = static_cast<double>(count) / static_cast<double>(all.size());
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = all.size() == count ? static_cast<std::uint32_t>(k)
                                     : static_cast<std::uint32_t>((static_cast<double>(k) + offset) * apart);
    return all;
}

double square(Vec3d a) { return dot(a, a); }

}  // namespace

void ErrorSample::begin(const BodySystem& system) {
    draws_.clear(), ends_.clear(), rounds_.clear();
    of_all_ = round_ = squares_ = 0;
    next_ = 0;
    heavy_.clear();
    of_heavy_.reset();
    Random random{kSeed ^ system.count()};
    const std::vector<std::uint32_t> from = candidates(system.count(), random.uniform());
    const std::vector<BodySample> bodies = system.sample(from);
    for (const BodySample& body : bodies) of_all_ += square(body.acceleration);
    if (!(of_all_ > 0) || !std::isfinite(of_all_)) return;
    choose_heavy(system, bodies);
    if (bodies.size() <= kAll) {
        for (std::size_t k = 0; k < bodies.size(); ++k) draws_.push_back({from[k], 1, bodies[k].acceleration});
        ends_.push_back(draws_.size());
        return;
    }
    double start = random.uniform();
    for (std::size_t round = 0; round < kMostRounds; ++round, start += kGolden) choose(from, bodies, start);
}

void ErrorSample::choose_heavy(const BodySystem& system, const std::vector<BodySample>& bodies) {
    std::vector<std::uint32_t> heavy = system.heavy_bodies();
    heavy.resize(std::min(heavy.size(), kMostHeavy));
    double force = 0;
    for (const BodySample& body : bodies) force += body.position_mass.w * std::sqrt(square(body.acceleration));
    force /= static_cast<double>(bodies.size());
    const std::vector<BodySample> found = system.sample(heavy);
    for (std::size_t k = 0; k < heavy.size(); ++k)
        heavy_.push_back({heavy[k], found[k].acceleration, force / found[k].position_mass.w});
}

void ErrorSample::measure_heavy(const BodySystem& system, const Gravity& gravity) {
    of_heavy_ = 0;
    if (heavy_.empty()) return;
    std::vector<std::uint32_t> which;
    for (const Heavy& each : heavy_) which.push_back(each.body);
    const std::vector<Vec4d> wanted = system.references(gravity, which);
    for (std::size_t k = 0; k < heavy_.size(); ++k) {
        const double size = std::max(std::sqrt(square(xyz(wanted[k]))), heavy_[k].least);
        if (size > 0) of_heavy_ = std::max(*of_heavy_, std::sqrt(square(heavy_[k].found - xyz(wanted[k]))) / size);
    }
}

/// Systematic sampling: draws a body wherever the running sum of expected draws passes a whole number.
void ErrorSample::choose(const std::vector<std::uint32_t>& from, const std::vector<BodySample>& bodies, double start) {
    const double even = 1 / static_cast<double>(bodies.size());
    double sum = start - std::floor(start);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const double expected = kRound * 0.5 * (even + square(bodies[k].acceleration) / of_all_);
        const double drawn = std::floor(sum + expected) - std::floor(sum);
        sum += expected;
        if (drawn > 0) draws_.push_back({from[k], drawn / expected, bodies[k].acceleration});
    }
    ends_.push_back(draws_.size());
}

/// The standard error of a sum of n contributions x is √(Σx² − (Σx)²/n); relative to its root, half of that.
bool ErrorSample::known() const {
    if (!of_heavy_) return false;
    if (rounds_.size() == ends_.size()) return true;
    if (rounds_.size() < kLeastRounds) return false;
    const double sum = std::accumulate(rounds_.begin(), rounds_.end(), 0.0),
                 variance = squares_ - sum * sum / static_cast<double>(next_);
    return variance <= 4 * kExact * kExact * sum * sum;
}

bool ErrorSample::work(const BodySystem& system, const Gravity& gravity, std::chrono::duration<double> budget) {
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    const auto since = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
    for (bool some = false; !known(); some = true) {
        const double left = budget.count() - since(begun);
        if (some && left <= 0) return false;
        if (!of_heavy_) {
            measure_heavy(system, gravity);
            continue;
        }
        const std::size_t end = ends_[rounds_.size()];
        const auto fit = static_cast<std::size_t>(std::clamp(per_second_ * left, 0.0, double{kAll}));
        std::vector<std::uint32_t> which;
        for (std::size_t k = next_; k < std::min(end, next_ + std::max(fit, kFirstBatch)); ++k)
            which.push_back(draws_[k].body);
        const auto start = Clock::now();
        const std::vector<Vec4d> wanted = system.references(gravity, which);
        per_second_ = static_cast<double>(which.size()) / std::max(since(start), 1e-9);
        for (const Vec4d& reference : wanted) {
            const Draw& draw = draws_[next_++];
            const double part = draw.weight * square(draw.found - xyz(reference));
            round_ += part, squares_ += part * part;
        }
        if (next_ == end) rounds_.push_back(std::exchange(round_, 0));
    }
    return true;
}

double ErrorSample::of_heavy() const { return of_heavy_.value_or(0); }
double ErrorSample::error() const { return std::max(rms(), of_heavy()); }

double ErrorSample::rms() const {
    if (rounds_.empty()) return 0;
    const double sum = std::accumulate(rounds_.begin(), rounds_.end(), 0.0);
    return std::sqrt(sum / static_cast<double>(rounds_.size()) / of_all_);
}

}  // namespace orrery
