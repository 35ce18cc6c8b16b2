// SPDX-License-Identifier: MIT
// The papers' timed experiments: every form over every size, each compared with the bounding box of the same run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/menu.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/lab/exactness.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/force_experiments.hpp"
#include "core/lab/gl/kernels.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/pairs.hpp"
#include "core/lab/simplex_variants.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

using Row = std::vector<LabValue>;

/// An experiment: its kernels and the variants it times.
struct Experiment {
    std::string_view id;
    MakeLabKernel cpu, cuda, gl;  ///< gl: null if there is none
    std::vector<int> dimensions;  ///< 0: not applicable
    std::uint32_t order() const { return tuple_order(id); }
    std::uint32_t most_bodies() const {
        return order() == 4 ? kMostLabQuadrupleBodies : order() == 3 ? kMostLabTripleBodies : kMostLabBodies;
    }
    std::uint32_t rho(const LabConfig& config) const {
        return order() == 4 ? kQuadrupleRho : order() == 3 ? kTripleRho : config.rho;
    }
    std::uint32_t side(const LabConfig& config) const {
        return rho(config) * tile_span(id);
    }  ///< bodies on a side of a tile
};

const std::vector<std::string>& columns() {
    static const std::vector<std::string> names{
        "map",    "root",        "rho",      "bodies", "dimensions", "repeat",       "median_ms", "min_ms",
        "p90_ms", "improvement", "verified", "why",    "clock_mhz",  "exact_bodies", "p10_ms",    "strip"};
    return names;
}
constexpr std::size_t kBodies = 3, kMedian = 6, kImprovement = 9, kVerified = 10, kStrip = 15;

struct Candidate {
    LabForm form;
    std::string_view root;  ///< empty if the form takes none
    FormChoice choice;
};

/// True for the baselines: bb, cube and hypercube.
bool is_reference(const LabForm& form) {
    return form.form == form_id<BoundingBox> || form.form == form3_id<BoundingCube> ||
           form.form == form4_id<HypercubeOfBlocks>;
}

bool offers(std::string_view experiment, const LabForm& form) {
    if (form.order != tuple_order(experiment)) return false;
    if (form.order > 2) return true;
    if (form.form == form_id<RectangularRows>) return experiment == "collision-rows";
    if (experiment != "roots") return form.form != form_id<Rooted<LambdaOffset>>;  // in no paper
    constexpr std::array exact{form_id<Rooted<Lambda>>, form_id<Rooted<LambdaGrid>>};
    return is_reference(form) || form.for_study || std::ranges::count(exact, form.form) > 0;
}

/// Defaults if no forms or roots are given: `roots` times all of its forms with all roots; the others time the exact
/// forms with the papers' roots X, N and R, or when quick with X and R.
bool default_form(std::string_view experiment, const LabForm& form) { return experiment == "roots" || !form.for_study; }
bool default_root(std::string_view experiment, const RootEntry& root, bool quick) {
    if (experiment == "roots" || tuple_order(experiment) > 2) return true;
    return root.id == "sqrt" || root.id == "rsqrt" || (root.id == "newton" && !quick);
}

LabForm form_of(const KernelForm& kernel) { return {.id = kernel.id, .doc = kernel.doc, .form = kKernelForm}; }

bool runs_on(const LabForm& form, Backend backend) {
    if (backend == Backend::kGl) return !form.strips && !form.clusters;
    return !form.clusters || backend == Backend::kCpu || cuda_info().devices.front().major >= 9;
}

bool wanted(const Experiment& experiment, const LabConfig& config, const LabForm& form) {
    if (!offers(experiment.id, form) || !runs_on(form, config.backend)) return false;
    return config.maps.empty() ? default_form(experiment.id, form) : config.wants_map(form.id);
}

std::vector<std::uint32_t> strips_of(const LabConfig& config) {
    return config.strips.empty() ? std::vector{kDefaultStrip} : config.strips;
}

/// The baseline, then the requested forms, the kernel file last.
std::vector<Candidate> candidates(const Experiment& experiment, const LabConfig& config, const KernelForm* kernel) {
    std::vector<Candidate> all;
    for (const LabForm& form : lab_forms()) {
        const bool reference = is_reference(form) && offers(experiment.id, form);
        if (!reference && !wanted(experiment, config, form)) continue;
        if (form.strips) {
            for (const std::uint32_t strip : strips_of(config))
                all.push_back({form, "", {.form = form.form, .strip = strip}});
            continue;
        }
        if (!form.takes_root) {
            all.push_back({form, "", {form.form}});
            continue;
        }
        for (const RootEntry& root : roots())
            if (config.roots.empty() ? default_root(experiment.id, root, config.quick) : config.wants_root(root.id))
                all.push_back({form, root.id, {form.form, root.root}});
    }
    if (kernel) all.push_back({form_of(*kernel), "", {kKernelForm}});
    return all;
}

/// Throws if none of the requested forms belongs to this experiment.
void require_forms(const Experiment& experiment, const LabConfig& config) {
    if (config.kernel && experiment.order() > 2)
        usage_error(fmt::format("{} has maps of {}; a kernel file is a map of pairs", experiment.id,
                                experiment.order() == 3 ? "triples" : "quadruples"));
    if (config.kernel ||
        std::ranges::any_of(lab_forms(), [&](const LabForm& form) { return wanted(experiment, config, form); }))
        return;
    const auto listed = [](const auto& ids) { return fmt::format("{}", fmt::join(ids, ", ")); };
    usage_error(fmt::format("{} has nothing to measure for the maps {}; choose among {}", experiment.id,
                            listed(config.maps), listed(forms_of(experiment.id))));
}

int repeats(const LabConfig& config) { return config.repeat > 0 ? config.repeat : config.quick ? 5 : 30; }

void require_sensible(const Experiment& experiment, const LabConfig& config) {
    for (const std::string& id : config.maps) find_in_menu(lab_forms(), "map", id);
    for (const std::string& id : config.roots) root(id);
    require_forms(experiment, config);
    if (config.rho != 8 && config.rho != 16 && config.rho != 32)
        usage_error(fmt::format("rho {}: must be 8, 16 or 32", config.rho));
    for (const std::uint32_t bodies : config.bodies)
        if (bodies < 1 || bodies > experiment.most_bodies())
            usage_error(
                fmt::format("{}: expected 1 to {} bodies, got {}", experiment.id, experiment.most_bodies(), bodies));
    for (const std::uint32_t strip : config.strips)
        if (strip < 1 || strip > kLongestStrip)
            usage_error(fmt::format("strip {}: expected 1 to {} tiles per block", strip, kLongestStrip));
    for (const int features : config.features)
        if (features < 1 || features > 4) usage_error(fmt::format("edm: expected 1 to 4 features, got {}", features));
    require_lab_backend(experiment.id, config.backend);
}

Row settings(const Candidate& candidate, const Experiment& experiment, const LabConfig& config, std::uint32_t bodies,
             int dimensions) {
    return {std::string{candidate.form.id},
            std::string{candidate.root},
            std::int64_t{experiment.rho(config)},
            std::int64_t{bodies},
            dimensions == 0 ? LabValue{} : LabValue{std::int64_t{dimensions}},
            std::int64_t{repeats(config)}};
}

/// The largest N for which a form without integer correction is exact; 0 if there is no limit.
std::int64_t exact_bodies(const Candidate& candidate, const Experiment& experiment, const LabConfig& config) {
    if (!candidate.form.for_study || !candidate.form.map) return 0;
    return std::int64_t{exact_rows(*candidate.form.map, candidate.choice.root, config.backend)} *
           experiment.side(config);
}

/// Empty if stopped.
std::optional<Row> measured(LabKernel& kernel, const Candidate& candidate, const LabConfig& config, Row row,
                            std::int64_t exact) {
    LabCheck check = kernel.check(candidate.choice);
    if (exact > 0 && std::get<std::int64_t>(row[kBodies]) > exact && !check.right)
        check.why = fmt::format("exact only up to N = {}: {}", exact, check.why);
    std::vector<double> times = kernel.seconds(candidate.choice, repeats(config), config.stop);
    if (times.size() < static_cast<std::size_t>(repeats(config))) return std::nullopt;
    const double clock = kernel.clock_mhz();
    std::ranges::sort(times);
    const auto ms = [&](std::size_t index) { return LabValue{1e3 * times[index]}; };
    row.push_back(ms(times.size() / 2));
    row.push_back(ms(0));
    row.push_back(ms(times.size() - 1 - times.size() / 10));
    row.emplace_back();
    row.emplace_back(check.right);
    row.push_back(check.right ? LabValue{} : LabValue{check.why});
    row.push_back(clock > 0 ? LabValue{clock} : LabValue{});
    row.push_back(exact > 0 ? LabValue{exact} : LabValue{});
    row.push_back(ms(times.size() / 10));  // the last columns: files that were written without them can be read on
    row.push_back(candidate.form.strips ? LabValue{std::int64_t{candidate.choice.strip}} : LabValue{});
    return row;
}

/// Sets the improvement time(bb)/time(map), only if both results are verified.
void compare(Row& row, const Row& bb) {
    if (std::get<bool>(row[kVerified]) && std::get<bool>(bb[kVerified]))
        row[kImprovement] = std::get<double>(bb[kMedian]) / std::get<double>(row[kMedian]);
}

class Run {
public:
    Run(const Experiment& experiment, const LabConfig& config, const LabProgress& progress)
        : experiment_{experiment},
          config_{config},
          progress_{progress},
          own_{config.kernel ? kernel_form(*config.kernel, config.backend) : nullptr},
          candidates_{candidates(experiment, config, own_.get())} {
        table_.columns = columns();
    }

    LabTable operator()() {
        const auto sizes = [&](int dimensions) { return lab_sizes(config_, experiment_.id, dimensions); };
        for (const int dimensions : experiment_.dimensions) total_ += sizes(dimensions).size() * candidates_.size();
        for (const int dimensions : experiment_.dimensions)
            for (const std::uint32_t bodies : sizes(dimensions))
                if (!kept(bodies, dimensions) && !measure(bodies, dimensions)) return std::move(table_);
        return std::move(table_);
    }

private:
    void add(Row row) {
        if (config_.on_row) config_.on_row(table_.columns, row);
        table_.rows.push_back(std::move(row));
    }

    /// Takes the rows of one size from earlier results if all are there, so that a map and its bounding box are of one
    /// run.
    bool kept(std::uint32_t bodies, int dimensions) {
        if (!config_.kept || own_) return false;  // the title of a kernel does not identify its code
        std::vector<Row> rows;
        for (const Candidate& candidate : candidates_) {
            const Row wanted = settings(candidate, experiment_, config_, bodies, dimensions);
            Row key = wanted;
            if (candidate.form.strips) key.resize(kStrip), key.emplace_back(std::int64_t{candidate.choice.strip});
            rows.push_back(config_.kept(experiment_.id, table_.columns, key));
            if (rows.back().size() != table_.columns.size()) return false;
            std::ranges::copy(wanted,
                              rows.back().begin());  // files do not distinguish an empty text from an empty cell
        }
        for (Row& row : rows) add(std::move(row));
        return true;
    }

    /// Returns false if stopped.
    bool measure(std::uint32_t bodies, int dimensions) {
        const MakeLabKernel make = config_.backend == Backend::kCpu    ? experiment_.cpu
                                   : config_.backend == Backend::kCuda ? experiment_.cuda
                                                                       : experiment_.gl;
        std::unique_ptr<LabKernel> kernel;
        Row bb;
        for (const Candidate& candidate : candidates_) {
            if (config_.stop && config_.stop()) return false;
            progress_(table_.rows.size(), total_,
                      fmt::format("{}{}{}, N = {}", candidate.form.id, candidate.root.empty() ? "" : " · ",
                                  candidate.root, bodies));
            if (!kernel) {
                kernel = make({bodies, experiment_.rho(config_), dimensions});
                if (own_) set_kernel_map(*kernel, own_);
            }
            auto row =
                measured(*kernel, candidate, config_, settings(candidate, experiment_, config_, bodies, dimensions),
                         exact_bodies(candidate, experiment_, config_));
            if (!row) return false;
            if (bb.empty()) bb = *row;
            compare(*row, bb);
            add(std::move(*row));
        }
        return true;
    }

    const Experiment& experiment_;
    const LabConfig& config_;
    const LabProgress& progress_;
    std::shared_ptr<const KernelForm> own_;  // of a kernel file; null: none
    std::vector<Candidate> candidates_;
    LabTable table_;
    std::uint64_t total_ = 0;
};

LabTable run(const Experiment& experiment, const LabConfig& config, const LabProgress& progress) {
    require_sensible(experiment, config);
    return Run{experiment, config, progress}();
}

}  // namespace

std::shared_ptr<const KernelForm> kernel_form(const KernelFile& file, Backend backend) {
    if (file.kind == KernelKind::kMap && (file.language != KernelLanguage::kCpp || backend != Backend::kCpu))
        usage_error(fmt::format("{}: the laboratory times thread maps of kernel files in c++ on cpu, not in {} on {}",
                                file.name, name(file.language), name(backend)));
    return std::make_shared<const KernelForm>(
        KernelForm{fmt::format("kernel {}", file.title), "the thread map of a kernel file", kernel_map(file)});
}

std::vector<std::string_view> forms_of(std::string_view experiment) {
    std::vector<std::string_view> ids;
    if (experiment == "exactness") return exactness_maps();
    constexpr std::array without{"tiles", "programs", "waste", "accuracy", "orders"};
    if (std::ranges::find(without, experiment) != without.end()) return ids;
    for (const LabForm& form : lab_forms())
        if (offers(experiment, form)) ids.push_back(form.id);
    return ids;
}

std::uint32_t tuple_order(std::string_view experiment) {
    return experiment == "triplet" ? 3 : experiment == "quadruplet" ? 4 : 2;
}

std::uint32_t tile_span(std::string_view experiment) {
    return experiment == "collision" ? kSpan : experiment == "collision-rows" ? kRowSpan : 1;
}

std::vector<std::uint32_t> lab_sizes(const LabConfig& config, std::string_view experiment, int dimensions) {
    if (!config.bodies.empty()) return config.bodies;
    if (experiment == "tiles") return tile_sizes(config);
    if (experiment == "programs") return program_sizes(config);
    const std::uint32_t order = tuple_order(experiment);
    if (config.quick)
        return order == 4   ? std::vector{32u, 64u, 96u}
               : order == 3 ? std::vector{64u, 128u, 256u}
                            : std::vector{1024u, 2048u, 3072u};
    std::vector<std::uint32_t> sizes;
    const bool undrawn = experiment == "collision" || experiment == "collision-pairs" || experiment == "automaton" ||
                         (experiment == "edm" && (dimensions == 2 || dimensions == 3));
    const std::uint32_t step = order == 4 ? 32 : order == 3 ? 64 : undrawn ? 3072 : 1024;
    const std::uint32_t most = order == 4 ? 256 : order == 3 ? 1024 : 30720;
    for (std::uint32_t bodies = step; bodies <= most; bodies += step) sizes.push_back(bodies);
    return sizes;
}

LabEntry roots_experiment() {
    return {"roots", "Square roots",
            "lambda with each square root, with integer correction and as published, in the dummy kernel",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"roots", cpu_dummy, cuda_dummy, gl_dummy, {0}}, config, progress);
            }};
}

LabEntry dummy_experiment() {
    return {"dummy", "Dummy kernel", "the map alone: every pair writes i + j to one address",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"dummy", cpu_dummy, cuda_dummy, gl_dummy, {0}}, config, progress);
            }};
}

LabEntry edm_experiment() {
    return {"edm", "Distance matrix", "Euclidean distances over 1 to 4 features, from global memory",
            [](const LabConfig& config, const LabProgress& progress) {
                const std::vector<int> features = config.features.empty() ? std::vector{1, 2, 3, 4} : config.features;
                return run({"edm", cpu_edm, cuda_edm, gl_edm, features}, config, progress);
            }};
}

LabEntry collision_experiment() {
    return {"collision", "Colliding spheres",
            "overlap of N spheres in one and three dimensions, tiles in shared memory, 4 x 4 pairs per thread",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"collision", cpu_collision, cuda_collision, gl_collision, {1, 3}}, config, progress);
            }};
}

LabEntry collision_pairs_experiment() {
    return {"collision-pairs", "Colliding spheres, pair by pair",
            "the same with one pair per thread: tiles of rho x rho pairs",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"collision-pairs", cpu_collision_pairs, cuda_collision_pairs, gl_collision_pairs, {1, 3}},
                           config, progress);
            }};
}

LabEntry collision_rows_experiment() {
    return {"collision-rows", "Colliding spheres, as published",
            "as in the authors' program: blocks of 8 rho threads, a row of 8 rho pairs each; only overlaps are written",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"collision-rows", cpu_collision_rows, cuda_collision_rows, gl_collision_rows, {1, 3}},
                           config, progress);
            }};
}

LabEntry automaton_experiment() {
    LabEntry entry{"automaton", "Cellular automaton",
                   "a step of the game of life on the triangle: each cell reads its eight neighbours",
                   [](const LabConfig& config, const LabProgress& progress) {
                       return run({"automaton", cpu_automaton, cuda_automaton, nullptr, {0}}, config, progress);
                   }};
    entry.on_gl = false;
    return entry;
}

LabEntry triplet_experiment() {
    return {"triplet",
            "Dummy kernel of triples",
            "the maps of triples i <= j <= k alone; i + j + k is written to one address, on a device by the last "
            "triple, on a CPU by each",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"triplet", cpu_triplet, cuda_triplet, nullptr, {0}}, config, progress);
            },
            kMostLabTripleBodies,
            false};
}

LabEntry quadruplet_experiment() {
    return {"quadruplet",
            "Dummy kernel of quadruples",
            "the maps of quadruples i <= j <= k <= l alone; i + j + k + l is written to one address, on a device by "
            "the last quadruple, on a CPU by each",
            [](const LabConfig& config, const LabProgress& progress) {
                return run({"quadruplet", cpu_quadruplet, cuda_quadruplet, nullptr, {0}}, config, progress);
            },
            kMostLabQuadrupleBodies,
            false};
}

namespace {

// Counts what each form launches and wastes: figure 3 (right) of the HPCC paper.

std::vector<LabForm> counted_forms(const LabConfig& config) {
    std::vector<LabForm> all;
    for (const std::string& id : config.maps) find_in_menu(lab_forms(), "map", id);
    for (const LabForm& form : lab_forms())
        if (form.order == 2 && (form.form == form_id<BoundingBox> || config.wants_map(form.id))) all.push_back(form);
    if (all.size() == 1 && !config.wants_map(all.front().id))
        usage_error(fmt::format("waste counts only maps of pairs; none among {}", fmt::join(config.maps, ", ")));
    return all;
}

/// Blocks outside of the triangle are wasted, as are threads without a pair.
LaunchCounts counts_of(const KernelForm& form, std::uint32_t bodies, std::uint32_t rho) {
    const std::uint64_t block = std::uint64_t{rho} * rho;
    const MapExactness found = exactness_of(form.map, (bodies + rho - 1) / rho);
    LaunchCounts counts;
    counts.launches = 1, counts.blocks = found.launched, counts.wasted_blocks = found.outside;
    counts.threads = counts.blocks * block, counts.wasted_threads = counts.threads - triangular(bodies);
    return counts;
}

LabTable run_waste(const LabConfig& config, const LabProgress& progress) {
    LabTable table{{"map", "rho", "bodies", "launches", "launched_blocks", "wasted_blocks", "launched_threads",
                    "wasted_threads", "wasted_part"},
                   {}};
    if (config.rho != 8 && config.rho != 16 && config.rho != 32)
        usage_error(fmt::format("rho {}: must be 8, 16 or 32", config.rho));
    const std::vector<LabForm> forms = counted_forms(config);
    const std::vector<std::uint32_t> sizes = lab_sizes(config, "waste");
    const auto own = config.kernel ? kernel_form(*config.kernel, config.backend) : nullptr;
    const std::size_t rows_of_size = forms.size() + (own ? 1 : 0);
    const auto whole = [](std::uint64_t count) { return LabValue{static_cast<std::int64_t>(count)}; };
    const auto add = [&](std::string_view id, std::uint32_t bodies, const LaunchCounts& counts) {
        table.rows.push_back({std::string{id}, whole(config.rho), whole(bodies), whole(counts.launches),
                              whole(counts.blocks), whole(counts.wasted_blocks), whole(counts.threads),
                              whole(counts.wasted_threads),
                              static_cast<double>(counts.wasted_blocks) / static_cast<double>(counts.blocks)});
        if (config.on_row) config.on_row(table.columns, table.rows.back());
    };
    for (const std::uint32_t bodies : sizes) {
        if (bodies < 1 || bodies > kMostLabBodies)
            usage_error(fmt::format("waste: expected 1 to {} bodies, got {}", kMostLabBodies, bodies));
        for (const LabForm& form : forms) {
            progress(table.rows.size(), sizes.size() * rows_of_size, fmt::format("{}, N = {}", form.id, bodies));
            const FormChoice choice{.form = form.form, .strip = strips_of(config).front()};
            add(form.id, bodies, launch_counts(choice, bodies, config.rho));
        }
        if (!own) continue;
        progress(table.rows.size(), sizes.size() * rows_of_size, fmt::format("{}, N = {}", own->id, bodies));
        add(own->id, bodies, counts_of(*own, bodies, config.rho));
    }
    return table;
}

}  // namespace

LabEntry waste_experiment() {
    return {"waste", "Wasted blocks", "blocks and threads that each map launches, and those without work; counted",
            run_waste};
}

}  // namespace orrery
