// SPDX-License-Identifier: MIT
// Invariants of every table of settings, in scene files, the user's settings file and the command line.
#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

#include "app/cli/options.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/window/user_settings.hpp"
#include "core/engines/engine_settings.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/members.hpp"
#include "tests/support/settings.hpp"

namespace orrery::test {
namespace {

TEST(SettingTables, AreConsistent) {
    expect_sound(view_settings());
    expect_sound(camera_settings());
    expect_sound(record_settings());
    expect_sound(series_settings());
    expect_sound(window_settings());
}

/// A member without a description would be lost in files and have neither an option nor a control.
TEST(SettingTables, DescribeEveryMember) {
    // Structs count by their members; the two ends of a range, vectors and lists have separate keys.
    EXPECT_EQ(members<ViewSettings>() - 7 + members<ShownSpecies>() + members<TrailView>() + members<StarView>() +
                  members<GuideView>() + members<OctreeView>() + members<SpaceView>(),
              view_settings().size());
    EXPECT_EQ(members<CameraSettings>() - 3 + members<CameraPath>() - 1, camera_settings().size());
    EXPECT_EQ(members<RecordSettings>(), record_settings().size());
    EXPECT_EQ(members<SeriesSettings>() - 1, series_settings().size());
    EXPECT_EQ(members<UserSettings>() - 2, window_settings().size());
}

/// "--exposure=-2", "--no-trails"
std::string argument(const SettingInfo& info, const SettingValue& value) {
    const std::string flag = first_flag_of(info);
    const auto* kind = std::get_if<FlagKind>(&info.kind);
    if (!kind) return "--" + flag + "=" + text_of(value);
    const bool on = std::get<bool>(value);
    if (!kind->on.empty()) return "--" + flag + "=" + std::string{on ? kind->on : kind->off};
    return (on ? "--" : "--no-") + flag;
}

template <class Config>
void expect_options(std::span<const Setting<Config>> table) {
    for (const Setting<Config>& each : table) {
        if (!each.info.in(place::kCommandLine)) continue;
        for (const SettingValue& value : accepted_values(each.info)) {
            Config config, expected;
            CLI::App app;
            SettingOptions{app}.add(table, config);
            app.parse(std::vector<std::string>{argument(each.info, value)});
            each.member.set(expected, value);
            EXPECT_TRUE(config == expected) << argument(each.info, value);
        }
    }
}

TEST(SettingTables, AreReadFromTheCommandLine) {
    expect_options(view_settings());
    expect_options(camera_settings());
    expect_options(record_settings());
    expect_options(series_settings());
}

TEST(SettingTables, EngineSettingsAreReadFromTheCommandLine) {
    for (const EngineEntry& entry : engines()) {
        for (const EngineSetting& each : engine_settings()) {
            if (!reads(entry, each.info)) continue;
            for (const SettingValue& value : accepted_values(each.info)) {
                KnobOptions knobs;
                CLI::App app;
                add_knobs(app, knobs);
                if (!app.get_option_no_throw("--" + first_flag_of(each.info)))
                    continue;  // a general option of every
                               // command
                app.parse(std::vector<std::string>{argument(each.info, value)});
                EngineConfig config = default_engine_config(), expected = config;
                each.member.set(expected, value);
                knobs.apply(entry, config);
                EXPECT_EQ(config, expected) << entry.id << ' ' << argument(each.info, value);
            }
        }
    }
}

TEST(SettingTables, ErrorsNameTheOptionItsRangeAndTheValue) {
    const auto refused = [](auto table, auto config, const char* typed, const char* says) {
        CLI::App app;
        SettingOptions{app}.add(table, config);
        expect_error([&] { app.parse(std::vector<std::string>{typed}); }, Blame::kUsage, says);
    };
    refused(view_settings(), ViewSettings{}, "--exposure=21", "--exposure: expected a number from -20 to 20, found 21");
    refused(view_settings(), ViewSettings{}, "--mode=dots",
            "--mode: expected one of auto, points, splat, smoothed, found dots");
    refused(view_settings(), ViewSettings{}, "--color-mode=dots", "--color-by: expected one of");
    refused(view_settings(), ViewSettings{}, "--trail-points=1", "a whole number from 2 to 1024, found 1");
    refused(record_settings(), RecordSettings{}, "--fps=0", "--fps: expected a whole number from 1 to 1000, found 0");
}

class SettingFiles : public Scratch {
protected:
    /// Each value of each setting, stored in the part of a scene that `in` returns, survives writing and reading.
    template <class Config, class In>
    void expect_in_scenes(std::span<const Setting<Config>> table, In in) const {
        for (const Setting<Config>& each : table) {
            if (!each.info.in(place::kSceneFile) || each.info.id == "engine" || each.info.id == "backend") continue;
            for (const SettingValue& value : accepted_values(each.info)) {
                SceneFile scene;
                scene.scene.source = "plummer";
                scene.engine_given = true;
                each.member.set(in(scene), value);
                const std::string text = scene_text(scene, path(""));
                EXPECT_EQ(parse_scene(text, "test.toml", path("")), scene) << each.info.id << "\n" << text;
            }
        }
    }
};

TEST_F(SettingFiles, SceneFilesKeepEveryValue) {
    expect_in_scenes(engine_settings(), [](SceneFile& scene) -> EngineConfig& { return scene.engine; });
    expect_in_scenes(view_settings(), [](SceneFile& scene) -> ViewSettings& { return scene.view; });
    expect_in_scenes(camera_settings(), [](SceneFile& scene) -> CameraSettings& { return scene.camera; });
    expect_in_scenes(record_settings(), [](SceneFile& scene) -> RecordSettings& { return scene.record; });
    expect_in_scenes(series_settings(), [](SceneFile& scene) -> SeriesSettings& { return scene.series; });
}

TEST_F(SettingFiles, UserSettingsFileKeepsEveryValue) {
    const auto expect_back = [&](const UserSettings& settings, std::string_view id) {
        write_user_settings(path("settings.toml"), settings);
        const UserSettingsRead read = read_user_settings(path("settings.toml"));
        EXPECT_TRUE(read.problems.empty()) << id;
        EXPECT_EQ(read.settings, settings) << id;
    };
    for (const Setting<UserSettings>& each : window_settings())
        for (const SettingValue& value : accepted_values(each.info)) {
            UserSettings settings;
            each.member.set(settings, value);
            expect_back(settings, each.info.id);
        }
    for (const ViewSetting& each : view_settings()) {
        if (!each.info.in(place::kUserFile)) continue;
        for (const SettingValue& value : accepted_values(each.info)) {
            UserSettings settings;
            each.member.set(settings.view, value);
            expect_back(settings, each.info.id);
        }
    }
}

}  // namespace
}  // namespace orrery::test
