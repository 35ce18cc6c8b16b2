// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "core/bodies/error_sample.hpp"
#include "core/engines/acceptance.hpp"

namespace orrery {

class Ranks;

/// What steps depend on where the accuracy is kept: a part of Snapshot.
struct KeptAccuracy {
    Acceptance acceptance;
    std::uint64_t next = 0;  ///< moment whose step measures next, see Simulation::moment()
    std::uint64_t gap = 1;   ///< steps from the last measurement to that one
    friend bool operator==(const KeptAccuracy&, const KeptAccuracy&) = default;
};

/// Measures the error of a system whose engine approximates, at fixed steps, and scales the engine's criterion so that
/// the error stays what was asked for. In every step until it is, then less and less often, in the end once in kRarely
/// steps for each round of the sample; so nothing depends on times, and all ranks do the same.
class AccuracyKeeper {
public:
    static constexpr std::uint64_t kRarely = 64;

    void restart(std::uint64_t moment) { kept_ = {.acceptance = {}, .next = moment}; }  ///< another engine
    void measure_soon(std::uint64_t moment) { kept_.next = moment, kept_.gap = 1; }     ///< another law of force
    /// `kept` is in force; of the same engine, or of one that was made anew.
    void restore(const KeptAccuracy& kept, BodySystem& system);

    /// The step that begins at this moment measures.
    bool due(const BodySystem& system, std::uint64_t moment) const {
        return moment >= kept_.next && system.accuracy_to_keep() > 0;
    }
    bool under_way() const { return under_way_; }
    void abandon() { under_way_ = false; }
    /// Between a whole evaluation and the next one, with the bodies as they were evaluated. Works for about `budget`;
    /// true: the error is measured and the criterion scaled. `ranks`: those that make the same steps, or null.
    bool work(BodySystem& system, const Gravity& gravity, std::uint64_t moment, std::chrono::duration<double> budget,
              Ranks* ranks);

    const KeptAccuracy& kept() const { return kept_; }

private:
    KeptAccuracy kept_;
    ErrorSample sample_;
    bool under_way_ = false;
};

/// The same for bodies at rest: evaluates and scales until the error is what was asked for, at most ten times.
Acceptance settle_accuracy(BodySystem& system, const Gravity& gravity, Ranks* ranks = nullptr);

/// For people, one line: "7.6e-04 measured, 0.001 asked, criterion × 1.28"; or what else there is to say: "3.8e-07
/// measured, 1e-07 asked: single precision gives no more here, double does".
std::string accuracy_text(const Acceptance& acceptance, const EngineConfig& engine, double asked);
/// A sentence that names the error and a way out if the last measurement exceeds the accuracy; empty if it does not.
std::string accuracy_missed(const Acceptance& acceptance, const EngineConfig& engine, double asked);

}  // namespace orrery
