// SPDX-License-Identifier: MIT
// ImGui's keys for a surface that is not a GLFW window.
#pragma once

namespace orrery {

void map_imgui_keys();
/// GLFW_KEY_*, GLFW_MOD_*, and the character on the key; 0: unknown.
void forward_imgui_key(int key, bool down, int mods, char32_t sign);

}  // namespace orrery
