// SPDX-License-Identifier: MIT
#include "app/window/scenes/scene_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/options.hpp"
#include "app/render/view_settings.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/gallery/gallery_control.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/panels.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

constexpr std::string_view kRange = "scalar_range";  // not in the table of settings

void copy(ViewSettings& to, const ViewSettings& from, std::string_view id) {
    if (id == kRange) {
        to.scalar_range = from.scalar_range;
        return;
    }
    const auto& member = setting(view_settings(), id).member;
    member.set(to, member.get(from));
}

}  // namespace

void ViewOverrides::adopt(const ViewSettings& remembered) {
    own_ = {};
    chosen_.clear();
    choose(own_, remembered);
}

void ViewOverrides::choose(const ViewSettings& before, const ViewSettings& after) {
    const auto take = [&](std::string_view id) {
        chosen_.insert(id);
        copy(own_, after, id);
    };
    for (const ViewSetting& each : view_settings())
        if (each.member.get(before) != each.member.get(after)) take(each.info.id);
    if (before.scalar_range != after.scalar_range) take(kRange);
}

ViewSettings ViewOverrides::over(const ViewSettings& look) const {
    ViewSettings view = look;
    for (const std::string_view id : chosen_) copy(view, own_, id);
    return view;
}

void SceneControl::begin() {
    const WindowConfig& config = core_.config;
    own_.adopt(core_.state.view);
    view_seen_ = core_.state.view;
    if (config.look) adopt_scene_view(*config.look);
    color_by_fields(config.scene, core_.state.view);
    engine_free_ = !config.engine_chosen || config.engine_of_scene;
    if (config.engine_of_scene) {
        EngineConfig& engine = before_scene_.emplace(default_engine_config());
        engine.backend = default_backend(engine.engine);
        engine.threads = config.engine.threads;
        engine.background = true;
    }
    if (config.look && config.look->speed) core_.simulation.send(SetSpeed{*config.look->speed});
}

void SceneControl::open(const std::string& typed) {
    const std::string source = expand_home(typed).string();
    if (open_as_kernel(core_.state, source)) return;
    core_.messages.attempt([&] {
        if (const auto file = find_scene(source)) return show(source, *file);
        core_.state.scene.shown = {};
        load(LoadScene{.request = {.source = source}, .look_first = !recording_.active()});
    });
}

void SceneControl::open(std::vector<std::filesystem::path> files) {
    if (files.empty()) return;
    if (files.size() == 1) return open(files.front().string());
    std::ranges::sort(files);
    core_.messages.attempt([&] {
        SceneRequest series{.source = files.front().string()};
        for (std::size_t i = 1; i < files.size(); ++i) series.more.push_back(files[i].string());
        core_.state.scene.shown = {};
        load(LoadScene{std::move(series)});
    });
}

void SceneControl::act(const Action& action) {
    if (const auto* scene = std::get_if<LoadScene>(&action)) {
        core_.state.scene.shown = {};
        if (scene->request.source == core_.simulation.request().source)
            recording_.act(*scene);  // the same scene with another number of bodies or another seed
        else
            load(*scene);
    } else if (const auto* engine = std::get_if<SetEngine>(&action)) {
        use_engine(engine->config);
    } else {
        recording_.act(action);
    }
}

void SceneControl::apply(const UiRequests& requests) {
    if (!requests.open.empty()) open(requests.open);
}

/// An engine that came with a scene need not suit the next one: three bodies use the CPU in double precision.
void SceneControl::load(LoadScene scene) {
    runs_ = scene.request.source;
    if (!scene.engine) {
        scene.engine = std::exchange(before_scene_, std::nullopt);
        if (engine_free_) scene.engine = suited(first_engine(scene.request));
        const EngineConfig before = scene.engine.value_or(core_.simulation.engine());
        if (const auto needed = engine_needed(scene.request, before))
            before_scene_ = before, scene.engine = suited(*needed);
    } else if (!before_scene_) {
        before_scene_ = core_.simulation.engine();
    }
    recording_.act(std::move(scene));
}

EngineConfig SceneControl::suited(EngineConfig engine) const {
    engine.threads = core_.config.engine.threads;
    engine.background = true;
    return engine;
}

/// Chooses an engine by the content of a file, which is known only after reading it.
void SceneControl::suit_engine() {
    const Status& status = core_.simulation.status();
    if (!engine_free_ || before_scene_ || status.source.series.on || status.source.cloud.on) return;
    if (!engine_of_preset(status.scene.request.source).empty()) return;
    EngineConfig engine = suited(first_engine(status.bodies, status.dynamics.gravity.law, status.dynamics.integrator));
    if (core_.simulation.engine().precision == Precision::kDouble)
        engine.precision = Precision::kDouble;  // required by the scene
    if (engine != core_.simulation.engine()) recording_.act(SetEngine{engine});
}

void SceneControl::use_engine(const EngineConfig& config) {
    engine_free_ = false;
    before_scene_.reset();
    recording_.act(SetEngine{config});
}

/// Applies nothing of the file before all of it has been read.
void SceneControl::show(const std::string& source, const SceneFile& file) {
    LoadScene scene{file.scene};
    if (file.engine_given) {
        scene.engine = file.engine_here();
        scene.engine->background = core_.simulation.engine().background;
    }
    scene.speed = file.speed;
    load(std::move(scene));
    adopt_scene_view(file);
    core_.state.scene.shown.source = source;
}

void SceneControl::change_preset(int by) {
    const auto menu = presets();
    const SceneRequest& shown = core_.simulation.request();
    const auto count = static_cast<std::ptrdiff_t>(menu.size());
    const auto now = std::ranges::find(menu, shown.source, &PresetEntry::id);
    std::ptrdiff_t place = by > 0 ? 0 : count - 1;  // from a snapshot: to an end of the menu
    if (now != menu.end()) place = (now - menu.begin() + by + count) % count;
    SceneRequest request;
    request.source = menu[static_cast<std::size_t>(place)].id;
    request.seed = shown.seed;
    core_.state.scene.shown = {};
    load(LoadScene{request});
}

void SceneControl::adopt_scene_view(const SceneFile& file) {
    UiState& state = core_.state;
    state.view = view_seen_ = look_ = file.view;
    state.recording.settings = file.record;
    state.scene.shown = {core_.config.scene_source, file.title, file.watch};
    if (file.figures) state.layout.overlay = *file.figures;
    for (const PanelEntry& panel : panels())
        if (panel.id == file.panel) state.layout.panel = panel.id;
    CameraState camera = core_.camera.state();
    camera.follow = file.camera.follow ? Follow::kMiddle : Follow::kNothing;
    camera.places = file.camera.bookmarks;
    camera.path = file.camera.path;
    camera.path_time = 0;
    camera.playing = false;
    camera.key.reset();
    core_.camera.set(camera);
    camera_wanted_ = file.camera;
    compare_wanted_ = file.compare;
}

/// The status reports a scene only after its first frame, so a frame taken after the status belongs to that scene.
bool SceneControl::notice_new(const FrameExtent& extent) {
    note_view_overrides();
    const Status& status = core_.simulation.status();
    if (!core_.simulation.ready() || status.scene.serial == scene_serial_) return false;
    scene_serial_ = status.scene.serial;
    began_ = core_.clock.seconds();
    suit_engine();
    for (const std::string& note : status.scene.notes) {
        if (!status.scene.waits_for_start) core_.messages.notice(note, note);  // a topic each, so that all stay
        to_stderr("orrery: note: {}\n", note);
    }
    if (status.scene.waits_for_start) {
        const std::filesystem::path folder = std::filesystem::path{status.scene.request.source}.parent_path();
        core_.state.scene.import.folder = folder.empty() ? "." : folder.string();
        core_.state.scene.import.neighbours = count_snapshots_in(core_.state.scene.import.folder);
    }
    const std::string runs = std::exchange(runs_, {});
    if (core_.simulation.paused() && !status.source.cloud.on && !status.scene.waits_for_start && !runs.empty() &&
        runs == core_.simulation.request().source)
        core_.simulation.send(SetPaused{false});
    if (status.scene.id != scene_seen_ || camera_wanted_) first_picture(extent);
    return true;
}

void SceneControl::first_picture(const FrameExtent& extent) {
    const Status& status = core_.simulation.status();
    scene_seen_ = status.scene.id;
    const PresetView look = adopt_preset_view(scene_seen_);
    if (camera_wanted_)
        adopt_camera(*std::exchange(camera_wanted_, std::nullopt), extent);
    else if (look != PresetView{})
        adopt_camera({.yaw = look.yaw, .pitch = look.pitch, .zoom = look.zoom}, extent);
    else
        adopt_camera({}, extent);
    if (const auto compare = std::exchange(compare_wanted_, std::nullopt)) {
        core_.state.comparison.view = compare->view;
        recording_.act(SetCompare{compare->settings(status.dynamics.gravity.softening)});
    }
    show_title();
    bodies_seen_ = true;
    if (wants_double(status))
        core_.messages.notice("With so few bodies, double precision stays accurate longer: key Enter");
}

/// The card shows what to watch for in a shipped scene or file, or the description of a preset.
void SceneControl::show_title() {
    const Status& status = core_.simulation.status();
    const SceneShown& shown = core_.state.scene.shown;
    const auto menu = presets();
    const auto preset = std::ranges::find(menu, status.scene.id, &PresetEntry::id);
    TitleCard& card = core_.state.scene.card;
    card.title = shown.title.empty() ? status.scene.label : shown.title;
    card.watch = !shown.watch.empty() ? shown.watch : preset != menu.end() ? std::string{preset->doc} : "";
    card_since_ = core_.clock.seconds();
    fades_in_ = bodies_seen_;
}

void SceneControl::update() {
    constexpr double kVeil = 0.5, kIn = 0.4, kStays = 6, kOut = 1.2;  // seconds
    TitleCard& card = core_.state.scene.card;
    card.shown = card.veil = 0;
    if (!card_since_) return;
    // The gallery would cover the card.
    if (core_.state.gallery.on && !fades_in_) card_since_ = core_.clock.seconds();
    const double age = core_.clock.seconds() - *card_since_;
    const auto eased = [](double part) {
        const double t = std::clamp(part, 0.0, 1.0);
        return t * t * (3 - 2 * t);
    };
    card.shown = std::min(eased(age / kIn), 1 - eased((age - kStays) / kOut));
    if (fades_in_) card.veil = 1 - eased(age / kVeil);
    if (age > kStays + kOut) card_since_.reset();
}

/// Changes to the view of a scene file belong to that scene.
void SceneControl::note_view_overrides() {
    if (core_.state.view == view_seen_) return;
    if (core_.state.scene.shown.source.empty()) own_.choose(view_seen_, core_.state.view);
    view_seen_ = core_.state.view;
}

/// Applies a preset's view settings, except where the user has chosen others.
PresetView SceneControl::adopt_preset_view(const std::string& scene_id) {
    const PresetView look = preset_view(scene_id);
    if (core_.state.scene.shown.source.empty()) {
        look_ = look.view;
        core_.state.view = view_seen_ = own_.over(look_);
    }
    monitor_requests_.update_colors();
    return look;
}

void SceneControl::reset_view() {
    if (core_.state.scene.shown.source.empty()) own_.adopt({});
    core_.state.view = view_seen_ = look_;
    monitor_requests_.update_colors();
}

void SceneControl::adopt_camera(const CameraSettings& camera, const FrameExtent& extent) {
    const CameraPose pose = first_pose(camera, CameraPose{}, extent, core_.free_aspect());
    core_.camera.go_to(pose, bodies_seen_ ? Transition::kSmooth : Transition::kAtOnce);
}

SceneFile SceneControl::now() const {
    const SimulationLink& simulation = core_.simulation;
    const UiState& state = core_.state;
    const Status& status = simulation.status();
    SceneFile file;
    file.title = state.scene.shown.title;
    file.watch = state.scene.shown.watch;
    file.scene = simulation.request();
    file.scene.softening = status.dynamics.gravity.softening;
    file.scene.law = pair_law(status.dynamics.gravity.law).id;
    file.scene.sigma = status.dynamics.gravity.sigma, file.scene.cut_off = status.dynamics.gravity.cut_off;
    if (status.encounters.rule != EncounterRule{} || !file.scene.encounters.empty()) {
        file.scene.encounters = encounter_kind(status.encounters.rule.kind).id;
        file.scene.body_density = status.encounters.rule.density,
        file.scene.body_radius = status.encounters.rule.radius;
        file.scene.restitution = status.encounters.rule.restitution;
    }
    file.scene.dt = status.dynamics.dt;
    file.scene.integrator = status.dynamics.integrator;
    file.scene.adaptive = status.dynamics.adaptive;
    file.speed = status.pace.speed_limit;
    file.engine = simulation.engine();
    file.engine.background = false;  // a setting of the window
    file.engine_given = true;
    if (file.engine.backend != default_backend(file.engine.engine)) file.backend = file.engine.backend;
    if (simulation.compare()) file.compare = compare_scene(*simulation.compare(), state.comparison.view);
    file.view = state.view;
    const CameraState& camera = core_.camera.state();
    file.camera = camera_settings(core_.camera.camera().pose(), camera.follow != Follow::kNothing);
    file.camera.bookmarks = camera.places;
    file.camera.path = camera.path;
    file.record = state.recording.settings;
    file.panel = state.layout.panel;
    file.figures = state.layout.overlay;
    return file;
}

void SceneControl::save() {
    if (!core_.simulation.ready()) return core_.messages.notice("Nothing to save yet");
    const std::string& wanted = core_.state.scene.save_path;
    const std::filesystem::path path = expand_home(wanted.empty() ? name_by_time(".toml") : wanted);
    core_.messages.attempt([&] {
        if (!is_scene_path(path))
            usage_error(fmt::format("'{}': the name of a scene file must end in .toml", path.string()));
        write_scene_file(now(), path);
        last_saved_ = std::filesystem::absolute(path).string();
        core_.messages.file("Scene saved", last_saved_);
    });
}

/// A message reports when the file is written.
void SceneControl::save_state() {
    if (!core_.simulation.ready()) return core_.messages.notice("Nothing to save yet");
    core_.simulation.send(SaveState{std::filesystem::absolute(name_by_time(".orrery")).string()});
}

}  // namespace orrery
