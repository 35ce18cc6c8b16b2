// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/engines/config.hpp"
#include "core/engines/report.hpp"

namespace orrery {

/// Work of one rank in one evaluation, averaged over evaluations that are run only for this profile.
struct RankProfile {
    double compute = 0, wait = 0, exchange = 0;  ///< seconds, see RankCosts
    std::uint64_t received = 0;                  ///< bytes
};

/// One engine with one configuration on one scene.
struct BenchRow {
    EngineConfig config;
    std::string scene, choice;  ///< `choice`: what the engine chose
    std::uint64_t seed = 0;
    std::size_t bodies = 0;
    double softening = 0;
    int ranks = 1;                        ///< processes that shared the work
    std::vector<RankProfile> by_rank;     ///< one per rank if the engine shares work; otherwise empty
    std::size_t repeat = 0;               ///< evaluations timed
    double median = 0, min = 0, max = 0;  ///< seconds of one evaluation of all forces
    double scale = 1;                     ///< factor of the acceptance criterion, see AcceptancePower
    ForceError error;
    EngineReport report;  ///< of the last evaluation

    double pairs_per_second() const { return static_cast<double>(bodies) * static_cast<double>(bodies) / median; }
    double bodies_per_second() const { return static_cast<double>(bodies) / median; }
};

struct BenchEffort {
    std::size_t repeat = 20;
    double warm_up = 0.2;        ///< seconds of work before the first timing
    double seconds = 10;         ///< fewer repeats, but at least 3, if they would take longer
    std::size_t samples = 1024;  ///< bodies whose acceleration is compared with the reference
};

/// Times evaluations of the accelerations of `scene` after a warm-up, shared with the other ranks if there are any.
/// Times are those of rank 0. Throws what make_body_system() throws.
BenchRow measure(const EngineConfig& config, const Scene& scene, const BenchEffort& effort);

/// Field names are stable for scripts. Includes what is needed to interpret a row later: machine, driver, compiler,
/// commit.
nlohmann::ordered_json to_json(const BenchRow& row);
/// The fields of to_json() as lines of CSV with a head; phases_ms becomes one column per phase.
std::string to_csv(const std::vector<BenchRow>& rows);
std::string to_text(const std::vector<BenchRow>& rows);

}  // namespace orrery
