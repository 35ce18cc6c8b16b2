// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

namespace orrery {

#if IMGUI_VERSION_NUM < 18700
inline constexpr auto kKeypadEnter = ImGuiKey_KeyPadEnter;
#else
inline constexpr auto kKeypadEnter = ImGuiKey_KeypadEnter;  // as Dear ImGui spells it since 1.87
#endif

}  // namespace orrery
