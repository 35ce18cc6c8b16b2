// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/units.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {
namespace {

using namespace command_table;

constexpr float kLadderHeight = 40;      // pixels at scale 1
constexpr std::size_t kFewestRungs = 8;  // limits the width of the bars

/// Bars of the number of bodies with steps of dt, dt/2, dt/4 and so on; nothing if there are none.
void step_ladder(Widgets& ui, std::span<const std::size_t> bodies) {
    if (bodies.empty()) return;
    const float width = ImGui::GetContentRegionAvail().x, height = kLadderHeight * ui.scale();
    const bool hovered = ui.canvas("Ladder of steps", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const auto tall = [](std::size_t count) { return std::log2(1 + static_cast<float>(count)); };
    const float most = tall(*std::ranges::max_element(bodies)),
                step = width / static_cast<float>(std::max(bodies.size(), kFewestRungs));
    for (std::size_t level = 0; level < bodies.size(); ++level) {
        const float left = at.x + step * static_cast<float>(level), high = height * tall(bodies[level]) / most;
        draw.AddRectFilled({left, at.y + height - high}, {left + step - ui.scale(), at.y + height},
                           ImGui::GetColorU32(ImGuiCol_PlotHistogram));
        const float mouse = ImGui::GetMousePos().x;
        if (hovered && mouse >= left && mouse < left + step)
            ImGui::SetTooltip(
                "%s", phrase("steps of dt/{}: {} bodies", std::size_t{1} << level, grouped(bodies[level])).c_str());
    }
}

const SettingInfo& of_scene(std::string_view id) { return setting(scene_settings(), id).info; }

const PresetEntry* preset_shown(const UiState& state) {
    const auto menu = presets();
    const auto found = std::ranges::find(menu, state.status.scene.id, &PresetEntry::id);
    return found == menu.end() ? nullptr : &*found;
}

void preset_combo(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto menu = presets();
    const PresetEntry* shown = preset_shown(state);
    const std::string label = shown ? std::string{shown->label} : state.status.scene.label;
    if (const PresetEntry* chosen = choose_from(
            ui, "Preset", label, menu, [&](const PresetEntry& entry) { return entry.id == state.status.scene.id; },
            "Initial conditions. Keys [ and ], or Page Up and Page Down"))
        requests.ask(LoadScene{{.source = std::string{chosen->id}, .bodies = 0, .seed = state.requested.scene.seed}});
}

void count_and_seed(Widgets& ui, const UiState& state, UiRequests& requests) {
    const PresetEntry* preset = preset_shown(state);
    const std::string_view fixed = !preset               ? "the number of bodies of a snapshot is fixed"
                                   : preset->fixed_count ? "the number of bodies of this preset is fixed"
                                                         : "";
    // Setting one of them keeps the others, and resets softening and dt to the scene's.
    SceneRequest other{
        .source = state.status.scene.id, .bodies = state.requested.scene.bodies, .seed = state.requested.scene.seed};
    if (preset && preset->displaced)
        other.sites = state.requested.scene.sites, other.displacements = state.requested.scene.displacements;
    const SettingInfo &number = of_scene("bodies"), &random = of_scene("seed");
    if (const auto bodies =
            ui.typed_number(number.label, state.status.bodies, tip_of(number) + ". The scene restarts", fixed))
        other.bodies = *bodies, requests.ask(LoadScene{other});
    if (const auto seed =
            ui.typed_number(random.label, state.requested.scene.seed, tip_of(random) + ". The scene restarts",
                            preset ? "" : "a snapshot has no seed"))
        other.seed = *seed, requests.ask(LoadScene{other});
    if (!preset || !preset->displaced) return;
    const SettingInfo &where = of_scene("sites"), &order = of_scene("displacements");
    std::string_view standing =
        other.sites.empty() ? sites().front().id : std::string_view{state.requested.scene.sites};
    if (menu_combo(ui, where.label, sites(), standing, &SitesEntry::id, tip_of(where) + ". The scene restarts"))
        other.sites = standing, requests.ask(LoadScene{other});
    std::string_view displaced = other.displacements.empty() ? displacements().front().id
                                                             : std::string_view{state.requested.scene.displacements};
    if (menu_combo(ui, order.label, displacements(), displaced, &DisplacementsEntry::id,
                   tip_of(order) + ". The scene restarts"))
        other.displacements = displaced, requests.ask(LoadScene{other});
}

std::string speed_format(double speed) {
    return speed <= 0 ? std::string{tr("unlimited")} : speed < 100 ? "%.3g /s" : "%.0f /s";
}

void scenes(Widgets& ui, const UiState& state, UiRequests& requests) {
    const SceneShown& shown = state.scene.shown;
    const std::string name =
        shown.title.empty() ? std::filesystem::path{shown.source}.filename().string() : shown.title;
    if (const SceneChoice* chosen = choose_from(
            ui, "Scene file", shown.source.empty() ? "none" : name, state.scene.choices,
            [&](const SceneChoice& scene) { return scene.id == shown.source; },
            "A scene file sets bodies, forces, view and camera together"))
        requests.open = chosen->id;
    if (!shown.watch.empty()) ui.note(shown.watch);
}

void rewind_memory(Widgets& ui, const Timeline& timeline, UiRequests& requests) {
    constexpr double mebi = 1 << 20;
    double budget = static_cast<double>(timeline.budget) / mebi;
    if (ui.slider(
            "Rewind memory", budget,
            {0, 16384, static_cast<double>(RewindMonitor::kStandardBudget) / mebi, "%.0f MiB", Scale::kLogarithmic},
            "Memory for rewind snapshots, in MiB, at 48 bytes per body in single precision. Older snapshots are "
            "kept at larger intervals"))
        requests.ask(SetRewindBudget{static_cast<std::size_t>(std::max(0.0, budget) * mebi)});
    if (!timeline.note.empty()) ui.note(timeline.note);
}

void files(Widgets& ui, const UiState& state, UiRequests& requests) {
    ui.heading("Files");
    std::string path = state.scene.open_path;
    if (ui.path("File", path, "path; or drop a file here",
                "A snapshot in any format of `orrery list`, or a scene file; Tab completes its path, Enter opens it. "
                "Or drop it on the window"))
        requests.change([path](UiState& now) { now.scene.open_path = path; });
    if (ui.entered() && !path.empty()) requests.open = path;
    if (ui.button("Load", "Opens the file; it replaces the current scene", -1, path.empty() ? "type a path first" : ""))
        requests.open = path;
    std::string scene = state.scene.save_path;
    if (ui.text("Save as", scene, "NAME.toml, or by date and time",
                "Path of the scene file to write: bodies, forces, view and camera"))
        requests.change([scene](UiState& now) { now.scene.save_path = scene; });
    const float half = column_width(2);
    if (ui.button("Save scene", "Saves the settings as a scene file, which starts from the beginning. Key Ctrl + S",
                  half))
        requests.ask(Command::kSaveScene);
    ImGui::SameLine();
    if (ui.button("Save state",
                  "Saves the bodies as they are, as a checkpoint from which the run can continue. Key Ctrl + Shift + S",
                  half))
        requests.ask(Command::kSaveState);
}

/// The pair law and its lengths.
void law_knobs(Widgets& ui, const Status& s, UiRequests& requests) {
    const Gravity& now = s.dynamics.gravity;
    const EngineEntry& by = engine(s.engine.config.engine, s.engine.config.backend);
    std::string_view id = pair_law(now.law).id;
    // Lennard-Jones atoms need a size.
    const double sigma = now.sigma > 0 ? now.sigma : 1;
    if (menu_combo(ui, of_scene("law").label, pair_laws(), id, &PairLawEntry::id, tip_of(of_scene("law")),
                   [&](const PairLawEntry& entry) -> std::string_view {
                       if (entry.value == PairLaw::kGravity) return "";
                       if (s.engine.config.precision == Precision::kMixed) return "is not computed in mixed precision";
                       return computes(by, entry.value) ? "" : "is not computed by this engine";
                   })) {
        const PairLaw law = pair_law(id).value;
        requests.ask(SetLaw{law, law == PairLaw::kLennardJones ? sigma : now.sigma, now.cut_off});
    }
    if (attracts_masses(now.law)) return;
    if (const auto length = typed_setting(ui, of_scene("sigma"), now.sigma))
        requests.ask(SetLaw{now.law, *length, now.cut_off});
    if (now.law != PairLaw::kLennardJones) return;
    if (const auto cut = typed_setting(ui, of_scene("cut_off"), now.cut_off))
        requests.ask(SetLaw{now.law, now.sigma, *cut});
}

void integrator_knobs(Widgets& ui, const Status& s, UiRequests& requests) {
    std::vector<std::string> why_not;
    for (const IntegratorEntry& entry : integrators())
        why_not.push_back(verbatim(why_incompatible(entry, s.engine.config, s.dynamics.gravity.law)));
    std::string_view id = s.dynamics.integrator;
    const SettingInfo& integrator = of_scene("integrator");
    if (menu_combo(ui, integrator.label, integrators(), id, &IntegratorEntry::id,
                   tip_of(integrator) + ". Takes effect at the next step",
                   [&](const IntegratorEntry& entry) -> std::string_view {
                       return why_not[static_cast<std::size_t>(&entry - integrators().data())];
                   }))
        requests.ask(SetIntegrator{std::string{id}, s.dynamics.adaptive});
    if (const auto eta = typed_setting(ui, of_scene("adaptive"), s.dynamics.adaptive))
        requests.ask(SetIntegrator{s.dynamics.integrator, *eta});
    step_ladder(ui, s.dynamics.ladder);
}

/// The step length, and the same as a time.
void step_length(Widgets& ui, const Status& s, UiRequests& requests) {
    if (const auto dt = ui.typed_time("dt", s.dynamics.dt, s.scene.days_per_time, s.scene.id,
                                      "Step length, in the scene's unit of time or with its own unit: 0.5day"))
        requests.ask(SetDt{*dt});
    if (s.scene.days_per_time > 0)
        ui.value("One step", in_local_unit(duration_text(s.dynamics.dt, s.scene.days_per_time)), "The same as a time");
}

void speed_and_direction(Widgets& ui, const Status& s, UiRequests& requests) {
    double speed = s.pace.speed_limit;
    const std::string speed_text = speed_format(speed);
    if (ui.slider("Speed", speed, {0, 10'000, 60.0 * s.scene.steps_per_frame, speed_text.c_str(), Scale::kLogarithmic},
                  "Maximum number of steps per second; at the left end as many as possible. Keys + and -"))
        requests.ask(SetSpeed{speed});
    bool backward = s.pace.reversed;
    if (ui.toggle(
            "Backward", backward,
            "Steps of −dt: leapfrog retraces its own steps, up to rounding (Hockney & Eastwood 1988, §4-4-1). Key Z"))
        requests.ask(Command::kReverse);
}

void scene_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const Status& s = state.status;
    if (ui.button("Scenes and files", {.icon = Icon::kFiles, .role = ButtonRole::kPrimary},
                  "Pictures of all scenes and presets, recent files, folders. Keys G and Ctrl + O", -1))
        requests.ask(Command::kGallery);
    preset_combo(ui, state, requests);
    scenes(ui, state, requests);
    count_and_seed(ui, state, requests);
    if (const auto softening = typed_setting(ui, of_scene("softening"), s.dynamics.gravity.softening))
        requests.ask(SetSoftening{*softening});
    step_length(ui, s, requests);
    speed_and_direction(ui, s, requests);
    files(ui, state, requests);
    if (!advanced(ui, "scene", state, requests)) return;
    integrator_knobs(ui, s, requests);
    law_knobs(ui, s, requests);
    rewind_memory(ui, s.timeline, requests);
}

void change_preset(Window& w, int by) { w.scenes.change_preset(by); }

void save_scene(Window& w, int) { w.scenes.save(); }

void save_state(Window& w, int) { w.scenes.save_state(); }

void reset_view(Window& w, int) { w.scenes.reset_view(); }

constexpr auto kScenesCommands = std::to_array<WindowCommand>({
    listed("Previous preset",
           sign(line(Command::kPreset, change_preset, GLFW_KEY_LEFT_BRACKET, "[ ]", "previous, next preset", -1))),
    listed("Next preset", sign(also(Command::kPreset, GLFW_KEY_RIGHT_BRACKET, +1))),
    alternative(Command::kPreset, GLFW_KEY_PAGE_UP, "Page Up / Page Down", "previous, next preset", -1),
    also(Command::kPreset, GLFW_KEY_PAGE_DOWN, +1),
    with(kControl, line(Command::kSaveScene, save_scene, GLFW_KEY_S, "Ctrl + S", "save the scene with its settings")),
    with(kControl | kShift,
         line(Command::kSaveState, save_state, GLFW_KEY_S, "Ctrl + Shift + S", "save the bodies as they are")),
    listed("Restore the view settings of the scene", button(Command::kResetView, reset_view)),
});

constexpr auto kScenesPanels = std::to_array<PanelEntry>({
    {"scene", PanelGroup::kScene, "Setup", scene_panel, "Bodies, softening, step length, speed, files"},
});

constexpr float kImportWidth = 440,
                kMostNotes = 0.3f;  // pixels at scale 1; fraction of the height of the window

std::string bodies_of(const Status& status) {
    std::string text = grouped(status.bodies), species;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (const std::uint64_t count = status.scene.facts.of_species[k]; count > 0)
            species += fmt::format("{}{} {}", species.empty() ? "" : ", ", grouped(count),
                                   if_known(name(static_cast<Species>(k))));
    return species.empty() ? text : text + ": " + species;
}

std::string units_of_file(const Status& status) {
    const std::string constant = fmt::format("G = {:.6g}", status.dynamics.gravity.constant);
    if (status.scene.days_per_time <= 0 && status.scene.length_unit.empty() && status.scene.mass_unit.empty())
        return phrase("none stated; {}", constant);
    std::string text;
    for (const std::string& unit :
         {status.scene.length_unit, status.scene.mass_unit,
          status.scene.days_per_time > 0
              ? phrase("time unit {}", in_local_unit(duration_text(1, status.scene.days_per_time)))
              : std::string{}})
        if (!unit.empty()) text += unit + ", ";
    return text + constant;
}

std::string with_source(std::string value, bool suggested) {
    return suggested ? phrase("{}, guessed from the bodies", value) : phrase("{}, from the file", value);
}

/// A note without the name of the file, which is shown above.
std::string_view remark(std::string_view note, std::string_view file) {
    if (note.starts_with(file) && note.substr(file.size()).starts_with(": ")) note.remove_prefix(file.size() + 2);
    return note;
}

void facts(Widgets& ui, const Status& status) {
    ui.value("Format", status.scene.facts.format, "Recognised by the content of the file");
    ui.value("Bodies", bodies_of(status), "Number of bodies, and of each species that the file states");
    ui.value("Time", in_local_unit(clock_text(status.time, status.scene.days_per_time, status.scene.scale_factor)),
             "Time of the snapshot, in its unit");
    ui.value("Units", units_of_file(status), "Units of length, mass and time, as stated in the file");
    ui.value("Softening",
             with_source(fmt::format("{:.4g}{}{}", status.dynamics.gravity.softening,
                                     status.scene.length_unit.empty() ? "" : " ", status.scene.length_unit),
                         status.scene.facts.softening_suggested),
             "Guessed: from the distances of the bodies, to minimise the force error. The page Setup changes it");
    ui.value("dt",
             with_source(in_local_unit(duration_text(status.dynamics.dt, status.scene.days_per_time)),
                         status.scene.facts.dt_suggested),
             "Guessed: a tenth of the time in which a typical body crosses the softening length, or 2 % of the "
             "dynamical time. The page Setup changes it");
}

void notes(Widgets& ui, const Status& status) {
    if (status.scene.notes.empty()) return;
    ui.heading("Notes on the file");
    const float most = kMostNotes * ImGui::GetIO().DisplaySize.y, width = ImGui::GetContentRegionAvail().x;
    float height = 0;
    for (const std::string& note : status.scene.notes) {
        const std::string text{remark(note, status.scene.id)};
        height += ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
    }
    if (ImGui::BeginChild("notes", {0, std::min(height, most)}, false, ImGuiWindowFlags_NoBackground)) {
        ImGui::PushTextWrapPos(0);
        for (const std::string& note : status.scene.notes) write_text(remark(note, status.scene.id));
        ImGui::PopTextWrapPos();
    }
    ImGui::EndChild();
}

void ways(Widgets& ui, const UiState& state, UiRequests& requests) {
    const float width = column_width(3);
    if (ui.primary("Start###import", "Continues from these bodies. Key Space", width)) requests.ask(SetPaused{false});
    ImGui::SameLine();
    if (ui.button("Change values", "Opens the page Setup, which has softening, dt and the integrator", width))
        requests.layout.panel = "scene";
    ImGui::SameLine();
    if (ui.button("Close###import card", "Closes this card; the bodies stay as they are", width))
        requests.change([](UiState& now) { now.scene.import.closed = now.status.scene.serial; });
    if (state.scene.import.neighbours > 1 &&
        ui.button(phrase("Play the {} snapshots of this folder", state.scene.import.neighbours) + "###play neighbours",
                  "Plays them in order of time instead of computing", -1))
        requests.open = state.scene.import.folder;
}

/// For a snapshot that waits to be started: what its reader found, what was guessed, and what can be done next.
void import_card(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!import_card_shown(state)) return;
    const float scale = ui.scale(), gap = kOverlayGap * scale, left = sidebar_width(state, scale) + gap;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(kImportWidth * scale, std::max(screen.x - left - gap, screen.x / 3));
    const float top = gap + groups_height(state, scale);
    ImGui::SetNextWindowPos({left, top});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - transport_height(state, scale) - top - gap});
    constexpr int flags = kDialogWindow | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("import", nullptr, flags)) {
        ui.heading(translated(state.status.scene.label));
        facts(ui, state.status);
        notes(ui, state.status);
        ImGui::Spacing();
        ways(ui, state, requests);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

void draw_title(Window& w, DrawnFrame& frame) {
    const UiState& state = frame.state;
    const bool no_lab =
        state.layout.panels && state.layout.panel == "lab" && !frame.lab;  // the reason is shown instead
    if (frame.lab || no_lab || frame.map || !state.plots.large.empty() || state.gallery.on || state.tour.on ||
        import_card_shown(state) || kernel_editor_width(state, frame.ui.scale()) > 0)
        return;
    frame.title = title_card(frame.ui, state, w.imgui.fonts());
}

void draw_loading(Window&, DrawnFrame& frame) { loading_indicator(frame.ui, frame.state); }

void draw_import(Window&, DrawnFrame& frame) {
    if (!frame.state.tour.on) import_card(frame.ui, frame.state, frame.requests);
}

constexpr auto kScenesOverlays = std::to_array<Overlay>({
    {Layer::kTitle, draw_title},
    {Layer::kIndicators, draw_loading},
    {Layer::kCards, draw_import},
});

void describe_scenes(nlohmann::json& map, const UiState& state) {
    const TitleCard& card = state.scene.card;
    map["scene_file"] = state.scene.shown.source;
    map["card"] = {{"title", card.title}, {"watch", card.watch}, {"shown", card.shown}};
}

}  // namespace

bool import_card_shown(const UiState& state) {
    return state.scene.ready && state.status.scene.waits_for_start &&
           state.scene.import.closed != state.status.scene.serial && !state.gallery.on && !state.layout.attract &&
           !state.layout.clean;
}

FeatureEntry scenes_feature() {
    return {
        .panels = kScenesPanels, .commands = kScenesCommands, .overlays = kScenesOverlays, .describe = describe_scenes};
}

}  // namespace orrery
