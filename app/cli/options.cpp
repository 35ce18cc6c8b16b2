// SPDX-License-Identifier: MIT
#include "app/cli/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/manual/help.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/preset_views.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/shipped.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/gl/info.hpp"
#include "core/kernels/compiler.hpp"
#include "core/kernels/kernel_cache.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/process_ranks.hpp"
#include "core/series/snapshot_files.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

/// Settings whose default depends on this machine; EngineOptions and SurveyOptions read them.
bool is_of_every_command(const SettingInfo& info) {
    return info.id == "engine" || info.id == "backend" || info.id == "precision" || info.id == "threads";
}

/// The default that --help shows, for menus only. The default backend depends on this machine.
std::string standard_of(const EngineSetting& setting) {
    const bool menu = std::holds_alternative<ChoiceKind>(setting.info.kind) && setting.info.id != "backend";
    return menu ? text_of(setting.member.get({})) : std::string{};
}

/// The setting that this option sets for the given engine; null if the engine does not have it.
const EngineSetting* setting_of(const std::string& flag, const EngineEntry& entry) {
    for (const EngineSetting& setting : engine_settings())
        if (flag_of(setting.info) == flag && reads(entry, setting.info)) return &setting;
    return nullptr;
}

/// The group of an option that only some engines have.
const SettingGroup& group_of(const std::string& flag) {
    const auto settings = engine_settings();
    return *std::ranges::find_if(settings, [&](const EngineSetting& s) { return flag_of(s.info) == flag; })->info.group;
}

void add_settings(CLI::App& app, SceneOptions& options, std::initializer_list<std::string_view> ids) {
    SettingOptions adder{app};
    for (const std::string_view id : ids) adder.add(setting(scene_settings(), id), options.given);
}

void reset(const SettingGroup& group, EngineConfig& config) {
    for (const EngineSetting& setting : engine_settings())
        if (setting.info.group == &group) setting.member.set(config, setting.member.get(default_engine_config()));
}

/// Shown while the bodies are made or read, which takes seconds for millions of them.
std::string opening(const SceneRequest& request) {
    if (request.bodies == 0) return fmt::format("{}: opening …", request.source);
    return fmt::format("{}: making {} bodies …", request.source, request.bodies);
}

/// Hides all other species.
void show_only(ShownSpecies& shown, const std::vector<std::string>& ids) {
    const auto named = [&](Species species) { return std::ranges::find(ids, name(species)) != ids.end(); };
    using enum Species;
    shown = {named(kGas), named(kHalo), named(kDisk), named(kBulge), named(kStars), named(kBoundary)};
}

/// True if this names a preset, a shipped scene, a file or several files.
bool is_known_scene(const std::string& source) {
    const auto menu = presets();
    return std::ranges::find(menu, source, &PresetEntry::id) != menu.end() || shipped_scene(source) ||
           std::filesystem::exists(source) || names_many(source);
}

/// The preset or shipped scene most similar to a mistyped name.
std::optional<std::string_view> nearest_scene(std::string_view typed) {
    const auto preset = nearest_id(presets(), typed);
    return preset ? preset : nearest_id(shipped_scenes(), typed);
}

}  // namespace

HelpGroup::HelpGroup(CLI::App& app, const char* heading) : app_{app} { app_.option_defaults()->group(heading); }
HelpGroup::~HelpGroup() { app_.option_defaults()->group("Options"); }

CLI::Validator positive() {
    const auto wrong = [](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0 ? std::string{}
                                                                   : text + " is not a number greater than 0";
    };
    return CLI::Validator{wrong, "POSITIVE"};
}

void add_source(CLI::App& app, SceneOptions& options, Source need) {
    const HelpGroup scene{app, "Scene"};
    auto* option =
        app.add_option("SCENE,--scene", options.given.source,
                       "A preset (`orrery list presets`), a shipped scene (`orrery list scenes`), a scene file "
                       "NAME.toml, or a snapshot file");
    if (need == Source::kRequired) option->required();
    if (!options.given.source.empty()) option->capture_default_str();
}

void add_more_sources(CLI::App& app, SceneOptions& options) {
    app.add_option("MORE", options.given.more, "Further snapshots: all of them are a series, which is played");
}

void add_seed_and_softening(CLI::App& app, SceneOptions& options) {
    const HelpGroup scene{app, "Scene"};
    add_settings(app, options, {"seed", "sites", "displacements", "softening", "law", "sigma", "cut_off"});
}

void add_scene(CLI::App& app, SceneOptions& options) {
    {
        const HelpGroup scene{app, "Scene"};
        add_settings(app, options,
                     {"bodies", "seed", "sites", "displacements", "softening", "law", "sigma", "cut_off", "encounters",
                      "body_density", "body_radius", "restitution", "fields", "filter"});
    }
    const HelpGroup steps{app, "Steps"};
    app.add_option(
        "--dt", options.dt,
        "Step length (default: the scene's own), in the scene's unit of time or with one of " + duration_suffixes());
}

Scene SceneOptions::open() const {
    Scene scene = [&] {
        const Notice notice{opening(given)};
        return open_scene(given);
    }();
    adopt_dt(scene);
    return scene;
}

SceneInStretches SceneOptions::open_in_stretches() const {
    SceneInStretches opened = [&] {
        const Notice notice{opening(given)};
        constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max(), kFew = std::size_t{1} << 20;
        Ranks* const ranks = process_ranks();
        const bool own = ranks && ranks->own_bodies;
        return orrery::open_in_stretches(given, ranks && !own ? kAll : kFew, own ? ranks : nullptr);
    }();
    adopt_dt(opened.settings);
    return opened;
}

OpenedScene SceneOptions::open_with_series() const {
    OpenedScene opened = [&] {
        const Notice notice{opening(given)};
        return open_scene_or_series(given);
    }();
    adopt_dt(opened.scene);
    return opened;
}

void SceneOptions::adopt_dt(Scene& scene) const {
    for (const std::string& note : scene.notes) to_stderr("orrery: note: {}\n", note);
    if (dt.empty()) return;
    scene.dt = in_units_of(scene.days_per_time, scene.id, "--dt", parse_duration("--dt", dt));
    if (!(scene.dt > 0)) usage_error(fmt::format("--dt '{}': must be positive", dt));
    print_detail("dt {:.6g} (as requested)", scene.dt);
}

SceneRequest SceneOptions::request() const {
    require_source(given.source);
    SceneRequest result = given;
    if (dt.empty()) return result;
    const Duration duration = parse_duration("--dt", dt);
    result.dt = duration.value;
    if (duration.days == 0) return result;
    const Scene scene = open_scene_or_series(given).scene;
    result.dt = in_units_of(scene.days_per_time, scene.id, "--dt", duration);
    return result;
}

void add_knobs(CLI::App& app, KnobOptions& knobs) {
    const HelpGroup engine{app, "Engine"};
    SettingOptions options{app};
    for (const EngineSetting& setting : engine_settings()) {
        const SettingInfo& info = setting.info;
        if (!info.in(place::kCommandLine) || is_of_every_command(info)) continue;
        // Unset ones are chosen by the scene file or the engine; apply() rejects those that the engine does not have.
        options.add(info, standard_of(setting),
                    [&knobs, flag = flag_of(info)](const std::string& text) { knobs.typed[flag] = text; });
    }
}

void add_threads(CLI::App& app, int& threads) {
    const HelpGroup engine{app, "Engine"};
    const SettingInfo& info = setting(engine_settings(), "threads").info;
    SettingOptions{app}.add(info, "", [&threads, &info](const std::string& text) {
        threads = static_cast<int>(std::get<std::int64_t>(parse_setting(info, text)));
    });
}

bool KnobOptions::turned(const SettingGroup& group) const {
    return std::ranges::any_of(engine_settings(), [&](const EngineSetting& setting) {
        return setting.info.group == &group && typed.contains(flag_of(setting.info));
    });
}

KnobOptions KnobOptions::only_of(const EngineEntry& entry) const {
    KnobOptions kept;
    for (const auto& [flag, text] : typed)
        if (setting_of(flag, entry)) kept.typed[flag] = text;
    return kept;
}

std::string KnobOptions::idle(std::span<const EngineEntry> entries) const {
    for (const auto& [flag, text] : typed)
        if (std::ranges::none_of(entries, [&](const EngineEntry& entry) { return setting_of(flag, entry); }))
            return flag;
    return {};
}

void KnobOptions::apply(const EngineEntry& entry, EngineConfig& config) const {
    std::vector<const EngineSetting*> settings;
    for (const auto& [flag, text] : typed) {
        settings.push_back(setting_of(flag, entry));
        if (!settings.back())
            usage_error(fmt::format("engine '{}' on {} does not accept --{}; only {} accept it", entry.id,
                                    name(entry.backend), flag, group_of(flag).of));
        if (settings.back()->info.group && settings.back()->info.group->replaced_whole)
            reset(*settings.back()->info.group, config);
    }
    for (const EngineSetting* setting : settings)
        setting->member.set(config, parse_setting(setting->info, typed.at(flag_of(setting->info))));
    const bool triplets = entry.walks_triples();
    if (typed.contains("root") && !(triplets ? simplex3_map(config.map3).takes_root : map(config.map).takes_root))
        usage_error(fmt::format("map '{}' takes no square root", triplets ? config.map3 : config.map));
}

void add_engine(CLI::App& app, EngineOptions& options) {
    {
        // Stored as text: the meaning depends on the scene and on this machine.
        const HelpGroup engine{app, "Engine"};
        SettingOptions shared{app};
        for (const auto& [id, text] :
             {std::pair{"engine", &options.engine}, {"backend", &options.backend}, {"precision", &options.precision}})
            shared.add(setting(engine_settings(), id).info, standard_of(setting(engine_settings(), id)),
                       [text = text](const std::string& typed) { *text = typed; });
    }
    add_kernel(app, options.kernel);
    add_threads(app, options.threads);
    add_knobs(app, options.knobs);
}

void add_kernel(CLI::App& app, KernelOptions& options) {
    const HelpGroup engine{app, "Engine"};
    app.add_option("--kernel", options.path,
                   "A kernel file of your own: a force for engine kernel, or a thread map for engine half");
    app.add_flag_callback("--allow-kernels", trust_all_kernels,
                          "Run the kernels that scenes, sessions, checkpoints and uploads contain");
}

std::optional<KernelFile> KernelOptions::file() const {
    if (path.empty()) return std::nullopt;
    KernelFile file = read_kernel(path);
    trust_kernel(file);
    if (file.language == KernelLanguage::kCpp) kernel_library(file);
    return file;
}

EngineConfig EngineOptions::config_of(const KernelFile& file) const {
    EngineConfig result = base;
    result.kernel = file.text;
    result.backend = backend.empty() ? backend_of(file.language) : parse_backend(backend);
    result.engine = !engine.empty() ? engine : file.kind == KernelKind::kMap ? "half" : "kernel";
    return result;
}

EngineConfig EngineOptions::config() const {
    EngineConfig result = base;
    if (const std::optional<KernelFile> file = kernel.file()) {
        result = config_of(*file);
        if (!precision.empty()) result.precision = parse_precision(precision);
        if (threads != 0) result.threads = threads;
        const EngineEntry& entry = orrery::engine(result.engine, result.backend);
        if (!runs(entry, *file))
            usage_error(fmt::format("{}: a kernel of kind {} in {} needs engine {} on {}, not '{}' on {}", file->name,
                                    name(file->kind), name(file->language), engine_of(*file).id,
                                    name(backend_of(file->language)), entry.id, name(entry.backend)));
        knobs.apply(entry, result);
        print_detail("kernel {}, engine {} on {}, {} precision", file->title, result.engine, name(result.backend),
                     name(result.precision));
        return result;
    }
    any_engine(engine.empty() ? base.engine : engine);
    if (!precision.empty()) result.precision = parse_precision(precision);
    if (!engine.empty()) result.engine = engine, result.kernel.clear();
    if (!backend.empty())
        result.backend = parse_backend(backend);
    else if (!engine.empty() || !base_given)
        result.backend = default_backend(result.engine);
    if (threads != 0) result.threads = threads;
    knobs.apply(orrery::engine(result.engine, result.backend), result);
    const char* const why = !engine.empty() ? "as requested" : base_given ? "of the scene file" : "default";
    print_detail("engine {} on {}, {} precision ({})", result.engine, name(result.backend), name(result.precision),
                 why);
    return result;
}

void add_survey(CLI::App& app, SurveyOptions& options) {
    const HelpGroup engine{app, "Engine"};
    app.add_option("--engines,--engine", options.engines,
                   "Engines, separated by commas: " + ids(engines()) + " (default: all that can run here)")
        ->delimiter(',');
    app.add_option("--backend", options.backend, "Only engines on cpu, on cuda or on gl");
    app.add_option("--precision", options.precisions, "single, mixed, double: one, or several separated by commas")
        ->delimiter(',');
    add_kernel(app, options.kernel);
}

void report_skipped(const EngineEntry& entry, const std::string& why) {
    to_stderr("skipped: {} on {}: {}\n", entry.id, name(entry.backend), why);
}

std::optional<KernelFile> SurveyOptions::take_kernel() {
    std::optional<KernelFile> file = kernel.file();
    if (!file) return file;
    const EngineEntry& entry = engine_of(*file);
    if (engines.empty()) engines = {std::string{entry.id}, "direct"};
    if (backend.empty()) backend = name(entry.backend);
    return file;
}

std::vector<EngineEntry> SurveyOptions::entries() const {
    for (const std::string& id : engines) any_engine(id);
    std::optional<Backend> only;
    if (!backend.empty()) only = parse_backend(backend);
    // A requested backend must be available: an empty survey would look like a success.
    if (only)
        for (const std::string& id : engines) orrery::engine(id, *only);
    if (only && engines.empty()) orrery::engine("direct", *only);
    std::vector<EngineEntry> result;
    for (const EngineEntry& entry : orrery::engines()) {
        if (only && entry.backend != *only) continue;
        if (!engines.empty() && std::ranges::find(engines, entry.id) == engines.end()) continue;
        if (!only && entry.backend == Backend::kGl && !has_gl_hardware())
            report_skipped(entry, "no GPU with OpenGL; to include OpenGL on the CPU: --backend gl");
        else if (const std::string why = unavailable(entry); !why.empty())
            report_skipped(entry, why);
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
    const HelpGroup heading{app, "Steps"};
    auto* steps = app.add_option("--steps", length.steps, "Number of steps")->check(countable());
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
    // a quotient slightly above an integer, from rounding, must not add a step
    return static_cast<std::uint64_t>(std::ceil(exact - 1e-9 * std::max(1.0, exact)));
}

std::optional<double> RunLength::end(const Scene& scene) const {
    if (until.empty()) return std::nullopt;
    const double time = in_units_of(scene.days_per_time, scene.id, "--until", parse_duration("--until", until));
    if (!(time >= scene.time))
        usage_error(fmt::format("--until '{}': {} begins at {:g}, which is later", until, scene.id, scene.time));
    return time;
}

void add_integrator(CLI::App& app, SceneOptions& options) {
    const HelpGroup steps{app, "Steps"};
    add_settings(app, options, {"integrator", "adaptive"});
}

void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Print JSON for scripts instead of text"); }

void require_writable(const std::string& path) { Destination{path}.require_writable(); }

void write_file(const std::filesystem::path& path, std::string_view text) {
    OutputFile file{path};
    file.write(text);
    file.commit();
}

std::optional<SceneFile> adopt_scene(SceneOptions& scene, EngineOptions* engine) {
    auto file = find_scene(scene.given.source);
    if (!file) {
        if (!is_known_scene(scene.given.source))
            usage_error(no_such_scene(scene.given.source, nearest_scene(scene.given.source)));
        if (engine && preset_view(scene.given.source).double_precision) engine->base.precision = Precision::kDouble;
        if (const auto needed = engine_of_preset(scene.given.source); engine && !needed.empty()) {
            engine->base.engine = needed;
            engine->base.backend = default_backend(engine->base.engine);
            engine->base_given = true;
        }
        return file;
    }
    adopt_scene(*file, scene, engine);
    return file;
}

void adopt_scene(const SceneFile& file, SceneOptions& scene, EngineOptions* engine) {
    scene.given = file.scene;
    scene.given.dt.reset();
    scene.dt = file.scene.dt ? fmt::format("{}", *file.scene.dt) : "";
    if (engine && file.engine_given) {
        engine->base = file.engine_here();
        engine->base_given = true;
    }
}

void apply_typed(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
        if (option->count() > 0 && !option->check_lname("scene")) option->run_callback();
}

void add_view(CLI::App& app, ViewOptions& options) {
    const HelpGroup view{app, "View"};
    SettingOptions typed{app};
    typed.add(setting(record_settings(), "legend").info, "",
              [&options](const std::string& text) { options.legend = text == "true"; });
    typed.add(view_settings(), options.settings);
    typed.add(camera_settings(), options.scene);
    std::vector<std::string> species;
    for (std::size_t i = 0; i < kSpeciesCount; ++i) species.emplace_back(name(static_cast<Species>(i)));
    app.add_option_function<std::vector<std::string>>(
           "--show-species", [&options](const auto& ids) { show_only(options.settings.species, ids); },
           "Only bodies of these species are drawn, separated by commas (default: all)")
        ->delimiter(',')
        ->allow_extra_args(false)  // the next argument is a file
        ->check(CLI::IsMember{species});
}

void color_by_fields(const SceneRequest& request, ViewSettings& view) {
    if (!request.fields.empty() && view.color_mode == ViewSettings{}.color_mode)
        view.color_mode = color_mode(ColorBy::kField).id;
}

void ViewOptions::adopt(const SceneFile& file) {
    const auto yaw = scene.yaw, pitch = scene.pitch;
    settings = file.view;
    legend = file.record.legend;
    scene = file.camera;
    if (!scene.yaw) scene.yaw = yaw;
    if (!scene.pitch) scene.pitch = pitch;
}

OrbitCamera ViewOptions::camera(const FrameExtent& extent, double aspect) const {
    return OrbitCamera{first_pose(scene, CameraPose{}, extent, aspect)};
}

namespace {

/// Normalises a whole number; returns an error text, or nothing. CLI11 then parses digits without a plus sign and
/// leading zeros. On its own it would read only the first digits of counts such as "20k" and "1e5".
template <class T>
std::string whole(std::string& text, std::string_view expected) {
    T number = 0;
    if (read_number(text, number))
        text = fmt::format("{}", number);
    else if (const auto count = parse_count(text))
        text = fmt::format("{}", *count);
    else
        return fmt::format("expected {}, found {}", expected, text);
    return {};
}

std::string real(std::string& text) {
    double number = 0;
    if (read_number(text, number) && std::isfinite(number)) return {};
    return fmt::format("expected a number, found {}", text);
}

struct Name {
    std::string id;
};

/// Replaces a menu word typed in another case by the menu's spelling. An existing file takes precedence over a scene of
/// the same name.
std::string word(const OptionArgument& argument, bool only_these, std::string& text) {
    if (argument.words.empty() || std::ranges::find(argument.words, text) != argument.words.end()) return {};
    if (argument.kind == OptionArgument::Kind::kFile && std::filesystem::exists(text)) return {};
    for (const std::string& each : argument.words)
        if (lower_case(each) == lower_case(text)) {
            text = each;
            return {};
        }
    if (!only_these) return {};  // the command that reads it reports the error
    std::vector<Name> words;
    for (const std::string& each : argument.words) words.push_back({each});
    return fmt::format("expected one of {}, found {}{}", fmt::join(argument.words, ", "), text,
                       did_you_mean(words, text));
}

std::string checked(const CLI::Option& option, std::string& text) {
    if (text.empty()) return "expected a value, found an empty one";
    const std::string type = option.get_type_name(), basic = type.substr(0, type.find(':'));
    if (basic == "UINT") return whole<std::uint64_t>(text, "a whole number of 0 or more");
    if (basic == "INT") return whole<std::int64_t>(text, "a whole number");
    if (basic == "FLOAT") return real(text);
    return word(argument_of(option), type.ends_with('}') && type.find(" OR ") == std::string::npos, text);
}

/// The command on the command line, or the program itself if there is none.
const CLI::App& named_app(const CLI::App& root) {
    const std::vector<CLI::App*> commands = root.get_subcommands();
    return commands.empty() ? root : *commands.front();
}

std::string spelling(const CLI::App& app) { return app.get_parent() ? "orrery " + app.get_name() : "orrery"; }

std::vector<Name> long_options(const CLI::App& app) {
    std::vector<Name> words;
    for (const CLI::Option* option : options_of(app))
        for (const std::string& name : option->get_lnames()) words.push_back({"--" + name});
    return words;
}

/// A hint naming the commands that have this option; empty if none has it.
std::string commands_with(const CLI::App& root, const std::string& option) {
    std::vector<std::string> names;
    for (const CLI::App* command : root.get_subcommands({}))
        if (command->get_option_no_throw(option)) names.push_back(command->get_name());
    return names.empty() ? std::string{} : fmt::format(" (it is an option of {})", fmt::join(names, ", "));
}

std::string unknown_option(const CLI::App& root, const CLI::App& app, const std::string& typed) {
    const std::string option = typed.substr(0, typed.find('='));
    std::string hint = commands_with(root, option);
    if (hint.empty() && option.starts_with("--")) hint = did_you_mean(long_options(app), option);
    return fmt::format("{} has no option {}{}; `{} --help-all` shows all", spelling(app), option, hint, spelling(app));
}

}  // namespace

CLI::Validator countable() {
    const auto wrong = [](const std::string& text) {
        std::uint64_t number = 0;
        constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
        if (read_number(text, number) && number <= kMost) return std::string{};
        return fmt::format("expected at most {}, found {}", kMost, text);
    };
    return CLI::Validator{wrong, ""};
}

void check_values(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0) continue;  // a flag
        const auto check = [option](std::string& text) { return checked(*option, text); };
        option->transform(CLI::Validator{check, ""});
    }
}

std::string explain_parse_error(const CLI::App& root, const CLI::ParseError& error) {
    const CLI::App& app = named_app(root);
    const std::vector<std::string> left = app.remaining();  // in the order in which they were typed
    const auto option = std::ranges::find_if(left, [](const std::string& text) { return text.starts_with("-"); });
    if (option != left.end()) return unknown_option(root, app, *option);
    if (!left.empty())
        return fmt::format("{}: unexpected argument{} {}; see `{} --help`", spelling(app), left.size() == 1 ? "" : "s",
                           fmt::join(left, " "), spelling(app));
    return fmt::format("{}; see `{} --help`", error.what(), spelling(app));
}

void require_no_misspelt_command(const CLI::App& root) {
    const CLI::Option* scene = root.get_option_no_throw("--scene");
    if (!scene || scene->count() == 0) return;
    const auto typed = scene->as<std::string>();
    if (is_known_scene(typed) || typed.find_first_of("./") != std::string::npos) return;
    std::vector<Name> commands;
    for (const CLI::App* command : root.get_subcommands({})) commands.push_back({command->get_name()});
    const auto meant = nearest_id(commands, typed);
    const auto preset = nearest_scene(typed);
    if (!meant || (preset && edit_distance(*preset, typed) < edit_distance(*meant, typed))) return;
    usage_error(
        fmt::format("no command, preset or file \"{}\" (did you mean \"{}\"?); see `orrery --help`", typed, *meant));
}

namespace {

/// "color-by,color-mode" as "--color-by,--color-mode"; for a flag also the negated names.
std::string names_of(const std::string& flags, bool with_negation) {
    std::string names;
    for (std::size_t begin = 0; begin <= flags.size();) {
        const std::size_t end = std::min(flags.find(',', begin), flags.size());
        const std::string flag = flags.substr(begin, end - begin);
        names += fmt::format("{}--{}", names.empty() ? "" : ",", flag);
        if (with_negation) names += ",!--no-" + flag;
        begin = end + 1;
    }
    return names;
}

bool is_switch(const SettingInfo& info) {
    const auto* kind = std::get_if<FlagKind>(&info.kind);
    return kind && kind->on.empty();
}

std::string type_name(const SettingInfo& info) {
    if (std::holds_alternative<WholeKind>(info.kind) || std::holds_alternative<SizesKind>(info.kind)) return "INT";
    return std::holds_alternative<RealKind>(info.kind) ? "FLOAT" : "TEXT";
}

/// The help text and the accepted values.
std::string words_of(const SettingInfo& info) {
    if (is_switch(info)) return help_of(info);
    if (const auto* kind = std::get_if<FlagKind>(&info.kind))
        return fmt::format("{} ({}, {})", help_of(info), kind->on, kind->off);
    if (std::holds_alternative<TextKind>(info.kind)) return help_of(info);
    return fmt::format("{} ({})", help_of(info), takes_text(info));
}

}  // namespace

void SettingOptions::add(const SettingInfo& info, const std::string& standard,
                         std::function<void(const std::string&)> typed) {
    CLI::Option*& option = added_[flag_of(info)];
    if (option) {
        option->description(option->get_description() + ". " + words_of(info));
        return;
    }
    if (is_switch(info)) {
        option = app_.add_flag_function(
            names_of(flag_of(info), true),
            [typed = std::move(typed)](std::int64_t on) { typed(on > 0 ? "true" : "false"); }, words_of(info));
        return;
    }
    option = app_.add_option_function<std::string>(names_of(flag_of(info), false), std::move(typed), words_of(info));
    option->type_name(type_name(info));
    if (!standard.empty()) option->default_str(standard);
    if (info.instead_of.empty()) return;
    for (CLI::Option* other : instead_of_[info.instead_of]) option->excludes(other);
    instead_of_[info.instead_of].push_back(option);
}

}  // namespace orrery
