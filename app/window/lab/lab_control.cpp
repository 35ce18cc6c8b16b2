// SPDX-License-Identifier: MIT
#include "app/window/lab/lab_control.hpp"

#include <utility>

#include "app/window/lab/lab_export.hpp"
#include "app/window/window_picture.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

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
