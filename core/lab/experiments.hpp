// SPDX-License-Identifier: MIT
// The menu of the laboratory: the published measurements of the maps, and the cost of approximations.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/backend.hpp"
#include "core/base/background_job.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// An empty cell means: not applicable.
using LabValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Results of an experiment. Scripts rely on the names of the columns.
struct LabTable {
    std::vector<std::string> columns;
    std::vector<std::vector<LabValue>> rows;  ///< each as long as `columns`
};

/// Settings of the experiments. Empty and 0 select the experiment's default. `exactness` reads only the backend, the
/// maps (for utm: utm-threads) and the roots; `accuracy` and `orders` read the backend, the bodies and `repeat`.
struct LabConfig {
    Backend backend = Backend::kCpu;
    std::vector<std::string> maps,
        roots;  ///< ids of lab_forms() and roots(); the baseline (bb, cube or hypercube) is always timed
    std::vector<std::uint32_t> bodies;
    std::uint32_t rho = 16;     ///< 8, 16 or 32; blocks of `triplet` are always 8 × 8 × 8, of `quadruplet` 4⁴
    std::vector<int> features;  ///< for edm, 1 … 4
    std::vector<std::uint32_t> strips;  ///< tiles per block of forms in strips, 1 … kLongestStrip
    int repeat = 0;
    bool quick = false;                   ///< few sizes, few repetitions
    std::optional<KernelFile> kernel;     ///< a thread map in C++, timed on Backend::kCpu as one more map
    std::vector<std::string> precisions;  ///< for `programs`: single, double
    double theta = 0, cutoff = 0;         ///< for the tree of `programs`: at most one of them; both 0: its default θ

    /// Called for every row when it is complete.
    std::function<void(const std::vector<std::string>& columns, const std::vector<LabValue>& row)> on_row;
    /// Returns an earlier row with these values in the first kLabSettings columns, and for forms in strips in the last
    /// column, or an empty one.
    std::function<std::vector<LabValue>(std::string_view experiment, const std::vector<std::string>& columns,
                                        const std::vector<LabValue>& settings)>
        kept;
    std::function<bool()> stop;  ///< polled between two runs of a map; if true, the table ends before that map

    bool wants_map(std::string_view id) const;   ///< true if `maps` contains it or is empty
    bool wants_root(std::string_view id) const;  ///< true if `roots` contains it or is empty
};
/// The first columns of an experiment with times, which identify its rows. For maps: map, root, rho, bodies, dimensions
/// and repeat; for `accuracy`: preset, engine, precision, bodies, accuracy, repeat; for `orders`: engine, precision,
/// bodies, theta, order, repeat.
inline constexpr std::size_t kLabSettings = 6;
/// The papers' sizes: steps of 1024 up to 30 720, or of 3072 if no paper plots the curve (`collision`,
/// `collision-pairs`, `automaton`, `edm` of two or three features); 1024, 2048 and 3072 when quick. For `triplet` steps
/// of 64 up to 1024; when quick 64, 128 and 256. For `quadruplet` steps of 32 up to 256; when quick 32, 64 and 96. For
/// `tiles` powers of two from 1024; for `programs` those of the thesis on a device, fewer on a CPU.
std::vector<std::uint32_t> lab_sizes(const LabConfig& config, std::string_view experiment = {}, int dimensions = 0);

/// Reports progress: rows done, total, and the next measurement.
using LabProgress = std::function<void(std::uint64_t done, std::uint64_t total, const std::string& next)>;

/// A line of the menu. `orrery lab`, `orrery list` and the tests read it.
struct LabEntry {
    std::string_view id, label, doc;
    LabTable (*run)(const LabConfig& config, const LabProgress& progress);
    std::uint32_t most_bodies = 65536;  ///< run() throws Error{kUsage} beyond
    bool on_gl = true;                  ///< false: run() throws Error{kUsage} on Backend::kGl
};

std::span<const LabEntry> experiments();
/// Throws Error{kUsage} if the experiment does not exist on this backend, Error{kEnvironment} with the reason if the
/// backend cannot run on this machine.
void require_lab_backend(std::string_view experiment, Backend backend);
/// The ids of lab_forms() that an experiment uses, the baseline first if it times them; empty if maps do not matter.
std::vector<std::string_view> forms_of(std::string_view experiment);

/// Members of the tuples that the maps of an experiment find: 3 for `triplet`, 4 for `quadruplet`, otherwise 2.
std::uint32_t tuple_order(std::string_view experiment);
/// Bodies along a side of a tile, in units of ρ.
std::uint32_t tile_span(std::string_view experiment);

LabEntry exactness_experiment();  ///< core/lab/exactness.cpp
LabEntry accuracy_experiment();   ///< core/lab/accuracy.cpp
LabEntry orders_experiment();     ///< core/lab/accuracy.cpp
LabEntry waste_experiment();      ///< core/lab/map_experiments.cpp
LabEntry tiles_experiment();      ///< core/lab/force_experiments.cpp
LabEntry programs_experiment();   ///< core/lab/programs.cpp
// core/lab/map_experiments.cpp
LabEntry roots_experiment();
LabEntry dummy_experiment();
LabEntry edm_experiment();
LabEntry collision_experiment();
LabEntry collision_pairs_experiment();
LabEntry collision_rows_experiment();
LabEntry automaton_experiment();
LabEntry triplet_experiment();
LabEntry quadruplet_experiment();

/// The results of an experiment so far.
struct LabRun {
    std::string experiment;  ///< id; empty: nothing was requested
    LabConfig config;        ///< as requested, without its callbacks
    LabTable table;
    std::uint64_t done = 0, total = 0;  ///< rows; total is 0 until the first measurement
    std::string next;                   ///< the current measurement
    bool running = false;
    bool cancelled = false;
    std::string failure;  ///< why it ended early; one line
};

/// Runs experiments of the laboratory on a separate low-priority thread. No call waits for it.
class BackgroundLab {
public:
    BackgroundLab();
    ~BackgroundLab() = default;  ///< waits for one run of a map and its check

    /// Starts an experiment and discards the current one, if any. The callbacks of `config` are replaced. Throws
    /// Error{kUsage} if there is no such experiment; other errors in `config` are reported in LabRun::failure.
    void start(const std::string& experiment, LabConfig config);
    void cancel();  ///< stops after the current run of a map; keeps the results so far
    /// Updates `run`, as left by the previous call. Returns true if anything has changed.
    bool update(LabRun& run);

private:
    struct Job {
        LabEntry entry;
        LabConfig config;
    };
    struct News {
        LabRun run;          // its rows are those not yet returned by update()
        bool fresh = false;  // true if the job differs from that of the last update()
    };
    using Work = BackgroundJob<Job, News>;
    static void measure(const Work::Task& task);

    Work work_;
};

}  // namespace orrery
