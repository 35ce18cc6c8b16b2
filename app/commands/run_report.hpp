// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/structure.hpp"
#include "core/encounters/encounters.hpp"
#include "core/simulation/conservation.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// Why a run ended.
enum class RunEnd { kComplete, kInterrupted, kWallTime };
std::string_view name(RunEnd end);  ///< "complete", "interrupted", "wall-time"

/// Result of a run.
struct RunReport {
    std::uint64_t snapshots = 0;        ///< number of snapshots of the series written
    std::uint64_t steps = 0;            ///< since the beginning, including those before a resume
    std::uint64_t taken = 0;            ///< by this process
    double seconds = 0;                 ///< spent on `taken`
    std::vector<double> force_seconds;  ///< of the last kRecent timed evaluations
    std::uint64_t timed = 0;            ///< number of timed evaluations
    std::optional<Diagnostics> first, last;
    EncounterLedger met;  ///< at the state of `last`; quantities removed by encounters do not count as drift
    std::optional<Structure> structure;  ///< of the same state as `last`
    double structure_seconds = 0;        ///< time to compute it
    bool own_law = false;                ///< of the kernel that runs: the energies are those of the scene's law
    std::string energy_by;               ///< "tree …: to about 1e-5" if W is not computed from all pairs

    static constexpr std::size_t kRecent = 4096;

    /// Adds this many steps, which took this many seconds; `force`: seconds of one evaluation.
    void add_steps(std::uint64_t more, double in_seconds, double force);
    double steps_per_second() const { return seconds > 0 ? static_cast<double>(taken) / seconds : 0; }
    double force_median() const;  ///< seconds; 0 without a step
    /// Requires `first` and `last`.
    Conservation conservation() const { return conserved(*first, *last, met); }
    /// warning_of() the measured states; empty if there are none, and for a kernel with its own law. `adaptive` as in
    /// Scene.
    std::string warning(double adaptive) const {
        return first && last && !own_law ? warning_of(conservation(), adaptive) : std::string{};
    }
};
/// "t = 100 d"; for a scene without physical units, the number itself.
std::string clock_of(const Simulation& simulation);
std::string text_of(const RunReport& report, Simulation& simulation);
std::string json_of(const RunReport& report, Simulation& simulation, RunEnd end);

}  // namespace orrery
