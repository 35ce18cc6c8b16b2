// SPDX-License-Identifier: MIT
#include "app/ui/widgets.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "app/ui/style.hpp"
#include "app/ui/words.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

constexpr float kLeastPart = 0.6f;  ///< visible fraction of its height from which a widget counts as clickable

/// The window that a click at this place would reach.
const ImGuiWindow* top_window_at(ImVec2 place) {
    const auto& windows = ImGui::GetCurrentContext()->Windows;
    for (int i = windows.Size - 1; i >= 0; --i) {
        const ImGuiWindow* window = windows[i];
        if (!window->Active || window->Hidden || (window->Flags & ImGuiWindowFlags_NoMouseInputs)) continue;
        if (window->IsFallbackWindow && !window->WriteAccessed) continue;  // ImGui hides it at the end of the frame
        if (window->OuterRectClipped.Contains(place)) return window;
    }
    return nullptr;
}

constexpr float kLabelPart = 0.36f;                  ///< of the width of a panel
constexpr float kTipWidth = 320, kNumberWidth = 92;  // pixels at scale 1

constexpr std::string_view kPicture =
    "(shows its own tooltips)";  ///< stands in for the tip of a drawing that shows its own

void show_tip(std::string_view text, float scale) {
    ImGui::BeginTooltip();
    write_wrapped(text, kTipWidth * scale);
    ImGui::EndTooltip();
}

constexpr std::string_view kCount = "a whole number such as 20000, 20k or 1e5";
using NumberText = std::array<char, 64>;
NumberText number_text(const std::string& shown) {
    NumberText text{};
    std::memcpy(text.data(), shown.data(), std::min(shown.size(), text.size() - 1));
    return text;
}

/// The translated label, with the English one as ImGui's id.
std::string shown(std::string_view label) {
    const std::size_t name = label.find("###");
    const std::string words = in_parts(label.substr(0, name));
    return words + (name == label.npos ? "###" + std::string{label} : std::string{label.substr(name)});
}

/// The same with an icon before it, or an icon alone.
std::string faced(std::string_view label, const ButtonFace& face) {
    const std::string words = shown(label);
    if (face.icon == Icon::kNone) return words;
    const std::size_t id = words.find("###");
    const std::string hidden_id = id == words.npos ? "###" + words : words.substr(id);
    if (face.names_in_tip()) return icon_text(face.icon) + (face.text.empty() ? "" : "  " + face.text) + hidden_id;
    return icon_text(face.icon) + "  " + words;
}

/// For a button whose label is not visible.
std::string tip_with_name(std::string_view name, std::string_view tip) {
    return translated(fmt::format("{}\n{}", in_parts(name), tr(tip)));
}

/// Returns the number of colours for PopStyleColor().
int push_role(const ButtonFace& face) {
    if (face.role == ButtonRole::kPlain) {
        if (face.icon != Icon::kRecord) return 0;
        ImGui::PushStyleColor(ImGuiCol_Text, record_mark());
        return 1;
    }
    const RoleColors colors = role_colors(face.role == ButtonRole::kRecording);
    ImGui::PushStyleColor(ImGuiCol_Button, colors.ground);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colors.hovered);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, colors.hovered);
    ImGui::PushStyleColor(ImGuiCol_Text, colors.text);
    return 4;
}

std::string hidden(std::string_view label) { return "##" + std::string{label}; }

/// True if the text of the last item, a button, is cut off at its edges.
bool words_cut(const std::string& label) {
    const float room = ImGui::GetItemRectSize().x - 2 * ImGui::GetStyle().FramePadding.x;
    return ImGui::CalcTextSize(label.c_str(), nullptr, true).x > room + 1;
}

/// True if the keyboard's focus is on this item, and visible.
bool has_keyboard(ImGuiID id) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return id != 0 && id == context.NavId && !context.NavDisableHighlight &&
           (context.IO.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard);
}

bool right_clicked() { return ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right); }

/// Extends the typed text by the beginning that all matching files and folders share; a single matching folder gets a
/// slash. Without a match, returns the text unchanged.
std::string completed_path(const std::string& typed, const std::filesystem::path& base) {
    if (typed == "~") return "~/";
    const std::size_t slash = typed.rfind('/');
    const std::string begin = typed.substr(slash == typed.npos ? 0 : slash + 1);
    const std::string before = typed.substr(0, typed.size() - begin.size());
    std::optional<std::string> common;
    bool one_folder = false;
    std::error_code problem;
    for (std::filesystem::directory_iterator entries{typed_path(before, base), problem};
         !problem && entries != std::filesystem::directory_iterator{}; entries.increment(problem)) {
        const std::string name = entries->path().filename().string();
        if (!name.starts_with(begin) || (begin.empty() && name.starts_with('.'))) continue;
        std::error_code unknown;
        one_folder = !common && entries->is_directory(unknown);
        if (!common) common = name;
        common->resize(static_cast<std::size_t>(std::ranges::mismatch(*common, name).in1 - common->begin()));
    }
    if (!common) return typed;
    return before + *common + (one_folder ? "/" : "");
}

/// Callback of the text field for Tab.
int complete(ImGuiInputTextCallbackData* data) {
    const std::string typed{data->Buf, static_cast<std::size_t>(data->CursorPos)};
    const auto& base = *static_cast<const std::filesystem::path*>(data->UserData);
    const std::string whole = completed_path(typed, base);
    if (whole.size() > typed.size()) data->InsertChars(data->CursorPos, whole.c_str() + typed.size());
    return 0;
}

}  // namespace

void write_text(std::string_view text) { ImGui::TextUnformatted(text.data(), text.data() + text.size()); }

void write_dim(std::string_view text) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    write_text(text);
    ImGui::PopStyleColor();
}

void write_wrapped(std::string_view text, float end) {
    ImGui::PushTextWrapPos(end);
    write_text(text);
    ImGui::PopTextWrapPos();
}

float text_width(std::string_view text) { return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x; }

float button_width(std::string_view text) { return text_width(text) + 2 * ImGui::GetStyle().FramePadding.x; }

float column_width(int columns) {
    return (ImGui::GetContentRegionAvail().x - static_cast<float>(columns - 1) * ImGui::GetStyle().ItemSpacing.x) /
           static_cast<float>(columns);
}

void WidgetMap::note(std::string_view label, bool enabled, bool tipped) {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImRect seen{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
    const float height = seen.GetHeight(), width = seen.GetWidth();
    seen.ClipWith(window->ClipRect);
    noted_ = false;
    const bool visible = seen.GetWidth() >= 4 && seen.GetHeight() >= kLeastPart * height;
    if (enabled && !covered_) note_control(label, visible);
    if (window->SkipItems || !visible) return;
    widgets_.push_back({std::string{label},
                        {seen.Min.x, seen.Min.y, seen.Max.x, seen.Max.y},
                        enabled,
                        tipped,
                        seen.GetWidth() < width - 1,
                        false,
                        std::nullopt,
                        window->RootWindow->ID});
    noted_ = true;
}

void WidgetMap::note_control(std::string_view label, bool visible) {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const ImGuiID id = ImGui::GetItemID();
    if (id == 0 || window->SkipItems || window->RootWindow->Hidden) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    controls_.push_back(
        {std::string{label}, id, window->ID, window->RootWindow->ID, {low.x, low.y, high.x, high.y}, visible, false});
}

void WidgetMap::note_text() {
    if (!controls_.empty() && controls_.back().id == ImGui::GetItemID()) controls_.back().takes_text = true;
}

void WidgetMap::note_cut() {
    if (noted_) widgets_.back().cut = true;
}

void WidgetMap::note_primary() {
    if (noted_) widgets_.back().primary = true;
}

void WidgetMap::note_slider(double value, double reset) {
    if (noted_) widgets_.back().slider = Slider{value, reset};
}

void WidgetMap::note_place(std::string_view name, const Rectangle& place) {
    places_.push_back({std::string{name}, place, false});
}

void WidgetMap::drop_covered() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && !window->Hidden && !window->IsFallbackWindow && window == window->RootWindow)
            places_.push_back(
                {window->Name,
                 {window->Pos.x, window->Pos.y, window->Pos.x + window->Size.x, window->Pos.y + window->Size.y},
                 window->ScrollMax.y > 1});  // sizes are rounded
    const auto covered = [](const Rectangle& r, unsigned root) {
        const ImGuiWindow* top = top_window_at({(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2});
        return !top || top->RootWindow->ID != root;
    };
    std::erase_if(widgets_, [&](const Widget& widget) { return covered(widget.place, widget.root); });
    std::erase_if(controls_,
                  [&](const Control& control) { return control.visible && covered(control.place, control.root); });
}

void LabelledItems::row(std::string_view label) {
    field_ = true;
    ImGui::AlignTextToFramePadding();
    name_line(label);
    ImGui::SetNextItemWidth(-1);
}

void LabelledItems::name_line(std::string_view label) {
    write_dim(tr(label));
    ImGui::SameLine(std::floor(ImGui::GetWindowContentRegionMax().x * kLabelPart));
}

void LabelledItems::finish(std::string_view label, std::string_view tip, std::string_view why_not) {
    const std::string_view words = why_not.empty() ? tip : why_not;
    map_.note(label, why_not.empty(), !words.empty());
    const bool field = std::exchange(field_, false);
    if (field && listed_) listed_->push_back({std::string{label}, std::string{tip}});
    if (field && !sought_.empty() && label == sought_) {
        found_ = true;
        if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY();
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        const float off = 2 * scale_;
        ImGui::GetWindowDrawList()->AddRect({low.x - off, low.y - off}, {high.x + off, high.y + off},
                                            ImGui::GetColorU32(ImGuiCol_CheckMark), 2 * off, 0, 2 * scale_);
    }
    if (!quiet_ && !words.empty() && words != kPicture && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) &&
        !ImGui::IsItemActive()) {
        const float left = ImGui::GetItemRectMin().x, off = 4 * scale_;
        if (tips_ == TipPlace::kUnder) ImGui::SetNextWindowPos({left, ImGui::GetItemRectMax().y + off});
        if (tips_ == TipPlace::kOver)
            ImGui::SetNextWindowPos({left, ImGui::GetWindowPos().y - off}, ImGuiCond_Always, {0, 1});
        if (tips_ == TipPlace::kBelowAll)
            ImGui::SetNextWindowPos({left, ImGui::GetWindowPos().y + ImGui::GetWindowHeight() + 4 * off});
        show_tip(tr(words), scale_);
    } else if (words != kPicture) {
        tr(words);  // reports a missing translation before the tip is first shown
    }
}

/// In a label, text after ### is ImGui's id of a button whose text changes, and is not shown.
bool Widgets::button(std::string_view label, const ButtonFace& face, std::string_view tip, float width,
                     std::string_view why_not) {
    ImGui::BeginDisabled(!why_not.empty());
    const std::string words = faced(label, face);
    const int colors = push_role(face);
    const bool pressed = ImGui::Button(words.c_str(), {width, 0});
    ImGui::PopStyleColor(colors);
    ImGui::EndDisabled();
    const bool cut = words_cut(words);
    const std::string_view name = label.substr(0, label.find("###"));
    finish(name, face.names_in_tip() ? tip_with_name(name, tip) : std::string{tip}, why_not);
    if (cut) map_.note_cut();
    if (face.role == ButtonRole::kPrimary) map_.note_primary();
    return pressed;
}

bool Widgets::toggle(std::string_view label, bool& value, std::string_view tip) {
    const bool edited = ImGui::Checkbox(shown(label).c_str(), &value);
    field_ = true;
    finish(label, tip);
    return edited;
}

/// ImGui draws the number on the grab. Here it is beside the slider, and ImGui's is visible only while typing.
void Widgets::begin_slider(std::string_view label) {
    ImGui::SetNextItemWidth(-kNumberWidth * scale_);
    const bool typing = ImGui::TempInputIsActive(ImGui::GetID(hidden(label).c_str()));
    ImGui::PushStyleColor(ImGuiCol_Text, typing ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : ImVec4{0, 0, 0, 0});
}

void Widgets::finish_slider(std::string_view label, std::string_view tip, std::string_view number) {
    ImGui::PopStyleColor();
    finish(label, tip);
    map_.note_text();
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    write_text(number);
}

bool Widgets::slider(std::string_view label, double& value, const SliderRange& range, std::string_view tip) {
    const int flags = ImGuiSliderFlags_NoRoundToFormat |
                      (range.scale == Scale::kLogarithmic ? static_cast<int>(ImGuiSliderFlags_Logarithmic) : 0);
    row(label);
    begin_slider(label);
    // ImGui derives the least value of a logarithmic scale from the digits of its format.
    const bool fine = range.scale == Scale::kLogarithmic && range.low > 0 && range.low < 1e-2;
    bool edited = ImGui::SliderScalar(hidden(label).c_str(), ImGuiDataType_Double, &value, &range.low, &range.high,
                                      fine ? "%.9g" : range.format, flags);
    if (right_clicked()) value = range.reset, edited = true;
    char number[64];
    std::snprintf(number, sizeof number, range.format, value);
    finish_slider(label, tip, number);
    map_.note_slider(value, range.reset);
    return edited;
}

bool Widgets::slider(std::string_view label, float& value, const SliderRange& range, std::string_view tip) {
    double wide = value;
    if (!slider(label, wide, range, tip)) return false;
    value = static_cast<float>(wide);
    return true;
}

bool Widgets::whole_number(std::string_view label, int& value, int low, int high, int reset, std::string_view tip,
                           std::string_view zero) {
    row(label);
    begin_slider(label);
    bool edited = ImGui::SliderInt(hidden(label).c_str(), &value, low, high, "%d", ImGuiSliderFlags_AlwaysClamp);
    if (right_clicked()) value = reset, edited = true;
    finish_slider(label, tip, value == 0 && !zero.empty() ? std::string{tr(zero)} : fmt::format("{}", value));
    map_.note_slider(value, reset);
    return edited;
}

/// ImGui's number fields drop invalid characters and accept the rest, so the text is checked here.
std::optional<std::string> TextFields::typed(std::string_view label, const std::string& shown, std::string_view tip,
                                             std::string_view why_not) {
    row(label);
    ImGui::BeginDisabled(!why_not.empty());
    NumberText text = number_text(shown);
    const bool entered = ImGui::InputText(hidden(label).c_str(), text.data(), text.size(),
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::EndDisabled();
    finish(label, tip, why_not);
    map_.note_text();
    return entered && shown != text.data() ? std::optional<std::string>{text.data()} : std::nullopt;
}

template <class Number>
std::optional<Number> TextFields::understood(std::string_view label, const std::string& typed,
                                             std::optional<Number> number, std::string_view expected) {
    if (!number) refusal_ = phrase("{} \"{}\": expected {}", tr(label), typed, tr(expected));
    return number;
}

std::optional<std::uint64_t> TextFields::typed_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                                      std::string_view why_not) {
    const auto text = typed(label, fmt::format("{}", value), tip, why_not);
    return text ? understood(label, *text, parse_count(*text), kCount) : std::nullopt;
}

std::optional<std::uint64_t> TextFields::small_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                                      float width) {
    ImGui::SetNextItemWidth(width);
    NumberText text = number_text(fmt::format("{}", value));
    ImGui::InputText(hidden(label).c_str(), text.data(), text.size(), ImGuiInputTextFlags_AutoSelectAll);
    const bool left = ImGui::IsItemDeactivatedAfterEdit();
    finish(label, tip);
    map_.note_text();
    return left ? understood(label, text.data(), parse_count(text.data()), kCount) : std::nullopt;
}

std::optional<double> TextFields::typed_real(std::string_view label, double value, std::string_view tip) {
    const auto text = typed(label, fmt::format("{:.6g}", value), tip);
    return text ? understood(label, *text, parse_real(*text), "a number such as 0.5 or 1e-3") : std::nullopt;
}

std::optional<double> TextFields::typed_time(std::string_view label, double value, double days_per_time,
                                             std::string_view scene, std::string_view tip) {
    const auto text = typed(label, fmt::format("{:.6g}", value), tip);
    if (!text) return std::nullopt;
    try {
        return in_units_of(days_per_time, scene, label, parse_duration(label, *text));
    } catch (const Error& error) {
        refusal_ = error.what();
        return std::nullopt;
    }
}

bool TextFields::text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip) {
    return text(label, value, hint, tip, 0, nullptr, nullptr);
}

bool TextFields::path(std::string_view label, std::string& value, std::string_view hint, std::string_view tip,
                      const std::filesystem::path& base) {
    return text(label, value, hint, tip, ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCompletion,
                complete, &base);
}

bool TextFields::text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip,
                      int flags, int (*called)(ImGuiInputTextCallbackData*), const std::filesystem::path* base) {
    row(label);
    std::array<char, 1024> buffer{};
    std::memcpy(buffer.data(), value.data(), std::min(value.size(), buffer.size() - 1));
    if (std::exchange(type_into_next_, false)) {
#if IMGUI_VERSION_NUM >= 19000  // where SetKeyboardFocusHere() fails if a window takes the focus in each frame
        ImGuiContext& context = *ImGui::GetCurrentContext();
        context.NavNextActivateId = ImGui::GetID(hidden(label).c_str());
        context.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
#else
        ImGui::SetKeyboardFocusHere();
#endif
        ImGui::SetScrollHereY();
    }
    const bool edited =
        ImGui::InputTextWithHint(hidden(label).c_str(), std::string{tr(hint)}.c_str(), buffer.data(), buffer.size(),
                                 flags, called, const_cast<std::filesystem::path*>(base));
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    entered_ = ImGui::IsItemDeactivated() && (pressed(ImGuiKey_Enter) || pressed(kKeypadEnter));
    if (edited) value = buffer.data();
    if (checks_words()) verbatim(value);
    finish(label, tip);
    map_.note_text();
    return edited;
}

bool Widgets::begin_combo(std::string_view label, std::string_view shown, std::string_view tip,
                          std::string_view why_not) {
    row(label);
    ImGui::BeginDisabled(!why_not.empty());
    const bool open =
        ImGui::BeginCombo(hidden(label).c_str(), std::string{if_known(shown)}.c_str(), ImGuiComboFlags_HeightLarge);
    if (!open) {
        ImGui::EndDisabled();
        finish(label, tip, why_not);
        return false;
    }
    combo_tip_ = tip;
    return true;
}

bool Widgets::choice(std::string_view label, bool selected, std::string_view tip, std::string_view why_not) {
    ImGui::BeginDisabled(!why_not.empty());
    const bool chosen =
        ImGui::Selectable((std::string{if_known(label)} + "###" + std::string{label}).c_str(), selected);
    ImGui::EndDisabled();
    finish(label, tip.empty() ? std::string_view{combo_tip_} : tip, why_not);
    return chosen && !selected;
}

void Widgets::end_combo() {
    ImGui::EndCombo();
    ImGui::EndDisabled();
}

bool Widgets::tab(std::string_view label, const ButtonFace& face, bool chosen, std::string_view tip, float width) {
    const ImGuiCol color = chosen ? ImGuiCol_TabActive : ImGuiCol_Tab;
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(color));
    const std::string words = faced(label, face);
    const bool pressed = ImGui::Button(words.c_str(), {width, 0});
    ImGui::PopStyleColor();
    const bool cut = words_cut(words);
    const TipPlace before = tips_;
    if (tips_ == TipPlace::kMouse) tips_ = TipPlace::kUnder;
    const std::string_view name = label.substr(0, label.find("###"));
    finish(name, face.names_in_tip() ? tip_with_name(name, tip) : std::string{tip});
    tips_ = before;
    if (cut) map_.note_cut();
    return pressed;
}

void Widgets::name(std::string_view label) {
    ImGui::AlignTextToFramePadding();
    name_line(label);
}

void Widgets::value(std::string_view label, std::string_view text, std::string_view tip) {
    name_line(label);
    write_wrapped(if_known(text));
    tip = tr(tip);
    if (!quiet_ && !tip.empty() && ImGui::IsItemHovered()) show_tip(tip, scale_);
}

bool Widgets::canvas(std::string_view label, float width, float height, std::string_view tip, CanvasUse use) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiID id = ImGui::GetID(std::string{label}.c_str());
    if (use == CanvasUse::kMouse && context.NavActivateId == id)
        context.NavActivateId = context.NavActivateDownId = context.NavActivatePressedId = 0;
    ImGui::InvisibleButton(std::string{label}.c_str(), {width, height});
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImGui::RenderNavHighlight({low, high}, id);
    finish(label, tip.empty() ? kPicture : tip);
    return !quiet_ && ImGui::IsItemHovered() && ImGui::IsMouseHoveringRect(low, high);  // not by the keyboard's focus
}

int Widgets::canvas_steps() const {
    if (!has_keyboard(ImGui::GetItemID())) return 0;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)) ? 1 : 0; };
    const int steps = pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow);
    if (steps != 0) ImGui::NavMoveRequestCancel();
    return steps;
}

bool Widgets::fold(std::string_view label, std::string_view tip) {
    if (!sought_.empty() && !found_) ImGui::SetNextItemOpen(true);
    // Plain: the accent belongs to what is chosen and to the action of the page.
    ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
    const bool open = ImGui::CollapsingHeader(shown(label).c_str());
    ImGui::PopStyleColor();
    finish(label, tip);
    return open || listed_;
}

bool Widgets::fold(std::string_view label, std::string_view tip, bool open) {
    ImGui::SetNextItemOpen(open);
    return fold(label, tip) != open;
}

void Widgets::progress(std::string_view label, double fraction, std::string_view tip) {
    name_line(label);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});  // as high as a line of text, with the number
    ImGui::ProgressBar(static_cast<float>(fraction), {-1, ImGui::GetTextLineHeight()});
    ImGui::PopStyleVar();
    tip = tr(tip);
    if (!quiet_ && ImGui::IsItemHovered()) show_tip(tip, scale_);
}

void Widgets::note(std::string_view text) {
    ImGui::PushFont(small_font());
    ImGui::PushTextWrapPos(0);
    write_dim(tr(text));
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
}

void Widgets::heading(std::string_view text) {
    ImGui::Spacing();
    ImGui::PushFont(bold_font());
    write_text(tr(text));
    ImGui::PopFont();
    ImGui::Separator();
}

std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& base) {
    const std::filesystem::path path = expand_home(typed);
    return path.is_absolute() ? path : base / path;
}

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
