// SPDX-License-Identifier: MIT
#pragma once
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>

#include "app/window/commands.hpp"
#include "app/window/window_parts.hpp"

/// For tables of commands.
namespace orrery::command_table {

using Window = WindowParts;
using Run = void (*)(Window&, int);
inline constexpr int kShift = GLFW_MOD_SHIFT, kControl = GLFW_MOD_CONTROL;

constexpr WindowCommand line(Command command, Run run, int key, std::string_view text, std::string_view does,
                             int argument = 0) {
    return {command, run, true, key, 0, false, argument, text, does};
}
/// Alternative keys of an earlier line, for keyboards that lack its characters; the help lists them too.
constexpr WindowCommand alternative(Command command, int key, std::string_view text, std::string_view does,
                                    int argument) {
    return {command, nullptr, false, key, 0, false, argument, text, does};
}
/// Another key of an earlier line.
constexpr WindowCommand also(Command command, int key, int argument = 0) {
    return {command, nullptr, false, key, 0, false, argument, "", ""};
}
/// A key whose character needs Shift on some keyboards.
constexpr WindowCommand sign(WindowCommand line) { return line.any_shift = true, line; }
constexpr WindowCommand with(int mods, WindowCommand line) { return line.mods = mods, line; }
/// Has no key: a panel calls it.
constexpr WindowCommand button(Command command, Run run) { return {command, run, true, 0, 0, false, 0, "", ""}; }
/// Its line in the palette, where `does` would not do: it describes several arguments at once, or there is none.
constexpr WindowCommand listed(std::string_view words, WindowCommand line) { return line.listed = words, line; }
/// The palette lists it in another way.
constexpr WindowCommand unlisted(WindowCommand line) { return line.in_palette = false, line; }
/// Its key acts also while the gallery, the palette or the help covers the picture.
constexpr WindowCommand anywhere(WindowCommand line) { return line.under_cover = true, line; }

}  // namespace orrery::command_table
