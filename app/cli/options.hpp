// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "app/camera/orbit_camera.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "core/base/text.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/settings/setting.hpp"
#include "core/simulation/scene_request.hpp"

namespace CLI {
class App;
class Option;
class ParseError;
class Validator;
}  // namespace CLI

namespace orrery {

struct SettingGroup;

/// Options added while it is alive appear under this heading in --help.
class HelpGroup {
public:
    HelpGroup(CLI::App& app, const char* heading);
    HelpGroup(const HelpGroup&) = delete;
    HelpGroup& operator=(const HelpGroup&) = delete;
    ~HelpGroup();

private:
    CLI::App& app_;
};

// Options shared by several commands, each described once, here. Values are stored as typed until the scene is known.

struct SceneOptions {
    SceneRequest given;  ///< without its dt
    std::string dt;      ///< empty: the scene's default

    /// Opens the requested scene; prints its notes on stderr. Throws Error as open_scene() does, and for an invalid dt.
    Scene open() const;
    SceneInStretches open_in_stretches() const;  ///< the same, see orrery::open_in_stretches(); in memory with ranks
    OpenedScene open_with_series() const;        ///< the same, or the first snapshot of a series to be played
    /// The request itself, to be opened elsewhere. Opens the scene only if dt needs its units.
    SceneRequest request() const;

private:
    void adopt_dt(Scene& scene) const;
};
enum class Source { kRequired, kOptional };
void add_source(CLI::App& app, SceneOptions& options, Source need);
void add_more_sources(CLI::App& app, SceneOptions& options);        ///< further snapshots of a series
void add_scene(CLI::App& app, SceneOptions& options);               ///< --bodies --seed --softening --dt
void add_seed_and_softening(CLI::App& app, SceneOptions& options);  ///< the part of add_scene() that surveys share

/// Settings of engines, as typed. Most apply only to some engines, and the engine is chosen later.
struct KnobOptions {
    std::map<std::string, std::string> typed;  ///< by option, without its dashes

    bool turned(const SettingGroup& group) const;
    /// A copy without the settings that this engine does not have; for surveys, where one engine that has them is
    /// enough.
    KnobOptions only_of(const EngineEntry& entry) const;
    /// The first option that none of these engines has; empty if there is none.
    std::string idle(std::span<const EngineEntry> entries) const;
    /// Stores the values in `config`. Throws Error{kUsage} for settings that this engine does not have and for invalid
    /// values.
    void apply(const EngineEntry& entry, EngineConfig& config) const;
};
void add_knobs(CLI::App& app, KnobOptions& knobs);
void add_threads(CLI::App& app, int& threads);

/// --kernel FILE, --allow-kernels
struct KernelOptions {
    std::string path;  ///< empty: no kernel

    /// The kernel file, which is from now on trusted; a kernel in C++ has been compiled and tried. Empty if none was
    /// requested. Throws Error{kUsage} with the line of the file.
    std::optional<KernelFile> file() const;
};
void add_kernel(CLI::App& app, KernelOptions& options);

struct EngineOptions {
    std::string engine;     ///< empty: direct
    std::string backend;    ///< empty: the best one that the engine has here
    std::string precision;  ///< empty: single
    KnobOptions knobs;
    KernelOptions kernel;
    int threads = 0;
    EngineConfig base = default_engine_config();  ///< defaults, from a scene file if there is one
    bool base_given = false;                      ///< `base` comes from a scene file or preset that names an engine

    bool chosen() const { return base_given || typed(); }
    /// True if the scene's own engine or precision is used and no option overrides it.
    bool of_scene() const { return (base_given || base != default_engine_config()) && !typed(); }
    /// Throws Error{kUsage} for unknown names, Error{kEnvironment} for what cannot run here.
    EngineConfig config() const;

private:
    bool typed() const { return !engine.empty() || !backend.empty() || !precision.empty() || !kernel.path.empty(); }
    EngineConfig config_of(const KernelFile& file) const;
};
void add_engine(CLI::App& app, EngineOptions& options);

/// --engines --backend --precision: the part of the engine menu that a survey covers.
struct SurveyOptions {
    std::vector<std::string> engines;     ///< empty: all
    std::string backend;                  ///< empty: all
    std::vector<std::string> precisions;  ///< empty: the command's own choice
    KernelOptions kernel;

    /// The kernel file, if one is requested. Without a choice of engines, the survey then covers the engine that runs
    /// it and, for comparison, `direct` on the same backend.
    std::optional<KernelFile> take_kernel();
    /// Returns the engines that can run here and reports the others as skipped. Throws if none can, or a requested
    /// backend cannot.
    std::vector<EngineEntry> entries() const;
    std::vector<Precision> precisions_or(std::vector<Precision> otherwise) const;
};
void add_survey(CLI::App& app, SurveyOptions& options);
/// Reports on stderr that a survey skips this engine.
void report_skipped(const EngineEntry& entry, const std::string& why);

struct RunLength {
    std::optional<std::uint64_t> steps;
    std::string until;

    /// Number of steps of `scene` to the requested end; none if no end was given. Throws Error{kUsage} for a time in
    /// the past.
    std::optional<std::uint64_t> count(const Scene& scene) const;
    /// `until` in the scene's unit of time; none if it is empty. Throws as count() does.
    std::optional<double> end(const Scene& scene) const;
};
void add_length(CLI::App& app, RunLength& length);

void add_integrator(CLI::App& app, SceneOptions& options);  ///< --integrator --adaptive
CLI::Validator positive();                                  ///< accepts numbers greater than 0
void add_json(CLI::App& app, bool& json);

/// Throws Error{kEnvironment} with the path if no file can be created there; called before an hour of work, not after.
void require_writable(const std::string& path);
/// Writes the whole file, or throws Error{kEnvironment} and leaves none.
void write_file(const std::filesystem::path& path, std::string_view text);

/// If `scene` names a scene file or a shipped scene: returns it, copies its request into `scene`, and makes its engine
/// the default of `engine` (may be null). Typed options take precedence: call apply_typed(app) once all defaults are
/// set. Throws Error{kUsage} for a source that does not exist.
std::optional<SceneFile> adopt_scene(SceneOptions& scene, EngineOptions* engine);

/// The same for a scene that is already loaded.
void adopt_scene(const SceneFile& file, SceneOptions& scene, EngineOptions* engine);

/// Applies the typed options once more, except the scene's name.
void apply_typed(CLI::App& app);

/// How frames are rendered.
struct ViewOptions {
    ViewSettings settings;
    bool legend = false;                           ///< colour bar, scale bar, clock and names in the frames
    CameraSettings scene{.yaw = 34, .pitch = 29};  ///< the camera of the first frame, and its path

    /// Replaces the defaults by the settings of a scene file.
    void adopt(const SceneFile& file);
    /// The camera of the first frame.
    OrbitCamera camera(const FrameExtent& extent, double aspect) const;
};
void add_view(CLI::App& app, ViewOptions& options);
/// Colours bodies by the first field that the request loads, unless the view has another quantity than the default.
void color_by_fields(const SceneRequest& request, ViewSettings& view);

/// Makes every option of a command reject invalid values before they are used: for numbers all but finite decimal ones
/// (whole and without a sign where the option is a count), for texts the empty one. CLI11 would accept "-1" as 2⁶⁴ − 1,
/// "010" as 8, "inf", "nan", and "" as if the option were absent. Counts may be written as "20k" and "1e5"; words of
/// menus are case-insensitive.
void check_values(CLI::App& app);

/// Accepts numbers of steps or frames, which are stored in 63 bits.
CLI::Validator countable();

/// The message for a command line that cannot be parsed. It suggests the most similar option and the command that
/// prints help.
std::string explain_parse_error(const CLI::App& root, const CLI::ParseError& error);

/// Throws Error{kUsage} if a command line without a command has a scene that resembles a command: `orrery recrod`.
void require_no_misspelt_command(const CLI::App& root);

/// Adds options of settings to a command.
class SettingOptions {
public:
    explicit SettingOptions(CLI::App& app) : app_{app} {}

    /// Adds one option. Calls `typed` with its text, "true" or "false" for a flag. Unless empty, `standard` is shown as
    /// the default. A second setting with the same option only extends the help text.
    void add(const SettingInfo& info, const std::string& standard, std::function<void(const std::string&)> typed);

    /// Adds all command-line options of a table, which set `config`. They throw Error{kUsage} for invalid values.
    template <class Config>
    void add(std::span<const Setting<Config>> table, Config& config) {
        for (const Setting<Config>& each : table)
            if (each.info.in(place::kCommandLine)) add(each, config);
    }
    template <class Config>
    void add(const Setting<Config>& setting, Config& config) {
        add(setting.info, text_of(setting.member.get(config)), [&setting, &config](const std::string& text) {
            setting.member.set(config, parse_setting(setting.info, text));
        });
    }

private:
    CLI::App& app_;
    std::map<std::string, CLI::Option*> added_;                         // by option
    std::map<std::string_view, std::vector<CLI::Option*>> instead_of_;  // SettingInfo::instead_of
};

/// Converts to an nlohmann JSON value; null for an optional member without a value.
template <class Json>
Json json_of(const SettingValue& value) {
    return std::visit(
        []<class V>(const V& given) -> Json {
            if constexpr (std::is_same_v<V, std::monostate>)
                return nullptr;
            else
                return given;
        },
        value);
}

/// Adds {id: value} for each setting of a table that `wanted` selects.
template <class Json, class Config, class Wanted>
void add_settings(Json& object, std::span<const Setting<Config>> table, const Config& config, const Wanted& wanted) {
    for (const Setting<Config>& each : table)
        if (wanted(each.info)) object[std::string{each.info.id}] = json_of<Json>(each.member.get(config));
}

}  // namespace orrery
