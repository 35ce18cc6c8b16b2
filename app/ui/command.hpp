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
    kRecord,     ///< starts or stops
    kCancelRecording,
    kRecordSnapshots,  ///< starts or ends a series of them
    kScreenshot,
    kSaveScene,
    kSaveState,  ///< the bodies as they are
    kGallery,    ///< of scenes and files, on or off
    kPalette,    ///< of all commands and choices, on or off
    kTypeFile,   ///< opens the gallery at its files, with the keyboard in the path
    kUndo,
    kRedo,
    kDelete,  ///< what is picked
    kFit,
    kFollow,
    kFly,           ///< or orbit again
    kAddCameraKey,  ///< of the camera path
    kPlayPath,      ///< or stop
    kRecallCamera,  ///< argument: slot, from 1
    kStoreCamera,   ///< likewise
    kOctree,
    kLab,      ///< opens and closes the laboratory
    kCompare,  ///< starts or ends a comparison
    kFlip,     ///< in a comparison: A or B
    kOverlay,
    kResetView,  ///< the picture as the scene brings it
    kPanels,
    kHelp,
    kTour,           ///< the first steps, from their first card
    kKeyboard,       ///< keyboard control of the panels, on or off
    kTextScale,      ///< argument: −1 smaller, +1 larger, 0 default
    kExportHistory,  ///< as CSV, as the next two
    kExportCompare,
    kExportDiagnostics,
    kExportTrack,  ///< of the picked bodies
    kPlotHistory,  ///< as SVG, as the next two
    kPlotCompare,
    kPlotDiagnostics,
    kExportPlot,  ///< of the page Plots, as CSV; the next as SVG
    kDrawPlot,
    kAttract,
    kFullscreen,
    kQuit,  ///< the last
};

struct CommandCall {
    Command command;
    int argument = 0;
};

}  // namespace orrery
