// SPDX-License-Identifier: MIT
// ImGui's keys for a surface that is no window of GLFW.
#pragma once

namespace orrery {

void map_imgui_keys();
/// GLFW_KEY_*, GLFW_MOD_*.
void tell_imgui_key(int key, bool down, int mods);

}  // namespace orrery
