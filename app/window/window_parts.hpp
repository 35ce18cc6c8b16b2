// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include "app/platform/surface.hpp"
#include "app/window/attract/attract.hpp"
#include "app/window/autosave/autosave.hpp"
#include "app/window/exports.hpp"
#include "app/window/gallery/gallery_control.hpp"
#include "app/window/hand/hand_control.hpp"
#include "app/window/imgui_host.hpp"
#include "app/window/lab/lab_control.hpp"
#include "app/window/layout/layout_control.hpp"
#include "app/window/leave/leave_control.hpp"
#include "app/window/monitor_requests.hpp"
#include "app/window/recording/recording_control.hpp"
#include "app/window/scenes/scene_control.hpp"
#include "app/window/tour/tour_control.hpp"
#include "app/window/user_settings.hpp"
#include "app/window/window_core.hpp"
#include "app/window/window_picture.hpp"

namespace orrery {

/// The parts of the window; each part owns its state. Commands and requests act on them.
struct WindowParts {
    WindowParts(const WindowConfig& config, const MakeSurface& make);

    float ui_scale() const { return window.content_scale() * core.state.layout.scale_of_text(); }
    /// In the order in which they are updated and carry out requests.
    std::vector<Feature*> features();
    /// Carries out the user's requests from the panels.
    void apply(const UiRequests& requests);
    void save_settings();

    Remembered remembered;
    std::unique_ptr<Surface> surface;
    Surface& window = *surface;
    WindowCore core;
    ImGuiHost imgui;
    WindowPicture picture;
    RecordingControl recording;
    MonitorRequests monitor_requests;
    SceneControl scenes;
    CameraPage camera;
    HandControl hand;
    LabControl lab;
    LayoutControl layout;
    AttractMode attract;
    Exports exports;
    GalleryControl gallery;
    TourControl tour;
    LeaveControl leave;
    Autosave autosave;
    std::vector<std::unique_ptr<Feature>> others;  ///< made by their entries
};

}  // namespace orrery
