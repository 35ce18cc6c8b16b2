// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "app/platform/surface.hpp"
#include "app/window/command.hpp"

namespace orrery {

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

/// Those of all features, in the order of Command: first those with a key.
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
