// SPDX-License-Identifier: MIT
#pragma once
namespace orrery {

/// What a key or a button asks of the window as a whole; app/window/commands.cpp says what each does, and by which key.
enum class Command {
    kTogglePause,
    kStep,
    kStepBack,
    kReverse,  ///< time runs backward, or forward again
    kRewind,   ///< argument: so many snapshots back (negative) or forth
    kRestart,
    kPreset,     ///< argument: -1 the one before, +1 the next
    kEngine,     ///< argument: number of its key, from 1; see engine_keys()
    kBackend,    ///< the same engine on the GPU, or on the CPU again
    kMap,        ///< the next thread map of the menu
    kPrecision,  ///< those that the engine has in turn
    kSpeed,      ///< argument: -1 slower, +1 faster
    kRecord,     ///< starts or stops
    kCancelRecording,
    kScreenshot,
    kSaveScene,
    kTypeFile,  ///< opens the Scene tab at the field for a file's path
    kFit,
    kFollow,
    kFly,           ///< or turn round the target again
    kAddCameraKey,  ///< of the camera's path
    kPlayPath,      ///< or stop
    kRecallCamera,  ///< argument: place, from 1
    kStoreCamera,   ///< likewise
    kOctree,
    kLab,      ///< opens and closes the laboratory
    kCompare,  ///< begins or ends a comparison
    kFlip,     ///< of a comparison: A or B
    kOverlay,
    kPanels,
    kHelp,
    kKeyboard,       ///< panels by keys, or not
    kTextScale,      ///< argument: −1 smaller, +1 larger, 0 as the screen has it
    kExportHistory,  ///< as CSV, as the next two
    kExportCompare,
    kExportDiagnostics,
    kPlotHistory,  ///< as SVG, as the next two
    kPlotCompare,
    kPlotDiagnostics,
    kAttract,
    kFullscreen,
    kQuit,  ///< the last
};

struct CommandCall {
    Command command;
    int argument = 0;
};

}  // namespace orrery
