// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "app/platform/surface.hpp"

namespace orrery {

/// A request to the window as a whole, by a key or a button; a feature has the handler and key of each. Help and
/// palette list them in this order, those with a key first.
enum class Command {
    kTogglePause,
    kStep,
    kStepBack,
    kReverse,    ///< reverses time
    kRewind,     ///< argument: number of snapshots back (negative) or forward
    kSeriesEnd,  ///< argument: −1 the first snapshot of a series, +1 the last
    kSpeed,      ///< argument: -1 slower, +1 faster
    kRestart,
    kPreset,     ///< argument: -1 previous, +1 next
    kEngine,     ///< argument: number of its key, from 1; see engine_keys()
    kBackend,    ///< switches the same engine between GPU and CPU
    kMap,        ///< the next thread map of the menu
    kSecondMap,  ///< the next map drawn beside that of the engine, or none
    kWalk,       ///< plays or pauses the walk through the blocks of the thread map
    kKernel,     ///< opens the page Kernel
    kRunKernel,  ///< compiles its text and makes the bodies move by it
    kWalkStep,   ///< argument: −1 one block back, +1 one block on
    kPrecision,  ///< cycles through the precisions of the engine
    kGallery,    ///< opens or closes the gallery of scenes and files
    kRecord,     ///< starts or stops recording
    kScreenshot,
    kSaveScene,
    kSaveState,  ///< the bodies as they are
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
    kFilmPath,      ///< records a video of the camera path, from its first key to its last
    kRecallCamera,  ///< argument: slot, from 1
    kStoreCamera,   ///< argument: slot, from 1
    kOctree,
    kOpening,  ///< shows the cells that the tree accepts for the picked body
    kLab,      ///< opens and closes the laboratory
    kCompare,  ///< starts or ends a comparison
    kFlip,     ///< in a comparison: switches between A and B
    kOverlay,
    kPanels,
    kPresenter,  ///< large letters for an audience, on or off
    kClean,      ///< hides all but the picture
    kKeyboard,   ///< keyboard control of the panels, on or off
    kTextScale,  ///< argument: −1 smaller, +1 larger, 0 default
    kFullscreen,
    kHelp,
    kCancelRecording,
    kRecordSnapshots,  ///< starts or ends a series of snapshots
    kExportHistory,    ///< as CSV, like the next three
    kExportCompare,
    kExportDiagnostics,
    kExportTrack,  ///< of the picked bodies
    kPlotHistory,  ///< as SVG, like the next two
    kPlotCompare,
    kPlotDiagnostics,
    kExportPlot,  ///< of the page Plots, as CSV; the next one as SVG
    kDrawPlot,
    kSelectFiltered,   ///< the bodies that satisfy the filter
    kInvertSelection,  ///< selects all other bodies
    kExportSelected,   ///< the selected bodies as a snapshot
    kExportIds,        ///< of the selected bodies, as text
    kRecentre,         ///< puts the selected bodies into the middle of the periodic box
    kResetView,        ///< restores the view that the scene came with
    kTour,             ///< starts the tour at its first card
    kAttract,
    kQuit,  ///< must stay last
};

struct CommandCall {
    Command command;
    int argument = 0;
};

struct WindowParts;

/// A line of the table of commands: the effect of a command and a key for it. Keys, panels, help and the guide's table
/// use it.
struct WindowCommand {
    Command command;
    void (*run)(WindowParts& window, int argument);
    /// False for a further key of an earlier line, where `run` is null. A separate flag, because g++ 12 with
    /// -fsanitize=undefined cannot compare `run` in a constant expression.
    bool runs;
    int key;                ///< a character in capitals, or GLFW_KEY_*; 0: only panels call it
    int mods;               ///< all that must be down, of GLFW_MOD_SHIFT, GLFW_MOD_CONTROL, GLFW_MOD_ALT
    bool any_shift;         ///< Shift may be down or not: characters are at different positions on different keyboards
    int argument;           ///< passed to the command
    std::string_view text;  ///< the key as displayed; empty: an earlier line describes this one
    std::string_view does;
    std::string_view listed{};  ///< in the palette, for this argument; empty: `does`
    bool in_palette = true;
    bool under_cover = false;  ///< the key acts also while the gallery, the palette or the help covers the picture
};

/// Commands of all features, in the order of Command: first those with a key.
std::span<const WindowCommand> window_commands();
/// Looks up the character on the key, for any keyboard layout; if it is unknown, that of a US keyboard.
std::optional<CommandCall> command_of(const KeyEvent& event);
/// False for a line of character keys whose command has alternative keys, if this keyboard has one of the characters
/// only with AltGr or not at all.
bool is_on_keyboard(const WindowCommand& line, const Surface& surface);
/// True if a key runs this command while the gallery, the palette or the help covers the picture.
bool acts_under_cover(Command command);
void execute(WindowParts& window, CommandCall call);

}  // namespace orrery
