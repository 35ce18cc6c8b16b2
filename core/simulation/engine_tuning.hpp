// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/bodies/body_system.hpp"
#include "core/engines/engine_tuner.hpp"
#include "core/simulation/force_evaluation.hpp"

namespace orrery {

class Ranks;
struct Snapshot;

/// Tries the engines that a configuration leaves open on the present bodies, between two steps, and holds the choice.
/// A trial replaces the engine of the system and overwrites the accelerations; the caller keeps a snapshot here and
/// restores it afterwards. With ranks, rank 0's times decide on all.
class EngineTuning {
public:
    explicit EngineTuning(Ranks* ranks);
    EngineTuning(EngineTuning&&) noexcept;
    EngineTuning& operator=(EngineTuning&&) noexcept;
    ~EngineTuning();

    /// False: the configuration in force stays, for sessions that are recorded or repeated.
    void allow(bool allowed) { allowed_ = allowed; }
    bool allowed() const { return allowed_; }
    /// Begins for another configuration, engine or scene. The configuration in force is then first_engine().
    void restart(const EngineConfig& asked, std::size_t bodies, PairLaw law);
    /// The configuration that precedes the measurements: `auto` chooses by the number of bodies, and settings left at 0
    /// are those of tuning_of(), except with `deterministic` and with ranks, whose devices may differ. None if this is
    /// `asked`.
    static std::optional<EngineConfig> first_engine(const EngineConfig& asked, std::size_t bodies, PairLaw law,
                                                    const Ranks* ranks);

    /// The configuration in force if it is not the requested one.
    const std::optional<EngineConfig>& used() const { return used_; }
    void use(const std::optional<EngineConfig>& config) { used_ = config; }

    /// True if a trial may begin, between two steps. `forces` have used the present engine; `at_once`: even if trials
    /// have taken their share of the time.
    bool due(const EngineConfig& asked, std::size_t bodies, PairLaw law, const ForceEvaluation& forces, bool at_once);
    bool under_way() const { return kept_ != nullptr; }
    const Snapshot& kept() const { return *kept_; }
    /// Begins the trial of a candidate; `kept` is the present state. Returns false if the system cannot exchange its
    /// engine; nothing has changed then, and nothing will be due.
    bool begin(BodySystem& system, Snapshot kept);
    /// Works for about `budget`; returns true once the trial is over. The caller must restore engine and state.
    bool work(BodySystem& system, const Gravity& gravity, std::chrono::duration<double> budget);
    /// Ends the trial; if it is not over it will be repeated. Returns the state to restore.
    Snapshot end();

    /// A choice that is not in force, at or after the moment of its first use.
    const EngineConfig* pending(std::uint64_t moment) const;
    void chosen_at(std::uint64_t moment) { chosen_at_ = moment; }
    /// Steps until the choice must be used again, after a rewind; at most `most`.
    std::uint64_t steps_left(std::uint64_t moment, std::uint64_t most) const;
    /// The choice for bodies at rest, however long it takes: trials as in a simulation, and `system` then has this
    /// engine, with an unscaled criterion. None, without changes, if `asked` leaves nothing open.
    std::optional<EngineConfig> choose(BodySystem& system, const EngineConfig& asked, const Gravity& gravity);
    /// See EngineTuner::text().
    std::string text() const { return tuner_.text(); }

private:
    double agreed(double value) const;
    bool by_all() const;  ///< every rank makes these calls; false: one process, or one that leads the others
    bool on_any(bool own) const;
    bool fails_on_all() const;

    Ranks* ranks_;
    bool allowed_ = true, possible_ = true;
    EngineTuner tuner_;
    std::optional<EngineConfig> used_;
    std::unique_ptr<Snapshot> kept_;  // the state before the trial under way
    bool over_ = false;               // this trial
    ForceEvaluation forces_;
    std::uint64_t evaluations_ = 0;  // of this trial
    double spent_ = 0;               // seconds of work since the last one
    std::optional<std::uint64_t> chosen_at_;
    double chosen_time_ = 0;
};

}  // namespace orrery
