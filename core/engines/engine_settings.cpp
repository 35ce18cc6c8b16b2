// SPDX-License-Identifier: MIT
#include "core/engines/engine_settings.hpp"

#include <array>

#include "core/engines/choices.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

struct BackendChoice {
    std::string_view id, label, doc;
    Backend value;
};
constexpr auto kBackends = std::to_array<BackendChoice>({
    {"cpu", "cpu", "the CPU, on all its cores", Backend::kCpu},
    {"cuda", "cuda", "an NVIDIA GPU", Backend::kCuda},
    {"gl", "gl", "any GPU with OpenGL 4.3", Backend::kGl},
});

struct PrecisionChoice {
    std::string_view id, label, doc;
    Precision value;
};
std::span<const PrecisionChoice> precision_choices() {
    static const std::vector<PrecisionChoice> all = [] {
        std::vector<PrecisionChoice> choices;
        for (const Precision precision : precisions())
            choices.push_back({name(precision), name(precision), doc(precision), precision});
        return choices;
    }();
    return all;
}

/// The choices of a menu of maps or roots, with their full names.
template <class Entry>
ChoiceKind named_choices(std::span<const Entry> menu) {
    ChoiceKind kind;
    for (const Entry& entry : menu) kind.choices.push_back({entry.id, entry.title, entry.doc});
    return kind;
}

/// The maps of the menu, and those for study.
ChoiceKind map_choices() {
    ChoiceKind kind = named_choices(maps());
    for (const MapEntry& entry : study_maps()) kind.choices.push_back({entry.id, entry.title, entry.doc});
    return kind;
}

bool walks_triples(const EngineConfig& config) { return !walks_pairs(config) && !map_in_force(config).empty(); }

std::vector<OfferedNumber> tile_sizes(const EngineConfig& config) {
    if (walks_triples(config)) return {{0}, {16}, {32}};
    return {{0}, {32}, {64}, {128}, {256}, {384}, {512}, {768}, {1024}};
}

std::vector<OfferedNumber> orders(const EngineConfig& config) {
    const EngineEntry* const entry = find_engine(config);
    if (!entry) return {};
    std::vector<OfferedNumber> all{{0}};
    for (const int order : expansion_orders(*entry)) {
        const bool named = entry->has(Capability::kGroups);  // only trees; for fmm the number is clearer
        all.push_back({order, !named ? "" : order == 1 ? "monopoles" : "quadrupoles"});
    }
    return all;
}

std::vector<OfferedNumber> group_sizes(const EngineConfig& config) {
    if (config.backend == Backend::kCpu) return {{0}, {8}, {16}, {24}, {32}, {40}, {48}, {56}, {64}};
    return {{0}, {32}, {64}, {96}, {128}};
}

bool takes_root(const EngineConfig& config) {
    return walks_triples(config) ? simplex3_map(config.map3).takes_root : map(config.map).takes_root;
}
bool by_accuracy(const EngineConfig& config) { return std::holds_alternative<Accuracy>(mac_of(config.tree)); }
bool on_cpu(const EngineConfig& config) { return config.backend == Backend::kCpu; }

constexpr unsigned kInHead = place::kDefault & ~place::kColumn;  // `bench` has a column for values in force
constexpr SliderSpan kAccuracies{1e-5, 1e-2, "%.1e", true}, kAlphas{1e-5, 0.2, "%.2g", true}, kThetas{0.2, 1.2},
    kCutoffs{0, 2};

using E = EngineConfig;

std::vector<EngineSetting> table() {
    using enum Capability;
    SettingTable<E> add{"engine"};
    add({.id = "engine",
         .label = "Engine",
         .doc = "the force engine",
         .kind = choices_of(engines()),
         .places = kInHead},
        member<&E::engine>());
    add({.id = "backend",
         .label = "Backend",
         .doc = "where it runs; default: the best backend of the engine on this machine",
         .kind = choices_of(kBackends),
         .key = "B",
         .places = kInHead},
        member<&E::backend>(kBackends, &BackendChoice::value));
    add({.id = "precision",
         .label = "Precision",
         .doc = "precision of positions, velocities and forces; mixed: state in double, forces in single",
         .kind = choices_of(precision_choices()),
         .key = "Enter",
         .places = kInHead},
        member<&E::precision>(precision_choices(), &PrecisionChoice::value));
    add({.id = "map",
         .label = "Map",
         .doc = "thread map: how thread blocks are assigned to the tiles of the half matrix",
         .kind = map_choices(),
         .key = "M: the next one",
         .group = &kMapGroup,
         .places = kInHead},
        member<&E::map>());
    add({.id = "map3",
         .label = "Map",
         .doc = "thread map: how thread blocks are assigned to triples of tiles",
         .kind = named_choices(simplex3_maps()),
         .flag = "map",
         .key = "M: the next one",
         .group = &kMapGroup,
         .readers = Capabilities{kTripleMap}.bits(),
         .places = kInHead},
        member<&E::map3>());
    add({.id = "root",
         .label = "Root",
         .doc = "square root by which a map estimates a row; integers correct it",
         .kind = named_choices(roots()),
         .otherwise = "this map takes no square root",
         .group = &kMapGroup,
         .readers = Capabilities{kPairMap, kTripleMap}.bits(),
         .places = kInHead},
        member<&E::root>(), takes_root);
    add({.id = "threads",
         .label = "Threads",
         .doc = "number of threads of CPU engines; 0: all cores",
         .kind = WholeKind{0, 4096},
         .places = kInHead & ~place::kPanel},
        member<&E::threads>());
    add({.id = "tile_p",
         .label = "p",
         .doc = "threads per block, and bodies of a tile in shared memory; 0: by N",
         .kind = WholeKind{0, 1024, 32},
         .group = &kTileGroup},
        member<&E::tile, &TileConfig::p>(), {},
        [](const E&) { return std::vector<OfferedNumber>{{0}, {32}, {64}, {128}, {256}, {512}, {1024}}; });
    add({.id = "tile_u",
         .label = "u",
         .doc = "unroll factor of the inner loop; 0: by N",
         .kind = SizesKind{{{0}, {1}, {2}, {4}, {8}, {16}, {32}}},
         .group = &kTileGroup},
        member<&E::tile, &TileConfig::u>());
    add({.id = "tile_q",
         .label = "q",
         .doc = "threads per body, p·q at most 1024; 0: by N",
         .kind = SizesKind{{{0}, {1}, {2}, {4}, {8}}},
         .group = &kTileGroup},
        member<&E::tile, &TileConfig::q>());
    add({.id = "tile_s",
         .label = "s",
         .doc = "column splits: number of blocks that divide the columns between them; 1: as in GPU Gems 3, chapter "
                "31, 0: by N",
         .kind = SizesKind{{{0}, {1}, {2}, {4}, {8}, {16}, {32}, {64}}},
         .group = &kTileGroup},
        member<&E::tile, &TileConfig::s>());
    add({.id = "tile_k",
         .label = "k",
         .doc = "bodies per thread, held in registers; 0: by N",
         .kind = SizesKind{{{0}, {1}, {2}, {4}, {8}}},
         .group = &kTileGroup},
        member<&E::tile, &TileConfig::k>());
    add({.id = "rows",
         .label = "Tile size",
         .doc = "tile size ρ: bodies on a side of a tile; 0: by N",
         .kind = WholeKind{0, 65536},
         .column = "tile_rows",
         .group = &kMapGroup,
         .readers = Capabilities{kPairMap, kTripleMap}.bits()},
        member<&E::tile_size>(), {}, tile_sizes);
    add({.id = "strip",
         .label = "Strip",
         .doc = "tiles per block of `half`, consecutive in the grid of the map, after one root; 0: one, or as "
                "`bench --tune` measured",
         .kind = SizesKind{{{0}, {1}, {2}, {4}, {8}, {16}, {32}, {64}}},
         .group = &kMapGroup,
         .readers = Capabilities{kStrips}.bits()},
        member<&E::strip>());
    add({.id = "kernel",
         .label = "Kernel",
         .doc = "text of a kernel file: the force of engine kernel, or the thread map of engine half",
         .kind = TextKind{},
         .group = &kKernelGroup,
         .places = place::kSceneFile},
        member<&E::kernel>());
    add({.id = "equal_masses",
         .label = "Equal masses",
         .doc = "`half` saves two multiplications per pair where all bodies of two tiles have the same mass",
         .kind = FlagKind{"any", "auto"},
         .flag = "masses",
         .group = &kMapGroup},
        member<&E::equal_masses>());
    add({.id = "deterministic",
         .label = "Deterministic",
         .doc = "bitwise identical results on every run, from engines that otherwise add in the order in which blocks "
                "finish; slower",
         .kind = FlagKind{}},
        member<&E::deterministic>());
    add({.id = "compensated",
         .label = "Compensated sums",
         .doc = "compensated summation (Kahan 1965): positions and velocities keep what rounding would lose at each "
                "step, for long runs; on the CPU, not with Hermite schemes",
         .kind = FlagKind{},
         .places = kInHead},
        member<&E::compensated>(), on_cpu);
    add({.id = "accuracy",
         .label = "Accuracy",
         .doc = "requested relative RMS error of the forces; 0: 1e-3",
         .kind = RealKind{0, 0.1, kAccuracies},
         .group = &kTreeGroup,
         .instead_of = "opening"},
        member<&E::tree, &TreeConfig::accuracy>());
    add({.id = "keep_accuracy",
         .label = "Keep accuracy",
         .doc = "measure the error at fixed steps and scale the criterion so that it stays at 0.5 to 1.05 times "
                "`accuracy`; without effect on α and θ",
         .kind = FlagKind{},
         .group = &kTreeGroup},
        member<&E::tree, &TreeConfig::keep_accuracy>(), by_accuracy);
    add({.id = "alpha",
         .label = "α",
         .doc = "relative acceptance criterion: allowed error of a cell as a fraction of the acceleration; 0: by "
                "`accuracy`",
         .kind = RealKind{0, kUnlimited, kAlphas},
         .group = &kTreeGroup,
         .instead_of = "opening"},
        member<&E::tree, &TreeConfig::alpha>());
    add({.id = "theta",
         .label = "θ",
         .doc = "geometric acceptance criterion: opening angle, smaller is more accurate and slower; 0: the relative "
                "criterion",
         .kind = RealKind{0, 2, kThetas},
         .group = &kTreeGroup,
         .readers = Capabilities{kTree}.bits(),
         .instead_of = "opening"},
        member<&E::tree, &TreeConfig::theta>());
    add({.id = "cutoff",
         .label = "Cut-off",
         .doc = "the thesis' criterion: a cell is accepted from this distance on, whatever its size; 0: by `theta`",
         .kind = RealKind{0, kUnlimited, kCutoffs},
         .group = &kTreeGroup,
         .readers = Capabilities{kCutoff}.bits(),
         .instead_of = "opening"},
        member<&E::tree, &TreeConfig::cutoff>());
    add({.id = "order",
         .label = "Order",
         .doc = "order of the expansion of a cell; tree: 1, monopoles, or 2, quadrupoles; fmm: 1 to 6, or 8; 0: the "
                "engine chooses",
         .kind = SizesKind{{{0}, {1, "monopoles"}, {2, "quadrupoles"}, {3}, {4}, {5}, {6}, {8}}},
         .group = &kTreeGroup},
        member<&E::tree, &TreeConfig::order>(), {}, orders);
    add({.id = "leaf",
         .label = "Leaf size",
         .doc = "maximum number of bodies in a leaf; 0: the engine chooses",
         .kind = SizesKind{{{0}, {8}, {16}, {32}, {64}, {128}, {256}, {512}}},
         .group = &kTreeGroup},
        member<&E::tree, &TreeConfig::leaf>());
    add({.id = "group",
         .label = "Group size",
         .doc = "maximum number of neighbouring bodies that share a tree walk; 0: the engine chooses",
         .kind = WholeKind{0, 128, 8},
         .group = &kTreeGroup,
         .readers = Capabilities{kGroups}.bits()},
        member<&E::tree, &TreeConfig::group>(), {}, group_sizes);
    add({.id = "background",
         .label = "Background",
         .doc = "CPU threads run at low priority, so that the window stays smooth",
         .kind = FlagKind{},
         .places = 0},
        member<&E::background>());
    return std::move(add).all();
}

}  // namespace

std::span<const EngineSetting> engine_settings() {
    static const std::vector<EngineSetting> all = table();
    return all;
}

EngineConfig default_engine_config() {
    EngineConfig config;
    config.tree.keep_accuracy = true;
    return config;
}

bool reads(const EngineEntry& entry, const SettingInfo& info) {
    if (!info.group) return true;
    return entry.capabilities.has_any(Capabilities{info.readers != 0 ? info.readers : info.group->readers});
}

void require_accepted(const SettingGroup& group, const EngineConfig& config) {
    for (const EngineSetting& each : engine_settings())
        if (each.info.group == &group) require_accepted(each.info, each.member.get(config));
}

}  // namespace orrery
