// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "app/picture/settings_of_compare_view.hpp"
#include "app/scene/scene_keys.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"

namespace orrery {
namespace {

/// The engine of simulation A in a scene file.
struct OfA {
    static constexpr std::string_view section = "engine";
    template <class File>
    static auto& in(File& file) {
        return file;
    }
    static bool given(const SceneFile& file) { return file.engine_given; }
};

/// The engine of simulation B.
struct OfB {
    static constexpr std::string_view section = "compare";
    static CompareScene& in(SceneFile& file) { return file.compare ? *file.compare : file.compare.emplace(); }
    static const CompareScene& in(const SceneFile& file) {
        static const CompareScene defaults;
        return file.compare ? *file.compare : defaults;
    }
    static bool given(const SceneFile& file) { return file.compare.has_value(); }
};

template <class Of>
struct EngineOf {
    template <class File>
    auto& operator()(File& file) const {
        return Of::in(file).engine;
    }
};

/// Accepts every engine of any build; for one that this build lacks, the error gives the reason.
template <class Of>
SceneKey engine_key(const EngineSetting& setting) {
    SceneKey key = key_of(Of::section, EngineOf<Of>{}, setting);
    key.read = [&setting](SceneFile& file, const SceneValue& value) {
        setting.member.set(Of::in(file).engine, value.setting(setting.info));
        value.checked([&] { any_engine(Of::in(file).engine.engine); });
    };
    key.write = [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
        if (!Of::given(file)) return std::nullopt;
        return toml_text(Of::in(file).engine.engine);
    };
    return key;
}

/// Optional: without it, the machine that opens the file chooses the backend.
template <class Of>
SceneKey backend_key(const EngineSetting& setting) {
    SceneKey key = key_of(Of::section, EngineOf<Of>{}, setting);
    key.read = [&setting](SceneFile& file, const SceneValue& value) {
        Of::in(file).backend = parse_backend(std::get<std::string>(value.setting(setting.info)));
    };
    key.write = [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
        if (!Of::in(file).backend) return std::nullopt;
        return toml_text(std::string{name(*Of::in(file).backend)});
    };
    return key;
}

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

std::span<const Setting<CompareScene>> compare_settings() {
    static const std::vector<Setting<CompareScene>> all = [] {
        SettingTable<CompareScene> add;
        add({.id = "softening",
             .label = "Softening",
             .doc = "softening length of B; default: that of A",
             .kind = RealKind{0, kUnlimited}},
            member<&CompareScene::softening>());
        add({.id = "dt_power",
             .label = "Step of B",
             .doc = "a step of B is 2^dt_power steps of A",
             .kind = WholeKind{-CompareSettings::kMostPower, CompareSettings::kMostPower}},
            member<&CompareScene::dt_power>());
        return std::move(add).all();
    }();
    return all;
}

template <class Of>
std::vector<SceneKey> engine_keys() {
    std::vector<SceneKey> keys;
    for (const EngineSetting& setting : engine_settings()) {
        if (!setting.info.in(place::kSceneFile)) continue;
        keys.push_back(setting.info.id == "engine"    ? engine_key<Of>(setting)
                       : setting.info.id == "backend" ? backend_key<Of>(setting)
                                                      : key_of(Of::section, EngineOf<Of>{}, setting));
    }
    return keys;
}

}  // namespace

std::vector<SceneKey> keys_of_engine() { return engine_keys<OfA>(); }

std::vector<SceneKey> keys_of_compare() {
    std::vector<SceneKey> keys = engine_keys<OfB>();
    std::ranges::move(keys_of(OfB::section, CompareOf{}, compare_settings()), std::back_inserter(keys));
    std::ranges::move(keys_of(OfB::section, CompareViewOf{}, compare_view_settings()), std::back_inserter(keys));
    return keys;
}

}  // namespace orrery
