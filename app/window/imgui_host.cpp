// SPDX-License-Identifier: MIT
#include "app/window/imgui_host.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <cfloat>

namespace orrery {

ImGuiHost::ImGuiHost(GlfwWindow& window) : window_{window.handle()} {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // panels have their place; nothing is written where the program happens to run
    io.LogFilename = nullptr;
    fonts_ = apply_style(window.content_scale());
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 450");
}

ImGuiHost::~ImGuiHost() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void ImGuiHost::begin_frame(const WindowEvents& events, Mouse mouse) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    hold_short_presses(events);
    if (mouse == Mouse::kAway) ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
}

/// Before 1.87 ImGui sees only which keys are down when a frame begins: one that was pressed and released since the
/// last frame would be lost.
void ImGuiHost::hold_short_presses([[maybe_unused]] const WindowEvents& events) {
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    for (const int key : held_) io.KeysDown[key] = glfwGetKey(window_, key) == GLFW_PRESS;
    held_.clear();
    for (const KeyEvent& event : events.keys) {
        if (event.action != GLFW_PRESS || event.key < 0 || io.KeysDown[event.key]) continue;
        io.KeysDown[event.key] = true;
        held_.push_back(event.key);
    }
#endif
}

void ImGuiHost::end_frame() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool ImGuiHost::takes_keys() const { return ImGui::GetIO().WantTextInput; }

glm::dvec3 ImGuiHost::flight(const WindowEvents& events) const {
    return takes_keys() ? glm::dvec3{0} : Gestures::flight(window_, events);
}

}  // namespace orrery
