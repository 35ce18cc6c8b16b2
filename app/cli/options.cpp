// SPDX-License-Identifier: MIT
#include "app/cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/output_file.hpp"
#include "core/engines/menu.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"
#include "core/presets/presets.hpp"

namespace orrery {

CLI::Validator positive() {
    const auto wrong = [](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0 ? std::string{}
                                                                   : text + " is not a number greater than 0";
    };
    return CLI::Validator{wrong, "POSITIVE"};
}

void add_source(CLI::App& app, SceneOptions& options, Source need) {
    auto* option =
        app.add_option("SCENE,--scene", options.source,
                       "A preset (" + ids(presets()) +
                           "), a scene (`orrery list` names them), a scene file NAME.toml, or the file of a snapshot");
    if (need == Source::kRequired) option->required();
    if (!options.source.empty()) option->capture_default_str();
}

void add_seed_and_softening(CLI::App& app, SceneOptions& options) {
    app.add_option("--seed", options.seed, "Seed of a preset's random numbers")->capture_default_str();
    app.add_option("--softening", options.softening, "Softening length in place of the scene's own");
}

void add_scene(CLI::App& app, SceneOptions& options) {
    app.add_option("--bodies", options.bodies, "Number of bodies of a preset in place of its own")->check(positive());
    add_seed_and_softening(app, options);
    app.add_option(
        "--dt", options.dt,
        "Length of a step in place of the scene's own, in its unit of time or with one of " + duration_suffixes());
}

SceneRequest SceneOptions::without_dt() const {
    return {.source = source,
            .bodies = bodies,
            .seed = seed,
            .softening = softening,
            .dt = {},
            .integrator = integrator,
            .adaptive = adaptive,
            .label = label};
}

Scene SceneOptions::open() const {
    Scene scene = open_scene(without_dt());
    for (const std::string& note : scene.notes) fmt::print(stderr, "orrery: note: {}\n", note);
    if (dt.empty()) return scene;
    scene.dt = in_units_of(scene, "--dt", parse_duration("--dt", dt));
    if (!(scene.dt > 0)) usage_error(fmt::format("--dt '{}': must be positive", dt));
    return scene;
}

SceneRequest SceneOptions::request() const {
    require_source(source);
    SceneRequest result = without_dt();
    if (dt.empty()) return result;
    const Duration duration = parse_duration("--dt", dt);
    result.dt = duration.days == 0 ? duration.value : in_units_of(open_scene(result), "--dt", duration);
    return result;
}

void add_knobs(CLI::App& app, KnobOptions& knobs) {
    TileConfig& tile = knobs.tile;
    // Without one of them the engine chooses; it also says what it cannot do.
    app.add_option("--tile-p", tile.p, "Tiled engines: threads of a block along the rows, a multiple of 32 up to 1024");
    app.add_option("--tile-u", tile.u, "Tiled engines: unrolling of the inner loop: 1, 2, 4, 8, 16 or 32");
    app.add_option("--tile-q", tile.q, "Tiled engines: threads per body: 1, 2, 4 or 8; p·q is at most 1024");
    app.add_option("--tile-k", tile.k, "Tiled engines: bodies per thread, held in registers: 1, 2, 4 or 8");
    app.add_option("--map", knobs.map,
                   "Engines of the half matrix: thread map: " + ids(maps()) +
                       "; for study, within their exact range: lambda-published, lambda-offset; without it, lambda. "
                       "Of triplets: " +
                       ids(simplex3_maps()) + "; without it, lambda3");
    app.add_option("--root", knobs.root,
                   "Maps that take a square root: " + ids(roots()) + ", made exact by integers; without it, sqrt");
    app.add_option("--rows", knobs.rows, "Engines that walk a map: bodies on a side of a tile; without it, by N");
    app.add_option(
           "--masses", knobs.masses,
           "Engines of the half matrix: auto saves work where the masses of two tiles are equal, any never does")
        ->check(CLI::IsMember({"auto", "any"}));
    app.add_flag("--compensated", knobs.compensated,
                 "Sums of positions and velocities keep what rounding takes from them, for long runs; on the CPU");
    app.add_flag("--deterministic", knobs.deterministic,
                 "The same bits on every run, from engines that else add in any order (half on cuda); slower");
    TreeConfig& tree = knobs.tree;
    auto* accuracy =
        app.add_option("--accuracy", tree.accuracy, "Tree engines: relative RMS error of the forces; without it, 1e-3")
            ->check(CLI::Range(1e-7, 0.1));
    auto* alpha = app.add_option("--alpha", tree.alpha, "Tree engines: open cells by relative force error, with this α")
                      ->check(positive())
                      ->excludes(accuracy);
    app.add_option("--theta", tree.theta, "Tree engines: open cells by geometry, with this opening angle θ")
        ->check(CLI::Range(0.0, 2.0))
        ->excludes(accuracy)
        ->excludes(alpha);
    app.add_option("--order", tree.order, "Tree engines: 1 monopoles, 2 quadrupoles")->check(CLI::Range(1, 2));
    app.add_option("--leaf", tree.leaf, "Tree engines: most bodies of a leaf: 8, 16, 32 or 64");
    app.add_option("--group", tree.group, "Tree engines: most bodies that share a walk; without it, the engine's own");
}

void add_threads(CLI::App& app, int& threads) {
    app.add_option("--threads", threads, "Threads of engines on the CPU; without it, all cores")
        ->check(CLI::Range(1, 4096));
}

KnobOptions KnobOptions::only_of(const EngineEntry& entry) const {
    KnobOptions kept = *this;
    if (!entry.tile_knobs) kept.tile = {};
    if (!entry.maps) kept.masses.clear();
    if (!entry.maps && !entry.triplets) kept.map.clear(), kept.root.clear(), kept.rows = 0;
    if (!entry.tree) kept.tree = {};
    return kept;
}

void KnobOptions::apply(const EngineEntry& entry, EngineConfig& config) const {
    if (tile_turned() && !entry.tile_knobs)
        usage_error(fmt::format("engine '{}' on {} has no tile knobs", entry.id, name(entry.backend)));
    if (!masses.empty() && !entry.maps)
        usage_error(fmt::format("engine '{}' on {} has no --masses", entry.id, name(entry.backend)));
    if (map_turned() && !entry.maps && !entry.triplets)
        usage_error(fmt::format("engine '{}' on {} walks no thread map", entry.id, name(entry.backend)));
    if (tree_turned() && !entry.tree)
        usage_error(fmt::format("engine '{}' on {} has no tree", entry.id, name(entry.backend)));
    if (tile_turned()) config.tile = tile;
    if (rows != 0) config.rows = rows;
    if (tree_turned()) config.tree = tree;
    if (!masses.empty()) config.equal_masses = masses != "any";
    if (deterministic) config.deterministic = true;
    if (compensated) config.compensated = true;
    if (!map.empty() && entry.triplets) config.map3 = simplex3_map(map).id;
    if (!map.empty() && entry.maps) config.map = engine_map(map).id;
    if (!root.empty()) config.root = find_in_menu(roots(), "root", root).id;
    const bool takes_root = entry.triplets ? simplex3_map(config.map3).takes_root : engine_map(config.map).takes_root;
    if (!root.empty() && !takes_root)
        usage_error(fmt::format("map '{}' takes no root", entry.triplets ? config.map3 : config.map));
}

void add_engine(CLI::App& app, EngineOptions& options) {
    app.add_option("--engine", options.engine, "Force engine: " + ids(engines()) + "; without it, direct");
    app.add_option("--backend", options.backend,
                   "Where it runs: cpu or cuda; without it, cuda where there is a device");
    app.add_option("--precision", options.precision,
                   "single, mixed (double positions, float arithmetic) or double; without it, single");
    add_threads(app, options.threads);
    add_knobs(app, options.knobs);
}

EngineConfig EngineOptions::config() const {
    EngineConfig result = base;
    any_engine(engine.empty() ? base.engine : engine);
    if (!precision.empty()) result.precision = parse_precision(precision);
    if (!engine.empty()) result.engine = engine;
    if (!backend.empty())
        result.backend = parse_backend(backend);
    else if (!engine.empty() || !base_given)
        result.backend = default_backend(result.engine);
    if (threads != 0) result.threads = threads;
    knobs.apply(orrery::engine(result.engine, result.backend), result);
    return result;
}

void add_survey(CLI::App& app, SurveyOptions& options) {
    app.add_option("--engines,--engine", options.engines,
                   "Engines, separated by commas: " + ids(engines()) + "; without it, all that run here")
        ->delimiter(',');
    app.add_option("--backend", options.backend, "Only those on cpu or on cuda");
    app.add_option("--precision", options.precisions, "single, mixed, double: one, or several separated by commas")
        ->delimiter(',');
}

std::vector<EngineEntry> SurveyOptions::entries(
    const std::function<void(const EngineEntry&, const std::string& why)>& skipped) const {
    for (const std::string& id : engines) any_engine(id);
    std::optional<Backend> only;
    if (!backend.empty()) only = parse_backend(backend);
    // A backend that was named must be there: an empty survey would look like a success.
    if (only)
        for (const std::string& id : engines) orrery::engine(id, *only);
    if (only && engines.empty()) orrery::engine("direct", *only);
    std::vector<EngineEntry> result;
    for (const EngineEntry& entry : orrery::engines()) {
        if (only && entry.backend != *only) continue;
        if (!engines.empty() && std::ranges::find(engines, entry.id) == engines.end()) continue;
        if (const std::string why = unavailable(entry); !why.empty())
            skipped(entry, why);
        else
            result.push_back(entry);
    }
    if (result.empty()) environment_error("none of these engines can run here");
    return result;
}

std::vector<Precision> SurveyOptions::precisions_or(std::vector<Precision> otherwise) const {
    if (precisions.empty()) return otherwise;
    std::vector<Precision> result;
    for (const std::string& text : precisions) result.push_back(parse_precision(text));
    return result;
}

void add_length(CLI::App& app, RunLength& length) {
    auto* steps = app.add_option("--steps", length.steps, "Number of steps");
    app.add_option("--until", length.until,
                   "Time at which to stop, in the scene's unit or with one of " + duration_suffixes())
        ->excludes(steps);
}

std::optional<std::uint64_t> RunLength::count(const Scene& scene) const {
    if (steps) return steps;
    const auto last = end(scene);
    if (!last) return std::nullopt;
    const double exact = (*last - scene.time) / scene.dt;
    if (!(exact < 1e15))
        usage_error(fmt::format("--until '{}': {:.3g} steps of {:g} are too many", until, exact, scene.dt));
    // 0.3 / 0.1 is a hair above 3, which must not make a fourth step
    return static_cast<std::uint64_t>(std::ceil(exact - 1e-9 * std::max(1.0, exact)));
}

std::optional<double> RunLength::end(const Scene& scene) const {
    if (until.empty()) return std::nullopt;
    const double time = in_units_of(scene, "--until", parse_duration("--until", until));
    if (!(time >= scene.time))
        usage_error(fmt::format("--until '{}': {} begins at {:g}, which is later", until, scene.id, scene.time));
    return time;
}

void add_integrator(CLI::App& app, SceneOptions& options) {
    app.add_option("--integrator", options.integrator,
                   "How a step is made: " + ids(integrators()) + "; without it, the scene's own");
    app.add_option("--adaptive", options.adaptive,
                   "Steps of at most this part of the time that the closest pair takes, 0 to 1, and at most dt; 0: all "
                   "are dt. Of block steps: eta of Aarseth's criterion; 0: 0.01");
}

void add_json(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON for scripts in place of text for people");
}

void require_writable(const std::string& path) { const OutputFile probe{path}; }

}  // namespace orrery
