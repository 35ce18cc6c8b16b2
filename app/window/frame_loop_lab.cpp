// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include "app/window/frame_loop.hpp"
#include "app/window/lab_export.hpp"
#include "core/base/error.hpp"

namespace orrery {

void FrameLoop::update_lab() {
    lab_.update(state_.lab);
    if (!paused_for_lab_ || state_.lab.run.running) return;
    paused_for_lab_ = false;
    simulation_.send(SetPaused{false});
}

void FrameLoop::toggle_lab() {
    const bool open = state_.panels && state_.panel == "lab";
    if (!open && state_.panel != "lab") before_lab_ = state_.panel;
    state_.panel = open ? before_lab_ : "lab";
    state_.panels = true;
}

void FrameLoop::act_in_lab(LabAction action) {
    try {
        switch (action) {
            case LabAction::kStart:
                lab_.start(state_.lab);
                if (state_.lab.settings.pause_bodies && !simulation_.paused()) {
                    paused_for_lab_ = true;
                    simulation_.send(SetPaused{true});
                }
                return;
            case LabAction::kCancel:
                return lab_.cancel();
            case LabAction::kCsv:
                state_.lab.last_export = export_lab_csv(state_.lab.run).string();
                return notice("CSV: " + state_.lab.last_export);
            case LabAction::kSvg:
                state_.lab.last_export = export_lab_svg(state_.lab).string();
                return notice("SVG: " + state_.lab.last_export);
            case LabAction::kPng:
                lab_photo_ = true;
                return;
        }
    } catch (const Error& error) {
        failure(error.what());
    }
}

/// The back buffer is read: what covers the overlay, messages and tips, is not drawn in this frame.
void FrameLoop::photograph_lab() {
    if (!std::exchange(lab_photo_, false)) return;
    if (!lab_place_) return failure("The window is too small for a picture of the laboratory");
    const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
    const Rectangle part{lab_place_->x0 * pixels.x, lab_place_->y0 * pixels.y, lab_place_->x1 * pixels.x,
                         lab_place_->y1 * pixels.y};
    try {
        read_window();
        state_.lab.last_export = export_lab_png(state_.lab.run, picture_, part).string();
        notice("PNG: " + state_.lab.last_export);
    } catch (const Error& error) {
        failure(error.what());
    }
}

}  // namespace orrery
