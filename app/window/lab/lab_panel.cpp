// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/lab/papers.hpp"
#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/lab/lab_drawings.hpp"
#include "app/window/lab/lab_state.hpp"
#include "app/window/maps/map_canvas.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/lab/kernel.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

using namespace command_table;

constexpr int kMostRepeats = 200, kDefaultRepeats = 10;

bool experiment(Widgets& ui, LabSettings& settings) {
    return menu_combo(ui, "Experiment", experiments(), settings.experiment, &LabEntry::id,
                      find_in_menu(experiments(), "experiment", settings.experiment).doc);
}

bool backend(Widgets& ui, LabSettings& settings) {
    bool edited = false;
    if (!ui.begin_combo("Backend", name(settings.backend), "Where the experiment runs")) return false;
    for (const Backend each : backends()) {
        std::string why_not;
        try {
            require_lab_backend(settings.experiment, each);
        } catch (const Error& error) {
            why_not = error.what();
        }
        if (ui.choice(name(each), each == settings.backend, "", why_not)) settings.backend = each, edited = true;
    }
    ui.end_combo();
    return edited;
}

/// Puts the next button beside the last one, or below if there is no room.
void flow(const std::string& text) {
    const float right = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + button_width(text);
    if (right <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

struct Chip {
    std::string id, name, tip;
};

/// Buttons, any number of which can be chosen; `none_label` stands for none of them.
bool chips(Widgets& ui, const std::string& none_label, const std::string& tip, const std::vector<Chip>& menu,
           std::vector<std::string>& chosen) {
    bool edited = false;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {6 * ui.scale(), 2 * ui.scale()});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3 * ui.scale(), 3 * ui.scale()});
    ImGui::SetWindowFontScale(0.85f);  // many buttons
    if (ui.tab(none_label, chosen.empty(), tip)) chosen.clear(), edited = true;
    for (const Chip& chip : menu) {
        flow(std::string{tr(chip.name)});
        const auto found = std::ranges::find(chosen, chip.id);
        if (!ui.tab(chip.name, found != chosen.end(), chip.tip)) continue;
        edited = true;
        if (found == chosen.end())
            chosen.push_back(chip.id);
        else
            chosen.erase(found);
    }
    ImGui::SetWindowFontScale(1);
    ImGui::PopStyleVar(2);
    return edited;
}

/// Id, description, formula and source.
std::string tip_of_form(std::string_view id) {
    const LabForm& form = find_in_menu(lab_forms(), "map", id);
    std::string tip = fmt::format("{}: {}", id, tr(form.doc));
    if (form.map) tip += fmt::format("\n{}", tr(form.map->formula));
    if (const std::string_view source = form_note(id).source; !source.empty()) tip += fmt::format("\n{}", source);
    return translated(tip);
}

bool maps_and_roots(Widgets& ui, LabSettings& settings) {
    std::vector<Chip> forms, all_roots;
    bool first = true;  // the reference, which is always measured
    for (const std::string_view id : forms_of(settings.experiment))
        if (!std::exchange(first, false))
            forms.push_back({std::string{id}, std::string{form_note(id).name}, tip_of_form(id)});
    for (const RootEntry& root : roots())
        all_roots.push_back({std::string{root.id}, std::string{without_id(root.title)},
                             translated(fmt::format("{}: {}\n{}", root.id, tr(root.doc), tr(root.formula)))});
    if (forms.empty()) return false;
    bool edited = chips(ui, "default maps", "The exact maps; all for Square roots", forms, settings.maps);
    ImGui::Spacing();
    edited |= chips(ui, "default roots", "The papers' X, N and R; all for Square roots and triples", all_roots,
                    settings.roots);
    ImGui::Spacing();
    return edited;
}

/// The thread map that came from the page Kernel, which a click removes.
bool own_map(Widgets& ui, LabSettings& settings) {
    if (!settings.kernel) return false;
    ui.name("Own map");
    if (!ui.tab(verbatim(settings.kernel->title), true,
                "The thread map of the page Kernel, timed with the others on cpu; a click removes it"))
        return false;
    settings.kernel.reset();
    return true;
}

bool features(Widgets& ui, LabSettings& settings) {
    static const std::vector<Chip> menu{{"1", "1", "Distances along a line"},
                                        {"2", "2", "Distances in a plane"},
                                        {"3", "3", "In space"},
                                        {"4", "4", "Distances in four dimensions"}};
    if (settings.experiment != "edm") return false;
    const bool edited = chips(ui, "all numbers of features", "Measure all of them", menu, settings.features);
    ImGui::Spacing();
    return edited;
}

bool rho(Widgets& ui, LabSettings& settings) {
    bool edited = false;
    ui.name("ρ");
    for (const std::uint32_t side : {8u, 16u, 32u}) {
        if (side != 8) ImGui::SameLine();
        const std::string label = fmt::format("{} × {}", side, side);
        if (ui.tab(label, side == settings.rho, "Threads of a block; the papers use 16 × 16"))
            settings.rho = side, edited = true;
    }
    return edited;
}

bool strip(Widgets& ui, LabSettings& settings) {
    const auto in_strips = [](std::string_view id) { return find_in_menu(lab_forms(), "map", id).strips; };
    if (std::ranges::none_of(forms_of(settings.experiment), in_strips)) return false;
    bool edited = false;
    ui.name(verbatim("k"));
    for (const std::uint32_t tiles : {1u, 2u, 4u, 8u, 16u, 64u}) {
        if (tiles != 1 && tiles != 8) ImGui::SameLine();  // two lines, for narrow sidebars
        if (ui.tab(verbatim(fmt::format("k {}", tiles)), tiles == settings.strip,
                   "Tiles per block of the maps in strips"))
            settings.strip = tiles, edited = true;
    }
    return edited;
}

/// Sets experiment, maps, roots and features to those that a figure of the papers needs.
bool figure(Widgets& ui, LabSettings& settings) {
    static const std::vector<PaperChoice> choices = paper_choices();
    const auto line = [](const PaperChoice& choice) {
        const std::string_view experiment = find_in_menu(experiments(), "experiment", choice.experiment).label;
        return translated(fmt::format("{} · {}", choice.id, tr(experiment)));
    };
    bool edited = false;
    if (!ui.begin_combo("Figure", "of a paper ...",
                        "Sets experiment, maps and roots to those of a figure or table of the papers"))
        return false;
    for (const PaperChoice& choice : choices) {
        if (!ui.choice(line(choice), false, verbatim(choice.title))) continue;
        settings.experiment = choice.experiment;
        settings.maps = choice.config.maps, settings.roots = choice.config.roots;
        settings.features.clear();
        for (const int count : choice.config.features) settings.features.push_back(std::to_string(count));
        edited = true;
    }
    ui.end_combo();
    return edited;
}

bool sizes(Widgets& ui, LabSettings& settings) {
    const float width = 62 * ui.scale();
    bool edited = false;
    const auto number = [&](const char* label, std::uint32_t& value, const char* tip) {
        if (const auto typed = ui.small_number(label, value, tip, width))
            value = static_cast<std::uint32_t>(std::min<std::uint64_t>(*typed, kMostLabBodies)), edited = true;
    };
    ui.name("N");
    number("N from", settings.from, "The smallest number of bodies");
    ImGui::SameLine(0, 4 * ui.scale());
    write_dim(tr("to"));
    ImGui::SameLine(0, 4 * ui.scale());
    number("N to", settings.to, "The largest number of bodies, at most 65536. The papers go up to 30720");
    ImGui::SameLine(0, 4 * ui.scale());
    write_dim(tr("by"));
    ImGui::SameLine(0, 4 * ui.scale());
    number("N step", settings.step, "Step of N; the papers use 1024");
    return edited;
}

std::string why_not_start(const LabSettings& settings) {
    if (settings.from < 1 || settings.step < 1) return "N begins at 1, in steps of at least 1";
    return settings.from > settings.to ? "N from is above N to" : "";
}

void run(Widgets& ui, const LabState& lab, UiRequests& requests) {
    const LabRun& now = lab.run;
    if (now.running) {
        const double total = static_cast<double>(std::max<std::uint64_t>(1, now.total));
        if (ui.button("Cancel", "Stops after the current run; the results so far are kept", -1,
                      now.cancelled ? "it stops after the current run" : ""))
            requests.lab.action = LabAction::kCancel;
        ui.progress(phrase("{} left", grouped(now.total - std::min(now.done, now.total))),
                    static_cast<double>(now.done) / total, "Measurements");
        ui.note(now.cancelled ? "cancelled" : translated(now.next));
        return;
    }
    if (ui.primary("Start", "Runs on its own thread; every result is checked against a plain loop", -1,
                   why_not_start(lab.settings)))
        requests.lab.action = LabAction::kStart;
    if (!now.failure.empty()) ui.note(now.failure);
}

void exports(Widgets& ui, const LabState& lab, UiRequests& requests) {
    const std::string none = lab.run.table.rows.empty() ? "nothing has been measured yet" : "";
    const std::string no_curve = !none.empty() || !lab.panels.empty() ? none : "this experiment has no curves";
    const float width = column_width(3);
    if (ui.button("Export CSV", "Writes the rows, with the columns of orrery lab --csv", width, none))
        requests.lab.action = LabAction::kCsv;
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes the curves of I over N, as in the papers", width, no_curve))
        requests.lab.action = LabAction::kSvg;
    ImGui::SameLine();
    if (ui.button("Export PNG", "Writes a picture of the area next to this panel", width, none))
        requests.lab.action = LabAction::kPng;
}

void lab_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    LabSettings settings = state.lab.settings;
    bool edited = figure(ui, settings);
    edited |= experiment(ui, settings);
    edited |= backend(ui, settings);
    const bool exactness = settings.experiment == "exactness";  // it has no setting but the backend
    if (!exactness && !forms_of(settings.experiment).empty()) {
        edited |= maps_and_roots(ui, settings);
        edited |= own_map(ui, settings);
        edited |= features(ui, settings);
        if (tuple_order(settings.experiment) == 2) edited |= rho(ui, settings);  // its blocks have a fixed size
        edited |= strip(ui, settings);
    }
    if (!exactness) {
        edited |= sizes(ui, settings);
        edited |= ui.whole_number(
            "Repeats", settings.repeat, 1, kMostRepeats, kDefaultRepeats,
            "Measurements of each case: bars and points show the median, whiskers the 10th to the 90th percentile");
    }
    edited |= ui.toggle("Pause the bodies while it measures", settings.pause_bodies,
                        "If off, the simulation and the laboratory share the machine, which distorts the times");
    if (edited) requests.lab.settings = settings;
    run(ui, state.lab, requests);
    exports(ui, state.lab, requests);
}

void toggle_lab(Window& w, int) { w.lab.toggle(); }

constexpr auto kLabCommands = std::to_array<WindowCommand>({
    line(Command::kLab, toggle_lab, GLFW_KEY_L, "L", "the laboratory"),
});

constexpr auto kLabPanels = std::to_array<PanelEntry>({
    {"lab", PanelGroup::kCompute, "Lab", lab_panel,
     "The published experiments on thread maps, measured on this machine"},
});

nlohmann::json lab_json(const UiState& state) {
    const LabState& lab = state.lab;
    const LabSettings& chosen = lab.settings;
    std::size_t wrong = 0;
    for (const LabBar& bar : lab.bars) wrong += !bar.right;
    return {{"experiment", lab.run.experiment},
            {"rows", lab.run.table.rows.size()},
            {"done", lab.run.done},
            {"total", lab.run.total},
            {"next", lab.run.next},
            {"running", lab.run.running},
            {"cancelled", lab.run.cancelled},
            {"failure", lab.run.failure},
            {"sentence", lab_sentence(lab)},
            {"bars", lab.bars.size()},
            {"wrong", wrong},
            {"panels", lab.panels.size()},
            {"form", lab.form},
            {"picture", lab.picture ? std::string{lab.picture->map()} : ""},
            {"export", lab.last_export},
            {"chosen",
             {{"experiment", chosen.experiment},
              {"backend", std::string{name(chosen.backend)}},
              {"maps", chosen.maps},
              {"roots", chosen.roots},
              {"rho", chosen.rho},
              {"strip", chosen.strip},
              {"from", chosen.from},
              {"to", chosen.to},
              {"step", chosen.step},
              {"repeat", chosen.repeat},
              {"pause_bodies", chosen.pause_bodies}}}};
}

using namespace lab_colors;

constexpr float kLabLeastWidth = 340, kLeastHeight = 320;  // pixels at scale 1
constexpr float kLeastForMap = 520;                        // below this width, the map is not drawn
constexpr float kLines = 36, kPresenterLines = 26;         // lines of text in the height of the window
constexpr float kLeastLetters = 13, kMostLetters = 44;     // pixels at scale 1

const LabEntry& entry_of(const LabState& lab) {
    return find_in_menu(experiments(), "experiment",
                        lab.run.experiment.empty() ? lab.settings.experiment : lab.run.experiment);
}

/// "N = 4 096 · ρ = 16 · cpu"
std::string where(const LabState& lab) {
    const std::string text{name(lab.run.experiment.empty() ? lab.settings.backend : lab.run.config.backend)};
    for (const LabBar& bar : lab.bars)
        if (bar.newest) return fmt::format("N = {} · ρ = {} · {}", grouped(bar.bodies), bar.rho, text);
    return text;
}

void title(const Pen& pen, const Box& box, const LabState& lab) {
    const Pen large = pen.sized(1.7f), middle = pen.sized(1.25f);
    const LabEntry& entry = entry_of(lab);
    const std::string right = where(lab);
    // "Colliding spheres, 3D": the label of the experiment and the name of its panel.
    const std::string measured = lab.panels.empty() ? std::string{} : lab.panels.back().plot.title;
    const std::string left =
        std::string{tr(entry.label)} + (measured.starts_with(entry.label) ? measured.substr(entry.label.size()) : "");
    large.text(box.low, kText, large.fitted(left, box.width() - middle.width(right) - pen.size()));
    middle.text({box.high.x, box.low.y + 0.36f * pen.size()}, kText, right, Align::kRight);
}

/// Shown before the first measurement: the description of the experiment, and how to start it.
void invitation(const Pen& pen, const Box& box, const LabState& lab) {
    const LabEntry& entry = entry_of(lab);
    const Pen small = pen.sized(1.1f);
    const float middle = (box.low.y + box.high.y) / 2;
    if (!lab.run.failure.empty()) return small.wrapped({box.low.x, middle}, kText, lab.run.failure, box.width());
    small.wrapped(box.low, kDim, tr(entry.doc), box.width());
    pen.sized(1.7f).text({(box.low.x + box.high.x) / 2, middle}, kText,
                         lab.run.running ? phrase("measuring ...") : phrase("press {}", tr("Start")), Align::kCentre);
}

/// Block → tile of the map being measured, below the map's name.
void map_picture(Widgets& ui, const Pen& pen, const Box& box, const LabState& lab) {
    const Pen middle = pen.sized(1.2f);
    middle.text(box.low, kText, middle.fitted(lab_name(lab.form), box.width()));
    const Pen small = pen.sized(0.8f);
    small.wrapped({box.low.x, box.low.y + 1.5f * pen.size()}, kDim, tr(lab.form_doc), box.width());
    const Box below{{box.low.x, box.low.y + 3.8f * pen.size()}, box.high};
    if (lab.picture3) map3_drawing(pen, below, *lab.picture3);
    if (lab.picture4) map4_drawing(pen, below, *lab.picture4);
    if (!lab.picture) return;
    const MapPicture& picture = *lab.picture;
    const float between = 1.6f * pen.size(), top = box.low.y + 3.8f * pen.size(), words = 1.2f * pen.size();
    const auto columns = static_cast<float>(picture.columns()), rows = static_cast<float>(picture.drawn());
    const float lines = std::max(static_cast<float>(picture.lines()), rows);
    const float cell =
        std::floor(std::min((box.width() - between) / (columns + rows), (box.high.y - words - top) / lines));
    if (cell < 3) return;
    const std::string blocks{tr("blocks")}, tiles{tr("tiles")};
    const float second = std::max(cell * columns, small.width(blocks)) + between;
    ImGui::SetCursorScreenPos({box.low.x, top});
    map_canvas(ui, picture, cell, second);
    small.text({box.low.x, top + cell * static_cast<float>(picture.lines()) + 0.2f * pen.size()}, kDim, blocks);
    small.text({box.low.x + second, top + cell * rows + 0.2f * pen.size()}, kDim, tiles);
}

void progress(const Pen& pen, const Box& box, const LabRun& run) {
    const double done = static_cast<double>(run.done) / static_cast<double>(std::max<std::uint64_t>(1, run.total));
    pen.draw().AddRectFilled(box.low, box.high, kTrack, 4);
    pen.draw().AddRectFilled(box.low, {box.low.x + box.width() * static_cast<float>(done), box.high.y},
                             IM_COL32(86, 180, 233, 120), 4);
    const std::uint64_t left = run.total - std::min(run.done, run.total);
    const std::string right =
        run.running     ? phrase("{} of {}, {} left", grouped(run.done), grouped(run.total), grouped(left))
        : run.cancelled ? phrase("cancelled after {} of {}", grouped(run.done), grouped(run.total))
                        : phrase("{} measured", grouped(run.done));
    const float y = box.low.y + (box.height() - pen.size()) / 2;
    pen.text({box.high.x - 0.6f * pen.size(), y}, kText, right, Align::kRight);
    const std::string what = !run.failure.empty() ? run.failure : run.running ? run.next : "";
    pen.text({box.low.x + 0.6f * pen.size(), y}, kText,
             pen.fitted(what, box.width() - pen.width(right) - 2.5f * pen.size()));
}

/// Explains why I below 1 on a CPU does not refute the papers. Returns the height of the text.
float cpu_remark(const Pen& pen, const Box& box, const LabState& lab) {
    if (lab.run.config.backend != Backend::kCpu) return 0;
    const Pen small = pen.sized(0.85f);
    const std::string text{
        tr("On this CPU an idle block costs nothing, but the root of a map costs time: I below 1 is expected. On a GPU "
           "idle blocks take time too, and I goes up to 2m / (m + 1).")};
    small.wrapped(box.low, kDim, text, box.width());
    return ImGui::GetFont()->CalcTextSizeA(small.size(), 1e9f, box.width(), text.c_str()).y + 0.6f * pen.size();
}

/// The result in words, at the lower edge of the box. Returns its height.
float sentence(const Pen& pen, const Box& box, const LabState& lab) {
    const std::string text = lab_sentence(lab);
    if (text.empty()) return 0;
    const float height = ImGui::GetFont()->CalcTextSizeA(pen.size(), 1e9f, box.width(), text.c_str()).y;
    pen.wrapped({box.low.x, box.high.y - height}, kText, text, box.width());
    return height + 0.5f * pen.size();
}

void bars_and_curves(Widgets& ui, const Pen& pen, const Box& box, const LabState& lab) {
    const float least = 0.36f * box.height();  // for the curves
    const float height = std::clamp(lab_bars_height(pen, lab), std::min(15 * pen.size(), box.height() - least),
                                    box.height() - least - pen.size());
    const bool with_map = !lab.form.empty() && box.width() >= kLeastForMap * ui.scale();
    const float part = with_map ? 0.62f : 1.0f, bars = box.low.x + part * box.width();
    lab_bars_drawing(pen, {box.low, {bars - (with_map ? 1.5f * pen.size() : 0), box.low.y + height}}, lab);
    if (with_map) map_picture(ui, pen, {{bars, box.low.y}, {box.high.x, box.low.y + height}}, lab);
    lab_curves_drawing(pen, {{box.low.x, box.low.y + height + pen.size()}, box.high}, lab);
}

void findings(Widgets& ui, const Pen& pen, const Box& box, const LabState& lab) {
    const LabRun& run = lab.run;
    if (run.table.rows.empty()) return invitation(pen, box, lab);
    const float words = sentence(pen.sized(1.1f), box, lab);
    const Box rest{box.low, {box.high.x, box.high.y - words}};
    if (run.experiment == "waste") return lab_waste_drawing(pen, rest, lab);
    if (lab.bars.empty()) return lab_table_drawing(pen, rest, lab);
    const float remark = cpu_remark(pen, rest, lab);
    bars_and_curves(ui, pen, {{rest.low.x, rest.low.y + remark}, rest.high}, lab);
}

/// Shown instead of the laboratory.
void no_room(Widgets& ui, float left, float top) {
    const float width = ImGui::GetIO().DisplaySize.x - left - top;
    const ImGuiWindow* figures = ImGui::FindWindowByName(kFiguresWindow);
    if (figures && figures->WasActive) top += figures->Pos.y + figures->Size.y;
    if (width < 0.3f * kLabLeastWidth * ui.scale()) return;
    place_window({left, top}, {0, 0}, 0.8f);
    ImGui::SetNextWindowSize({width, 0});
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_NoInputs;
    if (ImGui::Begin("lab has no room", nullptr, flags))
        ui.note(
            "The laboratory has no room here: enlarge the window, make the sidebar narrower by its right edge, or "
            "reduce the text size on the page Info.");
    ImGui::End();
}

/// The laboratory's results, next to the sidebar, while the Lab tab is open. Returns where it was drawn.
std::optional<Rectangle> lab_overlay(Widgets& ui, const UiState& state, const Fonts& fonts) {
    const DarkColors dark;
    if (state.layout.panel != "lab") return std::nullopt;
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const ImVec2 size{screen.x - left - gap,
                      screen.y - gap - kMessageStrip * ui.scale() - transport_height(state, ui.scale())};
    if (size.x < kLabLeastWidth * ui.scale() || size.y < kLeastHeight * ui.scale()) {
        no_room(ui, left, gap);
        return std::nullopt;
    }
    place_window({left, gap}, {0, 0}, 1);
    ImGui::SetNextWindowSize(size);
    constexpr int flags = kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("lab", nullptr, flags)) {
        ImGui::PushFont(fonts.large);
        const float text_size =
            std::clamp(std::min(size.y / (state.layout.presenter ? kPresenterLines : kLines), size.x / 46),
                       kLeastLetters * ui.scale(), kMostLetters * ui.scale());
        const Pen pen{fonts.large, std::round(text_size)};
        const Box box{{left + padding.x, gap + padding.y}, {left + size.x - padding.x, gap + size.y - padding.y}};
        const float head = 2.4f * pen.size(), foot = 1.5f * pen.size();
        title(pen, box, state.lab);
        findings(ui, pen, {{box.low.x, box.low.y + head}, {box.high.x, box.high.y - foot - 0.5f * pen.size()}},
                 state.lab);
        if (!state.lab.run.experiment.empty()) progress(pen, {{box.low.x, box.high.y - foot}, box.high}, state.lab.run);
        ImGui::PopFont();
    }
    ImGui::End();
    return Rectangle{left, gap, left + size.x, gap + size.y};
}

void draw_results(Window& w, DrawnFrame& frame) {
    if (frame.state.layout.panels || frame.state.layout.presenter)
        frame.lab = lab_overlay(frame.ui, frame.state, w.imgui.fonts());
    w.lab.set_place(frame.lab);
}

constexpr auto kLabOverlays = std::to_array<Overlay>({
    {Layer::kDrawing, draw_results},
});

void describe_lab(nlohmann::json& map, const UiState& state) { map["lab"] = lab_json(state); }

}  // namespace

FeatureEntry lab_feature() {
    return {.panels = kLabPanels, .commands = kLabCommands, .overlays = kLabOverlays, .describe = describe_lab};
}

}  // namespace orrery
