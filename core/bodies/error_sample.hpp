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
/// them, in slices. Half of the sample is drawn uniformly and half in proportion to |a|² (importance sampling: Owen,
/// Monte Carlo theory, methods and examples, ch. 9), so that a dense core, which dominates the sums, gets its proper
/// weight. Draws rounds of kRound bodies, from kLeastRounds to kMostRounds, until the standard error is kExact of the
/// error. Measures all bodies if there are at most kAll.
///
/// Heavy bodies, see heavy_from(), are also measured individually: the RMS over the light bodies around a star would
/// hide a wrong acceleration of the star, which moves most of the mass.
///
/// The same bodies and accelerations give the same bits, independent of slices and threads.
class ErrorSample {
public:
    static constexpr std::size_t kRound = 256, kLeastRounds = 2, kMostRounds = 8, kAll = 1024, kMostHeavy = 64;
    static constexpr double kExact = 0.04;

    /// Chooses the sample from the number of bodies and their present accelerations.
    void begin(const BodySystem& system);
    /// Works for about `budget`. Returns whether the error is known. Bodies must not move between slices.
    bool work(const BodySystem& system, const Gravity& gravity, std::chrono::duration<double> budget);
    double rms() const;  ///< 0 if all accelerations are 0
    /// The largest |a − r|/|r| of heavy bodies; 0 without any. If the forces on a heavy body cancel, |r| is replaced by
    /// the acceleration that the mean force of all bodies would give it.
    double of_heavy() const;
    double error() const;                                  ///< max(rms(), of_heavy())
    std::size_t rounds() const { return rounds_.size(); }  ///< completed rounds; 1 if all bodies are measured

private:
    struct Draw {
        std::uint32_t body;
        double weight;  ///< weight of its squared error in this round's estimate of the sum over all bodies
        Vec3d found;
    };
    void choose(const std::vector<std::uint32_t>& from, const std::vector<BodySample>& bodies, double start);
    void choose_heavy(const BodySystem& system, const std::vector<BodySample>& bodies);
    void measure_heavy(const BodySystem& system, const Gravity& gravity);
    bool known() const;

    struct Heavy {
        std::uint32_t body;
        Vec3d found;
        double least;  ///< lower limit of |r|
    };
    std::vector<Heavy> heavy_;
    std::optional<double> of_heavy_;  // empty: not measured yet
    std::vector<Draw> draws_;
    std::vector<std::size_t> ends_;   // ends of the rounds in draws_
    std::vector<double> rounds_;      // Σ|a − r|² of each completed round
    double of_all_ = 0;               // Σ|a|²
    double round_ = 0, squares_ = 0;  // Σ of the current round; Σ of the squares of all contributions
    std::size_t next_ = 0;
    double per_second_ = 0;
};

}  // namespace orrery
