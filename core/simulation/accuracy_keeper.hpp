// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "core/bodies/error_sample.hpp"
#include "core/engines/acceptance.hpp"

namespace orrery {

class Ranks;

/// State of accuracy control that later steps depend on; part of Snapshot.
struct KeptAccuracy {
    Acceptance acceptance;
    std::uint64_t next = 0;  ///< moment of the next step that measures, see Simulation::moment()
    std::uint64_t gap = 1;   ///< steps between the last measurement and the next
    friend bool operator==(const KeptAccuracy&, const KeptAccuracy&) = default;
};

/// Measures the force error of an approximating engine at fixed steps, and scales the engine's acceptance criterion so
/// that the error stays at the requested accuracy. Measures in every step until it does, then less and less often,
/// finally once in kRarely steps per round of the sample. Nothing depends on wall-clock times, so all ranks do the
/// same.
class AccuracyKeeper {
public:
    static constexpr std::uint64_t kRarely = 64;

    void restart(std::uint64_t moment) { kept_ = {.acceptance = {}, .next = moment}; }  ///< for another engine
    void measure_soon(std::uint64_t moment) { kept_.next = moment, kept_.gap = 1; }     ///< for another force law
    /// Applies `kept`, measured with the same engine configuration.
    void restore(const KeptAccuracy& kept, BodySystem& system);

    /// True if the step that begins at this moment must measure.
    bool due(const BodySystem& system, std::uint64_t moment) const {
        return moment >= kept_.next && system.accuracy_to_keep() > 0;
    }
    bool under_way() const { return under_way_; }
    void abandon() { under_way_ = false; }
    /// Call between a complete evaluation and the next, while the bodies are as evaluated. Works for about `budget`;
    /// returns true once the error is measured and the criterion scaled. `ranks`: ranks that take the same steps, or
    /// null.
    bool work(BodySystem& system, const Gravity& gravity, std::uint64_t moment, std::chrono::duration<double> budget,
              Ranks* ranks);

    const KeptAccuracy& kept() const { return kept_; }

private:
    KeptAccuracy kept_;
    ErrorSample sample_;
    bool under_way_ = false;
};

/// Same for bodies at rest: evaluates and rescales until the error is as requested, at most ten times.
Acceptance settle_accuracy(BodySystem& system, const Gravity& gravity, Ranks* ranks = nullptr);

/// One line for users: "7.6e-04 measured, 0.001 asked, criterion × 1.28"; or the reason for missing it: "3.8e-07
/// measured, 1e-07 asked: single precision gives no more here, double does".
std::string accuracy_text(const Acceptance& acceptance, const EngineConfig& engine, double asked);
/// A sentence with the error and a remedy if the last measurement exceeds the accuracy; otherwise empty.
std::string accuracy_missed(const Acceptance& acceptance, const EngineConfig& engine, double asked);

}  // namespace orrery
