// SPDX-License-Identifier: MIT
#include "app/commands/bench_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/cli/setting_json.hpp"
#include "app/cli/table.hpp"
#include "app/commands/shared_work.hpp"
#include "app/platform/machine.hpp"
#include "core/base/version.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/map_choices.hpp"
#include "core/physics/flop.hpp"
#include "core/ranks/measured_ranks.hpp"
#include "core/ranks/process_ranks.hpp"
#include "core/simulation/accuracy_keeper.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

/// Seconds of one evaluation, by the clock of the device that computes it.
double evaluate(BodySystem& system, const Gravity& gravity) {
    system.clock().start();
    const std::uint64_t items = system.begin_forces(gravity, Potential::kSkip);
    system.run_forces(0, items);
    return system.clock().stop();
}

/// Fills caches, wakes threads and raises clocks: at least `least` seconds and two evaluations, or one if it takes
/// longer than a second. Returns the seconds of the last.
double warm_up(BodySystem& system, const Gravity& gravity, double least) {
    double total = 0, last = 0;
    for (int i = 0; agreed(total < least || (i < 2 && total < 1)); ++i) total += last = evaluate(system, gravity);
    return last;
}

/// The profiles of all ranks, on every rank; empty for a single process and for engines that do not share work.
std::vector<RankProfile> profile(const EngineConfig& config, const Scene& scene, double scale, double once) {
    constexpr double kSeconds = 2;  // of work
    if (!process_ranks()) return {};
    MeasuredRanks ranks{*process_ranks()};
    const auto system = make_body_system(config, scene.bodies, Urgency::kNormal, &ranks);
    if (!system->shared()) return {};
    system->scale_acceptance(scale);
    for (int i = 0; i < 2; ++i) evaluate(*system, scene.gravity);
    const int times = agreed(std::clamp(static_cast<int>(kSeconds / std::max(once, 1e-9)), 1, 20));
    RankProfile own;
    for (int i = 0; i < times; ++i) {
        ranks.meet();
        ranks.restart();
        const double all = evaluate(*system, scene.gravity);
        const RankCosts& costs = ranks.costs();
        own.compute += (all - costs.wait - costs.exchange) / times;
        own.wait += costs.wait / times, own.exchange += costs.exchange / times;
        own.received = costs.received;  // the same each time
    }
    std::vector<RankProfile> profiles(static_cast<std::size_t>(ranks.count()));
    profiles[static_cast<std::size_t>(ranks.rank())] = own;
    gather_parts(ranks, std::span{profiles}, profiles.size(), 1);
    return profiles;
}

Json to_json(const std::vector<RankProfile>& profiles) {
    Json all = Json::array();
    for (const RankProfile& each : profiles)
        all.push_back({{"compute_ms", 1e3 * each.compute},
                       {"wait_ms", 1e3 * each.wait},
                       {"exchange_ms", 1e3 * each.exchange},
                       {"received_bytes", each.received}});
    return all;
}

int threads_of(const EngineConfig& config) {
    if (config.backend != Backend::kCpu) return 0;
    return config.threads > 0 ? config.threads : static_cast<int>(std::thread::hardware_concurrency());
}

std::string column_of(const SettingInfo& info) { return std::string{info.column.empty() ? info.id : info.column}; }

/// Milliseconds of each phase of the last evaluation; for an engine without phases, the median.
Json phases_of(const BenchRow& row) {
    if (row.report.phases.empty()) return {{"forces", 1e3 * row.median}};
    Json phases = Json::object();
    for (const Phase& phase : row.report.phases) phases[std::string{phase.name}] = 1e3 * phase.seconds;
    return phases;
}

/// The phases that occur in any of the rows.
std::vector<std::string> phase_names(const std::vector<BenchRow>& rows) {
    std::vector<std::string> names;
    for (const BenchRow& row : rows) {
        const Json phases = phases_of(row);
        for (const auto& [phase, ms] : phases.items())
            if (std::ranges::find(names, phase) == names.end()) names.push_back(phase);
    }
    return names;
}

/// The fields of a row as name and cell; each of `phases` is a column, empty if the row has no such phase.
std::vector<std::pair<std::string, std::string>> cells(const BenchRow& row, const std::vector<std::string>& phases) {
    std::vector<std::pair<std::string, std::string>> result;
    const Json json = to_json(row);
    for (const auto& [key, value] : json.items()) {
        if (key == "by_rank") {
            for (const char* column : {"compute_ms", "wait_ms", "exchange_ms", "received_bytes"}) {
                std::string all;
                for (const auto& rank : value) all += (all.empty() ? "" : " ") + rank.at(column).dump();
                result.emplace_back(std::string{column} + "_by_rank", all);
            }
            continue;
        }
        if (key != "phases_ms") {
            result.emplace_back(key, csv_cell(value.is_string() ? value.get<std::string>() : value.dump()));
            continue;
        }
        for (const std::string& phase : phases)
            result.emplace_back(phase + "_ms", value.contains(phase) ? value[phase].dump() : std::string{});
    }
    return result;
}

}  // namespace

BenchRow measure(const EngineConfig& config, const Scene& scene, const BenchEffort& effort) {
    BenchRow row{.config = config, .scene = scene.id, .bodies = scene.bodies.size()};
    row.softening = scene.gravity.softening;
    const auto system = make_body_system(config, scene.bodies, Urgency::kNormal, process_ranks());
    report_sharing(*system, config);
    if (config.tree.keep_accuracy && engine(config.engine, config.backend).has(Capability::kAccuracy))
        row.scale = settle_accuracy(*system, scene.gravity, process_ranks()).factor;
    const double once = warm_up(*system, scene.gravity, effort.warm_up);
    const auto fit = static_cast<std::size_t>(std::min(effort.seconds / std::max(once, 1e-9), 1e9));
    row.repeat = agreed(std::min(effort.repeat, std::max<std::size_t>(fit, 3)));
    std::vector<double> seconds(row.repeat);
    for (double& each : seconds) each = evaluate(*system, scene.gravity);
    std::ranges::sort(seconds);
    const std::size_t half = seconds.size() / 2;
    row.median = agreed(seconds.size() % 2 == 1 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]));
    row.min = seconds.front();
    row.max = seconds.back();
    if (process_ranks()) row.ranks = process_ranks()->count();
    row.choice = system->engine_choice();
    row.report = system->engine_report();
    row.error = system->force_error(scene.gravity, std::min(effort.samples, row.bodies));
    row.by_rank = profile(config, scene, row.scale, row.median);
    return row;
}

Json to_json(const BenchRow& row) {
    const double median_ms = 1e3 * row.median;
    Json json{{"engine", row.config.engine},
              {"backend", name(row.config.backend)},
              {"map", map_in_force(row.config)},
              {"root", root_in_force(row.config)},
              {"precision", name(row.config.precision)},
              {"bodies", row.bodies},
              {"repeat", row.repeat},
              {"median_ms", median_ms},
              {"min_ms", 1e3 * row.min},
              {"max_ms", 1e3 * row.max},
              {"phases_ms", phases_of(row)},
              {"pairs_per_second", row.pairs_per_second()},
              {"gflops", gflops(row.pairs_per_second())},
              {"bodies_per_second", row.bodies_per_second()},
              {"rms_error", row.error.rms},
              {"median_error", row.error.median},
              {"p99_error", row.error.p99},
              {"max_error", row.error.max},
              {"error_samples", row.error.samples},
              {"scene", row.scene},
              {"seed", row.seed},
              {"softening", row.softening},
              {"threads", threads_of(row.config)},
              {"ranks", row.ranks},
              {"by_rank", to_json(row.by_rank)}};
    for (const EngineSetting& setting : engine_settings())
        if (setting.info.in(place::kColumn))
            json[column_of(setting.info)] = json_of<Json>(setting.member.get(row.config));
    json.update({{"acceptance", row.scale},
                 {"with_bodies", row.report.with_bodies},
                 {"with_cells", row.report.with_cells},
                 {"cells", row.report.cells},
                 {"leaves", row.report.leaves},
                 {"groups", row.report.groups},
                 {"levels", row.report.levels},
                 {"choice", row.choice},
                 {"device", device_name(row.config.backend)},
                 {"cpu", cpu_model()},
                 {"simd", simd_target()},
                 {"driver", driver_version()},
                 {"compiler", compiler()},
                 {"version", version()},
                 {"commit", commit()}});
    return json;
}

std::string to_csv(const std::vector<BenchRow>& rows) {
    std::string head, body;
    const std::vector<std::string> phases = phase_names(rows);
    for (const BenchRow& row : rows) {
        head.clear();
        for (const auto& [name, cell] : cells(row, phases)) {
            head += name + ',';
            body += cell + ',';
        }
        head.back() = body.back() = '\n';
    }
    return head + body;
}

namespace {

/// The profiles of rows that ranks shared; empty if there are none.
std::string profiles_text(const std::vector<BenchRow>& rows) {
    Table table;
    table.head = {"engine", "precision", "bodies", "rank", "compute ms", "wait ms", "exchange ms", "received"};
    const auto ms = [](double seconds) { return fmt::format("{:.4g}", 1e3 * seconds); };
    for (const BenchRow& row : rows)
        for (std::size_t rank = 0; rank < row.by_rank.size(); ++rank) {
            const RankProfile& each = row.by_rank[rank];
            table.rows.push_back({row.config.engine, std::string{name(row.config.precision)},
                                  fmt::to_string(row.bodies), fmt::to_string(rank), ms(each.compute), ms(each.wait),
                                  ms(each.exchange), with_prefix(static_cast<double>(each.received)) + "B"});
        }
    return table.rows.empty() ? "" : table.text();
}

}  // namespace

std::string to_text(const std::vector<BenchRow>& rows) {
    Table table;
    table.head = {"engine", "backend", "precision", "bodies",    "repeat",    "median ms", "min ms",
                  "max ms", "pairs/s", "rms error", "p99 error", "max error", "choice"};
    for (const BenchRow& row : rows)
        table.rows.push_back({row.config.engine, std::string{name(row.config.backend)},
                              std::string{name(row.config.precision)}, fmt::to_string(row.bodies),
                              fmt::to_string(row.repeat), fmt::format("{:.4g}", 1e3 * row.median),
                              fmt::format("{:.4g}", 1e3 * row.min), fmt::format("{:.4g}", 1e3 * row.max),
                              with_prefix(row.pairs_per_second()), fmt::format("{:.2e}", row.error.rms),
                              fmt::format("{:.2e}", row.error.p99), fmt::format("{:.2e}", row.error.max), row.choice});
    return table.text() + profiles_text(rows);
}

}  // namespace orrery
