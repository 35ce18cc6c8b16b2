// SPDX-License-Identifier: MIT
#include "core/simulation/scene_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>
#include <utility>

#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/bodies/body_source.hpp"
#include "core/cloud/cloud_file.hpp"
#include "core/formats/body_quantities.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/snapshot_part.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/placement.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/ranks.hpp"
#include "core/series/snapshot_files.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {
namespace {

using S = SceneRequest;

constexpr unsigned kPlaces = place::kCommandLine | place::kSceneFile | place::kPanel;

/// A member whose zero or empty text means "not set".
template <auto Member>
SettingMember<S> zero_is_none() {
    SettingMember<S> whole = member<Member>();
    whole.get = [get = whole.get](const S& request) {
        using T = std::remove_cvref_t<decltype(request.*Member)>;
        return request.*Member == T{} ? SettingValue{} : get(request);
    };
    return whole;
}

std::vector<SceneSetting> scene_table() {
    SettingTable<S> add{"scene"};
    add({.id = "bodies",
         .label = "Bodies",
         .doc = "number of bodies of a preset; default: its own",
         .kind = WholeKind{1, 1'000'000'000},
         .places = kPlaces},
        zero_is_none<&S::bodies>());
    add({.id = "seed",
         .label = "Seed",
         .doc = "seed of a preset's random numbers",
         .kind = WholeKind{0, INT64_MAX},
         .places = kPlaces},
        member<&S::seed>());
    add({.id = "sites",
         .label = "Sites",
         .doc = "positions before the displacements in the preset zeldovich; default: lattice",
         .kind = choices_of(sites()),
         .places = kPlaces},
        zero_is_none<&S::sites>());
    add({.id = "displacements",
         .label = "Displaced",
         .doc = "order of perturbation theory of the displacements in the preset zeldovich; default: zeldovich",
         .kind = choices_of(displacements()),
         .places = kPlaces},
        zero_is_none<&S::displacements>());
    add({.id = "softening",
         .label = "Softening",
         .doc =
             "softening length ε: r² becomes r² + ε² in the force of a pair (Plummer), or as `law` says; default: the "
             "scene's own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::softening>());
    add({.id = "law",
         .label = "Law",
         .doc = "force of a pair: gravity with Plummer or spline softening, Lennard-Jones, or Coulomb; default: the "
                "scene's own",
         .kind = choices_of(pair_laws()),
         .places = kPlaces},
        zero_is_none<&S::law>());
    add({.id = "sigma",
         .label = "σ",
         .doc = "length σ of the repulsion of Lennard-Jones atoms, or of ions; default: the scene's own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::sigma>());
    add({.id = "cut_off",
         .label = "Cut-off / σ",
         .doc =
             "distance in units of σ from which on Lennard-Jones atoms exert no force; 0: none; default: the scene's "
             "own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::cut_off>());
    add({.id = "integrator",
         .label = "Integrator",
         .doc = "how a step is composed of kicks, drifts and force evaluations; default: the scene's own",
         .kind = choices_of(integrators()),
         .places = kPlaces},
        zero_is_none<&S::integrator>());
    add({.id = "adaptive",
         .label = "Adaptive",
         .doc = "limits steps to this fraction of the time scale of the closest pair, and to dt; 0: all steps are dt. "
                "For block steps: η of their criterion; 0: 0.01",
         .kind = RealKind{0, 1},
         .places = kPlaces},
        member<&S::adaptive>());
    add({.id = "encounters",
         .label = "Encounters",
         .doc = "what happens when bodies touch: pass, merge, bounce, or fall into those that accrete; default: the "
                "scene's own",
         .kind = choices_of(encounter_kinds()),
         .places = kPlaces},
        zero_is_none<&S::encounters>());
    add({.id = "body_density",
         .label = "Density",
         .doc = "density of bodies, from which their radii follow; default: the scene's own, or that at which a body "
                "of mean mass has the softening as its radius",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::body_density>());
    add({.id = "body_radius",
         .label = "Radius",
         .doc = "radius of bodies of the species boundary, and of all bodies if no density is given; 0: by density; "
                "default: the scene's own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::body_radius>());
    add({.id = "restitution",
         .label = "Restitution",
         .doc = "coefficient of a bounce: speed of separation over speed of approach; 1: elastic; default: the scene's "
                "own",
         .kind = RealKind{0, 1},
         .places = kPlaces},
        member<&S::restitution>());
    add({.id = "fields",
         .label = "Fields",
         .doc =
             "fields of a snapshot that are loaded, separated by commas: names of the file or short ones (u, rho, T, "
             "Z, age); name[2]: a component; |name|: the length of a vector",
         .kind = TextKind{},
         .places = place::kCommandLine | place::kSceneFile},
        zero_is_none<&S::fields>());
    add({.id = "filter",
         .label = "Filter",
         .doc = "condition that bodies must satisfy to be drawn, from their motion and the fields of their file: "
                "\"T > 1e5 & species == gas\"; forces are those of all bodies",
         .kind = TextKind{},
         .places = place::kCommandLine | place::kSceneFile},
        zero_is_none<&S::filter>());
    return std::move(add).all();
}

bool is_preset(std::string_view source) {
    const auto menu = presets();
    return std::ranges::find(menu, source, &PresetEntry::id) != menu.end();
}

void require_number(const SceneRequest& request, std::size_t bodies) {
    if (request.bodies != 0 && request.bodies != bodies)
        usage_error(fmt::format("{}: holds {} bodies; the number of bodies can be chosen for presets only",
                                request.source, bodies));
}

/// Only some presets support displacements.
void require_displaced(const SceneRequest& request) {
    if (request.sites.empty() && request.displacements.empty()) return;
    std::string with;
    for (const PresetEntry& entry : presets()) {
        if (!entry.displaced) continue;
        if (entry.id == request.source) return;
        with += (with.empty() ? "" : ", ") + std::string{entry.id};
    }
    usage_error(fmt::format("{}: has no {} to choose; presets with them: {}", request.source,
                            request.sites.empty() ? "displacements" : "sites", with));
}

PresetConfig preset_config(const SceneRequest& request) {
    PresetConfig config{request.bodies, request.seed};
    if (!request.sites.empty()) config.sites = sites(request.sites).value;
    if (!request.displacements.empty()) config.displacements = displacements(request.displacements).value;
    return config;
}

Scene open_source(const SceneRequest& request, SnapshotFacts& facts) {
    require_source(request.source);
    require_displaced(request);
    if (is_preset(request.source) && !request.fields.empty())
        usage_error(fmt::format("{}: a preset has no fields; only snapshot files have", request.source));
    if (is_preset(request.source)) {
        Scene made = make_preset(request.source, preset_config(request));
        load_filter({}, request.filter, made);
        return made;
    }
    if (is_cloud(request.source))
        usage_error(
            fmt::format("{}: clouds are view-only, for the window and record; to simulate, open the original "
                        "snapshot",
                        request.source));
    Scene scene = read_snapshot(request.source, facts);
    load_fields(request.source, request.fields, scene);
    load_filter(request.source, request.filter, scene);
    require_number(request, scene.bodies.size());
    for (std::string& note : oddities(scene)) scene.notes.push_back(std::move(note));
    return scene;
}

void change_encounters(Scene& scene, const BodySource& bodies, const SceneRequest& request) {
    EncounterRule& rule = scene.encounters;
    if (!request.encounters.empty()) rule.kind = encounter_kind(request.encounters).kind;
    if (request.body_density) rule.density = *request.body_density;
    if (request.body_radius) rule.radius = *request.body_radius;
    if (request.restitution) rule.restitution = *request.restitution;
    if (rule.on() && rule.density == 0 && rule.radius == 0) {
        double mass = 0;
        const MassReader masses{bodies};
        for (std::size_t i = 0; i < bodies.size(); ++i) mass += masses(i);
        rule.density = suggested_density(mass / static_cast<double>(bodies.size()), scene.gravity.softening);
    }
    validate(rule);
}

/// Replaces values of the scene, which has these bodies, by those of the request.
void change(Scene& scene, const BodySource& bodies, const SceneRequest& request) {
    if (request.softening) scene.gravity.softening = *request.softening;
    if (!request.law.empty()) scene.gravity.law = pair_law(request.law).value;
    if (request.sigma) scene.gravity.sigma = *request.sigma;
    if (request.cut_off) scene.gravity.cut_off = *request.cut_off;
    validate(scene.gravity);
    if (request.dt) {
        if (!(*request.dt > 0) || !std::isfinite(*request.dt))
            usage_error(fmt::format("time step {}: must be positive", *request.dt));
        scene.dt = *request.dt;
    }
    if (!request.integrator.empty()) scene.integrator = integrator(request.integrator).id;
    if (request.adaptive) scene.adaptive = *request.adaptive;
    require_adaptive(scene.adaptive, bodies.size(), integrator(scene.integrator));
    require_adaptive(scene.adaptive, scene.gravity.law);
    change_encounters(scene, bodies, request);
    if (!request.label.empty()) scene.label = request.label;
}
Scene changed(Scene scene, const SceneRequest& request) {
    change(scene, BodiesInMemory{scene.bodies}, request);
    return scene;
}

/// For --verbose.
void print_opened(const Scene& scene, std::size_t bodies, const SceneRequest& request, const SnapshotFacts& facts,
                  double seconds) {
    if (!details_are_shown()) return;
    const auto origin = [&](bool asked, bool suggested) {
        return asked                  ? "as requested"
               : suggested            ? "estimated from the bodies"
               : facts.format.empty() ? "its own"
                                      : "stated";
    };
    print_detail("{}: {} bodies, {} in {:.3g} s; softening {:.6g} ({}), dt {:.6g} ({}), G {:.6g}, {}", request.source,
                 bodies, facts.format.empty() ? "made" : fmt::format("read as {}", facts.format), seconds,
                 scene.gravity.softening, origin(request.softening.has_value(), facts.softening_suggested), scene.dt,
                 origin(request.dt.has_value(), facts.dt_suggested), scene.gravity.constant, scene.integrator);
}

/// The fields of a series: a filter reads its own from each snapshot.
std::string fields_of_series(const SceneRequest& request) {
    std::string fields = request.fields;
    if (request.filter.empty()) return fields;
    for (const Expression::Name& name : Expression{request.filter}.names())
        if (const std::string field = field_wanted(name); !field.empty() && !defines(fields, field))
            fields += (fields.empty() ? "" : ",") + field;
    return fields;
}

/// The series in a file with states at several times; null for other sources. Errors of the file are reported by its
/// reader.
std::unique_ptr<Series> series_of_file(const SceneRequest& request) {
    std::error_code none;
    if (is_preset(request.source) || !std::filesystem::is_regular_file(request.source, none)) return nullptr;
    return Series::of_file(request.source, fields_of_series(request));
}

OpenedScene played(std::unique_ptr<Series> series, const SceneRequest& request, const TimeTaken& taken) {
    if (!request.encounters.empty() && request.encounters != "off")
        usage_error("a series is played, not computed: encounters do not apply");
    require_number(request, series->first().bodies.size());
    Scene scene = changed(series->first(), request);
    const auto times = series->times();
    print_detail("{}: {} snapshots found in {:.3g} s, times {:.6g} to {:.6g}, {} bodies", scene.id, times->size(),
                 taken.seconds(), times->front(), times->back(), scene.bodies.size());
    return {std::move(scene), std::move(series)};
}

}  // namespace

std::span<const SceneSetting> scene_settings() {
    static const std::vector<SceneSetting> all = scene_table();
    return all;
}

bool asks_for_series(const SceneRequest& request) {
    return !is_preset(request.source) && (!request.more.empty() || names_many(request.source));
}

std::string no_such_scene(std::string_view source, std::optional<std::string_view> meant) {
    const std::filesystem::path path{source};
    if (path.has_parent_path() || path.has_extension()) return fmt::format("{}: no such file", source);
    return fmt::format("no preset or file \"{}\"{}; `orrery list presets` shows all", source,
                       meant ? fmt::format(" (did you mean \"{}\"?)", *meant) : "");
}

void require_source(const std::string& source) {
    if (!is_preset(source) && !std::filesystem::exists(source) && !names_many(source))
        usage_error(no_such_scene(source, nearest_id(presets(), source)));
}

void change_encounters(Scene& scene, const SceneRequest& request) {
    change_encounters(scene, BodiesInMemory{scene.bodies}, request);
}

Scene open_scene(const SceneRequest& request) {
    if (asks_for_series(request))
        usage_error(fmt::format(
            "{}: is a series of snapshots, which only the window and record play; choose one of them", request.source));
    const TimeTaken taken;
    SnapshotFacts facts;
    Scene scene = changed(open_source(request, facts), request);
    print_opened(scene, scene.bodies.size(), request, facts, taken.seconds());
    return scene;
}

namespace {

/// The part of a scene in memory, or made in stretches, that this rank begins with.
SceneInStretches in_parts(Scene settings, std::shared_ptr<const BodySource> bodies, const Ranks* owners) {
    const std::size_t all = bodies->size();
    if (!owners) return {std::move(settings), std::move(bodies), all};
    const RankPart part = part_of(all, owners);
    auto own = std::make_shared<const PartOfBodies>(std::move(bodies), part.first, part.count());
    return {std::move(settings), std::move(own), all};
}

/// A file of which each owner reads its part; empty if each has to read it as a whole.
std::optional<SceneInStretches> open_file_in_parts(const SceneRequest& request, Ranks* owners) {
    if (!owners || !request.fields.empty() || !request.filter.empty() || asks_for_series(request)) return std::nullopt;
    require_source(request.source);
    if (is_cloud(request.source)) return std::nullopt;
    const TimeTaken taken;
    auto opened = open_in_parts(request.source, *owners);
    if (!opened) return std::nullopt;
    Scene& scene = opened->settings;
    require_number(request, opened->all);
    scene.bodies = *opened->bodies->sample();
    for (std::string& note : oddities(scene, opened->mass)) scene.notes.push_back(std::move(note));
    scene.bodies = {};
    change(scene, *opened->bodies, request);
    if (scene.encounters.on()) return std::nullopt;
    print_opened(scene, opened->all, request, opened->facts, taken.seconds());
    return SceneInStretches{std::move(scene), opened->bodies, opened->all};
}

}  // namespace

SceneInStretches open_in_stretches(const SceneRequest& request, std::size_t in_memory, Ranks* owners) {
    const auto whole = [&] {
        Scene scene = open_scene(request);
        auto bodies = std::make_shared<const OwnBodies>(std::exchange(scene.bodies, {}));
        return in_parts(std::move(scene), std::move(bodies), owners);
    };
    if (!is_preset(request.source)) {
        auto parts = open_file_in_parts(request, owners);
        return parts ? std::move(*parts) : whole();
    }
    const PresetEntry& entry = preset(request.source);
    if ((request.bodies > 0 ? request.bodies : entry.default_bodies) <= in_memory) return whole();
    const TimeTaken taken;
    require_displaced(request);
    auto [settings, bodies] = make_preset_in_stretches(request.source, preset_config(request), {.ranks = owners});
    change(settings, *bodies, request);
    if (settings.encounters.on()) return whole();  // they change the bodies of every step in memory
    print_opened(settings, bodies->size(), request, {}, taken.seconds());
    return in_parts(std::move(settings), std::move(bodies), owners);
}

OpenedScene open_scene_or_series(const SceneRequest& request) {
    const TimeTaken taken;
    require_displaced(request);
    if (!asks_for_series(request) && !is_preset(request.source) && is_cloud(request.source)) {
        auto cloud = std::make_unique<CloudStream>(request.source, CloudStream::default_budget(), request.fields);
        Scene scene = changed(cloud->scene(), request);
        return {std::move(scene), nullptr, std::move(cloud)};
    }
    if (!asks_for_series(request)) {
        if (auto series = series_of_file(request)) return played(std::move(series), request, taken);
        OpenedScene opened;
        opened.scene = open_source(request, opened.facts);
        if (request.softening) opened.facts.softening_suggested = false;
        if (request.dt) opened.facts.dt_suggested = false;
        opened.scene = changed(std::move(opened.scene), request);
        print_opened(opened.scene, opened.scene.bodies.size(), request, opened.facts, taken.seconds());
        return opened;
    }
    std::vector<std::string> sources{request.source};
    sources.insert(sources.end(), request.more.begin(), request.more.end());
    return played(std::make_unique<Series>(std::move(sources), Series::default_budget(), fields_of_series(request)),
                  request, taken);
}

}  // namespace orrery
