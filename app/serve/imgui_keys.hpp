// SPDX-License-Identifier: MIT
// ImGui's keys for a surface that is no window of GLFW.
#pragma once

namespace orrery {

void map_imgui_keys();
/// GLFW_KEY_*, GLFW_MOD_*, and what is written on the key; 0: not known.
void tell_imgui_key(int key, bool down, int mods, char32_t sign);

}  // namespace orrery
