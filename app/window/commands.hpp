// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "app/platform/surface.hpp"
#include "app/ui/command.hpp"

namespace orrery {

struct WindowParts;

/// A line of the table of commands: what a command does, and a key for it. Keys, panels, help and the guide's table go
/// by it.
struct WindowCommand {
    Command command;
    void (*run)(WindowParts& window, int argument);
    /// False: a further key of a line above, and `run` is null, which g++ 12 under -fsanitize=undefined does not
    /// compare in a constant expression.
    bool runs;
    int key;                ///< a sign in capitals, else GLFW_KEY_*; 0: it is called by panels alone
    int mods;               ///< of GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT, all that must be down
    bool any_shift;         ///< Shift may be down or not: characters lie differently on keyboards
    int argument;           ///< that the key gives the command
    std::string_view text;  ///< the key as people call it; empty: a line above speaks for this one
    std::string_view does;
};

std::span<const WindowCommand> window_commands();
/// By the sign on the key, on whatever keyboard; where it is not known, as on a US keyboard.
std::optional<CommandCall> command_of(const KeyEvent& event);
/// False: a line of signs for which another line has other keys, and this keyboard has one of them only together with
/// AltGr, or none.
bool is_on_keyboard(const WindowCommand& line, const Surface& surface);
/// Whether a key does this while the gallery, the palette or the help covers the picture.
bool acts_under_cover(Command command);
void execute(WindowParts& window, CommandCall call);

}  // namespace orrery
