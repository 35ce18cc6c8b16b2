// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/check_truth.hpp"
#include "app/commands/commands.hpp"
#include "app/scene/degenerate_sets.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/representable.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/process_ranks.hpp"
#include "core/simulation/kernel_verdict.hpp"
#include "core/simulation/orders.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kMostJudgedRows = 4096;

void print_force(const ForceVerdict& verdict, bool json) {
    if (json) {
        to_stdout("{}\n", Json{{"engine", verdict.engine},
                               {"scene", verdict.scene},
                               {"bodies", verdict.bodies},
                               {"law", verdict.own_law ? "own" : "gravity"},
                               {"rms_error", verdict.rms_error},
                               {"tolerance", verdict.tolerance},
                               {"worst_error", verdict.worst_error},
                               {"worst_body", verdict.worst},
                               {"milliseconds", 1e3 * verdict.times->seconds},
                               {"pairs_per_second", verdict.times->pairs_per_second()},
                               {"direct_milliseconds", 1e3 * verdict.times->rival_seconds},
                               {"ratio_to_direct", verdict.times->ratio()},
                               {"pass", verdict.pass()}}
                              .dump(2));
        return;
    }
    to_stdout(
        "engine    {}, {} bodies of {}\n"
        "error     {:.2e} (relative RMS against {} in double precision; tolerance {:.0e})\n"
        "worst     body {}, {:.2e}\n"
        "time      {:.4g} ms, {}pairs/s\n"
        "direct    {:.4g} ms: the kernel has {:.2f} of its speed\n"
        "verdict   {}\n",
        verdict.engine, verdict.bodies, verdict.scene, verdict.rms_error, verdict.own_law ? "its own sum" : "all pairs",
        verdict.tolerance, verdict.worst, verdict.worst_error, 1e3 * verdict.times->seconds,
        with_prefix(verdict.times->pairs_per_second()), 1e3 * verdict.times->rival_seconds, verdict.times->ratio(),
        verdict.pass() ? "pass" : "WRONG");
}

int check_map(const KernelFile& file, bool json) {
    const MapVerdict verdict = judge_map(kernel_map(file), kMostJudgedRows);
    const MapExactness& last = verdict.first_wrong ? *verdict.first_wrong : verdict.last;
    const double launched = static_cast<double>(last.launched), rows = last.rows;
    if (json) {
        Json first = Json::array();
        if (last.first) first = {last.first->row, last.first->col};
        to_stdout("{}\n", Json{{"map", file.title},
                               {"exact", !verdict.first_wrong},
                               {"rows", last.rows},
                               {"missing", last.missing},
                               {"twice", last.twice},
                               {"outside", last.outside},
                               {"first_wrong_tile", first},
                               {"blocks", last.launched},
                               {"blocks_of_bb_per_block", rows * rows / launched}}
                              .dump(2));
    } else {
        to_stdout("map       {}\nverdict   {}\nblocks    {} for {} rows; bounding box: {:.2f} times as many\n",
                  file.title, describe(verdict), last.launched, last.rows, rows * rows / launched);
    }
    return verdict.first_wrong ? kCheckFailed : 0;
}

/// `check --kernel`: prints the verdict on a kernel file. Returns the exit code: 1 for a wrong map, and for a force
/// beyond its tolerance. `scene` is not opened for a map.
int check_kernel(const KernelFile& file, const std::function<Scene()>& scene, bool json) {
    if (file.kind == KernelKind::kMap) return check_map(file, json);
    const Scene bodies = scene();
    ForceVerdict verdict = compare_force(file, bodies);
    verdict.times = time_kernel(file, bodies);
    print_force(verdict, json);
    return verdict.pass() ? 0 : kCheckFailed;
}

void print_table(const std::vector<OrderRow>& rows) {
    Table table;
    table.head = {"integrator", "order", "measured", ""};
    for (const OrderPoint& point : rows.front().points) table.head.push_back(fmt::format("{}", point.steps));
    for (const OrderRow& row : rows) {
        table.rows.push_back({std::string{row.integrator.id}, fmt::to_string(row.integrator.order),
                              fmt::format("{:.2f}", row.measured), row.pass() ? "pass" : "FAIL"});
        for (const OrderPoint& point : row.points) table.rows.back().push_back(fmt::format("{:.1e}", point.error));
    }
    to_stdout(
        "{}Errors after one period of an ellipse of eccentricity 0.5, by the number of steps per period, in double "
        "precision\n",
        table.text());
}

void print_json(const std::vector<OrderRow>& rows) {
    Json all = Json::array();
    for (const OrderRow& row : rows) {
        Json points = Json::array();
        for (const OrderPoint& point : row.points) points.push_back({{"steps", point.steps}, {"error", point.error}});
        all.push_back({{"integrator", row.integrator.id},
                       {"order", row.integrator.order},
                       {"measured", row.measured},
                       {"pass", row.pass()},
                       {"points", points}});
    }
    to_stdout("{}\n", all.dump(2));
}

/// `check --orders`: prints the error of every integrator over its step length and, unless `path` is empty, plots it
/// there as SVG. Returns the exit code.
int check_orders(const std::string& path, bool json) {
    if (!path.empty()) require_writable(path);
    Progress progress{"orders", integrators().size()};
    const auto rows = measure_orders([&](std::size_t done, std::size_t) { progress.update(done, ""); });
    if (json)
        print_json(rows);
    else
        print_table(rows);
    if (!path.empty()) {
        write_file(path, plot_orders(rows));
        if (!json) to_stdout("wrote     {}\n", path);
    }
    return std::ranges::all_of(rows, &OrderRow::pass) ? 0 : kCheckFailed;
}

struct CheckOptions {
    SceneOptions scene{.given = {.source = "plummer"}};
    SurveyOptions survey;
    std::vector<std::size_t> bodies;
    int threads = 0;
    bool orders = false;
    std::string plot;
    bool json = false;
};

// Around the sizes of vectors, warps and tiles, where engines are prone to errors.
const std::vector<std::size_t> kCounts{1, 2, 3, 31, 32, 33, 255, 257, 1000, 4099};

/// Default limit for engines of triplets: the reference computes N³/2 of them per scene in one plain loop.
constexpr std::size_t kMostOfTriplets = 257;

/// A note is printed if single precision alone changes a scene's accelerations by more than this, which may be visible.
constexpr double kReportedOfRounding = 1e-5;
/// A note is printed if a tree's error exceeds the requested accuracy by this factor.
constexpr double kReportedOfCriterion = 1.5;

struct CheckRow {
    EngineEntry entry;
    EngineConfig config;
    std::string scene;
    std::size_t bodies;
    double rms_error, potential_error;  // relative; infinite when the reference is zero and the engine is not
    double heavy_error;                 // largest relative error of a heavy body
    Accepted accepted;

    bool pass() const {  // false for NaN
        return rms_error <= accepted.acceleration && potential_error <= accepted.potential &&
               heavy_error <= accepted.heavy;
    }
};

CheckRow compare(const EngineEntry& entry, const EngineConfig& config, const std::string& scene,
                 const std::vector<Vec4d>& found, const std::vector<Vec4d>& reference, double heavy_error,
                 const Accepted& accepted) {
    double force_off = 0, force = 0, potential_off = 0, potential = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const Vec3d off = xyz(found[i]) - xyz(reference[i]);
        const double deep = found[i].w - reference[i].w;
        force_off += dot(off, off), force += dot(xyz(reference[i]), xyz(reference[i]));
        potential_off += deep * deep, potential += reference[i].w * reference[i].w;
    }
    return {entry,
            config,
            scene,
            reference.size(),
            relative_error(force_off, force),
            relative_error(potential_off, potential),
            heavy_error,
            accepted};
}

std::vector<std::size_t> counts(const CheckOptions& options) {
    if (!options.bodies.empty()) return options.bodies;
    if (options.scene.given.bodies > 0) return {options.scene.given.bodies};  // from a scene file
    const auto entry = std::ranges::find(presets(), options.scene.given.source, &PresetEntry::id);
    return entry == presets().end() || entry->fixed_count ? std::vector<std::size_t>{0} : kCounts;
}

/// With --kernel, unless the scene or an option determines it.
constexpr std::size_t kKernelBodies = 4096;

bool unasked(const CheckOptions& options) { return options.bodies.empty() || options.survey.engines.empty(); }

/// All maps of engines that use one; for trees the default criterion, and opening angles with each expansion order.
std::vector<EngineConfig> configs(const EngineEntry& entry, const EngineConfig& base) {
    std::vector<EngineConfig> all = with_every_map(entry, base);
    if (!is_tree(entry)) return all;
    for (const int order : swept_orders(entry))
        for (const double theta : {0.3, 0.5, 0.75, 1.0}) {
            all.push_back(base);
            all.back().tree.theta = theta, all.back().tree.order = order;
        }
    return all;
}

/// Prints notes on limits that are not the fault of an engine: positions that 32 bits cannot represent, and bodies on
/// which an acceptance criterion is less accurate than on those it was calibrated with.
void say_limits(const Scene& scene, CheckTruth& truth, std::span<const CheckRow> rows) {
    if (rows.empty()) return;
    const bool single =
        std::ranges::any_of(rows, [](const CheckRow& row) { return row.config.precision == Precision::kSingle; });
    if (const double change = single ? truth.rounding(rows.front().entry.law) : 0; change > kReportedOfRounding)
        to_stderr(
            "note: {}: single precision rounds the positions; that alone changes accelerations by {:.1e} "
            "(relative RMS); mixed and double keep them\n",
            scene.id, change);
    std::set<int> reported;  // expansion orders already reported
    for (const CheckRow& row : rows) {
        if (!has_groups(row.entry) || row.config.tree.theta > 0 || row.entry.opens_by_theta_alone() || !row.pass())
            continue;
        const TreeChoice choice = criterion_of(row.entry, row.config);
        if (row.rms_error <= kReportedOfCriterion * choice.accuracy || !reported.insert(choice.order).second) continue;
        to_stderr(
            "note: {}: the error of `tree` is {:.1e}, not the requested {:g}, as it is for a plain tree with its "
            "criterion ({:.1e}): --accuracy is calibrated on Plummer spheres; on these bodies request {:.1g}\n",
            scene.id, row.rms_error, choice.accuracy, row.accepted.criterion,
            choice.accuracy * choice.accuracy / row.rms_error);
    }
}

/// Iterates over scenes × engines × precisions × configurations.
class Check {
public:
    explicit Check(const CheckOptions& options)
        : options_{options},
          entries_{options.survey.entries()},
          precisions_{options.survey.precisions_or({precisions().begin(), precisions().end()})},
          pool_{options.threads, false} {
        std::ranges::copy_if(entries_, std::back_inserter(trees_), is_tree);
    }

    std::vector<CheckRow> operator()() {
        const auto sizes = counts(options_);
        // The degenerate sets are added only to the default scene and sizes.
        const bool all = options_.bodies.empty() && options_.scene.given.source == CheckOptions{}.scene.given.source;
        const auto sets = all && !trees_.empty() ? degenerate_sets() : std::vector<Scene>{};
        Progress progress{"check", sizes.size() * entries_.size() + sets.size() * trees_.size()};
        for (const std::size_t count : sizes) {
            SceneOptions scene = options_.scene;
            scene.given.bodies = count;
            compare_all(scene.open(), entries_, progress);
        }
        for (const Scene& set : sets) compare_all(set, trees_, progress);
        return std::move(rows_);
    }

private:
    void compare_all(const Scene& scene, const std::vector<EngineEntry>& entries, Progress& progress) {
        const std::size_t size = scene.bodies.size();
        const PairLaw law = scene.gravity.law;
        CheckTruth truth{scene, pool_};
        const std::size_t before = rows_.size();
        for (const EngineEntry& entry : entries) {
            progress.update(done_++, fmt::format("{} bodies, {} on {}", size, entry.id, name(entry.backend)));
            if (entry.law != Law::kPairs && size > kMostOfTriplets && unasked(options_)) {
                report_skipped(
                    entry, fmt::format("{0} bodies take too long; to include them: --engines {1} --bodies {0}", size,
                                       entry.id));
                continue;
            }
            if (!computes(entry, law)) {
                report_skipped(entry, fmt::format("does not compute the law {}", pair_law(law).id));
                continue;
            }
            for (const Precision precision : precisions_) {
                if (!offers(entry, precision) || (law != PairLaw::kGravity && precision == Precision::kMixed)) continue;
                EngineConfig config{.engine = std::string{entry.id}, .backend = entry.backend, .precision = precision};
                config.threads = options_.threads;
                if (const std::string what = unrepresentable(scene.bodies, scene.gravity, config); !what.empty()) {
                    report_skipped(entry, fmt::format("{} precision cannot hold {}", name(precision), what));
                    continue;
                }
                for (const EngineConfig& each : configs(entry, config)) {
                    const auto found =
                        accelerations(each, scene.bodies, scene.gravity, Potential::kCompute, process_ranks());
                    const std::vector<Vec4d>& reference = truth.accelerations(entry.law, precision);
                    rows_.push_back(compare(entry, each, scene.id, found, reference,
                                            truth.heavy_error(found, reference), truth.accepted(entry, each)));
                    CheckRow& row = rows_.back();
                    if (!row.pass() && has_expansions(entry, each))
                        row.accepted = truth.accepted_of_expansions(entry, each);
                }
            }
        }
        say_limits(scene, truth, std::span{rows_}.subspan(before));
    }

    const CheckOptions& options_;
    const std::vector<EngineEntry> entries_;
    std::vector<EngineEntry> trees_;
    const std::vector<Precision> precisions_;
    Pool pool_;
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
            {"heavy_error", row.heavy_error},
            {"tolerance", row.accepted.acceleration},
            {"potential_tolerance", row.accepted.potential},
            {"heavy_tolerance", std::isfinite(row.accepted.heavy) ? Json(row.accepted.heavy) : Json()},
            {"criterion_error", is_tree(row.entry) ? Json(row.accepted.criterion) : Json()},
            {"pass", row.pass()},
            {"scene", row.scene},
            {"theta", row.config.tree.theta},
            {"order", row.config.tree.order}};
}

void print_table(const std::vector<CheckRow>& rows) {
    Table table;
    table.head = {"scene",  "engine",    "backend",         "map",         "root",      "theta", "order", "precision",
                  "bodies", "rms error", "potential error", "heavy error", "tolerance", ""};
    const auto or_nothing = [](double x) { return x > 0 ? fmt::format("{:g}", x) : std::string{}; };
    for (const CheckRow& row : rows)
        table.rows.push_back({row.scene, std::string{row.entry.id}, std::string{name(row.entry.backend)},
                              map_in_force(row.config), root_in_force(row.config), or_nothing(row.config.tree.theta),
                              or_nothing(row.config.tree.order), std::string{name(row.config.precision)},
                              fmt::to_string(row.bodies), fmt::format("{:.2e}", row.rms_error),
                              fmt::format("{:.2e}", row.potential_error),
                              row.heavy_error > 0 ? fmt::format("{:.2e}", row.heavy_error) : std::string{},
                              fmt::format("{:.0e}", row.accepted.acceleration), row.pass() ? "pass" : "FAIL"});
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
        "Accelerations and potentials of all bodies are compared with a plain loop in double precision (for "
        "gravity,\nthe engine `reference`). Triplets are compared for up to 257 bodies, or more with --engines "
        "and --bodies.\nThe exit code is 1 if an engine exceeds its tolerance. Engines that cannot run here are named "
        "on stderr and\nhave no rows. In JSON an error is null if it is not a number: the reference is zero and the "
        "engine is not.");
    return [options, &app] {
        if (options->orders) return check_orders(options->plot, options->json);
        if (adopt_scene(options->scene, nullptr)) apply_typed(app);
        if (const auto kernel = options->survey.kernel.file())
            return check_kernel(
                *kernel,
                [&options] {
                    SceneOptions scene = options->scene;
                    if (!options->bodies.empty()) scene.given.bodies = options->bodies.back();
                    if (scene.given.bodies == 0 && counts(*options).front() != 0) scene.given.bodies = kKernelBodies;
                    return scene.open();
                },
                options->json);
        return check(*options);
    };
}

}  // namespace orrery
