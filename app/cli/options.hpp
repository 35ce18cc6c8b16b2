// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/settings/duration.hpp"
#include "core/simulation/opened_scene.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace orrery {

struct SettingGroup;

/// Options that are added while it lives stand below this heading of --help.
class HelpGroup {
public:
    HelpGroup(CLI::App& app, const char* heading);
    HelpGroup(const HelpGroup&) = delete;
    HelpGroup& operator=(const HelpGroup&) = delete;
    ~HelpGroup();

private:
    CLI::App& app_;
};

// Options that several commands share. Each is described once, here; values keep what was typed until a scene is known.

struct SceneOptions {
    SceneRequest asked;  ///< all but its dt
    std::string dt;      ///< empty: the scene's own

    /// The scene with all that was asked for; its notes go to stderr. Throws Error as open_scene() does, and for a dt
    /// that makes no sense.
    Scene open() const;
    OpenedScene open_with_series() const;  ///< the same, or the first of a series that is to be played
    /// The same as a value, for who opens it elsewhere. Opens the scene only if dt needs its units.
    SceneRequest request() const;

private:
    void adopt_dt(Scene& scene) const;
};
enum class Source { kRequired, kOptional };
void add_source(CLI::App& app, SceneOptions& options, Source need);
void add_more_sources(CLI::App& app, SceneOptions& options);        ///< of a series, after the first
void add_scene(CLI::App& app, SceneOptions& options);               ///< --bodies --seed --softening --dt
void add_seed_and_softening(CLI::App& app, SceneOptions& options);  ///< the part of add_scene() that surveys share

/// Settings of engines, as typed: most are only of some, and which that is, is known later.
struct KnobOptions {
    std::map<std::string, std::string> typed;  ///< by option, without its dashes

    bool turned(const SettingGroup& group) const;
    /// Without those that this engine does not have: for surveys, where one that has them is enough.
    KnobOptions only_of(const EngineEntry& entry) const;
    /// The first that none of these engines has; empty: there is none.
    std::string idle(std::span<const EngineEntry> entries) const;
    /// Into `config`. Throws Error{kUsage} when knobs are turned that this engine does not have, and for values that
    /// they do not accept.
    void apply(const EngineEntry& entry, EngineConfig& config) const;
};
void add_knobs(CLI::App& app, KnobOptions& knobs);
void add_threads(CLI::App& app, int& threads);

struct EngineOptions {
    std::string engine;     ///< empty: direct
    std::string backend;    ///< empty: the best that the engine has here
    std::string precision;  ///< empty: single
    KnobOptions knobs;
    int threads = 0;
    EngineConfig base = usual_engine();  ///< what the command line does not say, of a scene file
    bool base_given = false;             ///< there is one, and it has an engine

    bool chosen() const { return base_given || typed(); }
    /// The scene's own engine or precision is used, and nothing in its place was asked for.
    bool of_scene() const { return (base_given || base != usual_engine()) && !typed(); }
    /// Throws Error{kUsage} for what does not exist, Error{kEnvironment} for what cannot run here.
    EngineConfig config() const;

private:
    bool typed() const { return !engine.empty() || !backend.empty() || !precision.empty(); }
};
void add_engine(CLI::App& app, EngineOptions& options);

/// --engines --backend --precision: the part of the menu that a survey goes over.
struct SurveyOptions {
    std::vector<std::string> engines;     ///< empty: all
    std::string backend;                  ///< empty: all
    std::vector<std::string> precisions;  ///< empty: the command's own choice

    /// Those that can run here; `skipped` hears of the others. What was named and cannot run is an error.
    std::vector<EngineEntry> entries(
        const std::function<void(const EngineEntry&, const std::string& why)>& skipped) const;
    std::vector<Precision> precisions_or(std::vector<Precision> otherwise) const;
};
void add_survey(CLI::App& app, SurveyOptions& options);

struct RunLength {
    std::optional<std::uint64_t> steps;
    std::string until;

    /// Steps of `scene` up to the end asked for; none when none was. Throws Error{kUsage} for a time that has passed.
    std::optional<std::uint64_t> count(const Scene& scene) const;
    /// The time in the scene's unit that `until` says; none when it says nothing. Throws likewise.
    std::optional<double> end(const Scene& scene) const;
};
void add_length(CLI::App& app, RunLength& length);

void add_integrator(CLI::App& app, SceneOptions& options);  ///< --integrator --adaptive
CLI::Validator positive();                                  ///< accepts numbers greater than 0
void add_json(CLI::App& app, bool& json);

/// Throws Error{kEnvironment} naming the path when no file can be made there: before an hour of work, not after it.
void require_writable(const std::string& path);

}  // namespace orrery
