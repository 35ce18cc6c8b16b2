// SPDX-License-Identifier: MIT
#include "app/window/ui_map.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/setting_options.hpp"
#include "app/render/settings_of_view.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/panels.hpp"
#include "app/window/ui_map_parts.hpp"
#include "app/window/ui_state.hpp"
#include "core/base/files.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/map_choices.hpp"
#include "core/physics/pair_laws.hpp"

namespace orrery {
namespace {

using Json = nlohmann::json;

template <class T>
Json known(bool is_known, const T& value) {
    return is_known ? Json(value) : Json();
}

Json known_ms(const Timing& timing) { return known(timing.count > 0, timing.median * 1e3); }

Json map_json(const MapState& map) {
    if (map.picture3)
        return {{"map", std::string{map.picture3->map()}}, {"layers", map.layers}, {"drawn", map.picture3->side()}};
    if (!map.picture) return {};
    const MapPicture& picture = *map.picture;
    const MapCounts& counts = picture.true_counts();
    return {{"map", std::string{picture.map()}},
            {"rows", picture.rows()},
            {"drawn", picture.drawn()},
            {"launched", counts.launched},
            {"useful", counts.useful},
            {"wasted", counts.wasted()},
            {"columns", picture.columns()},
            {"lines", picture.lines()},
            {"walked", map.walked},
            {"refused", map.refused},
            {"wrong_from", picture.misplaced() ? Json(picture.misplaced()->wanted.row) : Json{}}};
}

Json tried_json(const std::vector<TriedEngine>& all) {
    Json list = Json::array();
    for (const TriedEngine& tried : all)
        list.push_back({{"name", tried.name},
                        {"pairs_per_second", tried.pairs_per_second},
                        {"all_pairs", tried.all_pairs},
                        {"now", tried.now}});
    return list;
}

Json report_json(const EngineReport& report) {
    Json phases = Json::object();
    for (const Phase& phase : report.phases) phases[std::string{phase.name}] = 1e3 * phase.seconds;
    return {{"phases_ms", phases},    {"with_bodies", report.with_bodies}, {"with_cells", report.with_cells},
            {"cells", report.cells},  {"leaves", report.leaves},           {"groups", report.groups},
            {"levels", report.levels}};
}

Json tree_json(const EngineConfig& config) {
    Json json = Json::object();
    add_settings(json, engine_settings(), config, [](const SettingInfo& info) { return info.group == &kTreeGroup; });
    return json;
}

Json view_json(const ViewSettings& view) {
    Json json = Json::object();
    add_settings(json, view_settings(), view, [](const SettingInfo&) { return true; });
    return json;
}

Json octree_json(const UiState& state) {
    const OctreeView& view = state.view.octree;
    return {{"on", view.on},           {"first", view.first},
            {"last", view.last},       {"leaves_only", view.leaves_only},
            {"opacity", view.opacity}, {"drawn", state.picture.cells_drawn}};
}

Json sweep_json(const UiState& state) {
    const ThetaSweep& sweep = state.status.force.theta_sweep;
    return {{"points", sweep.points.size()},
            {"planned", sweep.planned},
            {"running", sweep.running},
            {"shown", state.plots.theta}};
}

Json compare_json(const UiState& state) {
    const CompareStatus& c = state.status.compare;
    const bool known = c.divergence.has_value();
    return {{"on", c.on},
            {"engine", c.settings.engine.engine},
            {"backend", std::string{name(c.settings.engine.backend)}},
            {"precision", std::string{name(c.settings.engine.precision)}},
            {"theta", c.settings.engine.tree.theta},
            {"softening", c.settings.softening},
            {"dt_power", c.settings.dt_power},
            {"serial", c.serial},
            {"force_ms", known_ms(c.force)},
            {"sim_time", c.time},
            {"rms", known ? Json(c.divergence->rms) : Json()},
            {"max", known ? Json(c.divergence->max) : Json()},
            {"points", c.history.size()},
            {"energies", {c.energy_a.size(), c.energy_b.size()}},
            {"mode", std::string{compare_modes()[static_cast<std::size_t>(state.comparison.view.mode)].id}},
            {"divider", state.comparison.view.divider},
            {"show_b", state.comparison.view.show_b},
            {"plots", state.comparison.view.plots}};
}

Json camera_json(const CameraState& camera) {
    static constexpr std::array modes{"orbit", "fly"};
    static constexpr std::array followed{"nothing", "middle", "mass_centre", "picked"};
    Json times = Json::array();
    for (const CameraKey& key : camera.path.keys) times.push_back(key.time);
    return {{"mode", modes[static_cast<std::size_t>(camera.mode)]},
            {"follow", followed[static_cast<std::size_t>(camera.follow)]},
            {"fly_speed", camera.fly_speed},
            {"fov", camera.fov},
            {"keys", times},
            {"key", known(camera.key.has_value(), camera.key.value_or(0))},
            {"loop", camera.path.loop},
            {"closing", camera.path.closing},
            {"path_time", camera.path_time},
            {"playing", camera.playing}};
}

Json hand_json(const UiState& state) {
    Json found{{"picked", state.hand.count()},
               {"boxing", state.hand.box.has_value()},
               {"markers", Json::array()},
               {"outline", state.hand.outline.size()},
               {"arrows", state.sight.arrows.size()},
               {"undos", state.status.edits.undos},
               {"redos", state.status.edits.redos},
               {"adds", state.hand.tool.adds ? edit_kind(*state.hand.tool.adds).id : ""},
               {"brushes", state.hand.tool.brushes ? edit_kind(*state.hand.tool.brushes).id : ""},
               {"new_mass", state.hand.tool.palette.mass},
               {"aiming", state.hand.aim.has_value()},
               {"path", state.hand.aim ? state.hand.aim->path.size() : 0}};
    for (const glm::dvec2& at : state.hand.markers) found["markers"].push_back({at.x, at.y});
    if (const auto& seen = state.status.inspection) {
        found["step"] = seen->step;
        if (seen->body)
            found["body"] = {{"id", seen->body->id},
                             {"mass", seen->body->mass},
                             {"position", {seen->body->position.x, seen->body->position.y, seen->body->position.z}},
                             {"velocity", {seen->body->velocity.x, seen->body->velocity.y, seen->body->velocity.z}},
                             {"distance", seen->body->distance},
                             {"error", known(seen->body->error.has_value(), seen->body->error.value_or(0))}};
        if (seen->group)
            found["group"] = {
                {"count", seen->group->count}, {"mass", seen->group->mass}, {"dispersion", seen->group->dispersion}};
    }
    return found;
}

Json timeline_json(const Timeline& timeline) {
    Json steps = Json::array();
    for (const Moment& moment : *timeline.moments) steps.push_back(moment.step);
    return {{"steps", steps},          {"moment", timeline.now.moment},
            {"bytes", timeline.bytes}, {"budget", timeline.budget},
            {"held", timeline.held},   {"note", timeline.note}};
}

Json series_json(const SeriesStatus& series) {
    if (!series.on) return {};
    return {{"times", *series.times},
            {"rate", series.rate},
            {"held", series.held},
            {"follows", series.follows},
            {"reading", series.reading}};
}

Json cloud_json(const CloudStatus& cloud) {
    if (!cloud.on) return {};
    return {{"bodies", cloud.bodies}, {"shown", cloud.shown},     {"stands_for", cloud.stands_for},
            {"most", cloud.most},     {"spacing", cloud.spacing}, {"reading", cloud.reading},
            {"full", cloud.full},     {"cells", cloud.cells},     {"memory", cloud.memory}};
}

Json plot_json(const UiState& state) {
    const AnalysisStatus& s = state.status.analysis;
    return {{"kind", s.now ? s.settings.kind : ""},
            {"serial", s.serial},
            {"step", s.step},
            {"rows", s.now && !s.now->columns.empty() ? s.now->columns.front().values.size() : 0},
            {"groups", s.now ? s.now->groups.size() : 0},
            {"contours", state.sight.contours.size()},
            {"note", s.note}};
}

Json structure_json(const UiState& state) {
    const StructureStatus& s = state.status.structure;
    if (!s.now) return {{"note", s.note}};
    Json closest;
    if (s.now->closest) closest = {s.now->closest->first, s.now->closest->second, s.now->closest->distance};
    return {{"plot", state.plots.structure},
            {"samples", state.plots.diagnostics.samples().size()},
            {"serial", s.serial},
            {"step", s.step},
            {"seconds", s.seconds},
            {"period", s.period},
            {"radii", s.now->lagrangian_radii},
            {"shells", s.now->profile.size()},
            {"closest", closest}};
}

Json encounters_json(const Status& s) {
    Json last = Json::array();
    for (const Encounter& each : s.encounters.last)
        last.push_back({{"kind", encounter_kind(each.kind).id},
                        {"time", each.time},
                        {"first", each.first},
                        {"second", each.second},
                        {"masses", {each.mass_first, each.mass_second}}});
    return {{"kind", encounter_kind(s.encounters.rule.kind).id},
            {"density", s.encounters.rule.density},
            {"radius", s.encounters.rule.radius},
            {"restitution", s.encounters.rule.restitution},
            {"merges", s.encounters.ledger.merges},
            {"bounces", s.encounters.ledger.bounces},
            {"accretions", s.encounters.ledger.accretions},
            {"energy", s.encounters.ledger.energy},
            {"last", last}};
}

/// The first autosaved file offered; empty if there is none that can be opened.
std::string kept_path(const UiState& state) {
    return state.autosave.offers.empty() || !state.autosave.offers.front().problem.empty()
               ? std::string{}
               : state.autosave.offers.front().path;
}

Json state_json(const UiState& state, const UiMapExtras& extras) {
    const Status& s = state.status;
    const auto drift = s.energy.drift(), momentum = s.structure.momentum_drift();
    return {
        {"scene", known(state.scene.ready, s.scene.id)},
        {"engine", s.engine.config.engine},
        {"engine_choice", s.engine.choice},
        {"gallery", gallery_json(state.gallery)},
        {"tour", {{"on", state.tour.on}, {"card", state.tour.card}}},
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
        {"recording", state.recording.now.active},
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
        {"tile_size", state.maps.shown.tile_size},
        {"map_shown", map_json(state.maps.shown)},
        {"map_hover", state.maps.hover},
        {"tried", tried_json(state.maps.tried)},
        {"tree", tree_json(s.engine.config)},
        {"report", report_json(s.engine.report)},
        {"octree", octree_json(state)},
        {"compare", compare_json(state)},
        {"theta_sweep", sweep_json(state)},
        {"lab", lab_json(state)},
        {"panel", std::string{state.layout.panel}},
        {"group", state.layout.panel.empty() ? std::string{} : std::string{label_of(group_of(state.layout.panel))}},
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
        {"encounters", encounters_json(s)},
        {"speed_limit", s.pace.speed_limit},
        {"seed", state.requested.scene.seed},
        {"sites", state.requested.scene.sites},
        {"displacements", state.requested.scene.displacements},
        {"recorded_frames", state.recording.now.frames},
        {"recording_path", state.recording.now.path},
        {"snapshots",
         {{"on", s.saving.snapshots.on},
          {"ending", s.saving.snapshots.ending},
          {"written", s.saving.snapshots.written},
          {"last", s.saving.snapshots.last}}},
        {"session_path", state.recording.now.session},
        {"last_screenshot", extras.last_screenshot},
        {"last_export", extras.last_export},
        {"ui_cpu_ms", state.performance.ui_cpu_ms},
        {"text_scale", state.layout.text_scale},
        {"keyboard", state.layout.keyboard},
        {"attract", state.layout.attract},
        {"history", state.performance.history.samples().size()},
        {"structure", structure_json(state)},
        {"plot", plot_json(state)},
        {"width", state.picture.width},
        {"height", state.picture.height},
        {"last_scene", extras.last_scene},
        {"scene_file", state.scene.shown.source},
        {"first_frame_ms", known(extras.first_frame_ms.has_value(), extras.first_frame_ms.value_or(0))},
        {"frames", extras.frames},
        {"typing", extras.typing},
        {"typed", extras.typed},
        {"mouse", {extras.mouse_x, extras.mouse_y}},
        {"clicks", extras.clicks},
        {"panels", state.layout.panels},
        {"overlay", state.layout.overlay},
        {"help", state.layout.help},
        {"palette", {{"on", state.palette.on}, {"search", state.palette.search}, {"chosen", state.palette.chosen}}},
        {"follow", state.camera.follow != Follow::kNothing},
        {"reversed", s.pace.reversed},
        {"camera", camera_json(state.camera)},
        {"hand", hand_json(state)},
        {"saved", state.status.saving.path},
        {"leave", state.leave.text},
        {"card",
         {{"title", state.scene.card.title}, {"watch", state.scene.card.watch}, {"shown", state.scene.card.shown}}},
        {"theme", std::string{themes()[static_cast<std::size_t>(state.layout.theme)].id}},
        {"sidebar", state.layout.sidebar},
        {"torn", text_of(state.layout.detached)},
        {"language", std::string{language()}},
        {"untranslated", untranslated()},
        {"kept", kept_path(state)},
        {"kept_files", state.autosave.offers.size()},
        {"kept_serial", state.status.saving.autosaves},
        {"timeline", timeline_json(s.timeline)},
        {"series", series_json(s.source.series)},
        {"cloud", cloud_json(s.source.cloud)},
        {"draw_mode", std::string{draw_modes()[static_cast<std::size_t>(state.picture.mode_used)].id}},
        {"bodies_drawn", state.picture.bodies_drawn},
        {"gpu_ms", state.performance.gpu_ms},
        {"view", view_json(state.view)},
        {"exposure", state.view.exposure},
        {"color_map", state.view.color_map},
        {"color_by", color_mode(state.picture.extent.color_by).id},
        {"no_color", state.picture.no_color},
        {"scalar_low", state.picture.extent.scalar_low},
        {"scalar_high", state.picture.extent.scalar_high},
        {"white", state.picture.white},
        {"stretch_used", state.picture.stretch},
        {"trails", state.view.trails.on},
        {"stars", state.view.stars.on},
        {"camera_moving", extras.camera_moving},
        {"camera_yaw", extras.camera.yaw},
        {"camera_pitch", extras.camera.pitch},
        {"camera_distance", extras.camera.distance},
        {"camera_target", {extras.camera.target.x, extras.camera.target.y, extras.camera.target.z}},
    };
}

}  // namespace

std::string ui_map_text(const WidgetMap& widgets, const UiState& state, const UiMapExtras& extras) {
    Json clickable = Json::object(), disabled = Json::object();
    Json without_tip = Json::array(), cut = Json::array(), sliders = Json::object();
    for (const WidgetMap::Widget& w : widgets.widgets()) {
        (w.enabled ? clickable : disabled)[w.label] = {w.place.x0, w.place.y0, w.place.x1, w.place.y1};
        if (!w.tipped) without_tip.push_back(w.label);
        if (w.cut) cut.push_back(w.label);
        if (w.slider) sliders[w.label] = {{"value", w.slider->value}, {"reset", w.slider->reset}};
    }
    Json places = Json::object();
    for (const WidgetMap::Place& each : widgets.places())
        places[each.name] = {each.place.x0, each.place.y0, each.place.x1, each.place.y1};
    Json pages = Json::object();
    for (const PanelEntry& panel : panels()) pages[std::string{panel.label}] = std::string{label_of(panel.group)};
    const Json map{{"widgets", std::move(clickable)}, {"pages", std::move(pages)},
                   {"disabled", std::move(disabled)}, {"without_tip", std::move(without_tip)},
                   {"cut", std::move(cut)},           {"sliders", std::move(sliders)},
                   {"places", std::move(places)},     {"state", state_json(state, extras)}};
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
