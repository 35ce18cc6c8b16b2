// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/gpus.hpp"
#include "app/commands/tune.hpp"
#include "app/platform/machine.hpp"
#include "core/base/clock.hpp"
#include "core/base/energy_counter.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/ceilings.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/config.hpp"
#include "core/engines/cpu/simd.hpp"
#include "core/engines/device_tuning.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/report.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/physics/gravity.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/measured_ranks.hpp"
#include "core/ranks/process_ranks.hpp"
#include "core/simulation/engine_tuning.hpp"
#include "core/simulation/force_evaluation.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

/// Work of one rank in one evaluation, averaged over evaluations that are run only for this profile.
struct RankProfile {
    double compute = 0, wait = 0, exchange = 0;  ///< seconds, see RankCosts
    std::uint64_t received = 0;                  ///< bytes
};

/// Energy of consecutive evaluations, measured after the timed ones.
struct EnergyCost {
    std::string counter;  ///< see EnergySource::name
    double watts = 0;
    double evaluations_per_second = 0;
    double evaluations_per_joule() const { return evaluations_per_second / watts; }
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
    std::optional<EnergyCost> energy;     ///< empty: not measured
    std::optional<Ceilings> ceilings;     ///< empty: not requested
    std::optional<PairCost> pair_cost;    ///< empty: without a bound, see pair_cost()
    double scale = 1;                     ///< factor of the acceptance criterion, see AcceptancePower
    ForceError error;
    EngineReport report;  ///< of the last evaluation

    double pairs() const { return static_cast<double>(bodies) * static_cast<double>(bodies); }
    double pairs_per_second() const { return pairs() / median; }
    double bodies_per_second() const { return static_cast<double>(bodies) / median; }
    std::optional<double> pairs_per_joule() const {  ///< empty for engines that do not sum all pairs
        if (!energy || !sums_all_pairs(config, report)) return std::nullopt;
        return pairs() * energy->evaluations_per_joule();
    }
    std::optional<double> pairs_bound() const {  ///< upper bound on pairs_per_second()
        if (!ceilings || !pair_cost) return std::nullopt;
        return orrery::pairs_bound(*ceilings, *pair_cost, config.precision, bodies);
    }
    std::optional<double> share_of_bound() const {
        const auto bound = pairs_bound();
        return bound ? std::optional{pairs_per_second() / *bound} : std::nullopt;
    }
    std::optional<double> bodies_per_joule() const {
        if (!energy) return std::nullopt;
        return static_cast<double>(bodies) * energy->evaluations_per_joule();
    }
};

struct BenchEffort {
    std::size_t repeat = 20;
    double warm_up = 0.2;        ///< seconds of work before the first timing
    double seconds = 10;         ///< fewer repeats, but at least 3, if they would take longer
    std::size_t samples = 1024;  ///< bodies whose acceleration is compared with the reference
    bool energy = true;          ///< measures energy too, which takes longer than a second
    bool roofline = false;       ///< measures the ceilings too
};

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

/// Repeats evaluations for at least a second between two changes of the energy counter: those of GPUs change every 20
/// to 100 ms. Empty, with the reason, without a counter that changes.
std::optional<EnergyCost> measure_energy(BodySystem& system, const Gravity& gravity, Backend backend,
                                         std::string& why_not) {
    using namespace std::chrono_literals;
    constexpr double kLeast = 1, kPatience = 5;  // seconds
    const EnergyCounterMonitor monitor{[backend] { return open_energy_counter(backend); }, 5ms};
    while (!monitor.state().opened) std::this_thread::sleep_for(1ms);
    std::optional<EnergyReading> first;
    std::size_t evaluations = 0;
    double seconds = 0;  // of the evaluations since `first`
    for (const TimeTaken time; monitor.state().why_not.empty();) {
        const TimeTaken each;
        evaluate(system, gravity);
        const EnergyCounterMonitor::State now = monitor.state();
        if (first) {
            ++evaluations, seconds += each.seconds();
            if (now.last.seconds - first->seconds >= kLeast)
                return EnergyCost{.counter = now.name,
                                  .watts = watts(*first, now.last),
                                  .evaluations_per_second = static_cast<double>(evaluations) / seconds};
        } else if (now.changes > 1) {  // the time of the first reading is not that of a change
            first = now.last;
        }
        if (time.seconds() - now.last.seconds > kPatience) {
            why_not = fmt::format("{}: the counter has not changed for {:g} s", now.name, kPatience);
            return std::nullopt;
        }
    }
    why_not = monitor.state().why_not;
    return std::nullopt;
}

/// The same, unless the effort excludes it. A backend without a counter is not tried again; a note on stderr gives the
/// reason once.
std::optional<EnergyCost> try_energy(BodySystem& system, const Gravity& gravity, Backend backend,
                                     const BenchEffort& effort) {
    static std::set<Backend> failed;
    if (failed.contains(backend)) return std::nullopt;
    std::string why_not;
    if (!effort.energy)
        why_not = "sweeps over shapes and --no-energy measure none";
    else if (process_ranks())
        why_not = "the counters of several ranks are not added up";
    else if (const auto cost = measure_energy(system, gravity, backend, why_not))
        return cost;
    if (is_first_process()) to_stderr("orrery: note: no watts and joules on {}: {}\n", name(backend), why_not);
    failed.insert(backend);
    return std::nullopt;
}

/// The profiles of all ranks, on every rank, of a system with these ranks.
std::vector<RankProfile> profile(BodySystem& system, MeasuredRanks& ranks, const Gravity& gravity, double once) {
    constexpr double kSeconds = 2;  // of work
    ranks.measure(true);
    for (int i = 0; i < 2; ++i) evaluate(system, gravity);
    const int times = agreed(std::clamp(static_cast<int>(kSeconds / std::max(once, 1e-9)), 1, 20));
    RankProfile own;
    for (int i = 0; i < times; ++i) {
        ranks.meet();
        ranks.restart();
        const double all = evaluate(system, gravity);
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

/// The same of another system; empty for a single process and for engines that do not share work.
std::vector<RankProfile> profile(const EngineConfig& config, const SceneInStretches& scene, double scale, double once) {
    if (!process_ranks()) return {};
    MeasuredRanks ranks{*process_ranks()};
    const auto system = make_body_system(config, *scene.bodies, Urgency::kNormal, &ranks);
    if (!system->shared()) return {};
    system->scale_acceptance(scale);
    return profile(*system, ranks, scene.settings.gravity, once);
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

/// True if all bodies have the same mass.
bool equal_masses(const BodySource& bodies) {
    const MassReader masses{bodies};
    for (std::size_t i = 1; i < bodies.size(); ++i)
        if (masses(i) != masses(i - 1)) return false;
    return true;
}

/// Times evaluations of the accelerations of `scene` after a warm-up, shared with the other ranks if there are any.
/// Times are those of rank 0. Throws what make_body_system() throws.
BenchRow measure(const EngineConfig& config, const SceneInStretches& scene, const BenchEffort& effort) {
    const Gravity& gravity = scene.settings.gravity;
    BenchRow row{.config = config, .scene = scene.settings.id, .bodies = scene.all};
    row.softening = gravity.softening;
    const auto first = EngineTuning::first_engine(config, row.bodies, gravity.law, process_ranks());
    // Ranks that own their bodies profile the same system: making another one of billions of bodies takes minutes.
    std::optional<MeasuredRanks> measured;
    if (process_ranks() && process_ranks()->own_bodies) {
        if (config.backend == Backend::kCuda) device_ranks(*process_ranks());
        measured.emplace(*process_ranks()).measure(false);
    }
    auto system = make_body_system(first.value_or(config), *scene.bodies, Urgency::kNormal,
                                   measured ? &*measured : process_ranks());
    if (first && config.engine != "auto") row.config = *first;
    report_sharing(*system, config);
    EngineTuning tuning{process_ranks()};
    const auto chosen = system->part() ? std::nullopt : tuning.choose(*system, config, gravity);
    if (chosen) row.config.tree = chosen->tree, row.config.tile_size = chosen->tile_size;
    if (config.tree.keep_accuracy && engine(config.engine, config.backend).has(Capability::kAccuracy))
        row.scale = settle_accuracy(*system, gravity, process_ranks()).factor;
    const double once = warm_up(*system, gravity, effort.warm_up);
    const auto fit = static_cast<std::size_t>(std::min(effort.seconds / std::max(once, 1e-9), 1e9));
    row.repeat = agreed(std::min(effort.repeat, std::max<std::size_t>(fit, 3)));
    std::vector<double> seconds(row.repeat);
    for (double& each : seconds) each = evaluate(*system, gravity);
    std::ranges::sort(seconds);
    const std::size_t half = seconds.size() / 2;
    row.median = agreed(seconds.size() % 2 == 1 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]));
    row.min = seconds.front();
    row.max = seconds.back();
    if (process_ranks()) row.ranks = process_ranks()->count();
    row.choice = system->engine_choice();
    if (chosen) row.choice = tuning.text() + (row.choice.empty() ? "" : " · " + row.choice);
    row.report = system->engine_report();
    if (effort.roofline && !process_ranks() && config.backend != Backend::kGl) {
        const bool equal = row.config.equal_masses && equal_masses(*scene.bodies);
        row.ceilings = ceilings(config.backend, config.precision, config.threads);
        if (gravity.law == PairLaw::kGravity) row.pair_cost = pair_cost(row.config, equal);
    }
    row.energy = try_energy(*system, gravity, config.backend, effort);
    row.error = system->force_error(gravity, std::min(effort.samples, row.bodies));
    if (measured) {
        row.by_rank = profile(*system, *measured, gravity, row.median);
        return row;
    }
    system.reset();  // the profile needs as much memory
    row.by_rank = profile(chosen.value_or(config), scene, row.scale, row.median);
    return row;
}

Json or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

/// Field names are stable for scripts. Includes what is needed to interpret a row later: machine, driver, compiler,
/// commit.
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
              {"watts", row.energy ? Json(row.energy->watts) : Json()},
              {"pairs_per_joule", or_null(row.pairs_per_joule())},
              {"bodies_per_joule", or_null(row.bodies_per_joule())},
              {"energy_counter", row.energy ? row.energy->counter : ""},
              {"fma_per_second", row.ceilings ? Json(row.ceilings->fma) : Json()},
              {"rsqrt_per_second", row.ceilings ? Json(row.ceilings->rsqrt) : Json()},
              {"bytes_per_second", row.ceilings ? Json(row.ceilings->bytes) : Json()},
              {"bound_pairs_per_second", or_null(row.pairs_bound())},
              {"share_of_bound", or_null(row.share_of_bound())},
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
            const std::string text = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
            result.emplace_back(key, csv_cell(text));
            continue;
        }
        for (const std::string& phase : phases)
            result.emplace_back(phase + "_ms", value.contains(phase) ? value[phase].dump() : std::string{});
    }
    return result;
}

/// The fields of to_json() as lines of CSV with a head; phases_ms becomes one column per phase.
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

/// Power and energy of rows for which they were measured; empty if there are none.
std::string energies_text(const std::vector<BenchRow>& rows) {
    Table table;
    table.head = {"engine", "backend", "precision", "bodies", "watts", "pairs/J", "bodies/J", "counter"};
    for (const BenchRow& row : rows) {
        if (!row.energy) continue;
        const auto pairs = row.pairs_per_joule();
        table.rows.push_back({row.config.engine, std::string{name(row.config.backend)},
                              std::string{name(row.config.precision)}, fmt::to_string(row.bodies),
                              fmt::format("{:.4g}", row.energy->watts), pairs ? with_prefix(*pairs) : "",
                              with_prefix(*row.bodies_per_joule()), row.energy->counter});
    }
    return table.rows.empty() ? "" : table.text();
}

/// Ceilings and bounds of rows for which they were measured; empty if there are none.
std::string bounds_text(const std::vector<BenchRow>& rows) {
    Table table;
    table.head = {"engine",  "backend", "precision", "bodies", "FMA/s",
                  "rsqrt/s", "bytes/s", "pairs/s",   "bound",  "share"};
    for (const BenchRow& row : rows) {
        if (!row.ceilings) continue;
        const auto bound = row.pairs_bound(), share = row.share_of_bound();
        table.rows.push_back({row.config.engine, std::string{name(row.config.backend)},
                              std::string{name(row.config.precision)}, fmt::to_string(row.bodies),
                              with_prefix(row.ceilings->fma), with_prefix(row.ceilings->rsqrt),
                              with_prefix(row.ceilings->bytes), with_prefix(row.pairs_per_second()),
                              bound ? with_prefix(*bound) : "", share ? fmt::format("{:.0f} %", 100 * *share) : ""});
    }
    return table.rows.empty() ? "" : table.text();
}

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
    return table.text() + energies_text(rows) + bounds_text(rows) + profiles_text(rows);
}

struct BenchOptions {
    SceneOptions scene{.given = {.source = "plummer"}};
    SurveyOptions survey;
    std::vector<std::size_t> bodies;
    KnobOptions knobs;
    std::optional<KernelFile> kernel;  // survey.kernel
    int threads = 0;
    std::size_t repeat = 0;  // 0: as many as fit into the default effort
    std::string sweep, csv;
    bool roofline = false, no_energy = false, tune = false, json = false;
};

constexpr std::size_t kDefaultBodies = 16384;
// A sweep over N ends once an evaluation takes longer; the next N would take four times as long.
constexpr double kSweepSeconds = 2;
constexpr std::size_t kSweepFirst = 1024, kSweepLast = std::size_t{1} << 22;

/// The numbers of bodies to measure. 0: the scene determines it.
std::vector<std::size_t> counts(const BenchOptions& options) {
    if (!options.bodies.empty()) return options.bodies;
    if (options.scene.given.bodies > 0) return {options.scene.given.bodies};  // from a scene file
    const auto entry = std::ranges::find(presets(), options.scene.given.source, &PresetEntry::id);
    if (entry == presets().end() || entry->fixed_count) return {0};
    if (options.sweep != "n") return {kDefaultBodies};
    std::vector<std::size_t> all;
    for (std::size_t n = kSweepFirst; n <= kSweepLast; n *= 2) all.push_back(n);
    return all;
}

/// Acceptance criteria of a tree, from fast to accurate: geometric and by relative error, for two expansion orders.
std::vector<EngineConfig> with_every_opening(const EngineEntry& entry, const EngineConfig& base) {
    std::vector<EngineConfig> all;
    const auto add = [&](int order) -> TreeConfig& {
        all.push_back(base);
        TreeConfig& tree = all.back().tree;
        tree.accuracy = tree.alpha = tree.theta = 0, tree.order = order;
        return tree;
    };
    for (const int order : swept_orders(entry)) {
        for (const double theta : {1.2, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3}) add(order).theta = theta;
        if (entry.opens_by_theta_alone()) continue;
        for (const double alpha : {0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001})
            add(order).alpha = alpha;
        for (const double accuracy : {1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5}) add(order).accuracy = accuracy;
    }
    return all;
}

/// The configurations of one engine to measure: the requested one, or all tile shapes, or all maps and roots, or all
/// acceptance criteria of a tree.
std::vector<EngineConfig> configs(const BenchOptions& options, const EngineEntry& entry, Precision precision) {
    EngineConfig base = default_engine_config();
    base.engine = entry.id, base.backend = entry.backend, base.precision = precision;
    base.threads = options.threads;
    if (options.kernel && runs(entry, *options.kernel)) base.kernel = options.kernel->text;
    options.knobs.only_of(entry).apply(entry, base);  // refuse_idle_knobs() requires that some engine has them
    std::vector<EngineConfig> all;
    if (options.sweep == "tile" && entry.has_tiles()) {
        for (const int k : {1, 2, 4, 8})
            for (const int p : {64, 128, 256, 512})
                for (const int q : {1, 2, 4})
                    for (const int u : {1, 2, 4, 8, 16, 32})
                        if (p * q <= 1024) all.push_back(base), all.back().tile = {.p = p, .u = u, .q = q, .k = k};
    } else if (options.sweep == "tile" && entry.walks_pairs()) {
        for (const int size : {32, 64, 128, 256, 384, 512, 768, 1024}) all.push_back(base), all.back().tile_size = size;
    } else if (options.sweep == "tile" && entry.walks_triples()) {
        for (const int size : {16, 32}) all.push_back(base), all.back().tile_size = size;
    } else if (options.sweep == "strip" && entry.has(Capability::kStrips)) {
        for (const int strip : {1, 2, 4, 8, 16, 32, 64}) all.push_back(base), all.back().strip = strip;
    } else if (options.sweep == "map" && (entry.walks_pairs() || entry.walks_triples())) {
        all = with_every_map(entry, base);
    } else if (options.sweep == "theta" && entry.has_tree()) {
        all = with_every_opening(entry, base);
    } else {
        all.push_back(base);
    }
    return all;
}

/// Iterates over engine × backend × precision × N × tile × map.
class Survey {
public:
    explicit Survey(const BenchOptions& options) : options_{options}, entries_{options.survey.entries()} {
        refuse_idle_knobs();
    }

    std::vector<BenchRow> operator()() {
        for (const EngineEntry& entry : entries_)
            for (const Precision precision : options_.survey.precisions_or({Precision::kSingle}))
                measure_entry(entry, precision);
        return std::move(rows_);
    }

private:
    void refuse_idle_knobs() const {
        if (const std::string flag = options_.knobs.idle(entries_); !flag.empty())
            usage_error(fmt::format("none of these engines has --{} here", flag));
        const bool tiles = std::ranges::any_of(entries_, &EngineEntry::has_tiles);
        const bool maps = std::ranges::any_of(entries_, &EngineEntry::walks_triples) ||
                          std::ranges::any_of(entries_, &EngineEntry::walks_pairs);
        if (!tiles && !maps && options_.sweep == "tile") usage_error("none of these engines has tile settings here");
        if (!std::ranges::any_of(entries_, &EngineEntry::has_tree) && options_.sweep == "theta")
            usage_error("none of these engines has a tree here");
        const auto has_strips = [](const EngineEntry& entry) { return entry.has(Capability::kStrips); };
        if (!std::ranges::any_of(entries_, has_strips) && options_.sweep == "strip")
            usage_error("none of these engines takes strips of tiles here");
        if (!maps && options_.sweep == "map") usage_error("none of these engines uses a thread map here");
    }

    void measure_entry(const EngineEntry& entry, Precision precision) {
        if (!offers(entry, precision)) {
            report_skipped(entry, fmt::format("it has no {} precision", name(precision)));
            return;
        }
        for (const std::size_t count : counts(options_)) {
            if (count > entry.max_bodies && options_.bodies.empty()) break;
            // Triplets cost N³: unless selected, they are skipped at sizes chosen for engines of pairs.
            if (count > entry.max_bodies && entry.law != Law::kPairs && options_.survey.engines.empty()) {
                report_skipped(entry, fmt::format("more than {} bodies; select it with --engines", entry.max_bodies));
                continue;
            }
            SceneOptions scene_options = options_.scene;
            scene_options.given.bodies = count;
            const SceneInStretches scene = scene_options.open_in_stretches();
            const auto all = configs(options_, entry, precision);
            Progress progress{fmt::format("{} {} {} N={}", entry.id, name(entry.backend), name(precision), scene.all),
                              all.size()};
            for (std::size_t i = 0; i < all.size(); ++i) {
                progress.update(i);
                try {
                    add(all[i], scene);
                } catch (const Error& e) {
                    if (options_.sweep.empty() || e.blame() != Blame::kUsage) throw;
                    to_stderr("skipped: {}\n", e.what());  // a shape that this device cannot run
                }
            }
            if (options_.sweep == "n" && !rows_.empty() && rows_.back().median > kSweepSeconds) break;
        }
    }

    void add(const EngineConfig& config, const SceneInStretches& scene) {
        BenchEffort effort{.energy = !options_.no_energy, .roofline = options_.roofline};
        if (options_.sweep == "tile" || options_.sweep == "map" || options_.sweep == "strip" ||
            options_.sweep == "theta")
            effort.warm_up = 0.01, effort.energy = false;  // hundreds of shapes keep the clocks up
        if (options_.repeat > 0) effort.repeat = options_.repeat, effort.seconds = 1e9;
        BenchRow row = measure(config, scene, effort);
        row.seed = options_.scene.given.seed;
        if (row.repeat < effort.repeat)
            to_stderr("{} on {}, {} bodies: {} repeats instead of {}, because an evaluation takes {:.2g} s\n",
                      config.engine, name(config.backend), row.bodies, row.repeat, effort.repeat, row.median);
        rows_.push_back(std::move(row));
    }

    const BenchOptions& options_;
    const std::vector<EngineEntry> entries_;
    std::vector<BenchRow> rows_;
};

/// The numbers of bodies at which an engine is tuned: from 2048 up, until its default takes longer than this.
constexpr double kTuneSeconds = 0.25;
constexpr std::size_t kTuneFirst = 2048, kTuneLast = std::size_t{1} << 23, kTuneFactor = 4;

Timed time_forces(const EngineConfig& config, const SceneInStretches& scene) {
    const BenchEffort effort{.repeat = 5, .warm_up = 0.02, .seconds = 0.5, .samples = 256, .energy = false};
    const BenchRow row = measure(config, scene, effort);
    return {.seconds = row.min, .error = row.error.rms};
}

/// The fastest settings of one engine at each number of bodies.
std::vector<TunedEngine> tune_sizes(const BenchOptions& options, const EngineEntry& entry, Precision precision) {
    std::vector<TunedEngine> rows;
    const bool own_sizes = !options.bodies.empty();
    std::vector<std::size_t> sizes = options.bodies;
    for (std::size_t n = kTuneFirst; !own_sizes && n <= std::min<std::size_t>(kTuneLast, entry.max_bodies);
         n *= kTuneFactor)
        sizes.push_back(n);
    EngineConfig base = default_engine_config();
    base.engine = entry.id, base.backend = entry.backend, base.precision = precision;
    base.threads = options.threads;
    for (const std::size_t count : sizes) {
        SceneOptions scene_options = options.scene;
        scene_options.given.bodies = count;
        const SceneInStretches scene = scene_options.open_in_stretches();
        if (scene.all != count)
            usage_error(
                fmt::format("--tune needs a preset of any number of bodies; {} has {}", scene.settings.id, scene.all));
        to_stderr("orrery: {} on {}, {} precision, {} bodies\n", entry.id, name(entry.backend), name(precision), count);
        rows.push_back(
            tune_engine(entry, base, count, [&](const EngineConfig& config) { return time_forces(config, scene); }));
        if (!own_sizes && rows.back().default_seconds > kTuneSeconds) break;
    }
    return rows;
}

int tune(const BenchOptions& options) {
    if (process_ranks()) usage_error("--tune measures one device; start it without mpirun and --gpus");
    std::map<Backend, std::vector<TunedEngine>> rows;
    std::map<Backend, DeviceTuning> known;
    const std::vector<EngineEntry> entries = options.survey.entries();
    for (const EngineEntry& entry : entries) known.try_emplace(entry.backend, tuning_of(entry.backend));
    set_tuning_source(nullptr);  // times are compared with those of the built-in settings
    for (const EngineEntry& entry : entries) {
        if (entry.id == "auto" || !can_tune(entry)) continue;
        for (const Precision precision : options.survey.precisions_or({Precision::kSingle})) {
            if (!offers(entry, precision)) continue;
            std::ranges::move(tune_sizes(options, entry, precision), std::back_inserter(rows[entry.backend]));
        }
    }
    if (rows.empty()) usage_error("none of these engines has settings to tune here");
    for (const auto& [backend, each] : rows) {
        store_tuning(backend, known[backend], each);
        to_stdout("{}written: {}\n", tuning_table(backend, each), tuning_path(backend).string());
    }
    return 0;
}

int bench(const BenchOptions& options) {
    if (options.tune) return tune(options);
    if (!options.csv.empty()) require_writable(options.csv);
    const std::vector<BenchRow> rows = Survey{options}();
    if (rows.empty()) environment_error("nothing could be measured");
    if (!options.csv.empty() && is_first_process()) write_file(options.csv, to_csv(rows));
    if (options.json) {
        Json all = Json::array();
        for (const BenchRow& row : rows) all.push_back(to_json(row));
        to_stdout("{}\n", all.dump(2));
        return 0;
    }
    to_stdout("orrery {} ({}), {}\n", version(), commit(), compiler());
    to_stdout("cpu: {}\n", device_name(Backend::kCpu));
    if (!driver_version().empty()) to_stdout("cuda: {}, driver {}\n", device_name(Backend::kCuda), driver_version());
    if (std::ranges::any_of(rows, [](const BenchRow& row) { return row.config.backend == Backend::kGl; }))
        to_stdout("gl: {}\n", device_name(Backend::kGl));
    to_stdout("scene: {}, seed {}, softening {:g}\n{}", rows.front().scene, rows.front().seed, rows.front().softening,
              to_text(rows));
    return 0;
}

}  // namespace

Work declare_bench(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    add_survey(app, options->survey);
    add_source(app, options->scene, Source::kOptional);
    app.add_option("--bodies", options->bodies, "Numbers of bodies, separated by commas (default 16384)")
        ->delimiter(',')
        ->check(positive());
    add_seed_and_softening(app, options->scene);
    add_threads(app, options->threads);
    add_knobs(app, options->knobs);
    app.add_option("--repeat", options->repeat,
                   "Number of evaluations to time after the warm-up (default 20, or as many as take about 10 s)")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--sweep", options->sweep,
                   "n: numbers of bodies from 1024 up, doubled until an evaluation takes long; tile: all tile shapes; "
                   "map: all thread maps and square roots; strip: numbers of tiles per block; theta: all opening "
                   "criteria of a tree")
        ->check(CLI::IsMember({"n", "tile", "map", "strip", "theta"}));
    app.add_flag("--tune", options->tune,
                 "Find the fastest settings of each engine on this device and store them for later runs, in place of "
                 "the built-in ones; takes minutes")
        ->excludes("--repeat")
        ->excludes("--sweep");
    app.add_flag("--roofline", options->roofline,
                 "Also measure the ceilings of the device (multiply-adds, inverse roots, memory) and the share of its "
                 "bound that each all-pairs engine reaches");
    app.add_flag("--no-energy", options->no_energy,
                 "Do not measure watts and joules, which takes a second for each row");
    app.add_option("--csv", options->csv, "Also write the rows to this file");
    add_json(app, options->json);
    app.footer(
        "Times are those of one evaluation of all forces, on a device measured with events. pairs/s is N² / median "
        "for\nevery engine, so that engines are comparable. Errors are relative, against the double-precision "
        "reference on\n1024 bodies (or all): √(Σ|a-r|²/Σ|r|²), and 99th percentile and maximum of |a-r|/|r|. "
        "Examples:\n  orrery bench --bodies 16384,65536 --precision single,double --csv rows.csv\n  orrery bench "
        "--engines direct --backend cuda --sweep tile --bodies 262144 --json");
    return [options, &app] {
        if (adopt_scene(options->scene, nullptr)) apply_typed(app);
        options->kernel = options->survey.take_kernel();
        return bench(*options);
    };
}

}  // namespace orrery
