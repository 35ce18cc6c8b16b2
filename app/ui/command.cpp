// SPDX-License-Identifier: MIT
#include "app/ui/command.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>

namespace orrery {
namespace {

constexpr int kShift = GLFW_MOD_SHIFT;

constexpr KeyBinding key(int code, Command command, std::string_view text, std::string_view does, int argument = 0) {
    return {code, 0, false, {command, argument}, text, does};
}
/// A key whose sign needs Shift on some keyboards.
constexpr KeyBinding sign(int code, Command command, std::string_view text, std::string_view does, int argument = 0) {
    return {code, 0, true, {command, argument}, text, does};
}
constexpr KeyBinding control(int code, std::string_view text, std::string_view does, int argument) {
    return {code, GLFW_MOD_CONTROL, true, {Command::kTextScale, argument}, text, does};
}
constexpr KeyBinding camera(int place, Command command, std::string_view text, std::string_view does) {
    return {
        GLFW_KEY_F1 + place - 1, command == Command::kStoreCamera ? kShift : 0, false, {command, place}, text, does};
}

constexpr auto kBindings = std::to_array<KeyBinding>({
    key(GLFW_KEY_SPACE, Command::kTogglePause, "Space", "pause or resume"),
    key(GLFW_KEY_PERIOD, Command::kStep, ".", "single step"),
    key(GLFW_KEY_COMMA, Command::kStepBack, ",", "single step back"),
    key(GLFW_KEY_Z, Command::kReverse, "Z", "reverse time"),
    key(GLFW_KEY_LEFT, Command::kRewind, "Left / Right", "rewind to the previous, next snapshot", -1),
    key(GLFW_KEY_RIGHT, Command::kRewind, "", "", +1),
    sign(GLFW_KEY_EQUAL, Command::kSpeed, "+ / -", "faster, slower", +1),
    sign(GLFW_KEY_KP_ADD, Command::kSpeed, "", "", +1),
    sign(GLFW_KEY_MINUS, Command::kSpeed, "", "", -1),
    sign(GLFW_KEY_KP_SUBTRACT, Command::kSpeed, "", "", -1),
    key(GLFW_KEY_BACKSPACE, Command::kRestart, "Backspace", "restart the scene"),
    key(GLFW_KEY_LEFT_BRACKET, Command::kPreset, "[ ]", "previous, next preset", -1),
    key(GLFW_KEY_RIGHT_BRACKET, Command::kPreset, "", "", +1),
    key(GLFW_KEY_1, Command::kEngine, "1 to 7", "engine direct, half, tree, auto, triplet, tree-locks, naive", 1),
    key(GLFW_KEY_2, Command::kEngine, "", "", 2),
    key(GLFW_KEY_3, Command::kEngine, "", "", 3),
    key(GLFW_KEY_4, Command::kEngine, "", "", 4),
    key(GLFW_KEY_5, Command::kEngine, "", "", 5),
    key(GLFW_KEY_6, Command::kEngine, "", "", 6),
    key(GLFW_KEY_7, Command::kEngine, "", "", 7),
    key(GLFW_KEY_B, Command::kBackend, "B", "switch the engine between GPU and CPU"),
    key(GLFW_KEY_M, Command::kMap, "M", "next thread map"),
    key(GLFW_KEY_ENTER, Command::kPrecision, "Enter", "single, mixed or double precision"),
    key(GLFW_KEY_KP_ENTER, Command::kPrecision, "", ""),
    key(GLFW_KEY_R, Command::kRecord, "R", "start, stop recording"),
    key(GLFW_KEY_S, Command::kScreenshot, "S", "screenshot, without the panels"),
    {GLFW_KEY_S, GLFW_MOD_CONTROL, false, {Command::kSaveScene, 0}, "Ctrl + S", "save the scene with its settings"},
    {GLFW_KEY_O,
     GLFW_MOD_CONTROL,
     false,
     {Command::kTypeFile, 0},
     "Ctrl + O",
     "type the path of a file; Enter opens it"},
    key(GLFW_KEY_C, Command::kFit, "C", "fit the view to the bodies"),
    key(GLFW_KEY_F, Command::kFollow, "F", "follow the picked body, or the centre of mass"),
    key(GLFW_KEY_V, Command::kFly, "V", "fly, or orbit the bodies"),
    key(GLFW_KEY_K, Command::kAddCameraKey, "K", "add a keyframe to the camera path"),
    key(GLFW_KEY_P, Command::kPlayPath, "P", "play, stop the camera path"),
    camera(1, Command::kRecallCamera, "F1 to F8", "recall a stored camera"),
    camera(2, Command::kRecallCamera, "", ""),
    camera(3, Command::kRecallCamera, "", ""),
    camera(4, Command::kRecallCamera, "", ""),
    camera(5, Command::kRecallCamera, "", ""),
    camera(6, Command::kRecallCamera, "", ""),
    camera(7, Command::kRecallCamera, "", ""),
    camera(8, Command::kRecallCamera, "", ""),
    camera(1, Command::kStoreCamera, "Shift + F1 to F8", "store the camera"),
    camera(2, Command::kStoreCamera, "", ""),
    camera(3, Command::kStoreCamera, "", ""),
    camera(4, Command::kStoreCamera, "", ""),
    camera(5, Command::kStoreCamera, "", ""),
    camera(6, Command::kStoreCamera, "", ""),
    camera(7, Command::kStoreCamera, "", ""),
    camera(8, Command::kStoreCamera, "", ""),
    key(GLFW_KEY_O, Command::kOctree, "O", "octree cells on, off"),
    key(GLFW_KEY_L, Command::kLab, "L", "the laboratory"),
    key(GLFW_KEY_X, Command::kCompare, "X", "start, end a comparison with a second simulation"),
    key(GLFW_KEY_Y, Command::kFlip, "Y", "in a comparison, switch between A and B"),
    key(GLFW_KEY_I, Command::kOverlay, "I", "large figures on, off"),
    key(GLFW_KEY_TAB, Command::kPanels, "Tab", "hide, show the panels"),
    key(GLFW_KEY_N, Command::kKeyboard, "N", "control the panels by arrow keys, Space and Enter; Esc ends it"),
    control(GLFW_KEY_EQUAL, "Ctrl + / Ctrl -", "larger, smaller text; Ctrl 0: default size", +1),
    control(GLFW_KEY_KP_ADD, "", "", +1),
    control(GLFW_KEY_MINUS, "", "", -1),
    control(GLFW_KEY_KP_SUBTRACT, "", "", -1),
    control(GLFW_KEY_0, "", "", 0),
    key(GLFW_KEY_F11, Command::kFullscreen, "F11", "full screen"),
    key(GLFW_KEY_H, Command::kHelp, "H", "this help"),
    key(GLFW_KEY_ESCAPE, Command::kQuit, "Esc", "close what is open, deselect, then quit"),
});

constexpr auto kMouse = std::to_array<MouseHelp>({
    {"Left drag", "orbit; look around while flying"},
    {"Wheel", "zoom; change the speed while flying"},
    {"Middle or Shift drag", "pan"},
    {"W A S D Q E", "while flying: forward, left, back, right, down, up"},
    {"Click on a body", "pick it; on nothing: deselect"},
    {"Ctrl drag", "select the bodies in a box"},
    {"Right click on a slider", "reset to the default"},
    {"Ctrl + click on a slider", "type a number"},
    {"Drop a file", "load a snapshot or a scene file"},
});

}  // namespace

std::span<const KeyBinding> key_bindings() { return kBindings; }
std::span<const MouseHelp> mouse_help() { return kMouse; }

std::optional<CommandCall> command_of(int key, int mods) {
    mods &= GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;  // locks do not matter
    const auto found = std::ranges::find_if(kBindings, [&](const KeyBinding& b) {
        return b.key == key && (b.any_shift ? mods & ~kShift : mods) == b.mods;
    });
    if (found == kBindings.end()) return std::nullopt;
    return found->call;
}

}  // namespace orrery
