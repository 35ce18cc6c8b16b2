// SPDX-License-Identifier: MIT
#include "core/lab/exactness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/pool.hpp"
#include "core/kernels/prepared_kernel.hpp"
#include "core/lab/experiments.hpp"
#include "core/lab/gl/kernels.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/map.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kMostRowsScanned = 1u << 20;
constexpr std::uint32_t kMostThreadsScanned = 32768;  // each n has n rows to check
// Claimed in the papers: N ≤ 30 720 at ρ = 16, and n ≤ 3000 for the thread-space UTM.
constexpr std::int64_t kTile = 16, kClaimedBodies = 30720, kClaimedThreads = 3000;

/// The smallest i in [first, limit) for which right(i) is false; `limit` if there is none.
template <class Right>
std::uint32_t least_wrong(std::uint32_t first, std::uint32_t limit, const Right& right) {
    constexpr std::uint32_t chunk = 64;
    std::atomic<std::uint32_t> least{limit};
    Pool pool{0, false};
    pool.parallel_for(first / chunk, (limit + chunk - 1) / chunk, [&](std::uint64_t part) {
        const auto begin = std::max(first, static_cast<std::uint32_t>(part) * chunk);
        const auto end = std::min<std::uint64_t>(limit, (part + 1) * chunk);
        for (std::uint32_t i = begin; i < end && i < least; ++i) {
            if (right(i)) continue;
            for (std::uint32_t known = least; i < known && !least.compare_exchange_weak(known, i);) {
            }
        }
    });
    return least;
}

void require(Backend where) { require_lab_backend("exactness", where); }

/// Maps in GLSL have indices of 32 bits.
std::uint32_t rows_scanned(Backend where) { return where == Backend::kGl ? kNarrowRows : kMostRowsScanned; }

/// The measured forms. The first is ours, which should have no limit; if it had one, the measurement would show it.
constexpr std::array kForms{map_id<Rooted<Lambda>>, map_id<Rooted<LambdaPublished>>, map_id<Rooted<LambdaOffset>>,
                            map_id<Rooted<LambdaPublishedGrid>>};
constexpr std::string_view kUtmForm = "utm-threads";  // among lab_forms()

std::string_view id_of(MapId id) {
    for (const auto& menu : {maps(), study_maps()})
        for (const MapEntry& entry : menu)
            if (entry.map == id) return entry.id;
    return {};
}

LabValue found(std::uint32_t first_wrong, std::uint32_t limit) {
    return first_wrong == limit ? LabValue{} : LabValue{std::int64_t{first_wrong}};
}

std::vector<LabValue> lambda_row(MapId form, const RootEntry& root, Backend where) {
    const std::uint32_t scanned = rows_scanned(where), rows = first_wrong_row({form, root.root}, scanned, where);
    const bool ours = form == map_id<Rooted<Lambda>>;
    const std::int64_t bodies = kTile * rows;
    return {std::string{id_of(form)},
            std::string{root.id},
            std::string{"rows of tiles"},
            found(rows, scanned),
            std::int64_t{scanned},
            bodies,
            ours ? LabValue{} : LabValue{kClaimedBodies},
            ours ? LabValue{} : LabValue{bodies >= kClaimedBodies}};
}

std::vector<LabValue> utm_row(const RootEntry& root, Backend where) {
    const std::uint32_t threads = first_wrong_utm(root.root, kMostThreadsScanned, where);
    const std::int64_t bodies = std::int64_t{threads} - 1;
    return {std::string{"utm in thread space"},
            std::string{root.id},
            std::string{"threads on a side"},
            found(threads, kMostThreadsScanned),
            std::int64_t{kMostThreadsScanned},
            bodies,
            kClaimedThreads,
            bodies >= kClaimedThreads};
}

constexpr std::uint32_t kMostKernelRows = 4096;  // each number of rows is evaluated as a whole

/// A kernel file is judged by its results, so it may be in any language.
std::vector<LabValue> kernel_row(const KernelFile& file) {
    const MapVerdict verdict = judge_map(kernel_map(file), kMostKernelRows);
    const std::uint32_t exact = verdict.first_wrong ? verdict.first_wrong->rows - 1 : kMostKernelRows;
    return {fmt::format("kernel {}", file.title),
            std::string{},
            std::string{"rows of tiles"},
            verdict.first_wrong ? LabValue{std::int64_t{verdict.first_wrong->rows}} : LabValue{},
            std::int64_t{kMostKernelRows},
            kTile * exact,
            LabValue{},
            LabValue{}};
}

/// A published form of triples.
struct Layers {
    std::string_view map, root;
    bool fp64;
    double epsilon;
};
constexpr std::array kLayers{Layers{"lambda3-published", "sqrt", false, 0},
                             Layers{"lambda3-epsilon", "sqrt", false, 1e-4},
                             Layers{"lambda3-epsilon-fp64", "fp64", true, 1e-4}};
constexpr std::uint32_t kMostLayersScanned = 1024;

std::vector<LabValue> layers_row(const Layers& form, Backend where) {
    const std::uint32_t layers = first_wrong_layer(form.fp64, form.epsilon, kMostLayersScanned, where);
    return {std::string{form.map},
            std::string{form.root},
            std::string{"layers of tiles"},
            found(layers, kMostLayersScanned),
            std::int64_t{kMostLayersScanned},
            std::int64_t{kTripleRho} * layers,
            LabValue{},
            LabValue{}};
}

constexpr std::string_view kExact4 = "lambda4", kTrusted4 = "lambda4-trusted", kTrusted4Fp64 = "lambda4-trusted-fp64";

std::vector<LabValue> layers4_row(std::string_view map, std::string_view root, Layers4Form form, Backend where) {
    const std::uint32_t layers = first_wrong_layer4(form, exact::kMostLayers4, where);
    return {std::string{map},
            std::string{root},
            std::string{"layers of tiles"},
            found(layers, exact::kMostLayers4),
            std::int64_t{exact::kMostLayers4},
            std::int64_t{kQuadrupleRho} * layers,
            LabValue{},
            LabValue{}};
}

/// One row of the table: its name, and the function that measures it.
struct Range {
    std::string name;
    std::function<std::vector<LabValue>()> row;
};

std::vector<Range> ranges(const LabConfig& config) {
    for (const std::string& id : config.maps) find_in_menu(lab_forms(), "map", id);
    for (const std::string& id : config.roots) root(id);
    std::vector<Range> all;
    const auto add = [&](std::string_view form, const auto& row) {
        for (const RootEntry& root : roots())
            if (config.wants_root(root.id))
                all.push_back({fmt::format("{} with {}", form, root.id), [row, &root] { return row(root); }});
    };
    for (const MapId form : kForms)
        if (config.wants_map(id_of(form)))
            add(id_of(form), [&config, form](const RootEntry& root) { return lambda_row(form, root, config.backend); });
    if (config.kernel) all.push_back({config.kernel->title, [&config] { return kernel_row(*config.kernel); }});
    if (config.wants_map(kUtmForm))
        add("utm in thread space", [&config](const RootEntry& root) { return utm_row(root, config.backend); });
    for (const Layers& form : kLayers)  // neither triples nor quadruples on gl
        if (config.backend != Backend::kGl && config.wants_map(form.map) && config.wants_root(form.root))
            all.push_back({std::string{form.map}, [&config, &form] { return layers_row(form, config.backend); }});
    if (config.backend == Backend::kGl) return all;
    if (config.wants_map(kExact4))
        add(kExact4, [&config](const RootEntry& root) {
            return layers4_row(kExact4, root.id, {Layers4Form::Kind::kExact, root.root}, config.backend);
        });
    const auto add_trusted = [&](std::string_view map, std::string_view root, Layers4Form::Kind kind) {
        if (config.wants_map(map) && config.wants_root(root))
            all.push_back({std::string{map},
                           [&config, map, root, kind] { return layers4_row(map, root, {kind}, config.backend); }});
    };
    add_trusted(kTrusted4, "sqrt", Layers4Form::Kind::kTrusted);
    add_trusted(kTrusted4Fp64, "fp64", Layers4Form::Kind::kTrustedFp64);
    return all;
}

LabTable run(const LabConfig& config, const LabProgress& progress) {
    require(config.backend);
    LabTable table;
    table.columns = {"map", "root", "counted_in", "first_wrong", "scanned", "bodies", "claimed_bodies", "claim_holds"};
    const std::vector<Range> all = ranges(config);
    if (all.empty())
        usage_error(fmt::format("exactness has nothing to measure; choose among the maps {}",
                                fmt::join(exactness_maps(), ", ")));
    for (const Range& range : all) {
        if (config.stop && config.stop()) return table;
        progress(table.rows.size(), all.size(), range.name);
        std::vector<LabValue> row = range.row();
        if (config.on_row) config.on_row(table.columns, row);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::uint32_t first_wrong_row(AnyMap map, std::uint32_t limit, Backend where) {
    require(where);
    if (where == Backend::kCuda) return first_wrong_row_on_device(map, limit);
    if (where == Backend::kGl) return first_wrong_row_on_gl(map, limit);
    return least_wrong(0, limit, [&](std::uint32_t row) { return places_row(map, row, limit); });
}

std::uint32_t first_wrong_layer(bool fp64, double epsilon, std::uint32_t limit, Backend where) {
    require(where);
    if (where == Backend::kGl) usage_error("there are no maps of triples on gl");
    if (where == Backend::kCuda) return first_wrong_layer_on_device(fp64, epsilon, limit);
    return fp64 ? first_wrong_layer<double>(epsilon, limit)
                : first_wrong_layer<float>(static_cast<float>(epsilon), limit);
}

std::uint32_t first_wrong_layer4(Layers4Form form, std::uint32_t limit, Backend where) {
    require(where);
    if (where == Backend::kGl) usage_error("there are no maps of quadruples on gl");
    if (where == Backend::kCuda) return first_wrong_layer4_on_device(form, limit);
    return least_wrong(0, limit, [&](std::uint32_t l) { return places_layer4(form, l); });
}

std::vector<std::string_view> exactness_maps() {
    std::vector<std::string_view> ids;
    for (const MapId form : kForms) ids.push_back(id_of(form));
    ids.push_back(kUtmForm);
    for (const Layers& form : kLayers) ids.push_back(form.map);
    for (const std::string_view id : {kExact4, kTrusted4, kTrusted4Fp64}) ids.push_back(id);
    return ids;
}

std::uint32_t first_wrong_utm(RootId root, std::uint32_t limit, Backend where) {
    require(where);
    if (where == Backend::kCuda) return first_wrong_utm_on_device(root, limit);
    if (where == Backend::kGl) return first_wrong_utm_on_gl(root, limit);
    return least_wrong(2, limit, [&](std::uint32_t n) {
        for (std::uint32_t a = 1; a < n; ++a)
            if (!utm_places_row(root, a, n)) return false;
        return true;
    });
}

LabEntry exactness_experiment() {
    return {"exactness", "Exact ranges",
            "exact range of the published maps with each root, compared with the papers' claim", run};
}

}  // namespace orrery
