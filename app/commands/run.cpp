// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/interrupt.hpp"
#include "app/cli/options.hpp"
#include "app/cli/scene_option.hpp"
#include "app/cli/table.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run_report.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

struct RunOptions {
    SceneOptions scene;
    EngineOptions engine;
    RunLength length;
    std::vector<std::string> outputs;
    std::string diagnostics;
    std::uint64_t diagnostics_every = 0;  // steps; 0: about a hundred rows
    bool no_energy = false;
    bool json = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The present state as a scene of its own, with the time it has reached.
Scene present(Simulation& simulation) {
    Scene scene = simulation.scene();
    scene.bodies = simulation.system().bodies();
    scene.time = simulation.time();
    return scene;
}

/// Copies of a state that is well, for the day it no longer is. They cost at most a twentieth of the time.
class LastGood {
public:
    void keep(Simulation& simulation) {
        const auto start = Clock::now();
        if (scene_ && start < next_) return;
        scene_ = present(simulation);
        step_ = simulation.steps();
        const auto end = Clock::now();
        next_ = end + kShare * (end - start);
    }
    /// Writes the copy beside each of `outputs`: under their own names it would pass for the state asked for. Returns
    /// what a person must know of it.
    std::string write(const std::vector<std::string>& outputs) const {
        std::string text;
        for (const std::string& output : outputs) {
            const std::string path = beside(output).string();
            try {
                write_snapshot(*scene_, path);
                text += fmt::format("; the state after step {} is in {}", step_, path);
            } catch (const Error& refused) {
                text += fmt::format("; {}", refused.what());
            }
        }
        return text;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr int kShare = 20;

    /// "end.std.tipsy" becomes "end.last-good.std.tipsy": the extension says the format.
    static std::filesystem::path beside(const std::filesystem::path& output) {
        const std::string name = output.filename().string();
        const std::size_t dot = std::min(name.find('.', 1), name.size());
        return output.parent_path() / (name.substr(0, dot) + ".last-good" + name.substr(dot));
    }

    std::optional<Scene> scene_;
    std::uint64_t step_ = 0;
    Clock::time_point next_{};
};

/// Takes the steps, and notes conserved quantities on the way.
class Run {
public:
    Run(const RunOptions& options, Simulation& simulation, std::uint64_t steps)
        : simulation_{simulation}, outputs_{options.outputs}, steps_{steps}, energy_{!options.no_energy} {
        every_ = options.diagnostics_every > 0 ? options.diagnostics_every : std::max<std::uint64_t>(1, steps / 100);
        if (!options.diagnostics.empty()) table_.emplace(options.diagnostics);
    }

    RunReport operator()() {
        const InterruptGuard interrupt;
        Progress progress{simulation_.scene().id, steps_};
        diagnose_now();
        while (report_.steps < steps_ && !interrupt.interrupted()) {
            if (!outputs_.empty()) last_good_.keep(simulation_);
            const auto start = std::chrono::steady_clock::now();
            step();
            report_.seconds += seconds_since(start);
            report_.force_seconds.push_back(simulation_.last_force_seconds());
            ++report_.steps;
            if (table_ && report_.steps % every_ == 0) diagnose_now();
            progress.update(report_.steps, with_prefix(report_.steps_per_second()) + " steps/s");
        }
        if (diagnosed_ != report_.steps) diagnose_now();
        return std::move(report_);
    }
    bool complete() const { return diagnosed_ == steps_; }

private:
    /// A state that is lost ends the run, but not without what there was before.
    void step() {
        try {
            simulation_.step();
        } catch (const Error& lost) {
            if (outputs_.empty()) throw;
            throw Error{lost.blame(), lost.what() + last_good_.write(outputs_)};
        }
    }

    void diagnose_now() {
        diagnosed_ = report_.steps;
        if (!energy_ && !table_) return;
        const EngineConfig& engine = simulation_.engine_config();
        report_.last = diagnose(simulation_.system().bodies(), simulation_.gravity(),
                                energy_engine(law_of(engine), engine.backend));
        if (!report_.first) report_.first = report_.last;
        if (table_) table_->add(report_.steps, simulation_.time(), *report_.last);
    }

    Simulation& simulation_;
    const std::vector<std::string>& outputs_;
    LastGood last_good_;
    std::uint64_t steps_, every_ = 1, diagnosed_ = 0;
    bool energy_;
    std::optional<DiagnosticsTable> table_;
    RunReport report_;
};

int run(RunOptions& options, CLI::App& app) {
    if (adopt_scene(options.scene, &options.engine)) apply_typed(app);
    // All that can be refused is refused before the first step.
    for (const std::string& path : options.outputs) {
        format_for(path);
        require_writable(path);
    }
    const EngineConfig engine = options.engine.config();
    Scene scene = options.scene.open();
    const auto steps = options.length.count(scene);
    if (!steps) usage_error("run needs an end: --steps or --until");
    Simulation simulation{std::move(scene), engine};
    Run work{options, simulation, *steps};
    const RunReport report = work();
    if (!work.complete()) fmt::print(stderr, "orrery: interrupted after step {} of {}\n", report.steps, *steps);
    for (const std::string& path : options.outputs) write_snapshot(present(simulation), path);
    fmt::print("{}", options.json ? json_of(report, simulation) + '\n' : text_of(report, simulation));
    if (!options.json)
        for (const std::string& path : options.outputs) fmt::print("wrote     {}\n", path);
    return 0;
}

}  // namespace

Work declare_run(CLI::App& app) {
    const auto options = std::make_shared<RunOptions>();
    add_source(app, options->scene, Source::kRequired);
    add_scene(app, options->scene);
    add_engine(app, options->engine);
    add_length(app, options->length);
    add_integrator(app, options->scene);
    app.add_option("-o,--output", options->outputs, "Snapshot of the last state; the extension says the format")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--diagnostics", options->diagnostics, "Table of energies and momenta, CSV");
    app.add_option("--diagnostics-every", options->diagnostics_every,
                   "Steps from one row of the table to the next; without it, about a hundred rows")
        ->check(positive());
    app.add_flag("--no-energy", options->no_energy, "Do not evaluate the energy at the beginning and the end");
    add_json(app, options->json);
    app.footer(
        "The same command gives the same snapshot, byte for byte, on the same machine. Examples:\n"
        "  orrery run plummer --steps 1000 -o end.tipsy\n"
        "  orrery run solar-system --until 100yr --dt 0.5day --diagnostics energy.csv\n"
        "The table has the columns step time kinetic potential total momentum_x momentum_y momentum_z\n"
        "angular_x angular_y angular_z virial_ratio (2K/|W|), in the scene's units; momenta about the origin.\n"
        "Ctrl+C ends the run after the step and writes what there is. A state that is no longer finite ends it too; "
        "the\n"
        "last good one that was kept is then in NAME.last-good.EXTENSION beside each output.");
    return [options, &app] { return run(*options, app); };
}

}  // namespace orrery
