// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/commands/bench_row.hpp"
#include "app/commands/commands.hpp"
#include "app/platform/machine.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/progress.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/map_choices.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

struct BenchOptions {
    SceneOptions scene{.given = {.source = "plummer"}};
    SurveyOptions survey;
    std::vector<std::size_t> bodies;
    KnobOptions knobs;
    int threads = 0;
    std::size_t repeat = 0;  // 0: as many as fit into the default effort
    std::string sweep, csv;
    bool json = false;
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
    explicit Survey(const BenchOptions& options) : options_{options} {
        entries_ = options.survey.entries([](const EngineEntry& entry, const std::string& why) {
            to_stderr("skipped: {} on {}: {}\n", entry.id, name(entry.backend), why);
        });
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
        if (!tiles && !maps && options_.sweep == "tile") usage_error("none of these engines has tile knobs here");
        if (!std::ranges::any_of(entries_, &EngineEntry::has_tree) && options_.sweep == "theta")
            usage_error("none of these engines has a tree here");
        if (!maps && options_.sweep == "map") usage_error("none of these engines walks a thread map here");
    }

    void measure_entry(const EngineEntry& entry, Precision precision) {
        if (!offers(entry, precision)) {
            to_stderr("skipped: {} on {}: it has no {} precision\n", entry.id, name(entry.backend), name(precision));
            return;
        }
        for (const std::size_t count : counts(options_)) {
            if (count > entry.max_bodies && options_.bodies.empty()) break;
            // Triplets cost N³: unless selected, they are skipped at sizes chosen for engines of pairs.
            if (count > entry.max_bodies && entry.law != Law::kPairs && options_.survey.engines.empty()) {
                to_stderr("skipped: {} on {}: more than {} bodies; select it with --engines\n", entry.id,
                          name(entry.backend), entry.max_bodies);
                continue;
            }
            SceneOptions scene_options = options_.scene;
            scene_options.given.bodies = count;
            const Scene scene = scene_options.open();
            const auto all = configs(options_, entry, precision);
            Progress progress{
                fmt::format("{} {} {} N={}", entry.id, name(entry.backend), name(precision), scene.bodies.size()),
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

    void add(const EngineConfig& config, const Scene& scene) {
        BenchEffort effort;
        if (options_.sweep == "tile" || options_.sweep == "map" || options_.sweep == "theta")
            effort.warm_up = 0.01;  // hundreds of shapes keep the clocks up
        if (options_.repeat > 0) effort.repeat = options_.repeat, effort.seconds = 1e9;
        BenchRow row = measure(config, scene, effort);
        row.seed = options_.scene.given.seed;
        if (row.repeat < effort.repeat)
            to_stderr("{} on {}, {} bodies: {} repeats instead of {}, because an evaluation takes {:.2g} s\n",
                      config.engine, name(config.backend), row.bodies, row.repeat, effort.repeat, row.median);
        rows_.push_back(std::move(row));
    }

    const BenchOptions& options_;
    std::vector<EngineEntry> entries_;
    std::vector<BenchRow> rows_;
};

int bench(const BenchOptions& options) {
    if (!options.csv.empty()) require_writable(options.csv);
    const std::vector<BenchRow> rows = Survey{options}();
    if (rows.empty()) environment_error("nothing could be measured");
    if (!options.csv.empty() && is_first_process()) {
        OutputFile file{options.csv};
        file.write(to_csv(rows));
        file.commit();
    }
    if (options.json) {
        auto all = nlohmann::ordered_json::array();
        for (const BenchRow& row : rows) all.push_back(to_json(row));
        to_stdout("{}\n", all.dump(2));
        return 0;
    }
    to_stdout("orrery {} ({}), {}\n", version(), commit(), compiler());
    to_stdout("cpu: {}\n", device_name(Backend::kCpu));
    if (!driver_version().empty()) to_stdout("cuda: {}, driver {}\n", device_name(Backend::kCuda), driver_version());
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
                   "map: all thread maps and square roots; theta: all opening criteria of a tree")
        ->check(CLI::IsMember({"n", "tile", "map", "theta"}));
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
        return bench(*options);
    };
}

}  // namespace orrery
