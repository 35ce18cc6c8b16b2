// SPDX-License-Identifier: MIT
#include "app/window/imgui_host.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>

#include "app/platform/surface.hpp"

namespace orrery {

ImGuiHost::ImGuiHost(Surface& window) : window_{window} {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // panels have fixed positions; write nothing into the current folder
    io.LogFilename = nullptr;
    scale_ = window.content_scale();
    fonts_ = apply_style(scale_);
    window_.attach_imgui();
    ImGui_ImplOpenGL3_Init("#version 450");
}

ImGuiHost::~ImGuiHost() {
    ImGui_ImplOpenGL3_Shutdown();
    window_.detach_imgui();
    ImGui::DestroyContext();
}

void ImGuiHost::begin_frame(const WindowEvents& events, double seconds, Mouse mouse) {
    ImGui_ImplOpenGL3_NewFrame();
    window_.begin_imgui_frame();
    ImGui::GetIO().DeltaTime = static_cast<float>(seconds);
    map_letters(events);
    hold_short_presses(events);
    if (mouse == Mouse::kAway) ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
}

/// Before 1.87, ImGui finds the letters of Ctrl + A, C, V, X, Y and Z by their positions on a US keyboard.
void ImGuiHost::map_letters([[maybe_unused]] const WindowEvents& events) {
#if IMGUI_VERSION_NUM < 18700
    if (events.keys.empty()) return;  // a change of the keyboard layout is noticed at the next key
    constexpr std::pair<ImGuiKey, int> letters[] = {{ImGuiKey_A, GLFW_KEY_A}, {ImGuiKey_C, GLFW_KEY_C},
                                                    {ImGuiKey_V, GLFW_KEY_V}, {ImGuiKey_X, GLFW_KEY_X},
                                                    {ImGuiKey_Y, GLFW_KEY_Y}, {ImGuiKey_Z, GLFW_KEY_Z}};
    for (const auto& [letter, usual] : letters) ImGui::GetIO().KeyMap[letter] = usual;
    for (int key = GLFW_KEY_APOSTROPHE; key <= GLFW_KEY_WORLD_2; ++key)
        for (const auto& [letter, usual] : letters)
            if (window_.sign_at(key) == us_sign(usual)) ImGui::GetIO().KeyMap[letter] = key;
#endif
}

/// Before 1.87, ImGui only reads which keys are down when a frame begins: a key pressed and released since the last
/// frame would be lost.
void ImGuiHost::hold_short_presses([[maybe_unused]] const WindowEvents& events) {
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    for (const int key : held_) io.KeysDown[key] = window_.key_down(key);
    held_.clear();
    for (const KeyEvent& event : events.keys) {
        if (event.action != GLFW_PRESS || event.key < 0 || io.KeysDown[event.key]) continue;
        io.KeysDown[event.key] = true;
        held_.push_back(event.key);
    }
    // The backend derives these when a key goes up or down: a quick Ctrl+A would arrive without Ctrl.
    int mods = 0;
    for (const KeyEvent& event : events.keys)
        if (event.action == GLFW_PRESS) mods |= event.mods;
    const auto down = [&](int mod, int left, int right) {
        return (mods & mod) != 0 || io.KeysDown[left] || io.KeysDown[right];
    };
    io.KeyCtrl = down(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    io.KeyShift = down(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    io.KeyAlt = down(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
    io.KeySuper = down(GLFW_MOD_SUPER, GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER);
#endif
}

void ImGuiHost::set_style(float scale, Theme theme, const Glyphs& extra) {
    if (theme != theme_) set_colors(theme_ = theme);
    const bool other_size = scale != scale_ && !ImGui::IsAnyMouseDown();  // a slider being dragged must not move
    if (!other_size && extra == extra_) return;
    if (other_size) scale_ = scale;
    extra_ = extra;
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui::GetIO().Fonts->Clear();
    ImGui::GetStyle() = ImGuiStyle{};
    fonts_ = apply_style(scale_, theme_, extra_);
    ImGui_ImplOpenGL3_CreateFontsTexture();
    restyled_ = true;
}

/// ImGui's own navigation, on only on request: otherwise a Space meant for the simulation would press a button.
void ImGuiHost::set_keyboard(bool on, const char* window) {
    if (on == keyboard_) return;
    keyboard_ = on;
    ImGuiIO& io = ImGui::GetIO();
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (!on) {
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
        context.NavDisableHighlight = true;
        return;
    }
    ImGuiWindow* panel = ImGui::FindWindowByName(window);
    if (!panel) return;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ImGui::FocusWindow(panel);
    ImGui::NavInitWindow(panel, true);
    context.NavDisableHighlight = false;
}

/// ImGui's Tab stops only at text fields before 1.89, and never leaves the window.
void ImGuiHost::focus_next(std::span<const WidgetMap::Control> controls, int by) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiID list = list_open() ? context.OpenPopupStack.back().Window->ID : 0;
    std::vector<const WidgetMap::Control*> reached;
    for (const WidgetMap::Control& each : controls)
        if (list == 0 || each.root == list) reached.push_back(&each);
    if (reached.empty()) return;
    const auto count = static_cast<int>(reached.size());
    const auto now = std::ranges::find(reached, context.NavId, &WidgetMap::Control::id);
    const bool any = now != reached.end() && !context.NavDisableHighlight;
    const int from = any ? static_cast<int>(now - reached.begin()) : by > 0 ? -1 : count;
    const WidgetMap::Control& next = *reached[static_cast<std::size_t>((from + by + count) % count)];
    ImGuiWindow* window = ImGui::FindWindowByID(next.window);
    if (!window) return;
    const ImRect place{next.place.x0, next.place.y0, next.place.x1, next.place.y1};
    ImGui::FocusWindow(window);
    ImGui::NavMoveRequestCancel();
    ImGui::SetNavID(next.id, ImGuiNavLayer_Main, 0, ImGui::WindowRectAbsToRel(window, place));
    ImGui::ScrollToBringRectIntoView(window, place);
    context.NavDisableHighlight = false;
    context.NavDisableMouseHover = true;
}

void ImGuiHost::press_focused(std::span<const WidgetMap::Control> controls) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const auto now = std::ranges::find(controls, context.NavId, &WidgetMap::Control::id);
    if (now == controls.end() || now->takes_text || context.NavDisableHighlight || context.ActiveId != 0) return;
#if IMGUI_VERSION_NUM < 18900  // where Enter only begins to type
    ImGui::ActivateItem(now->id);
#endif
}

std::string ImGuiHost::focused(std::span<const WidgetMap::Control> controls) const {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const auto now = std::ranges::find(controls, context.NavId, &WidgetMap::Control::id);
    return keyboard_ && now != controls.end() && !context.NavDisableHighlight ? now->label : std::string{};
}

bool ImGuiHost::takes_key(int key) const {
    if (!keyboard_) return false;
    switch (key) {
        case GLFW_KEY_ESCAPE:
            return something_open_;
        case GLFW_KEY_SPACE:
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
        case GLFW_KEY_TAB:
        case GLFW_KEY_LEFT:
        case GLFW_KEY_RIGHT:
        case GLFW_KEY_UP:
        case GLFW_KEY_DOWN:
        case GLFW_KEY_HOME:
        case GLFW_KEY_END:
        case GLFW_KEY_PAGE_UP:
        case GLFW_KEY_PAGE_DOWN:
            return true;
        default:
            return false;
    }
}

bool ImGuiHost::list_open() const { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

bool ImGuiHost::close_list() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (list_open()) {
        ImGui::ClosePopupToLevel(context.OpenPopupStack.Size - 1, true);
        return true;
    }
    if (context.ActiveId == 0) return false;
    ImGui::ClearActiveID();
    return true;
}

void ImGuiHost::let_go() {
    if (list_open()) ImGui::ClosePopupToLevel(0, false);
    ImGui::ClearActiveID();
}

void ImGuiHost::end_frame() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    something_open_ = context.OpenPopupStack.Size > 0 || context.ActiveId != 0;
    ImGui::Render();
}

void ImGuiHost::draw() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }
const ImDrawData& ImGuiHost::panels() const { return *ImGui::GetDrawData(); }

bool ImGuiHost::takes_keys() const {
    // Not io.WantTextInput, which is that of the previous frame: the key that follows Enter would be lost.
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return context.ActiveId != 0 && context.ActiveId == context.InputTextState.ID;
}

std::string ImGuiHost::typed() const {
    if (!takes_keys()) return {};
    const ImVector<ImWchar>& letters = ImGui::GetCurrentContext()->InputTextState.TextW;
    std::string text(4 * static_cast<std::size_t>(letters.Size) + 1, '\0');
    ImTextStrToUtf8(text.data(), static_cast<int>(text.size()), letters.Data, nullptr);
    text.resize(text.find('\0'));
    return text;
}

glm::dvec3 ImGuiHost::flight(const WindowEvents& events) const {
    return takes_keys() ? glm::dvec3{0} : Gestures::flight(window_, events);
}

}  // namespace orrery
