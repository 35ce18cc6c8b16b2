// SPDX-License-Identifier: MIT
#include "app/window/ui_map.hpp"

#include <nlohmann/json.hpp>

#include "app/ui/panels.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/features.hpp"
#include "app/window/ui_state.hpp"
#include "core/base/files.hpp"
#include "core/engines/choices.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {
namespace {

using Json = nlohmann::json;

template <class T>
Json known(bool is_known, const T& value) {
    return is_known ? Json(value) : Json();
}

Json cloud_json(const CloudStatus& cloud) {
    if (!cloud.on) return {};
    return {{"bodies", cloud.bodies}, {"shown", cloud.shown},     {"stands_for", cloud.stands_for},
            {"most", cloud.most},     {"spacing", cloud.spacing}, {"reading", cloud.reading},
            {"full", cloud.full},     {"cells", cloud.cells},     {"memory", cloud.memory}};
}

Json state_json(const UiState& state, const UiMapExtras& extras) {
    const Status& s = state.status;
    const auto drift = s.energy.drift(), momentum = s.structure.momentum_drift();
    Json map{
        {"scene", known(state.scene.ready, s.scene.id)},
        {"engine", s.engine.config.engine},
        {"engine_choice", s.engine.choice},
        {"backend", std::string{name(s.engine.config.backend)}},
        {"map", map_in_force(s.engine.config)},
        {"root", root_in_force(s.engine.config)},
        {"precision", std::string{name(s.engine.config.precision)}},
        {"deterministic", s.engine.config.deterministic},
        {"ranks", s.engine.ranks},
        {"shared", s.engine.shared},
        {"bodies", known(state.scene.ready, s.bodies)},
        {"step", known(state.scene.ready, s.step)},
        {"sim_time", known(state.scene.ready, s.time)},
        {"paused", s.pace.paused},
        {"ui_fps", known(state.performance.ui_fps > 0, state.performance.ui_fps)},
        {"steps_per_second", known(state.scene.ready, s.pace.steps_per_second)},
        {"force_ms", known(s.force.timing.count > 0, s.force.timing.median * 1e3)},
        {"rms_error", known(s.force.error.has_value(), s.force.error ? s.force.error->rms : 0)},
        {"accuracy_measured", known(s.force.acceptance.measured(), s.force.acceptance.error)},
        {"acceptance", s.force.acceptance.factor},
        {"energy_drift", known(drift.has_value(), drift.value_or(0))},
        {"momentum_drift", known(momentum.has_value(), momentum.value_or(0))},
        {"net_force", known(s.force.net.has_value(), s.force.net.value_or(0))},
        // The keys below may change from version to version.
        {"equal_masses", s.engine.config.equal_masses},
        {"compensated", s.engine.config.compensated},
        {"integrator", s.dynamics.integrator},
        {"adaptive", s.dynamics.adaptive},
        {"ladder", s.dynamics.ladder},
        {"message", extras.message},
        {"scene_serial", s.scene.serial},
        {"actions_done", s.actions_done},
        {"waits_for_start", s.scene.waits_for_start},
        {"guessed", {{"softening", s.scene.facts.softening_suggested}, {"dt", s.scene.facts.dt_suggested}}},
        {"format", s.scene.facts.format},
        {"notes", s.scene.notes},
        {"loading", s.scene.loading || !state.scene.ready},
        {"dt", s.dynamics.dt},
        {"softening", s.dynamics.gravity.softening},
        {"law", std::string{pair_law(s.dynamics.gravity.law).id}},
        {"sigma", s.dynamics.gravity.sigma},
        {"cut_off", s.dynamics.gravity.cut_off},
        {"speed_limit", s.pace.speed_limit},
        {"seed", state.requested.scene.seed},
        {"sites", state.requested.scene.sites},
        {"displacements", state.requested.scene.displacements},
        {"last_screenshot", extras.last_screenshot},
        {"last_export", extras.last_export},
        {"ui_cpu_ms", state.performance.ui_cpu_ms},
        {"width", state.picture.width},
        {"height", state.picture.height},
        {"last_scene", extras.last_scene},
        {"first_frame_ms", known(extras.first_frame_ms.has_value(), extras.first_frame_ms.value_or(0))},
        {"frames", extras.frames},
        {"typing", extras.typing},
        {"focus", extras.focus},
        {"typed", extras.typed},
        {"mouse", {extras.mouse_x, extras.mouse_y}},
        {"clicks", extras.clicks},
        {"saved", state.status.saving.path},
        {"cloud", cloud_json(s.source.cloud)},
        {"bodies_drawn", state.picture.bodies_drawn},
        {"gpu_ms", state.performance.gpu_ms},
        {"way", state.performance.way},
        {"camera_moving", extras.camera_moving},
        {"camera_yaw", extras.camera.yaw},
        {"camera_pitch", extras.camera.pitch},
        {"camera_distance", extras.camera.distance},
        {"camera_target", {extras.camera.target.x, extras.camera.target.y, extras.camera.target.z}},
    };
    for (const FeatureEntry& feature : features())
        if (feature.describe) feature.describe(map, state);
    return map;
}

}  // namespace

std::string ui_map_text(const WidgetMap& widgets, const UiState& state, const UiMapExtras& extras) {
    Json clickable = Json::object(), disabled = Json::object();
    Json without_tip = Json::array(), cut = Json::array(), primary = Json::array(), sliders = Json::object();
    for (const WidgetMap::Widget& w : widgets.widgets()) {
        (w.enabled ? clickable : disabled)[w.label] = {w.place.x0, w.place.y0, w.place.x1, w.place.y1};
        if (!w.tipped) without_tip.push_back(w.label);
        if (w.cut) cut.push_back(w.label);
        if (w.primary) primary.push_back(w.label);
        if (w.slider) sliders[w.label] = {{"value", w.slider->value}, {"reset", w.slider->reset}};
    }
    Json places = Json::object(), scrolls = Json::array();
    for (const WidgetMap::Place& each : widgets.places()) {
        places[each.name] = {each.place.x0, each.place.y0, each.place.x1, each.place.y1};
        if (each.scrolls) scrolls.push_back(each.name);
    }
    Json controls = Json::array();
    for (const WidgetMap::Control& each : widgets.controls()) controls.push_back(each.label);
    Json pages = Json::object();
    for (const PanelEntry& panel : panels()) pages[std::string{panel.label}] = std::string{label_of(panel.group)};
    const Json map{{"widgets", std::move(clickable)},
                   {"pages", std::move(pages)},
                   {"disabled", std::move(disabled)},
                   {"without_tip", std::move(without_tip)},
                   {"cut", std::move(cut)},
                   {"sliders", std::move(sliders)},
                   {"places", std::move(places)},
                   {"controls", std::move(controls)},
                   {"primary", std::move(primary)},
                   {"scrolls", std::move(scrolls)},
                   {"state", state_json(state, extras)}};
    // A path may contain bytes that are not UTF-8.
    return map.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string recording_map_text(const OfflineRecording& recording) {
    UiState state;
    Status& status = state.status;
    status.scene.id = recording.scene_id;
    status.bodies = recording.bodies;
    status.engine.config = state.requested.engine = recording.engine;
    status.dynamics.gravity = recording.gravity;
    status.dynamics.dt = recording.dt, status.time = recording.time, status.step = recording.step;
    if (const double force = recording.force_seconds; force > 0) status.force.timing = {force, force, force, 1};
    state.scene.ready = true;
    state.performance.ui_fps = recording.frames_per_second;
    if (recording.frames > 0)
        status.pace.steps_per_second =
            static_cast<double>(status.step) / static_cast<double>(recording.frames) * recording.frames_per_second;
    state.recording.now = {.active = true, .path = recording.video, .frames = recording.frames};
    return ui_map_text({}, state, {.frames = recording.frames});
}

void write_ui_map(const std::filesystem::path& path, const std::string& text) {
    OutputFile file{path};
    file.write(text);
    file.commit();
}

}  // namespace orrery
