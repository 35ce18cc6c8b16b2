// SPDX-License-Identifier: MIT
#include <algorithm>

#include "app/scene/scene_keys.hpp"
#include "core/engines/joined_menus.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"

namespace orrery {
namespace {

template <class Entry>
std::vector<std::string_view> ids_of(std::span<const Entry> menu) {
    std::vector<std::string_view> ids;
    for (const Entry& entry : menu)
        if (ids.empty() || ids.back() != entry.id) ids.push_back(entry.id);
    return ids;
}

/// Where a file says what A computes with.
struct OfA {
    static constexpr std::string_view section = "engine";
    template <class File>
    static auto& in(File& file) {
        return file;
    }
    static bool given(const SceneFile& file) { return file.engine_given; }
};

/// The same of B.
struct OfB {
    static constexpr std::string_view section = "compare";
    static CompareScene& in(SceneFile& file) { return file.compare ? *file.compare : file.compare.emplace(); }
    static const CompareScene& in(const SceneFile& file) {
        static const CompareScene usual;
        return file.compare ? *file.compare : usual;
    }
    static bool given(const SceneFile& file) { return file.compare.has_value(); }
};

/// All that any build has: of an engine that this one lacks is said why.
template <class Of>
SceneKey engine_key() {
    std::vector<std::string_view> ids = ids_of(engines());
    for (const std::string_view id : cuda_only_engines())
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    return {Of::section,
            "engine",
            "an engine",
            "the force engine",
            [ids](SceneFile& file, const SceneValue& value) {
                Of::in(file).engine.engine = value.one_of(ids);
                value.checked([&] { any_engine(Of::in(file).engine.engine); });
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!Of::given(file)) return std::nullopt;
                return toml_text(Of::in(file).engine.engine);
            }};
}

template <class Of>
SceneKey backend_key() {
    return {Of::section,
            "backend",
            "cpu, cuda",
            "where it runs; without it, the best that the engine has here",
            [](SceneFile& file, const SceneValue& value) {
                Of::in(file).backend = parse_backend(value.one_of({"cpu", "cuda"}));
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!Of::in(file).backend) return std::nullopt;
                return toml_text(std::string{name(*Of::in(file).backend)});
            }};
}

template <class Of>
SceneKey precision_key() {
    return {Of::section,
            "precision",
            "single, mixed, double",
            "of positions, velocities and forces",
            [](SceneFile& file, const SceneValue& value) {
                Of::in(file).engine.precision = parse_precision(value.one_of({"single", "mixed", "double"}));
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                const Precision precision = Of::in(file).engine.precision;
                if (precision == EngineConfig{}.precision) return std::nullopt;
                return toml_text(std::string{name(precision)});
            }};
}

std::vector<std::string_view> map_ids() {
    std::vector<std::string_view> ids = ids_of(maps());
    for (const MapEntry& entry : study_maps()) {
        try {
            engine_map(entry.id);
        } catch (const Error&) {  // one that leaves the diagonal out is no map of an engine
            continue;
        }
        ids.push_back(entry.id);
    }
    return ids;
}

// What a Section goes by.
template <class Of>
struct EngineOf {
    template <class File>
    auto& operator()(File& file) const {
        return Of::in(file).engine;
    }
};
template <class Of>
struct TileOf {
    template <class File>
    auto& operator()(File& file) const {
        return Of::in(file).engine.tile;
    }
};
template <class Of>
struct TreeOf {
    template <class File>
    auto& operator()(File& file) const {
        return Of::in(file).engine.tree;
    }
};
struct CompareOf {
    template <class File>
    auto& operator()(File& file) const {
        return OfB::in(file);
    }
};
struct CompareViewOf {
    template <class File>
    auto& operator()(File& file) const {
        return OfB::in(file).view;
    }
};

template <class Of>
std::vector<SceneKey> engine_keys() {
    const Section engine{Of::section, EngineOf<Of>{}};
    const Section tile{Of::section, TileOf<Of>{}};
    const Section tree{Of::section, TreeOf<Of>{}};
    return {
        engine_key<Of>(),
        backend_key<Of>(),
        precision_key<Of>(),
        engine.whole("threads", &EngineConfig::threads, 0, 4096, "of engines on the CPU; 0: all cores"),
        engine.flag("deterministic", &EngineConfig::deterministic, "the same bits on every run"),
        engine.flag("compensated", &EngineConfig::compensated,
                    "sums of places and velocities keep what rounding takes; CPU"),
        engine.id("map", &EngineConfig::map, map_ids(), "thread map of `half`"),
        engine.id("map3", &EngineConfig::map3, ids_of(simplex3_maps()), "thread map of `triplet`"),
        engine.id("root", &EngineConfig::root, ids_of(roots()), "of maps that take a square root"),
        engine.whole("rows", &EngineConfig::rows, 0, 65536, "bodies on a side of a tile of `half`, `triplet`; 0: by N"),
        engine.flag("equal_masses", &EngineConfig::equal_masses,
                    "`half` saves work where the masses of tiles are equal"),
        tile.whole("tile_p", &TileConfig::p, 0, 1024, "tiles of `direct` on CUDA; 0: by N"),
        tile.whole("tile_u", &TileConfig::u, 0, 32, "likewise"),
        tile.whole("tile_q", &TileConfig::q, 0, 8, "likewise"),
        tile.whole("tile_k", &TileConfig::k, 0, 8, "likewise"),
        tree.real("accuracy", &TreeConfig::accuracy, 0, 0.1, "of trees: relative RMS error wanted; 0: 1e-3"),
        tree.real("alpha", &TreeConfig::alpha, 0, 1e6, "of trees: opening by relative force error; 0: by `accuracy`"),
        tree.real("theta", &TreeConfig::theta, 0, 2, "of trees: opening angle; 0: by relative force error"),
        tree.whole("order", &TreeConfig::order, 0, 2, "of trees: 1 monopoles, 2 quadrupoles; 0: the engine's choice"),
        tree.whole("leaf", &TreeConfig::leaf, 0, 64, "of trees: most bodies of a leaf; 0: the engine's choice"),
        tree.whole("group", &TreeConfig::group, 0, 128, "of trees: most bodies that share a walk; likewise"),
    };
}

}  // namespace

std::vector<SceneKey> keys_of_engine() { return engine_keys<OfA>(); }

std::vector<SceneKey> keys_of_compare() {
    const Section both{OfB::section, CompareOf{}};
    const Section view{OfB::section, CompareViewOf{}};
    std::vector<SceneKey> keys = engine_keys<OfB>();
    keys.insert(keys.end(),
                {both.real("softening", &CompareScene::softening, 0, kUnlimited, "of B, a length; without it, as A's"),
                 both.whole("dt_power", &CompareScene::dt_power, -CompareSettings::kMostPower,
                            CompareSettings::kMostPower, "a step of B is 2^dt_power steps of A long"),
                 view.menu("mode", &CompareView::mode, compare_modes(), &CompareModeEntry::mode, "how both are seen"),
                 view.real("divider", &CompareView::divider, 0.05, 0.95, "part of the picture that A has"),
                 view.flag("show_b", &CompareView::show_b, "of `flip`: B is seen"),
                 view.flag("plots", &CompareView::plots, "the window shows distances and energies")});
    return keys;
}

}  // namespace orrery
