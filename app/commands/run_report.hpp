// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics/diagnostics.hpp"
#include "core/simulation.hpp"

namespace orrery {

/// The table of conserved quantities that `run --diagnostics` writes: a row is on the disk as soon as it is made,
/// so that a run can be watched and an ended run leaves what it had.
class DiagnosticsTable {
public:
    explicit DiagnosticsTable(std::string path);  ///< throws Error{kEnvironment} naming the path
    void add(std::uint64_t step, double time, const Diagnostics& diagnostics);

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    void write(const std::string& line);

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

/// What a run came to.
struct RunReport {
    std::uint64_t steps = 0;
    double seconds = 0;                 ///< spent on steps
    std::vector<double> force_seconds;  ///< one per step
    std::optional<Diagnostics> first, last;

    double steps_per_second() const { return seconds > 0 ? static_cast<double>(steps) / seconds : 0; }
    double force_median() const;    ///< seconds; 0 without a step
    double energy_drift() const;    ///< |E − E₀| / |E₀|; needs first and last
    double momentum_drift() const;  ///< |P − P₀| / Σ m|v|; likewise
};
std::string text_of(const RunReport& report, Simulation& simulation);
std::string json_of(const RunReport& report, Simulation& simulation);

}  // namespace orrery
