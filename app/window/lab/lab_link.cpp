// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_link.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
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

}  // namespace

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

}  // namespace orrery
