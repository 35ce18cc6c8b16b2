// SPDX-License-Identifier: MIT
#include "app/serve/imgui_keys.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/ui/keypad_enter.hpp"

namespace orrery {
namespace {

struct KeyPair {
    int glfw;
    ImGuiKey imgui;
};
constexpr std::array kKeyPairs{KeyPair{GLFW_KEY_TAB, ImGuiKey_Tab},
                               KeyPair{GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
                               KeyPair{GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
                               KeyPair{GLFW_KEY_UP, ImGuiKey_UpArrow},
                               KeyPair{GLFW_KEY_DOWN, ImGuiKey_DownArrow},
                               KeyPair{GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
                               KeyPair{GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
                               KeyPair{GLFW_KEY_HOME, ImGuiKey_Home},
                               KeyPair{GLFW_KEY_END, ImGuiKey_End},
                               KeyPair{GLFW_KEY_INSERT, ImGuiKey_Insert},
                               KeyPair{GLFW_KEY_DELETE, ImGuiKey_Delete},
                               KeyPair{GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
                               KeyPair{GLFW_KEY_SPACE, ImGuiKey_Space},
                               KeyPair{GLFW_KEY_ENTER, ImGuiKey_Enter},
                               KeyPair{GLFW_KEY_ESCAPE, ImGuiKey_Escape},
                               KeyPair{GLFW_KEY_KP_ENTER, kKeypadEnter},
                               KeyPair{GLFW_KEY_A, ImGuiKey_A},
                               KeyPair{GLFW_KEY_C, ImGuiKey_C},
                               KeyPair{GLFW_KEY_V, ImGuiKey_V},
                               KeyPair{GLFW_KEY_X, ImGuiKey_X},
                               KeyPair{GLFW_KEY_Y, ImGuiKey_Y},
                               KeyPair{GLFW_KEY_Z, ImGuiKey_Z}};

}  // namespace

#if IMGUI_VERSION_NUM < 18700

/// Keys have GLFW's numbers; modifiers come from the host's hold_short_presses().
void map_imgui_keys() {
    for (const KeyPair& pair : kKeyPairs) ImGui::GetIO().KeyMap[pair.imgui] = pair.glfw;
}

/// ImGuiHost maps letters to their positions on the keyboard.
void forward_imgui_key(int key, bool down, int /*mods*/, char32_t /*sign*/) { ImGui::GetIO().KeysDown[key] = down; }

#else

void map_imgui_keys() {}

void forward_imgui_key(int key, bool down, int mods, char32_t sign) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, (mods & GLFW_MOD_CONTROL) != 0);
    io.AddKeyEvent(ImGuiMod_Shift, (mods & GLFW_MOD_SHIFT) != 0);
    io.AddKeyEvent(ImGuiMod_Alt, (mods & GLFW_MOD_ALT) != 0);
    io.AddKeyEvent(ImGuiMod_Super, (mods & GLFW_MOD_SUPER) != 0);
    if (sign >= U'a' && sign <= U'z') key = GLFW_KEY_A + static_cast<int>(sign - U'a');
    const auto pair = std::ranges::find(kKeyPairs, key, &KeyPair::glfw);
    if (pair != kKeyPairs.end()) io.AddKeyEvent(pair->imgui, down);
}

#endif

}  // namespace orrery
