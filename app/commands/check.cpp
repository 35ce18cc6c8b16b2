// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/cli/table.hpp"
#include "app/commands/check_orders.hpp"
#include "app/commands/check_sets.hpp"
#include "app/commands/commands.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/body_system.hpp"
#include "core/engines/map_choices.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
    SceneOptions scene{.source = "plummer"};
    SurveyOptions survey;
    std::vector<std::size_t> bodies;
    int threads = 0;
    bool orders = false;
    std::string plot;
    bool json = false;
};

// Around the sizes of vectors, warps and tiles, where engines break.
const std::vector<std::size_t> kCounts{1, 2, 3, 31, 32, 33, 255, 257, 1000, 4099};

/// Of triplets, N³/2 of which the reference takes per scene in one plain loop, no more bodies are compared unasked.
constexpr std::size_t kMostOfTriplets = 257;

/// Loops that meet the body itself take its m/ε away from the potential again, which costs digits where others are far.
constexpr double kPotentialSlack = 4;

struct CheckRow {
    EngineEntry entry;
    EngineConfig config;
    std::string scene;
    std::size_t bodies;
    double rms_error, potential_error;  // relative; infinite when the reference is zero and the engine is not
    double slack = 1;                   // of DegenerateSet

    double tolerance() const { return slack * entry.tolerance(config); }
    bool pass() const {  // false for NaN
        return rms_error <= tolerance() && potential_error <= kPotentialSlack * tolerance();
    }
};

double relative(double difference2, double size2) {
    if (size2 > 0) return std::sqrt(difference2 / size2);
    return difference2 == 0 ? 0 : std::numeric_limits<double>::infinity() * (difference2 > 0 ? 1.0 : difference2);
}

CheckRow compare(const EngineEntry& entry, const EngineConfig& config, const std::string& scene,
                 const std::vector<Vec4d>& found, const std::vector<Vec4d>& reference) {
    double force_off = 0, force = 0, potential_off = 0, potential = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const Vec3d off = xyz(found[i]) - xyz(reference[i]);
        const double deep = found[i].w - reference[i].w;
        force_off += dot(off, off), force += dot(xyz(reference[i]), xyz(reference[i]));
        potential_off += deep * deep, potential += reference[i].w * reference[i].w;
    }
    return {entry, config, scene, reference.size(), relative(force_off, force), relative(potential_off, potential)};
}

std::vector<std::size_t> counts(const CheckOptions& options) {
    if (!options.bodies.empty()) return options.bodies;
    if (options.scene.bodies > 0) return {options.scene.bodies};  // of a scene file
    const auto entry = std::ranges::find(presets(), options.scene.source, &PresetEntry::id);
    return entry == presets().end() || entry->fixed_count ? std::vector<std::size_t>{0} : kCounts;
}

bool unasked(const CheckOptions& options) { return options.bodies.empty() || options.survey.engines.empty(); }

void say_skipped(const EngineEntry& entry, const std::string& why) {
    to_stderr("skipped: {} on {}: {}\n", entry.id, name(entry.backend), why);
}

/// Has an error that is its user's choice; `auto` only hands that choice on.
bool is_tree(const EngineEntry& entry) { return entry.has_tree() && entry.id != "auto"; }

/// All maps of engines that walk one; of trees what they take unasked, and opening angles with each order.
std::vector<EngineConfig> configs(const EngineEntry& entry, const EngineConfig& base) {
    std::vector<EngineConfig> all = with_every_map(entry, base);
    if (!is_tree(entry)) return all;
    for (const int order : {1, 2})
        for (const double theta : {0.3, 0.5, 0.75, 1.0}) {
            if (order == 2 && entry.opens_by_theta_alone()) continue;
            all.push_back(base);
            all.back().tree.theta = theta, all.back().tree.order = order;
        }
    return all;
}

/// Goes over scenes × engines × precisions × configurations.
class Check {
public:
    explicit Check(const CheckOptions& options)
        : options_{options},
          entries_{options.survey.entries(say_skipped)},
          precisions_{options.survey.precisions_or({precisions().begin(), precisions().end()})} {
        std::ranges::copy_if(entries_, std::back_inserter(trees_), is_tree);
    }

    std::vector<CheckRow> operator()() {
        const auto sizes = counts(options_);
        // Who names a scene or sizes wants these and no others.
        const bool all = options_.bodies.empty() && options_.scene.source == CheckOptions{}.scene.source;
        const auto sets = all && !trees_.empty() ? degenerate_sets() : std::vector<DegenerateSet>{};
        Progress progress{"check", sizes.size() * entries_.size() + sets.size() * trees_.size()};
        for (const std::size_t count : sizes) {
            SceneOptions scene = options_.scene;
            scene.bodies = count;
            compare_all(scene.open(), 1, entries_, progress);
        }
        for (const DegenerateSet& set : sets) compare_all(set.scene, set.slack, trees_, progress);
        return std::move(rows_);
    }

private:
    void compare_all(const Scene& scene, double slack, const std::vector<EngineEntry>& entries, Progress& progress) {
        const std::size_t size = scene.bodies.size();
        std::map<Law, std::vector<Vec4d>> truths;
        for (const EngineEntry& entry : entries) {
            progress.update(done_++, fmt::format("{} bodies, {} on {}", size, entry.id, name(entry.backend)));
            if (entry.law != Law::kGravity && size > kMostOfTriplets && unasked(options_)) {
                say_skipped(entry, fmt::format("{0} bodies take too long; to include them: --engines {1} --bodies {0}",
                                               size, entry.id));
                continue;
            }
            std::vector<Vec4d>& truth = truths[entry.law];
            if (truth.empty()) truth = reference_accelerations(entry.law, scene.bodies.position_mass, scene.gravity);
            for (const Precision precision : precisions_) {
                if (!offers(entry, precision)) continue;
                EngineConfig config{.engine = std::string{entry.id}, .backend = entry.backend, .precision = precision};
                config.threads = options_.threads;
                for (const EngineConfig& each : configs(entry, config)) {
                    const auto found = accelerations(each, scene.bodies, scene.gravity, Potential::kCompute);
                    rows_.push_back(compare(entry, each, scene.id, found, truth));
                    rows_.back().slack = slack;
                }
            }
        }
    }

    const CheckOptions& options_;
    const std::vector<EngineEntry> entries_;
    std::vector<EngineEntry> trees_;
    const std::vector<Precision> precisions_;
    std::vector<CheckRow> rows_;
    std::uint64_t done_ = 0;
};

Json to_json(const CheckRow& row) {
    return {{"engine", row.entry.id},
            {"backend", name(row.entry.backend)},
            {"map", map_in_force(row.config)},
            {"root", root_in_force(row.config)},
            {"precision", name(row.config.precision)},
            {"bodies", row.bodies},
            {"rms_error", row.rms_error},
            {"potential_error", row.potential_error},
            {"tolerance", row.tolerance()},
            {"pass", row.pass()},
            {"scene", row.scene},
            {"theta", row.config.tree.theta},
            {"order", row.config.tree.order}};
}

void print_table(const std::vector<CheckRow>& rows) {
    Table table;
    table.head = {"scene",  "engine",    "backend",         "map",       "root", "theta", "order", "precision",
                  "bodies", "rms error", "potential error", "tolerance", ""};
    const auto or_nothing = [](double x) { return x > 0 ? fmt::format("{:g}", x) : std::string{}; };
    for (const CheckRow& row : rows)
        table.rows.push_back({row.scene, std::string{row.entry.id}, std::string{name(row.entry.backend)},
                              map_in_force(row.config), root_in_force(row.config), or_nothing(row.config.tree.theta),
                              or_nothing(row.config.tree.order), std::string{name(row.config.precision)},
                              fmt::to_string(row.bodies), fmt::format("{:.2e}", row.rms_error),
                              fmt::format("{:.2e}", row.potential_error), fmt::format("{:.0e}", row.tolerance()),
                              row.pass() ? "pass" : "FAIL"});
    to_stdout("{}", table.text());
}

int check(const CheckOptions& options) {
    const std::vector<CheckRow> rows = Check{options}();
    const auto failed = std::ranges::count_if(rows, [](const CheckRow& row) { return !row.pass(); });
    if (options.json) {
        Json all = Json::array();
        for (const CheckRow& row : rows) all.push_back(to_json(row));
        to_stdout("{}\n", all.dump(2));
    } else {
        print_table(rows);
        to_stdout("{} of {} comparisons within tolerance\n", rows.size() - static_cast<std::size_t>(failed),
                  rows.size());
    }
    return failed == 0 ? 0 : kCheckFailed;
}

}  // namespace

Work declare_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    add_source(app, options->scene, Source::kOptional);
    app.add_option("--bodies", options->bodies,
                   "Numbers of bodies, separated by commas (default: ten sizes from 1 to 4099 at which engines are "
                   "prone to errors)")
        ->delimiter(',')
        ->check(positive());
    add_seed_and_softening(app, options->scene);
    add_survey(app, options->survey);
    add_threads(app, options->threads);
    auto* orders = app.add_flag("--orders", options->orders,
                                "Check integrators instead of engines: their error over the step length");
    app.add_option("--plot", options->plot, "With --orders: plot the result as SVG")->needs(orders);
    add_json(app, options->json);
    app.footer(
        "Accelerations and potentials of all bodies are compared with a plain loop in double precision, for "
        "gravity\nthat of the engine `reference`. Triplets are compared for up to 257 bodies, or more with --engines "
        "and --bodies.\nThe exit code is 1 if an engine exceeds its tolerance. Engines that cannot run here are named "
        "on stderr and\nhave no rows. In JSON an error is null if it is not a number: the reference is zero and the "
        "engine is not.");
    return [options, &app] {
        if (options->orders) return check_orders(options->plot, options->json);
        if (adopt_scene(options->scene, nullptr)) apply_typed(app);
        return check(*options);
    };
}

}  // namespace orrery
