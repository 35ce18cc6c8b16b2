// SPDX-License-Identifier: MIT
#pragma once
namespace orrery {

/// A request to the window as a whole, by a key or a button; app/window/commands.cpp has the handler and key of each.
enum class Command {
    kTogglePause,
    kStep,
    kStepBack,
    kReverse,    ///< reverses time
    kRewind,     ///< argument: number of snapshots back (negative) or forward
    kSeriesEnd,  ///< argument: −1 the first snapshot of a series, +1 the last
    kRestart,
    kPreset,     ///< argument: -1 previous, +1 next
    kEngine,     ///< argument: number of its key, from 1; see engine_keys()
    kBackend,    ///< switches the same engine between GPU and CPU
    kMap,        ///< the next thread map of the menu
    kPrecision,  ///< cycles through the precisions of the engine
    kSpeed,      ///< argument: -1 slower, +1 faster
    kRecord,     ///< starts or stops recording
    kCancelRecording,
    kRecordSnapshots,  ///< starts or ends a series of snapshots
    kScreenshot,
    kSaveScene,
    kSaveState,  ///< the bodies as they are
    kGallery,    ///< opens or closes the gallery of scenes and files
    kPalette,    ///< opens or closes the palette of all commands and choices
    kTypeFile,   ///< opens the gallery at its files, with the cursor in the path field
    kUndo,
    kRedo,
    kDelete,  ///< removes the picked bodies
    kFit,
    kFollow,
    kFly,           ///< flies, or orbits again
    kAddCameraKey,  ///< adds a keyframe to the camera path
    kPlayPath,      ///< plays the camera path, or stops
    kRecallCamera,  ///< argument: slot, from 1
    kStoreCamera,   ///< argument: slot, from 1
    kOctree,
    kLab,      ///< opens and closes the laboratory
    kCompare,  ///< starts or ends a comparison
    kFlip,     ///< in a comparison: switches between A and B
    kOverlay,
    kResetView,  ///< restores the view that the scene came with
    kPanels,
    kHelp,
    kTour,           ///< starts the tour at its first card
    kKeyboard,       ///< keyboard control of the panels, on or off
    kTextScale,      ///< argument: −1 smaller, +1 larger, 0 default
    kExportHistory,  ///< as CSV, like the next two
    kExportCompare,
    kExportDiagnostics,
    kExportTrack,  ///< of the picked bodies
    kPlotHistory,  ///< as SVG, like the next two
    kPlotCompare,
    kPlotDiagnostics,
    kExportPlot,  ///< of the page Plots, as CSV; the next one as SVG
    kDrawPlot,
    kAttract,
    kFullscreen,
    kQuit,  ///< must stay last
};

struct CommandCall {
    Command command;
    int argument = 0;
};

}  // namespace orrery
