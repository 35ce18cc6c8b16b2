// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/structure.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// The table of conserved quantities that `run --diagnostics` writes: a row is on the disk as soon as it is made,
/// so that a run can be watched and an ended run leaves what it had.
class DiagnosticsTable {
public:
    /// Goes on with a table that is there when `steps` have been taken before: its rows beyond them are left out, as
    /// they come again. Throws Error{kEnvironment} naming the path.
    explicit DiagnosticsTable(std::string path, std::uint64_t steps = 0);
    void add(std::uint64_t step, double time, const Diagnostics& diagnostics, const Structure& structure);

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    void write(const std::string& line);

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

/// Why a run ended.
enum class RunEnd { kComplete, kInterrupted, kWallTime };
std::string_view name(RunEnd end);  ///< "complete", "interrupted", "wall-time"

/// What a run came to.
struct RunReport {
    std::uint64_t steps = 0;            ///< from its beginning, those before it was resumed included
    std::uint64_t taken = 0;            ///< now
    double seconds = 0;                 ///< spent on these
    std::vector<double> force_seconds;  ///< of the last kRecent that were timed
    std::uint64_t timed = 0;            ///< evaluations
    std::optional<Diagnostics> first, last;
    std::optional<Structure> structure;  ///< of the same state as `last`
    double structure_seconds = 0;        ///< that it took
    std::string energy_by;               ///< "tree" where W is not that of all pairs

    static constexpr std::size_t kRecent = 4096;

    /// So many steps in so many seconds, one of whose evaluations took `force` seconds.
    void add_steps(std::uint64_t more, double in_seconds, double force);
    double steps_per_second() const { return seconds > 0 ? static_cast<double>(taken) / seconds : 0; }
    double force_median() const;    ///< seconds; 0 without a step
    double energy_drift() const;    ///< |E − E₀| / |E₀|; needs first and last
    double momentum_drift() const;  ///< |P − P₀| / Σ m|v|; likewise
};
std::string text_of(const RunReport& report, Simulation& simulation);
std::string json_of(const RunReport& report, Simulation& simulation, RunEnd end);

}  // namespace orrery
