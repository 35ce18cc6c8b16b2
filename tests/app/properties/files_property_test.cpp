// SPDX-License-Identifier: MIT
// Scene files, sessions and user settings read back as the same values, and write the same text again.
#include <cmath>

#include "app/record/record_settings.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/session.hpp"
#include "app/window/user_settings.hpp"
#include "core/physics/pair_law.hpp"
#include "tests/app/properties/session_moves.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/settings.hpp"

namespace orrery::test {
namespace {

/// Text with quotes, escapes, comment signs and non-ASCII characters.
std::string any_text(Draw& draw) {
    std::string text;
    for (std::size_t left = draw.below(10); left > 0; --left)
        text += draw.of({"a", "\"", "\\", "#", "'", "=", "[", "]", "\t", "π", "☉", "é", " ", "\"\"\"", "\x7f", "\n"});
    return text;
}

/// A number with arbitrary bits within the range of a setting.
double any_within(Draw& draw, double low, double high) {
    const double span = std::min(high, 1e30) - std::max(low, -1e30);
    const double share = static_cast<double>(draw.below(1u << 31)) * 0x1p-31;
    const double number = std::max(low, -1e30) + span * std::pow(share, static_cast<double>(draw.of({1, 3, 40})));
    return std::clamp(number, low, high);
}

SettingValue any_value(const SettingInfo& info, Draw& draw) {
    const std::vector<SettingValue> values = accepted_values(info);
    SettingValue value = values[draw.below(values.size())];
    if (const auto* kind = std::get_if<RealKind>(&info.kind); kind && draw.flip()) {
        const double number = any_within(draw, kind->low, kind->high);
        if (!kind->above_low || number > kind->low) value = number;
    }
    if (const auto* kind = std::get_if<TextKind>(&info.kind); kind && !kind->accepts) value = any_text(draw);
    return value;
}

template <class Config>
void any_settings(std::span<const Setting<Config>> table, unsigned place, Config& config, Draw& draw) {
    for (const Setting<Config>& each : table)
        if (each.info.in(place) && draw.below(3) == 0) each.member.set(config, any_value(each.info, draw));
}

CameraPose any_pose(Draw& draw) {
    const auto any = [&] { return any_within(draw, -1e6, 1e6); };
    return {{any(), any(), any()}, any_within(draw, 1e-9, 1e9), any(), any(), any_within(draw, 0.1, 1.5)};
}

SceneFile any_file(Draw& draw) {
    SceneFile file;
    file.scene = draw.scene();
    file.scene.seed = draw.flip() ? 1 : draw.below(1u << 31) << 20;
    if (draw.flip()) file.scene.dt = any_within(draw, 1e-300, 1e30);
    if (draw.flip()) file.scene.softening = any_within(draw, 0, 1e30);
    if (draw.flip()) file.scene.adaptive = any_within(draw, 0, 1);
    if (draw.flip()) file.speed = any_within(draw, 0, 1e9);
    file.title = file.scene.label = any_text(draw), file.watch = any_text(draw);
    any_settings(engine_settings(), place::kSceneFile, file.engine, draw);
    const auto has_it = [&](const EngineEntry& entry) { return entry.id == file.engine.engine; };
    if (std::ranges::none_of(engines(), has_it)) file.engine.engine = "direct";  // CUDA only, not in this build
    file.engine_given = true;
    file.backend = Backend::kCpu, file.engine.backend = Backend::kCpu;
    any_settings(view_settings(), place::kSceneFile, file.view, draw);
    any_settings(camera_settings(), place::kSceneFile, file.camera, draw);
    any_settings(record_settings(), place::kSceneFile, file.record, draw);
    if (draw.flip()) file.figures = draw.flip();
    return file;
}

class FileProperties : public Scratch {};

TEST_F(FileProperties, ScenesRoundTrip) {
    check({100, 50'000}, [this] {
        Draw draw{static_cast<std::uint32_t>(any_in(0, 1 << 30))};
        const SceneFile file = any_file(draw);
        const std::string text = scene_text(file, path(""));
        RC_LOG() << text;
        const SceneFile back = parse_scene(text, "any.toml", path(""));
        RC_ASSERT(scene_text(back, path("")) == text);
        RC_ASSERT((back.engine == file.engine && back.view == file.view && back.record == file.record));
        RC_ASSERT((back.camera == file.camera && back.scene == file.scene && back.watch == file.watch));
        RC_ASSERT((back.speed == file.speed && back.figures == file.figures && back.title == file.title));
    });
}

NamedSets any_sets(Draw& draw) {
    NamedSets sets;
    sets.store({"hot \"gas\"", {0, draw.below(1u << 31), std::uint64_t{1} << 63}, draw.flip()});
    if (draw.flip()) sets.store({"none", {}, false});
    return sets;
}

ComputedAction any_action(Draw& draw) {
    switch (draw.below(18)) {
        case 0:
            return SetEngine{draw.engine()};
        case 1:
            return SetDt{any_within(draw, 1e-300, 1e30)};
        case 2:
            return draw.integrator();
        case 3:
            return SetSoftening{any_within(draw, 0, 1e30)};
        case 4:
            return SetColorBy{draw.line(color_modes()).by};
        case 5:
            return SetCompare{draw.compare()};
        case 6:
            return RestartCompare{};
        case 7:
            return StopCompare{};
        case 12:
            return EditBodies{draw.edit()};
        case 13:
            return Undo{};
        case 14:
            return Redo{};
        case 15:
            return SetEncounters{{.kind = draw.line(encounter_kinds()).kind,
                                  .density = any_within(draw, 0, 1e30),
                                  .radius = any_within(draw, 0, 1e30),
                                  .restitution = any_within(draw, 0, 1)}};
        case 8:
            return SetLaw{draw.line(pair_laws()).value, any_within(draw, 0, 1e30), any_within(draw, 0, 1e30)};
        case 9:
            return ShowTime{any_within(draw, -1e30, 1e30)};
        case 10:
            return SetPlayRate{any_within(draw, 1e-300, 1e30)};
        case 11:
            return LeaveSeries{};
        case 16:
            return SetFilter{draw.flip() ? "x > 0 & \"r\" < 1" : "", draw.flip() ? any_sets(draw) : NamedSets{}};
        default:
            return LoadScene{draw.scene(), draw.flip() ? std::optional{draw.engine()} : std::nullopt};
    }
}

TEST_F(FileProperties, SessionsRoundTrip) {
    check({60, 10'000}, [this] {
        Draw draw{static_cast<std::uint32_t>(any_in(0, 1 << 30))};
        const SceneFile start = any_file(draw);
        std::vector<SessionEvent> events;
        std::uint64_t picture = 0;
        {
            SessionWriter writer{path("any.session.toml"), start};
            for (std::size_t left = 1 + draw.below(8); left > 0; --left) {
                SessionEvent event{.picture = picture += draw.below(4),
                                   .step = static_cast<std::int64_t>(draw.below(1e9))};
                if (draw.flip()) event.pose = any_pose(draw);
                if (draw.flip()) any_settings(view_settings(), place::kSceneFile, event.view.emplace(), draw);
                if (draw.below(3) > 0) event.actions.push_back(any_action(draw));
                event.end = left == 1;
                writer.add(event);
                events.push_back(event);
            }
        }
        RC_LOG() << content(path("any.session.toml"));
        const Session back = read_session(path("any.session.toml"));
        RC_ASSERT(back.events.size() == events.size());
        for (std::size_t i = 0; i < events.size(); ++i) RC_ASSERT((back.events[i] == events[i]));
        RC_ASSERT(back.pictures() == picture);
        RC_ASSERT(scene_text(back.start, path("")) == scene_text(start, path("")));
    });
}

TEST_F(FileProperties, UserSettingsRoundTrip) {
    check({60, 10'000}, [this] {
        Draw draw{static_cast<std::uint32_t>(any_in(0, 1 << 30))};
        UserSettings settings;
        any_settings(window_settings(), ~0u, settings, draw);
        any_settings(view_settings(), place::kUserFile, settings.view, draw);
        write_user_settings(path("any.toml"), settings);
        const UserSettingsRead back = read_user_settings(path("any.toml"));
        RC_ASSERT(back.problems.empty());
        RC_ASSERT((back.settings == settings));
    });
}

}  // namespace
}  // namespace orrery::test
