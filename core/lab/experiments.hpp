// SPDX-License-Identifier: MIT
// The menu of the laboratory: the published measurements of the maps, and what approximations cost.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/backend.hpp"

namespace orrery {

/// Empty cell: not applicable.
using LabValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Results of an experiment. Scripts rely on the names of the columns.
struct LabTable {
    std::vector<std::string> columns;
    std::vector<std::vector<LabValue>> rows;  ///< each as long as `columns`
};

/// Settings of the experiments. Empty and 0: the experiment's default. `exactness` reads only
/// the backend, the maps (of utm: utm-threads) and the roots; `accuracy` and `orders` the backend, the bodies and how
/// often.
struct LabConfig {
    Backend backend = Backend::kCpu;
    std::vector<std::string> maps, roots;  ///< ids of lab_forms() and roots(); bb, or cube, is always timed
    std::vector<std::uint32_t> bodies;
    std::uint32_t rho = 16;     ///< 8, 16 or 32; blocks of `triplet` are always 8 × 8 × 8
    std::vector<int> features;  ///< of edm, 1 … 4
    int repeat = 0;
    bool quick = false;                   ///< few sizes, few repetitions
    std::vector<std::string> precisions;  ///< of `programs`: single, double
    double theta = 0, cutoff = 0;         ///< of the tree of `programs`: one of them, or its own θ

    /// Called for every row as soon as it is known.
    std::function<void(const std::vector<std::string>& columns, const std::vector<LabValue>& row)> on_row;
    /// Looks up rows measured before, by the columns and values up to kLabSettings. Returns the whole row, or nothing.
    std::function<std::vector<LabValue>(std::string_view experiment, const std::vector<std::string>& columns,
                                        const std::vector<LabValue>& settings)>
        kept;
    std::function<bool()> stop;  ///< polled between two runs of a map; if true, the table ends before that map

    bool wants_map(std::string_view id) const;   ///< it is among `maps`, or `maps` is empty: then all are
    bool wants_root(std::string_view id) const;  ///< likewise
};
/// The first columns of an experiment with times, which tell its rows apart: of the maps map, root, rho, bodies,
/// dimensions and repeat; of `accuracy` preset, engine, precision, bodies, accuracy, repeat; of `orders` engine,
/// precision, bodies, theta, order, repeat.
inline constexpr std::size_t kLabSettings = 6;
/// The papers' sizes: steps of 1024 up to 30 720, of 3072 where no paper draws the curve (`collision`,
/// `collision-pairs`, `edm` of two or three features); 1024, 2048 and 3072 when quick. For `triplet` steps of 64 up to
/// 1024; 64, 128 and 256. For `tiles` powers of two from 1024, for `programs` the thesis' on a device, fewer on a CPU.
std::vector<std::uint32_t> lab_sizes(const LabConfig& config, std::string_view experiment = {}, int dimensions = 0);

/// Reports progress: done, total, and what comes next.
using LabProgress = std::function<void(std::uint64_t done, std::uint64_t total, const std::string& next)>;

/// A line of the menu. `orrery lab`, `orrery list` and the tests read it.
struct LabEntry {
    std::string_view id, label, doc;
    LabTable (*run)(const LabConfig& config, const LabProgress& progress);
    std::uint32_t most_bodies = 65536;  ///< what it takes at most; run() throws Error{kUsage} beyond
};

std::span<const LabEntry> experiments();
/// The ids of lab_forms() that an experiment has, where it times them the baseline first; none where maps do not
/// matter.
std::vector<std::string_view> forms_of(std::string_view experiment);

/// Bodies on a side of a tile, in ρ.
std::uint32_t tile_span(std::string_view experiment);

LabEntry exactness_experiment();  ///< core/lab/exactness.cpp
LabEntry accuracy_experiment();   ///< core/lab/accuracy.cpp
LabEntry orders_experiment();     ///< core/lab/orders.cpp
LabEntry waste_experiment();      ///< core/lab/waste.cpp
LabEntry tiles_experiment();      ///< core/lab/tiles.cpp
LabEntry programs_experiment();   ///< core/lab/programs.cpp
// core/lab/map_experiments.cpp
LabEntry roots_experiment();
LabEntry dummy_experiment();
LabEntry edm_experiment();
LabEntry collision_experiment();
LabEntry collision_pairs_experiment();
LabEntry collision_rows_experiment();
LabEntry triplet_experiment();

}  // namespace orrery
