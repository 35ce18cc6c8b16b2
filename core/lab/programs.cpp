// SPDX-License-Identifier: MIT
// The thesis' five programs (its tables 3.1 and 3.2, figures 3.5 and 3.6): a step of each, forces and integration.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/lab/force_experiments.hpp"

namespace orrery {
namespace {

/// `alone`: on one CPU core, like the thesis' CPU programs; otherwise on the whole backend.
struct Program {
    std::string_view id, engine;
    bool alone;
    TileConfig tile = {};
};
/// In the order of table 3.1. Like the thesis', the fourth has a thread per body and does not split columns over
/// blocks.
constexpr std::array kPrograms{Program{"cpu-direct", "naive", true}, Program{"cpu-tree", "tree-locks", true},
                               Program{"direct", "naive", false},
                               Program{"direct-shared", "direct", false, {.p = 256, .u = 8, .q = 1, .k = 1, .s = 1}},
                               Program{"tree", "tree-locks", false}};

/// A program whose evaluation would take longer is left out, as the thesis leaves out those over 1000 s.
constexpr double kPatience = 10, kHastyPatience = 1;  // seconds
/// Repetitions end after this time in all, and a program whose first step takes as long is timed without a warm-up.
constexpr double kLongEnough = 1;  // seconds
constexpr std::array kPhases{"box", "build", "centres", "sort", "walk"};

const std::vector<std::string>& program_columns() {
    static const std::vector<std::string> names{
        "program",      "precision",        "opening", "bodies",   "threads",       "repeat",    "median_ms",
        "min_ms",       "p90_ms",           "box_ms",  "build_ms", "centres_ms",    "sort_ms",   "walk_ms",
        "integrate_ms", "pairs_per_second", "gflops",  "engine",   "rms_tolerance", "rms_error", "verified",
        "why"};
    return names;
}

EngineConfig config_of(const Program& program, const LabConfig& config, Precision precision) {
    const Backend backend = program.alone ? Backend::kCpu : config.backend;
    EngineConfig engine{.engine = std::string{program.engine},
                        .backend = backend,
                        .precision = precision,
                        .threads = program.alone ? 1 : 0};
    if (backend == Backend::kCuda) engine.tile = program.tile;
    if (program.engine == "tree-locks") engine.tree.theta = config.theta, engine.tree.cutoff = config.cutoff;
    return engine;
}

std::string opening_of(const Program& program, const LabConfig& config) {
    if (program.engine != "tree-locks") return {};
    if (config.cutoff > 0) return fmt::format("cutoff {:g}", config.cutoff);
    return fmt::format("theta {:g}", config.theta > 0 ? config.theta : 0.5);
}

/// Seconds of kernel 6, the thesis' s += (v + a·t/2)·t; v += a·t, on the bodies of the system.
double seconds_of_integration(BodySystem& system) {
    constexpr double dt = 1e-9;  // small enough to leave the bodies in place
    const std::array moves{Move{Move::Op::kKick, dt / 2}, Move{Move::Op::kDrift, dt}, Move{Move::Op::kKick, dt / 2}};
    system.clock().start();
    system.move(moves);
    return system.clock().stop();
}

struct Steps {
    std::vector<double> seconds, integration;
    EngineReport report;  ///< of the last step
    LabCheck check;
};

class ProgramRun {
public:
    ProgramRun(const LabConfig& config, const LabProgress& progress) : config_{config}, progress_{progress} {}

    LabTable operator()() {
        table_.columns = program_columns();
        const std::vector<std::uint32_t> sizes = program_sizes(config_);
        const std::vector<Precision> precisions = wanted_precisions();
        total_ = sizes.size() * precisions.size() * kPrograms.size();
        for (const std::uint32_t bodies : sizes)
            for (const Precision precision : precisions)
                for (const Program& program : kPrograms)
                    if (!row(program, precision, bodies)) return std::move(table_);
        return std::move(table_);
    }

private:
    std::vector<Precision> wanted_precisions() const {
        std::vector<Precision> all;
        for (const std::string& id : config_.precisions) all.push_back(parse_precision(id));
        if (all.empty()) all = {Precision::kDouble, Precision::kSingle};
        return all;
    }
    int repeats() const { return config_.repeat > 0 ? config_.repeat : config_.quick ? 2 : 3; }

    std::vector<LabValue> settings(const Program& program, Precision precision, std::uint32_t bodies) const {
        const std::string opening = opening_of(program, config_);
        const int threads = program.alone                       ? 1
                            : config_.backend == Backend::kCuda ? 0
                                                                : static_cast<int>(std::thread::hardware_concurrency());
        return {std::string{program.id},
                std::string{name(precision)},
                opening.empty() ? LabValue{} : LabValue{opening},
                std::int64_t{bodies},
                threads == 0 ? LabValue{} : LabValue{std::int64_t{threads}},
                std::int64_t{repeats()}};
    }

    /// Returns false if stopped.
    bool row(const Program& program, Precision precision, std::uint32_t bodies) {
        if (config_.stop && config_.stop()) return false;
        progress_(table_.rows.size(), total_, fmt::format("{} in {}, N = {}", program.id, name(precision), bodies));
        std::vector<LabValue> row = settings(program, precision, bodies);
        std::vector<LabValue> kept;
        if (config_.kept) kept = config_.kept("programs", table_.columns, row);
        if (kept.size() == table_.columns.size())
            row = kept;
        else if (!measure(row, program, precision, bodies))
            return false;
        if (config_.on_row) config_.on_row(table_.columns, row);
        table_.rows.push_back(std::move(row));
        return true;
    }

    bool measure(std::vector<LabValue>& row, const Program& program, Precision precision, std::uint32_t bodies) {
        const EngineConfig engine = config_of(program, config_, precision);
        if (const double expected = expected_seconds(program, precision, bodies);
            expected > (config_.quick ? kHastyPatience : kPatience)) {
            row.resize(table_.columns.size());
            row.back() = fmt::format("left out: a step would take about {:.0f} s", expected);
            return true;
        }
        if (scene_.size() != bodies) scene_ = lab_ball(bodies);
        const EngineEntry& entry = orrery::engine(engine.engine, engine.backend);
        const double tolerance = std::clamp(entry.tolerance(engine), rounding(program, precision, bodies), 1.0);
        const auto steps = timed(engine, tolerance);
        if (!steps) return false;
        const LabTimes times = lab_times(steps->seconds);
        const double median = 1e-3 * std::get<double>(times.median_ms);
        known_[{program.id, precision}] = {bodies, median};
        row.insert(row.end(), {times.median_ms, times.min_ms, times.p90_ms});
        for (const char* phase : kPhases) row.push_back(phase_ms(steps->report, phase));
        row.push_back(lab_times(steps->integration).median_ms);
        const double rate = static_cast<double>(bodies) * bodies / median;
        const bool pairs = program.engine != "tree-locks";  // tree-locks does not evaluate N² pairs
        row.push_back(pairs ? LabValue{rate} : LabValue{});
        row.push_back(pairs ? LabValue{gflops(rate)} : LabValue{});
        row.insert(row.end(),
                   {LabValue{engine.engine}, LabValue{tolerance}, LabValue{steps->check.error},
                    LabValue{steps->check.right}, steps->check.right ? LabValue{} : LabValue{steps->check.why}});
        return true;
    }

    /// Times steps, usually after a warm-up step. Empty if stopped.
    std::optional<Steps> timed(const EngineConfig& engine, double tolerance) const {
        const auto system = make_body_system(engine, scene_);
        Steps steps;
        double taken = 0;
        for (int i = -1; i < repeats() && taken < kLongEnough; ++i) {
            if (config_.stop && config_.stop()) return std::nullopt;
            const double forces = seconds_of_forces(*system), moves = seconds_of_integration(*system);
            if (i < 0 && forces < kLongEnough) continue;
            taken += forces + moves;
            steps.seconds.push_back(forces + moves), steps.integration.push_back(moves);
        }
        steps.report = system->engine_report();
        steps.check = check_forces(scene_, system->accelerations(), tolerance);
        return steps;
    }

    static LabValue phase_ms(const EngineReport& report, std::string_view name) {
        const auto found = std::ranges::find(report.phases, name, &Phase::name);
        return found == report.phases.end() ? LabValue{} : LabValue{1e3 * found->seconds};
    }

    /// Extrapolates from the previous size: N² for the direct programs, N log N for the trees; 0 if unknown.
    double expected_seconds(const Program& program, Precision precision, std::uint32_t bodies) const {
        const auto found = known_.find({program.id, precision});
        if (found == known_.end()) return first_guess(program, bodies);
        const auto [before, seconds] = found->second;
        const double ratio = static_cast<double>(bodies) / before;
        return seconds *
               (program.engine == "tree-locks" ? ratio * std::log2(bodies) / std::log2(before + 2.0) : ratio * ratio);
    }
    /// Rounding error of a sum of N consecutive terms, as in the direct programs: √N roundings.
    static double rounding(const Program& program, Precision precision, std::uint32_t bodies) {
        const bool adds = program.engine != "tree-locks" && precision == Precision::kSingle;
        return adds ? std::sqrt(bodies) * std::numeric_limits<float>::epsilon() / 2 : 0;
    }
    /// Assumes 2·10⁸ pairs per second for a CPU core; 0 (unknown) for devices.
    double first_guess(const Program& program, std::uint32_t bodies) const {
        const bool here = program.alone || config_.backend == Backend::kCpu;
        if (!here || program.engine == "tree-locks") return 0;
        return static_cast<double>(bodies) * bodies / 2e8;
    }

    const LabConfig& config_;
    const LabProgress& progress_;
    LabTable table_;
    std::uint64_t total_ = 0;
    Bodies scene_;
    std::map<std::pair<std::string_view, Precision>, std::pair<std::uint32_t, double>> known_;
};

LabTable run_programs(const LabConfig& config, const LabProgress& progress) {
    require_lab_backend("programs", config.backend);
    for (const std::uint32_t bodies : config.bodies)
        if (bodies < 1 || bodies > kMostProgramBodies)
            usage_error(fmt::format("programs: expected 1 to {} bodies, got {}", kMostProgramBodies, bodies));
    if (config.theta > 0 && config.cutoff > 0) usage_error("programs: give either theta or cutoff, not both");
    return ProgramRun{config, progress}();
}

}  // namespace

std::vector<std::uint32_t> program_sizes(const LabConfig& config) {
    std::vector<std::uint32_t> sizes = config.bodies;
    if (sizes.empty()) {
        if (config.quick)
            sizes = {1024, 2048, 4096};
        else if (config.backend == Backend::kCpu)
            sizes = {4096, 8192, 16384, 32768};
        else
            sizes = {10000, 20000, 50000, 100000, 150000, 200000, 500000};  // those of the thesis and some between
    }
    std::ranges::sort(sizes);
    return sizes;
}

LabEntry programs_experiment() {
    return {"programs",
            "Programs of the thesis",
            "a step of its five programs, direct and Barnes-Hut on CPU and GPU, with its kernels 1 to 6",
            run_programs,
            kMostProgramBodies,
            false};
}

}  // namespace orrery
