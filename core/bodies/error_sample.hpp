// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/bodies/body_system.hpp"

namespace orrery {

/// Estimates the relative RMS error of the accelerations of all bodies, √(Σ|a − r|² / Σ|r|²), from a few hundred of
/// them, in slices. Half of the sample is drawn evenly and half in proportion to |a|² (importance sampling: Owen, Monte
/// Carlo theory, methods and examples, ch. 9), so that a dense core in which the sums are made counts as it should.
/// Drawn are rounds of kRound bodies, from kLeastRounds to kMostRounds, until the standard error is kExact of the
/// error. Up to kAll bodies are all measured.
///
/// Heavy bodies, see heavy_from(), are measured besides, each by itself: the light ones about a star hide from the RMS
/// that the star's acceleration, which moves most of the mass, is wrong.
///
/// The same bodies and accelerations give the same bits, however the work was cut, on any number of threads.
class ErrorSample {
public:
    static constexpr std::size_t kRound = 256, kLeastRounds = 2, kMostRounds = 8, kAll = 1024, kMostHeavy = 64;
    static constexpr double kExact = 0.04;

    /// Chooses the bodies by their number and the accelerations that they have.
    void begin(const BodySystem& system);
    /// Works for about `budget`. Returns whether the error is known. Nothing may move between two slices.
    bool work(const BodySystem& system, const Gravity& gravity, std::chrono::duration<double> budget);
    double rms() const;  ///< 0 where nothing is accelerated
    /// The largest |a − r|/|r| of heavy bodies, 0 without any. A body on which all forces cancel is measured by what
    /// would be as much force as bodies feel on average.
    double of_heavy() const;
    double error() const;                                  ///< the larger of the two
    std::size_t rounds() const { return rounds_.size(); }  ///< as many as it took, or that all bodies are

private:
    struct Draw {
        std::uint32_t body;
        double weight;  ///< of its squared error, in an estimate of the sum over all bodies by this round
        Vec3d found;
    };
    void choose(const std::vector<std::uint32_t>& from, const std::vector<BodySample>& bodies, double start);
    void choose_heavy(const BodySystem& system, const std::vector<BodySample>& bodies);
    void measure_heavy(const BodySystem& system, const Gravity& gravity);
    bool known() const;

    struct Heavy {
        std::uint32_t body;
        Vec3d found;
        double least;  ///< of |r|
    };
    std::vector<Heavy> heavy_;
    std::optional<double> of_heavy_;  // none: to be measured
    std::vector<Draw> draws_;
    std::vector<std::size_t> ends_;   // of the rounds, in draws_
    std::vector<double> rounds_;      // Σ|a − r|² by each, as far as whole
    double of_all_ = 0;               // Σ|a|²
    double round_ = 0, squares_ = 0;  // Σ of the round under way; Σ of the squares of all contributions
    std::size_t next_ = 0;
    double per_second_ = 0;
};

}  // namespace orrery
