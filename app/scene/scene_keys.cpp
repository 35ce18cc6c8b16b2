// SPDX-License-Identifier: MIT
#include "app/scene/scene_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/picture/compare_view.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/camera_csv.hpp"
#include "app/scene/scene_file.hpp"
#include "core/base/text.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/maps/maps.hpp"
#include "core/presets/presets.hpp"
#include "core/series/snapshot_files.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

// The structs with settings of a SceneFile, const or not.
constexpr auto kWhole = [](auto& file) -> auto& { return file; };
constexpr auto kRequest = [](auto& file) -> auto& { return file.scene; };
constexpr auto kView = [](auto& file) -> auto& { return file.view; };
constexpr auto kCamera = [](auto& file) -> auto& { return file.camera; };
constexpr auto kRecord = [](auto& file) -> auto& { return file.record; };
constexpr auto kSeries = [](auto& file) -> auto& { return file.series; };

/// The key of a setting. `in` is one of these functions.
template <class In, class Config>
SceneKey key_of(In in, const Setting<Config>& setting) {
    SceneKey key{setting.info.section, setting.info.id, takes_text(setting.info), doc_of(setting.info), {}, {}};
    key.read = [in, &setting](SceneFile& file, const SceneValue& value) {
        setting.member.set(in(file), value.setting(setting.info));
    };
    key.write = [in, &setting](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
        static const SceneFile defaults;
        const SettingValue value = setting.member.get(in(file));
        if (value == setting.member.get(in(defaults))) return std::nullopt;
        return toml_text(value);
    };
    return key;
}

/// A key that is not a setting, such as a list, and the setting that it precedes.
struct OwnKey {
    std::string_view before;
    SceneKey key;
};

/// The keys of those settings of a table that belong in scene files, in its order, and those of `own`.
template <class In, class Config>
std::vector<SceneKey> keys_of(In in, std::span<const Setting<Config>> table, const std::vector<OwnKey>& own = {}) {
    std::vector<SceneKey> keys;
    for (const Setting<Config>& each : table) {
        for (const OwnKey& one : own)
            if (one.before == each.info.id) keys.push_back(one.key);
        if (each.info.in(place::kSceneFile)) keys.push_back(key_of(in, each));
    }
    return keys;
}

std::vector<std::string_view> preset_ids() {
    std::vector<std::string_view> ids;
    for (const PresetEntry& entry : presets()) ids.push_back(entry.id);
    return ids;
}

bool is_preset(const SceneFile& file) { return std::ranges::count(preset_ids(), file.scene.source) > 0; }

SceneKey preset_key() {
    return {"scene",
            "preset",
            words_text(preset_ids()),
            "the bodies: one of the presets, or `file`",
            [](SceneFile& file, const SceneValue& value) { file.scene.source = value.one_of(preset_ids()); },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!is_preset(file)) return std::nullopt;
                return toml_text(file.scene.source);
            }};
}

/// A file, a folder, or a pattern, relative to the scene file.
std::string source_of(const SceneValue& value) {
    const std::filesystem::path path = value.path();
    if (!std::filesystem::is_regular_file(path) && !names_many(path.string()))
        value.refuse("an existing file or folder, or a pattern");
    return path.lexically_normal().string();
}

std::string source_text(const std::string& source, const std::filesystem::path& folder) {
    const auto absolute = std::filesystem::absolute(source);
    return toml_text(absolute.lexically_proximate(std::filesystem::absolute(folder)).string());
}

SceneKey file_key() {
    return {"scene",
            "file",
            "path, or list of paths",
            "the bodies: a snapshot, or as a series a folder, a pattern such as \"snap_*.h5\", or a list; relative to "
            "the scene file",
            [](SceneFile& file, const SceneValue& value) {
                if (!file.scene.source.empty()) value.refuse("either preset or file");
                if (!value.is_list()) return static_cast<void>(file.scene.source = source_of(value));
                const auto all = value.list();
                if (all.empty()) value.refuse("at least one path");
                file.scene.source = source_of(all.front());
                for (std::size_t i = 1; i < all.size(); ++i) file.scene.more.push_back(source_of(all[i]));
            },
            [](const SceneFile& file, const std::filesystem::path& folder) -> std::optional<std::string> {
                if (is_preset(file) || file.scene.source.empty()) return std::nullopt;
                std::string text = source_text(file.scene.source, folder);
                if (file.scene.more.empty()) return text;
                for (const std::string& more : file.scene.more) text += ", " + source_text(more, folder);
                return fmt::format("[{}]", text);
            }};
}

/// A number in the scene's unit of time, or a text with its own unit.
SceneKey dt_key() {
    return {"scene",
            "dt",
            "more than 0, or text with a unit",
            "step length; default: the scene's own",
            [](SceneFile& file, const SceneValue& value) {
                if (value.is_text()) {
                    value.checked([&] {
                        const Duration duration = parse_duration("dt", value.text());
                        file.scene.dt = duration.value;
                        if (duration.days == 0) return;
                        const Scene scene = open_scene_or_series(file.scene).scene;
                        file.scene.dt = in_units_of(scene.days_per_time, scene.id, "dt", duration);
                    });
                } else {
                    file.scene.dt = value.real(0, 1e300);
                }
                if (!(*file.scene.dt > 0)) value.refuse("a time above 0");
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!file.scene.dt) return std::nullopt;
                return toml_text(*file.scene.dt);
            }};
}

std::vector<SceneKey> keys_of_scene() {
    std::vector<OwnKey> of_request;
    for (SceneKey& key : keys_of(kRequest, scene_settings(),
                                 {{"bodies", preset_key()}, {"bodies", file_key()}, {"integrator", dt_key()}}))
        of_request.push_back({"speed", std::move(key)});
    return keys_of(kWhole, scene_file_settings(), of_request);
}

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

constexpr auto kB = [](auto& file) -> auto& { return OfB::in(file); };
constexpr auto kViewOfB = [](auto& file) -> auto& { return OfB::in(file).view; };

/// The key of a setting of an engine, in the section of this simulation.
template <class Of>
SceneKey key_of_engine(const EngineSetting& setting) {
    const auto engine = [](auto& file) -> auto& { return Of::in(file).engine; };
    SceneKey key = key_of(engine, setting);
    key.section = Of::section;
    return key;
}

/// Accepts every engine of any build; for one that this build lacks, the error gives the reason.
template <class Of>
SceneKey engine_key(const EngineSetting& setting) {
    SceneKey key = key_of_engine<Of>(setting);
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
    SceneKey key = key_of_engine<Of>(setting);
    key.read = [&setting](SceneFile& file, const SceneValue& value) {
        Of::in(file).backend = parse_backend(std::get<std::string>(value.setting(setting.info)));
    };
    key.write = [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
        if (!Of::in(file).backend) return std::nullopt;
        return toml_text(std::string{name(*Of::in(file).backend)});
    };
    return key;
}

template <class Of>
std::vector<SceneKey> engine_keys() {
    std::vector<SceneKey> keys;
    for (const EngineSetting& setting : engine_settings()) {
        if (!setting.info.in(place::kSceneFile)) continue;
        keys.push_back(setting.info.id == "engine"    ? engine_key<Of>(setting)
                       : setting.info.id == "backend" ? backend_key<Of>(setting)
                                                      : key_of_engine<Of>(setting));
    }
    return keys;
}

SceneKey scalar_range_key() {
    return {"view",
            "scalar_range",
            "[low, high]",
            "values at the ends of the colour map; default: the 2nd to 98th percentile",
            [](SceneFile& file, const SceneValue& value) {
                const auto ends = value.list();
                if (ends.size() != 2) value.refuse("a list of two numbers");
                const ScalarRange range{ends[0].real(-1e300, 1e300), ends[1].real(-1e300, 1e300)};
                if (!(range.low < range.high)) value.refuse("the lower end first");
                file.view.scalar_range = range;
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                const auto& range = file.view.scalar_range;
                if (!range) return std::nullopt;
                return fmt::format("[{}, {}]", toml_text(range->low), toml_text(range->high));
            }};
}

constexpr double kCameraFar = 1e300;

constexpr std::string_view kPoseMembers = "target, distance, yaw, pitch, fov";

/// The pose of an inline table that also has the member `more`.
CameraPose read_pose(const SceneValue& value, std::string_view more) {
    const std::vector<std::string_view> known{more, "target", "distance", "yaw", "pitch", "fov"};
    CameraPose pose;
    if (const auto v = value.member("target", known)) pose.target = v->vector();
    if (const auto v = value.member("distance", known)) pose.distance = v->real(1e-300, kCameraFar);
    if (const auto v = value.member("yaw", known)) pose.yaw = v->degrees(-36000, 36000);
    if (const auto v = value.member("pitch", known)) pose.pitch = v->degrees(-90, 90);
    if (const auto v = value.member("fov", known)) pose.fov = v->degrees(1, 170);
    return pose;
}

/// The required member that precedes the pose.
SceneValue first_member(const SceneValue& value, std::string_view name) {
    const auto member = value.member(name, {name, "target", "distance", "yaw", "pitch", "fov"});
    if (!member) value.refuse(fmt::format("a table with {}", name));
    return *member;
}

std::string pose_line(const std::string& first, const CameraPose& pose) {
    return fmt::format("    {{ {}, target = {}, distance = {}, yaw = {}, pitch = {}, fov = {} }},\n", first,
                       toml_text(pose.target), toml_text(pose.distance), toml_degrees(pose.yaw),
                       toml_degrees(pose.pitch), toml_degrees(pose.fov));
}

std::optional<std::string> as_list(const std::string& lines) {
    if (lines.empty()) return std::nullopt;
    return fmt::format("[\n{}]", lines);
}

SceneKey bookmarks_key() {
    return {"camera",
            "bookmarks",
            fmt::format("list of {{ place, {} }}", kPoseMembers),
            "cameras of the keys F1 to F8; angles in degrees",
            [](SceneFile& file, const SceneValue& value) {
                for (const SceneValue& each : value.list()) {
                    const SceneValue place = first_member(each, "place");
                    const auto at = static_cast<std::size_t>(place.whole(1, kCameraPlaces) - 1);
                    if (file.camera.bookmarks[at]) place.refuse("a slot that has no camera yet");
                    file.camera.bookmarks[at] = read_pose(each, "place");
                }
            },
            [](const SceneFile& file, const std::filesystem::path&) {
                std::string lines;
                for (std::size_t i = 0; i < file.camera.bookmarks.size(); ++i)
                    if (const auto& pose = file.camera.bookmarks[i])
                        lines += pose_line(fmt::format("place = {}", i + 1), *pose);
                return as_list(lines);
            }};
}

SceneKey path_key() {
    return {"camera",
            "path",
            fmt::format("list of {{ time, {} }}", kPoseMembers),
            "camera keyframes, times in seconds of video, ascending",
            [](SceneFile& file, const SceneValue& value) {
                for (const SceneValue& each : value.list())
                    file.camera.path.keys.push_back({first_member(each, "time").real(0, 1e9), read_pose(each, "time")});
                if (const auto problem = file.camera.path.problem()) value.refuse(fmt::format("a path ({})", *problem));
            },
            [](const SceneFile& file, const std::filesystem::path&) {
                std::string lines;
                for (const CameraKey& key : file.camera.path.keys)
                    lines += pose_line(fmt::format("time = {}", toml_text(key.time)), key.pose);
                return as_list(lines);
            }};
}

SceneKey target_key() {
    return {"camera",
            "target",
            "[x, y, z]",
            "target point, in the scene's unit of length; default: the centre of the bodies",
            [](SceneFile& file, const SceneValue& value) { file.camera.target = value.vector(); },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (!file.camera.target) return std::nullopt;
                return toml_text(*file.camera.target);
            }};
}

SceneKey patterns_key() {
    return {"run",
            "snapshots",
            "text, or list of texts",
            "series of snapshots of `run`, NAME_%04d.EXTENSION, relative to its working directory; several with "
            "different extensions",
            [](SceneFile& file, const SceneValue& value) {
                if (!value.is_list()) return file.series.patterns.push_back(value.text());
                for (const SceneValue& each : value.list()) file.series.patterns.push_back(each.text());
            },
            [](const SceneFile& file, const std::filesystem::path&) -> std::optional<std::string> {
                if (file.series.patterns.empty()) return std::nullopt;
                if (file.series.patterns.size() == 1) return toml_text(file.series.patterns.front());
                std::string text;
                for (const std::string& pattern : file.series.patterns)
                    text += (text.empty() ? "" : ", ") + toml_text(pattern);
                return fmt::format("[{}]", text);
            }};
}

}  // namespace

std::string words_text(const std::vector<std::string_view>& ids) { return fmt::format("{}", fmt::join(ids, ", ")); }

std::span<const SceneKey> scene_keys() {
    static const std::vector<SceneKey> table = [] {
        std::vector<SceneKey> all;
        const auto add = [&](std::vector<SceneKey> part) { std::ranges::move(part, std::back_inserter(all)); };
        add(keys_of_scene());
        add(engine_keys<OfA>());
        add(engine_keys<OfB>());
        add(keys_of(kB, compare_scene_settings()));
        add(keys_of(kViewOfB, compare_view_settings()));
        add(keys_of(kView, view_settings(), {{"dispersion", scalar_range_key()}}));
        add(keys_of(kCamera, camera_settings(),
                    {{"distance", target_key()}, {"path_loop", bookmarks_key()}, {"path_loop", path_key()}}));
        add(keys_of(kRecord, record_settings()));
        add(keys_of(kSeries, series_settings(), {{"snapshots_every", patterns_key()}}));
        return all;
    }();
    return table;
}

}  // namespace orrery
