// SPDX-License-Identifier: MIT
// The text field for code: TextFields::code().
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/keypad_enter.hpp"
#include "app/ui/style.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr ImU32 kMarkedLine = IM_COL32(240, 96, 72, 56), kMarkedNumber = IM_COL32(240, 96, 72, 255);
constexpr int kLeastDigits = 3;

/// Callback of ImGui for a text that grows.
int resize_code(ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
}

int lines_of(const std::string& text) { return 1 + static_cast<int>(std::ranges::count(text, '\n')); }

/// The line of the caret, from 1; 0: the field is not being edited.
int caret_line(ImGuiID id) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiInputTextState& state = context.InputTextState;
    if (context.ActiveId != id || state.ID != id) return 0;
    const int end = std::min(state.Stb.cursor, state.TextW.Size);
    return 1 + static_cast<int>(std::count(state.TextW.Data, state.TextW.Data + end, ImWchar{'\n'}));
}

/// Position of the field on the screen, and its visible lines.
struct CodePlace {
    const ImGuiWindow* window;  // of the field
    float left, right;          // of the numbers
    float line_height;
    float top_of(int line) const {
        return window->Pos.y + ImGui::GetStyle().FramePadding.y - window->Scroll.y +
               static_cast<float>(line - 1) * line_height;
    }
};

void draw_numbers(const CodePlace& place, int lines, int caret, std::span<const CodeMark> marks) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImRect seen = place.window->InnerRect;
    draw.PushClipRect({place.left, seen.Min.y}, {place.right, seen.Max.y}, true);
    const ImU32 dim = ImGui::GetColorU32(ImGuiCol_TextDisabled), bright = ImGui::GetColorU32(ImGuiCol_Text);
    const int first = std::max(1, static_cast<int>((seen.Min.y - place.top_of(1)) / place.line_height));
    for (int line = first; line <= lines && place.top_of(line) < seen.Max.y; ++line) {
        const bool marked = std::ranges::any_of(marks, [&](const CodeMark& mark) { return mark.line == line; });
        const std::string number = fmt::format("{}", line);
        const float gap = text_width(" ");
        draw.AddText({place.right - gap - text_width(number), place.top_of(line)},
                     marked          ? kMarkedNumber
                     : line == caret ? bright
                                     : dim,
                     number.c_str());
    }
    draw.PopClipRect();
}

/// A band over each marked line; its message is the tip of the band.
void draw_marks(const CodePlace& place, std::span<const CodeMark> marks, float scale) {
    ImDrawList& draw = *place.window->DrawList;
    const ImRect seen = place.window->InnerRect;
    draw.PushClipRect({place.left, seen.Min.y}, seen.Max);
    for (const CodeMark& mark : marks) {
        const float top = place.top_of(mark.line), end = top + place.line_height;
        draw.AddRectFilled({seen.Min.x, top}, {seen.Max.x, end}, kMarkedLine);
        draw.AddRectFilled({seen.Min.x, top}, {seen.Min.x + 3 * scale, end}, kMarkedNumber);
    }
    draw.PopClipRect();
}

/// The message of the marked line under the mouse; empty: none.
std::string_view mark_under_mouse(const CodePlace& place, std::span<const CodeMark> marks) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const ImRect seen = place.window->InnerRect;
    if (mouse.x < place.left || mouse.x >= seen.Max.x || mouse.y < seen.Min.y || mouse.y >= seen.Max.y) return {};
    for (const CodeMark& mark : marks)
        if (mouse.y >= place.top_of(mark.line) && mouse.y < place.top_of(mark.line) + place.line_height)
            return mark.text;
    return {};
}

}  // namespace

CodeEvents TextFields::code(std::string_view label, std::string& value, ImVec2 size, const CodeView& view,
                            std::string_view tip) {
    ImGui::PushFont(mono_font());
    const std::string name = "##" + std::string{label};
    const int lines = lines_of(value);
    const auto digits = std::max<std::size_t>(kLeastDigits, fmt::format("{}", lines).size());
    const float gutter = text_width(std::string(digits + 2, '0'));
    const float left = ImGui::GetCursorScreenPos().x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
    if (std::exchange(type_into_next_, false)) ImGui::SetKeyboardFocusHere();
    std::string text = value;
    ImGui::InputTextMultiline(name.c_str(), text.data(), text.capacity() + 1, {size.x - gutter, size.y},
                              ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackResize, resize_code,
                              &text);
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    const ImGuiID id = ImGui::GetItemID();
    const bool left_field = ImGui::IsItemDeactivated();
    CodeEvents events{.caret = caret_line(id)};
    events.entered = left_field && ImGui::GetIO().KeyCtrl && (pressed(ImGuiKey_Enter) || pressed(kKeypadEnter));
    // ImGui restores the text from before the field was entered when Esc leaves it.
    events.edited = text != value && !(left_field && pressed(ImGuiKey_Escape));
    if (events.edited) value = std::move(text);
    if (checks_words()) verbatim(value);
    const auto& children = ImGui::GetCurrentWindow()->DC.ChildWindows;
    if (!children.empty() && !ImGui::GetCurrentWindow()->SkipItems) {
        ImGuiWindow* const window = children.back();
        const CodePlace place{window, left, left + gutter, ImGui::GetFontSize()};
        draw_numbers(place, lines, events.caret, view.marks);
        draw_marks(place, view.marks, scale_);
        if (view.show_line > 0) {
            const float middle = static_cast<float>(view.show_line) * place.line_height - size.y / 2;
            ImGui::SetScrollY(window, std::max(0.0f, middle));
        }
        const std::string_view message = mark_under_mouse(place, view.marks);
        ImGui::PopFont();
        finish(label, message.empty() ? tip : message);
    } else {
        ImGui::PopFont();
        finish(label, tip);
    }
    map_.note_text();
    return events;
}

}  // namespace orrery
