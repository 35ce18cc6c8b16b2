// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/kernel/kernel_control.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/maps/map_canvas.hpp"
#include "app/window/maps/tried_engines.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "app/window/ui_state.hpp"
#include "core/engines/choices.hpp"
#include "core/kernels/examples.hpp"

namespace orrery {
namespace {

constexpr const char* kKernelWindow = "kernel editor";  // ImGui name
constexpr float kEditorPart = 0.62f;                    // of the picture's width
constexpr float kEditorLeast = 430, kEditorMost = 860;  // pixels at scale 1
constexpr float kEditorOpacity = 0.92f;

bool editor_shown(const UiState& state) {
    return state.layout.panels && state.layout.panel == "kernel" && state.own.of<KernelPage>().editor;
}

/// Width of the editor's window in pixels.
float editor_width(const UiState& state, float scale) {
    const float gap = kOverlayGap * scale;
    const float room = ImGui::GetIO().DisplaySize.x - sidebar_width(state, scale) - 2 * gap;
    return std::min(room, std::clamp(kEditorPart * room, kEditorLeast * scale, kEditorMost * scale));
}

/// The faults of the text in the editor: those of the last trial, while the text is the same.
CodeView view_of(const KernelPage& page) {
    CodeView view;
    if (page.fault.line > 0 && page.tried == page.text) view.marks.push_back({page.fault.line, page.fault.text});
    if (page.fault_is_new && !view.marks.empty()) view.show_line = page.fault.line;
    return view;
}

/// The editor of the page Kernel, beside the sidebar.
void kernel_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!editor_shown(state)) return;
    const auto& page = state.own.of<KernelPage>();
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float width = editor_width(state, ui.scale());
    const float height =
        ImGui::GetIO().DisplaySize.y - gap - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    if (width < kEditorLeast * ui.scale() / 2 || height < 6 * ImGui::GetTextLineHeight()) return;
    place_window({left, gap}, {0, 0}, kEditorOpacity);
    ImGui::SetNextWindowSize({width, height});
    if (ImGui::Begin(kKernelWindow, nullptr, kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus)) {
        write_text(verbatim(page.name));
        ImGui::SameLine();
        write_dim(page.modified() ? tr("modified") : std::string_view{});
        if (page.caret > 0) {
            const std::string line = phrase("line {}", page.caret);
            ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - text_width(line));
            write_dim(line);
        }
        const CodeView view = view_of(page);
        const float message =
            view.marks.empty()
                ? 0
                : ImGui::GetStyle().ItemSpacing.y +
                      ImGui::CalcTextSize(page.fault.text.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y;
        std::string text = page.text;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const CodeEvents events =
            ui.code("Kernel text", text, {room.x, room.y - message}, view,
                    "The kernel. Ctrl + Enter runs it, Ctrl + S saves and runs it, Esc leaves the editor");
        if (message > 0) {
            ImGui::PushStyleColor(ImGuiCol_Text, record_mark());
            write_wrapped(verbatim(page.fault.text));
            ImGui::PopStyleColor();
        }
        if (events.edited || events.entered || events.caret != page.caret || view.show_line > 0)
            requests.change([text, events](UiState& now) {
                auto& changed = now.own.of<KernelPage>();
                changed.fault_is_new = false;
                if (events.edited) changed.text = text;
                changed.caret = events.caret;
                changed.wish.run |= events.entered;
            });
        if (events.entered) ui.type_into_next();
    }
    ImGui::End();
}

constexpr std::size_t kMostTriedBars = 6;
constexpr ImU32 kExactMark = IM_COL32(0, 158, 115, 255), kWrongMark = IM_COL32(240, 96, 72, 255);

void change_page(UiRequests& requests, auto set) {
    requests.change([set](UiState& now) { set(now.own.of<KernelPage>()); });
}

/// A text in the colour of errors.
void write_fault(std::string_view text) {
    ImGui::PushStyleColor(ImGuiCol_Text, record_mark());
    write_wrapped(text);
    ImGui::PopStyleColor();
}

std::string title_of(const ExampleKernel& example) {
    return verbatim(fmt::format("{}: {}", example.name, parse_kernel(example.text, example.name).title));
}

void files(Widgets& ui, const KernelPage& page, UiRequests& requests) {
    const std::string why_not = page.modified() ? std::string{tr("Save or revert the text first")} : std::string{};
    if (ui.begin_combo("Example", page.path.empty() ? verbatim(page.name) : "none",
                       "Kernels to start from; a changed example is saved under another name", why_not)) {
        for (const ExampleKernel& example : example_kernels())
            if (ui.choice(title_of(example), page.path.empty() && example.name == page.name,
                          "Shows its text; Run makes the bodies move by it"))
                change_page(requests, [name = std::string{example.name}](KernelPage& now) { now.wish.open = name; });
        ui.end_combo();
    }
    std::string path = page.typed_path;
    const bool typed = ui.path("Kernel file", path, "a .cpp, .glsl or .cu file",
                               "Enter opens the file. While it is open, a text saved by another program runs at once");
    if (typed) change_page(requests, [path](KernelPage& now) { now.typed_path = path; });
    if (ui.entered() && !path.empty()) change_page(requests, [path](KernelPage& now) { now.wish.open = path; });
}

void buttons(Widgets& ui, const KernelPage& page, UiRequests& requests) {
    const float width = column_width(2);
    if (ui.button("Run", {.role = ButtonRole::kPrimary},
                  "Compiles the text, tries it in a separate process, and makes the bodies move by it. Key F9; in the "
                  "editor Ctrl + Enter",
                  width))
        change_page(requests, [](KernelPage& now) { now.wish.run = true; });
    ImGui::SameLine();
    if (ui.button("Revert", "Restores the text of the file", width, page.modified() ? "" : "The text is unchanged"))
        change_page(requests, [](KernelPage& now) { now.wish.revert = true; });
    const std::string_view no_files = page.elsewhere ? "Viewers in a browser write no files here" : "";
    if (ui.button("Save", "Writes the file and runs the text. In the editor Ctrl + S", width,
                  !no_files.empty()   ? no_files
                  : page.path.empty() ? "An example has no file: type a path, then Save as"
                                      : ""))
        change_page(requests, [](KernelPage& now) { now.wish.save = true; });
    ImGui::SameLine();
    if (ui.button("Save as", "Writes the text to the path in the field Kernel file, and runs it", width,
                  !no_files.empty()         ? no_files
                  : page.typed_path.empty() ? "Type a path first"
                                            : ""))
        change_page(requests, [](KernelPage& now) { now.wish.save_as = true; });
    bool editor = page.editor;
    if (ui.toggle("Editor", editor, "Shows the text beside this page"))
        change_page(requests, [editor](KernelPage& now) { now.editor = editor; });
}

/// True if the bodies move by the text that was tried last.
bool in_use(const UiState& state, const KernelPage& page) {
    const EngineConfig& config = state.status.engine.config;
    return page.head && !page.tried.empty() && config.kernel == page.tried && runs(*find_engine(config), *page.head);
}

void state_of_kernel(Widgets& ui, const UiState& state, const KernelPage& page) {
    const EngineConfig& config = state.status.engine.config;
    const std::string kernel = kernel_in_force(config);
    ui.value("Engine or kernel",
             kernel.empty() ? verbatim(fmt::format("{} {}", config.engine, name(config.backend))) : verbatim(kernel),
             "The engine in use, or the kernel that it runs");
    if (page.working)
        ui.note("Being compiled and tried.");
    else if (page.map && page.map->verdict.first_wrong)
        ui.note("The map is wrong: the bodies keep their engine.");
    else if (!page.fault.text.empty())
        write_fault(verbatim(page.fault.text));
    else if (page.tried != page.text)
        ui.note("Run compares the kernel with the reference.");
    if (page.exchange && page.fault.text.empty())
        ui.value("Exchanged in", phrase("{:.2f} s", *page.exchange),
                 "From saving the text, or pressing Run, to the first step by it");
}

/// Sliders of the kernel's parameters, which change its head and run it.
void parameters(Widgets& ui, const KernelPage& page, UiRequests& requests) {
    if (!page.head || page.head->parameters.empty()) return;
    ui.heading("Parameters");
    std::optional<KernelFile> saved;
    try {
        saved = parse_kernel(page.saved, page.name);
    } catch (const Error&) {
        // The file has an error in its head; the text in the editor has none.
    }
    for (const KernelParameter& each : page.head->parameters) {
        double value = each.value, reset = each.value;
        if (saved)
            for (const KernelParameter& other : saved->parameters)
                if (other.name == each.name) reset = std::clamp(other.value, each.low, each.high);
        const bool wide = each.low > 0 && each.high / each.low >= 100;
        const SliderRange range{each.low, each.high, reset, "%.4g", wide ? Scale::kLogarithmic : Scale::kLinear};
        if (!ui.slider(verbatim(each.name), value, range,
                       each.doc.empty() ? tr("Parameter of the kernel") : verbatim(each.doc)))
            continue;
        const std::string text = with_parameter(*page.head, each.name, std::clamp(value, each.low, each.high));
        change_page(requests, [text](KernelPage& now) { now.text = text, now.wish.run = true; });
    }
}

/// The time of an evaluation, and its speed as a bar above that of the rival.
void times(Widgets& ui, const RivalTimes& measured, const KernelPage& page, const char* rival) {
    ui.value("Time",
             phrase("{} for {} bodies", milliseconds_text(measured.seconds),
                    grouped(static_cast<std::int64_t>(measured.bodies))),
             "Fastest of several evaluations while the bodies move, in turn with the engine below");
    const double pairs = measured.pairs_per_second();
    const std::array<TriedEngine, 2> both{
        TriedEngine{.name = verbatim(page.head ? page.head->title : page.name),
                    .pairs_per_second = pairs,
                    .seconds = measured.seconds,
                    .now = true},
        TriedEngine{
            .name = verbatim(rival), .pairs_per_second = pairs / measured.ratio(), .seconds = measured.rival_seconds}};
    ui.note("Pairs/s");
    speed_bars(both, both.size(), ImGui::GetContentRegionAvail().x, ui.scale());
}

void force_figures(Widgets& ui, const ForceVerdict& verdict, const KernelPage& page, UiRequests& requests) {
    ui.heading(verdict.pass() ? "Right" : "Wrong");
    ui.value("Error", phrase("{:.2e} rms, tolerance {:.0e}", verdict.rms_error, verdict.tolerance),
             verdict.own_law
                 ? "Relative RMS error of the accelerations against the kernel's own sum in double precision"
                 : "Relative RMS error of the accelerations against all pairs in double precision");
    ui.value("Compared",
             verdict.compared == verdict.bodies
                 ? phrase("{} bodies", grouped(static_cast<std::int64_t>(verdict.bodies)))
                 : phrase("{} of {} bodies", grouped(static_cast<std::int64_t>(verdict.compared)),
                          grouped(static_cast<std::int64_t>(verdict.bodies))),
             "The bodies as they were when the kernel was exchanged; an evenly spaced sample of many");
    ui.value("Worst body", phrase("number {}: {:.2e}", verdict.worst, verdict.worst_error), "Its relative error");
    if (ui.button("Show worst body", "Picks it, which marks it in the picture", -1))
        requests.pick =
            std::make_shared<const std::vector<std::uint32_t>>(1, static_cast<std::uint32_t>(verdict.worst));
    if (!verdict.times) return ui.note(page.judging ? "Being timed." : "Not timed.");
    times(ui, *verdict.times, page, "direct");
    ui.value("Of direct", phrase("{:.2f} × its speed", verdict.times->ratio()),
             "Against engine direct on the same backend and the same bodies");
}

/// The evaluated numbers of rows along a logarithmic axis, green where the map is exact.
void exactness_strip(Widgets& ui, const MapVerdict& verdict) {
    const float width = ImGui::GetContentRegionAvail().x, height = 18 * ui.scale();
    const bool hovered = ui.canvas("Exactness", width, height);
    const ImVec2 at = ImGui::GetItemRectMin();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    if (verdict.samples.empty()) return;
    const double last = std::log(std::max(2.0, static_cast<double>(verdict.samples.back().rows)));
    const MapExactness* nearest = nullptr;
    float distance = width;
    for (const MapExactness& each : verdict.samples) {
        const float x = at.x + (width - 2 * ui.scale()) * static_cast<float>(std::log(each.rows) / last);
        draw.AddRectFilled({x, at.y}, {x + 2 * ui.scale(), at.y + height}, each.exact() ? kExactMark : kWrongMark);
        if (const float off = std::abs(ImGui::GetMousePos().x - x); off < distance) distance = off, nearest = &each;
    }
    if (!hovered || !nearest) return;
    const std::string text = nearest->exact() ? phrase("m = {}: exact, {} of {} blocks outside", nearest->rows,
                                                       nearest->outside, nearest->launched)
                                              : phrase("m = {}: {} missing, {} double, {} outside", nearest->rows,
                                                       nearest->missing, nearest->twice, nearest->outside);
    ImGui::SetTooltip("%s", text.c_str());
}

/// The launch grid and the triangle, with the block under the mouse lit.
void map_drawing(Widgets& ui, const MapPicture& picture) {
    ui.note(phrase("Drawn for m = {}: the launch grid, and the triangle of tiles", picture.drawn()));
    constexpr float kMostCell = 22, kGapInCells = 1.5f;
    const float width = ImGui::GetContentRegionAvail().x;
    const float cells = static_cast<float>(picture.columns() + picture.drawn()) + kGapInCells;
    const float cell = std::floor(std::min(kMostCell * ui.scale(), width / cells));
    if (cell < 2) return ui.note("The grid is too wide to be drawn here.");
    const float second = cell * (static_cast<float>(picture.columns()) + kGapInCells);
    const auto pick = map_canvas(ui, picture, cell, second);
    ui.note(pick ? pick_text(picture, *pick) : phrase("Crossed tiles have no block; framed ones have more than one."));
}

void map_figures(Widgets& ui, const MapReport& report, const KernelPage& page) {
    const MapVerdict& verdict = report.verdict;
    const MapExactness& shown = verdict.first_wrong ? *verdict.first_wrong : verdict.last;
    ui.heading(verdict.first_wrong ? "Wrong" : "Right");
    ui.value(
        "Exactness",
        verdict.first_wrong ? phrase("wrong from m = {} on", shown.rows) : phrase("exact up to m = {}", verdict.tested),
        "Every number of rows m up to 64, then ever larger steps; bisected to the first wrong one");
    exactness_strip(ui, verdict);
    const auto number = [](std::uint64_t value) { return grouped(static_cast<std::int64_t>(value)); };
    ui.value("Missing", phrase("{} of {} tiles", number(shown.missing), number(triangular(shown.rows))),
             "Tiles of the triangle without a block");
    ui.value("Double", phrase("{} tiles", number(shown.twice)), "Tiles with more than one block");
    if (shown.first)
        ui.value("First wrong tile", fmt::format("({}, {})", shown.first->row, shown.first->col), "Row and column");
    if (report.picture) map_drawing(ui, *report.picture);
    ui.value("Outside",
             phrase("{} of {} blocks: {:.1f} % waste", number(shown.outside), number(shown.launched),
                    100 * static_cast<double>(shown.outside) / static_cast<double>(shown.launched)),
             "Blocks that return at once, because they have no tile");
    const double rows = shown.rows;
    ui.value("Blocks", phrase("bounding box: {:.2f} × as many", rows * rows / static_cast<double>(shown.launched)),
             "Blocks of the bounding box, divided by those of this map");
    if (report.times) {
        times(ui, *report.times, page, "half bb");
        ui.value("I", phrase("{:.3f} against the bounding box", report.times->ratio()),
                 "Improvement: the time of engine half with the map bb, divided by that with this map");
    }
}

/// Takes a thread map that has passed its trial to the page Lab.
void to_laboratory(Widgets& ui, const UiState& state, const KernelPage& page, UiRequests& requests) {
    const bool usable = page.head && page.head->kind == KernelKind::kMap && page.tried == page.text &&
                        page.head->language == KernelLanguage::kCpp && page.fault.text.empty();
    if (!usable || !ui.button("To the laboratory", "Times the map in the page Lab, beside the other maps", -1)) return;
    LabSettings settings = state.lab.settings;
    settings.kernel = *page.head;
    settings.backend = Backend::kCpu;
    if (forms_of(settings.experiment).empty() || tuple_order(settings.experiment) > 2) settings.experiment = "dummy";
    requests.lab.settings = settings;
    requests.layout.panel = "lab";
}

void kernel_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto& page = state.own.of<KernelPage>();
    files(ui, page, requests);
    buttons(ui, page, requests);
    state_of_kernel(ui, state, page);
    to_laboratory(ui, state, page, requests);
    parameters(ui, page, requests);
    if (page.force) force_figures(ui, *page.force, page, requests);
    if (page.map) map_figures(ui, *page.map, page);
    if (page.judging && !page.force && !page.map) ui.note("Being compared with the reference.");
    if (!state.maps.tried.empty()) {
        ui.heading("Pairs/s measured with this number of bodies");
        ImGui::SetWindowFontScale(0.87f);  // so that the longest names fit
        speed_bars(state.maps.tried, kMostTriedBars, ImGui::GetContentRegionAvail().x, ui.scale());
        ImGui::SetWindowFontScale(1);
    }
}

using namespace command_table;

void open_page(Window& window, int) {
    LayoutState& layout = window.core.state.layout;
    layout.panel = "kernel";
    layout.panels = true;
}

void run_kernel(Window& window, int) {
    open_page(window, 0);
    window.core.state.own.of<KernelPage>().wish.run = true;
}

constexpr auto kKernelCommands = std::to_array<WindowCommand>({
    with(kShift, line(Command::kKernel, open_page, GLFW_KEY_K, "Shift + K", "open the page Kernel")),
    line(Command::kRunKernel, run_kernel, GLFW_KEY_F9, "F9", "run the text of the page Kernel"),
});

constexpr auto kKernelPanels = std::to_array<PanelEntry>({
    {"kernel", PanelGroup::kCompute, "Kernel", kernel_panel,
     "Write a force or a thread map, and see the bodies move by it"},
});

void draw_editor(Window&, DrawnFrame& frame) { kernel_overlay(frame.ui, frame.state, frame.requests); }

constexpr auto kKernelOverlays = std::to_array<Overlay>({
    {Layer::kDrawing, draw_editor},
});

nlohmann::json times_json(const std::optional<RivalTimes>& times) {
    if (!times) return {};
    return {{"bodies", times->bodies}, {"seconds", times->seconds}, {"rival_seconds", times->rival_seconds}};
}

nlohmann::json map_report_json(const MapReport& report) {
    const MapVerdict& verdict = report.verdict;
    const MapExactness& shown = verdict.first_wrong ? *verdict.first_wrong : verdict.last;
    return {{"exact", !verdict.first_wrong},
            {"tested", verdict.tested},
            {"rows", shown.rows},
            {"missing", shown.missing},
            {"twice", shown.twice},
            {"outside", shown.outside},
            {"launched", shown.launched},
            {"drawn", report.picture ? report.picture->drawn() : 0},
            {"times", times_json(report.times)}};
}

nlohmann::json force_report_json(const ForceVerdict& verdict) {
    return {{"right", verdict.pass()},
            {"rms_error", verdict.rms_error},
            {"worst", verdict.worst},
            {"compared", verdict.compared},
            {"times", times_json(verdict.times)}};
}

void describe_kernel(nlohmann::json& map, const UiState& state) {
    const auto& page = state.own.of<KernelPage>();
    map["kernel"] = {{"name", page.name},
                     {"path", page.path},
                     {"modified", page.modified()},
                     {"text", page.text},
                     {"caret", page.caret},
                     {"working", page.working},
                     {"judging", page.judging},
                     {"fault", page.fault.text},
                     {"fault_line", page.fault.line},
                     {"in_use", in_use(state, page)},
                     {"bodies_move_by", kernel_in_force(state.status.engine.config)},
                     {"exchange", page.exchange ? nlohmann::json(*page.exchange) : nlohmann::json{}},
                     {"map", page.map ? map_report_json(*page.map) : nlohmann::json{}},
                     {"force", page.force ? force_report_json(*page.force) : nlohmann::json{}}};
}

std::unique_ptr<Feature> make_kernel_page(Window& w) {
    return std::make_unique<KernelControl>(w.core, w.scenes, w.window.elsewhere());
}

}  // namespace

float kernel_editor_width(const UiState& state, float scale) {
    return editor_shown(state) ? editor_width(state, scale) + kOverlayGap * scale : 0;
}

FeatureEntry kernel_feature() {
    return {.panels = kKernelPanels,
            .commands = kKernelCommands,
            .overlays = kKernelOverlays,
            .describe = describe_kernel,
            .make = make_kernel_page};
}

}  // namespace orrery
