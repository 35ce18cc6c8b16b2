// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/lab_rows.hpp"
#include "app/platform/machine.hpp"
#include "app/record/picture_files.hpp"
#include "app/render/image.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/lab/lab_state.hpp"
#include "app/window/recording/window_recording.hpp"
#include "app/window/window_picture.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/menu.hpp"
#include "core/engines/menu.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery {
namespace {

constexpr std::chrono::milliseconds kLeastLook{800};  // a picture stays at least this long, so that it can be seen
constexpr std::uint32_t kRows = 16;                   // rows of tiles in it: large enough to be readable from afar
constexpr std::uint32_t kLayers = 6;                  // layers of triples in it
constexpr std::uint32_t kLayers4 = 5;                 // layers of quadruples in it

/// LabRun::next begins with the map: "lambda · sqrt, N = 1024".
std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" ,")); }

/// The map with the same tiles as this form: "rec" for "rec-launches". Null if there is none.
std::shared_ptr<const MapPicture> picture_of(const std::string& form) {
    for (std::string id = form;; id.resize(id.rfind('-'))) {
        for (const auto& menu : {maps(), study_maps()})
            if (std::ranges::find(menu, id, &MapEntry::id) != menu.end())
                return std::make_shared<const MapPicture>(id, "sqrt", kRows);
        if (id.find('-') == std::string::npos) return nullptr;
    }
}

std::shared_ptr<const Map3Picture> picture3_of(const std::string& form) {
    const auto menu = simplex3_maps();
    if (std::ranges::find(menu, form, &Map3Entry::id) == menu.end()) return nullptr;
    return std::make_shared<const Map3Picture>(form, "sqrt", kLayers);
}

std::shared_ptr<const Map4Picture> picture4_of(const std::string& id) {
    const auto form = std::ranges::find(lab_forms(), id, &LabForm::id);
    if (form == lab_forms().end() || form->order != 4) return nullptr;
    return std::make_shared<const Map4Picture>(map4_picture({.form = form->form}, kLayers4));
}

/// The papers' range on a device; on a CPU a range that takes about a minute.
LabSettings default_lab_settings(const std::string& experiment, Backend backend) {
    LabSettings settings;
    settings.experiment = experiment;
    settings.backend = backend;
    const std::vector<std::uint32_t> sizes = lab_sizes({}, experiment);
    settings.from = sizes.front(), settings.to = sizes.back(), settings.step = sizes[1] - sizes[0];
    if (backend == Backend::kCuda)
        settings.repeat = 50;
    else
        settings.to = settings.from + 7 * settings.step;
    return settings;
}

}  // namespace

void choose(LabState& state, const LabSettings& settings) {
    const LabSettings old = std::exchange(state.settings, settings);
    LabSettings& now = state.settings;
    const bool same_maps = forms_of(now.experiment) == forms_of(old.experiment);
    if (!same_maps && now.maps == old.maps) now.maps.clear();  // unless both were chosen, with a paper's figure
    const LabSettings defaults = default_lab_settings(now.experiment, now.backend);
    const bool same_sizes = defaults.step == default_lab_settings(old.experiment, old.backend).step;
    if (same_sizes && now.backend == old.backend) return;
    now.from = defaults.from, now.to = defaults.to, now.step = defaults.step, now.repeat = defaults.repeat;
}

void LabLink::start(LabState& state) {
    lab_.start(state.settings.experiment, state.settings.config());
    update(state);  // it runs from now on
}

void LabLink::update(LabState& state) {
    if (!lab_.update(state.run)) return;
    state.bars = lab_bars(state.run.table);
    state.spreads = lab_spreads(state.run.table);
    state.panels = lab_panels(find_in_menu(experiments(), "experiment", state.run.experiment), state.run.table);
    show_form(state);
}

void LabLink::show_form(LabState& state) {
    const std::string form = first_word(state.run.next);
    if (form.empty() || form == state.form || clock_.now() - form_since_ < kLeastLook) return;
    form_since_ = clock_.now();
    state.form = form;
    state.form_doc.clear();
    for (const LabForm& each : lab_forms())
        if (each.id == form) state.form_doc = each.doc;
    state.picture = picture_of(form);
    state.picture3 = picture3_of(form);
    state.picture4 = picture4_of(form);
}

namespace {

std::filesystem::path path_for(const LabRun& run, std::string_view extension) {
    return std::filesystem::absolute(name_by_time(fmt::format("-lab-{}{}", run.experiment, extension)));
}

std::filesystem::path write(const std::filesystem::path& path, const std::string& text) {
    OutputFile file{path};
    file.write(text);
    file.commit();
    return path;
}

/// Rows as in `orrery lab --csv`. Returns the path. Throws Error{kEnvironment} if the disk fails, like the next two.
std::filesystem::path export_lab_csv(const LabRun& run) {
    Json rows = Json::array();
    for (const auto& row : run.table.rows)
        rows.push_back(lab_row(run.experiment, run.config.backend, run.table.columns, row));
    return write(path_for(run, ".csv"), to_csv(rows));
}

std::filesystem::path export_lab_svg(const LabState& lab) {
    return write(path_for(lab.run, ".svg"), lab_figure(lab.panels, device_name(lab.run.config.backend)));
}

/// `part` of the window's picture, in pixels from the upper left.
std::filesystem::path export_lab_png(const LabRun& run, const Image& window, const Rectangle& part) {
    const int left = std::clamp(static_cast<int>(part.x0), 0, window.width);
    const int right = std::clamp(static_cast<int>(part.x1), left, window.width);
    const int top = std::clamp(static_cast<int>(part.y0), 0, window.height);
    const int bottom = std::clamp(static_cast<int>(part.y1), top, window.height);
    Image image{right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y)
        image.rgba.insert(image.rgba.end(), window.row(y) + 4 * left, window.row(y) + 4 * right);
    const std::filesystem::path path = path_for(run, ".png");
    write_png(path, image);
    return path;
}

}  // namespace

LabControl::LabControl(WindowCore& core) : core_{core}, lab_{core.clock} {
    core.state.lab.settings = default_lab_settings("dummy", best_backend());
}

void LabControl::update() {
    lab_.update(core_.state.lab);
    if (!paused_bodies_ || core_.state.lab.run.running) return;
    paused_bodies_ = false;
    core_.simulation.send(SetPaused{false});
}

void LabControl::apply(const UiRequests& requests) {
    if (requests.lab.settings) choose(core_.state.lab, *requests.lab.settings);
    if (requests.lab.action) act(*requests.lab.action);
}

void LabControl::toggle() {
    UiState& state = core_.state;
    const bool open = state.layout.panels && state.layout.panel == "lab";
    if (!open && state.layout.panel != "lab") panel_before_ = state.layout.panel;
    state.layout.panel = open ? panel_before_ : "lab";
    state.layout.panels = true;
}

void LabControl::act(LabAction action) {
    LabState& lab = core_.state.lab;
    const auto exported = [&](const char* what, const std::filesystem::path& path) {
        lab.last_export = path.string();
        core_.messages.notice(what + lab.last_export);
    };
    core_.messages.attempt([&] {
        switch (action) {
            case LabAction::kStart:
                lab_.start(lab);
                if (!lab.settings.pause_bodies || core_.simulation.paused()) return;
                paused_bodies_ = true;
                return core_.simulation.send(SetPaused{true});
            case LabAction::kCancel:
                return lab_.cancel();
            case LabAction::kCsv:
                return exported("CSV: ", export_lab_csv(lab.run));
            case LabAction::kSvg:
                return exported("SVG: ", export_lab_svg(lab));
            case LabAction::kPng:
                capture_pending_ = true;
                return;
        }
    });
}

void LabControl::capture(const WindowPicture& window, glm::dvec2 pixels) {
    if (!std::exchange(capture_pending_, false)) return;
    if (!place_) return core_.messages.failure("The window is too small for a picture of the laboratory");
    const auto x = static_cast<float>(pixels.x), y = static_cast<float>(pixels.y);
    const Rectangle part{place_->x0 * x, place_->y0 * y, place_->x1 * x, place_->y1 * y};
    core_.messages.attempt([&] {
        window.read_window(core_.state.picture.width, core_.state.picture.height, picture_);
        core_.state.lab.last_export = export_lab_png(core_.state.lab.run, picture_, part).string();
        core_.messages.notice("PNG: " + core_.state.lab.last_export);
    });
}

}  // namespace orrery
