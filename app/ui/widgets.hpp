// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/picture/fonts.hpp"

struct ImGuiInputTextCallbackData;

namespace orrery {

struct LargePlot;

struct Rectangle {
    float x0, y0, x1, y1;  ///< in window coordinates, from the upper left
};

/// Positions of the widgets of one frame, so that scripts can find and click them by label.
class WidgetMap {
public:
    struct Slider {
        double value, reset;  ///< reset: default, restored by a right click
    };
    struct Place {
        std::string name;
        Rectangle place;
        bool scrolls = false;  ///< a window whose contents are higher than it
    };
    struct Widget {
        std::string label;
        Rectangle place;
        bool enabled;
        bool tipped;                   ///< has a tooltip
        bool cut;                      ///< clipped at the left or right, or its text does not fit
        bool primary;                  ///< the action that its page is for
        std::optional<Slider> slider;  ///< only for sliders
        unsigned root;                 ///< ImGui's id of the window that holds it
    };

    /// A control that the keyboard can reach, also one that has to be scrolled into view.
    struct Control {
        std::string label;
        unsigned id, window, root;  ///< ImGui's ids of the item, of its window and of the outermost window
        Rectangle place;            ///< not clipped
        bool visible;
        bool takes_text;  ///< Enter begins to edit it
    };

    void clear() { widgets_.clear(), places_.clear(), controls_.clear(); }
    /// The widgets that follow are covered by a dialog, which has the keyboard.
    void set_covered(bool covered) { covered_ = covered; }
    /// Records ImGui's last item under its visible text, clipped to its visible part.
    void note(std::string_view label, bool enabled, bool tipped);
    void note_text();                              ///< of the control recorded last: it takes text
    void note_cut();                               ///< of the widget recorded last: its text does not fit
    void note_primary();                           ///< of the widget recorded last
    void note_slider(double value, double reset);  ///< of the widget recorded last
    void note_place(std::string_view name, const Rectangle& place);  ///< of a drawing outside ImGui's windows
    /// Removes widgets covered by another window, and notes where the windows are. Call it when all of the frame are
    /// drawn.
    void drop_covered();
    const std::vector<Widget>& widgets() const { return widgets_; }
    const std::vector<Place>& places() const { return places_; }
    const std::vector<Control>& controls() const { return controls_; }  ///< in the order of the keyboard

private:
    void note_control(std::string_view label, bool visible);

    std::vector<Widget> widgets_;
    std::vector<Place> places_;
    std::vector<Control> controls_;
    bool noted_ = false;    // the last one is visible
    bool covered_ = false;  // see set_covered()
};

/// A control with a label, as LabelledItems::list_into() collects them.
struct ListedItem {
    std::string label, tip;
};

enum class Scale { kLinear, kLogarithmic };

/// Position of a tooltip: at the mouse; under or over its widget, so that the others in a row stay readable; or below
/// all widgets of its window.
enum class TipPlace { kMouse, kUnder, kOver, kBelowAll };

/// A slider's range, its default (right click), and its number format (printf).
struct SliderRange {
    double low, high, reset;
    const char* format;
    Scale scale = Scale::kLinear;
};

/// Plain text, in the colour of the text or dimmed.
void write_text(std::string_view text);
void write_dim(std::string_view text);
/// Broken into lines that end before this x of the window, in pixels; 0: before its edge.
void write_wrapped(std::string_view text, float end = 0);
float text_width(std::string_view text);    ///< in pixels, with the current font
float button_width(std::string_view text);  ///< of a button that fits this text, in pixels
/// Width in pixels of one of `columns` widgets that share the rest of a line.
float column_width(int columns);

/// The part common to all controls: label on the left, control on the right, a tooltip, and an entry in the widget map
/// under the label.
class LabelledItems {
public:
    LabelledItems(WidgetMap& map, float scale) : map_{map}, scale_{scale} {}

    void set_tips(TipPlace place) { tips_ = place; }  ///< for the widgets that follow
    void set_quiet(bool quiet) { quiet_ = quiet; }    ///< no tips for the widgets that follow
    /// The control with this label is framed and scrolled into view; folds before it open. Empty: none.
    void seek(std::string label) { sought_ = std::move(label); }
    /// Collects the fields that follow, also those in folds; null ends it. They may be drawn in a hidden window.
    void list_into(std::vector<ListedItem>* list) { listed_ = list; }
    bool lists() const { return listed_ != nullptr; }
    float scale() const { return scale_; }  ///< of this screen: a factor for sizes in pixels

protected:
    void row(std::string_view label);        ///< before a control
    void name_line(std::string_view label);  ///< before text, which is lower than a control
    void finish(std::string_view label, std::string_view tip, std::string_view why_not = {});

    WidgetMap& map_;
    TipPlace tips_ = TipPlace::kMouse;
    float scale_;
    bool quiet_ = false;
    bool field_ = false;  // the current item has a value, unlike a button
    std::string sought_;
    bool found_ = false;  // the sought control, in this frame
    std::vector<ListedItem>* listed_ = nullptr;
};

/// A line of a text field for code, from 1, with a message about it.
struct CodeMark {
    int line;
    std::string text;
};
/// How a text field for code shows its text.
struct CodeView {
    std::vector<CodeMark> marks;
    int show_line = 0;  ///< scrolled into view in this frame; 0: none
};
struct CodeEvents {
    bool edited = false;
    bool entered = false;  ///< by Ctrl + Enter, which leaves the field
    int caret = 0;         ///< line of the caret, from 1; 0: the field is not being edited
};

/// Text fields, for text, paths and typed numbers.
class TextFields : public LabelledItems {
public:
    using LabelledItems::LabelledItems;

    /// A typed number; returned when Enter is pressed and it has changed. Text that is not a number is refused.
    std::optional<std::uint64_t> typed_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                              std::string_view why_not = {});
    /// One of several numbers in a row, without its label, `width` pixels wide; returned when the field is left after a
    /// change.
    std::optional<std::uint64_t> small_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                              float width);
    std::optional<double> typed_real(std::string_view label, double value, std::string_view tip);
    /// A time of `scene`, whose unit is this many days (0: not a physical unit). It may have its own unit: "0.5day".
    std::optional<double> typed_time(std::string_view label, double value, double days_per_time, std::string_view scene,
                                     std::string_view tip);
    /// Why typed text was refused since the last call, in one line; empty: none was.
    std::string take_refusal() { return std::exchange(refusal_, {}); }
    /// Returns whether the text was edited.
    bool text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip);
    /// A text field for a path: selected when it gets the keyboard focus; Tab completes the path, relative to `base`.
    bool path(std::string_view label, std::string& value, std::string_view hint, std::string_view tip,
              const std::filesystem::path& base = ".");
    /// Several lines of code with their numbers, in letters of equal width; `size` in pixels. Esc leaves the field.
    CodeEvents code(std::string_view label, std::string& value, ImVec2 size, const CodeView& view,
                    std::string_view tip);
    bool entered() const { return entered_; }          ///< Enter was pressed in the text of the last text()
    void type_into_next() { type_into_next_ = true; }  ///< the next text() gets the keyboard focus

private:
    std::optional<std::string> typed(std::string_view label, const std::string& shown, std::string_view tip,
                                     std::string_view why_not = {});
    template <class Number>
    std::optional<Number> understood(std::string_view label, const std::string& typed, std::optional<Number> number,
                                     std::string_view expected);
    bool text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip, int flags,
              int (*called)(ImGuiInputTextCallbackData*), const std::filesystem::path* base);

    std::string refusal_;
    bool entered_ = false, type_into_next_ = false;
};

/// Colours of a button: the one action that a page is for, or a running recording.
enum class ButtonRole { kPlain, kPrimary, kRecording };

/// kButton: Space presses the canvas if it has the keyboard's focus; kMouse: only the mouse acts on it.
enum class CanvasUse { kMouse, kButton };

/// Icon and text of a button beside its label.
struct ButtonFace {
    Icon icon = Icon::kNone;
    ButtonRole role = ButtonRole::kPlain;
    bool icon_only = false;  ///< the label is part of the tooltip
    std::string text{};      ///< shown in place of the label, which is then part of the tooltip
    bool names_in_tip() const { return icon_only || !text.empty(); }
};

/// The controls used by all panels.
class Widgets : public TextFields {
public:
    using TextFields::TextFields;

    /// Factor by which the plots that follow are enlarged.
    void set_enlarged(float enlarged) { enlarged_ = enlarged, plots_ = 0; }
    /// Height in pixels of a plot whose standard height is `standard` pixels at scale 1.
    float plot_height(float standard) { return plots_ += standard * scale_, standard * scale_ * enlarged_; }
    float plots() const { return plots_; }  ///< sum of their standard heights since set_enlarged(), in pixels
    /// For the plots that follow: a click on one of them makes it the large one. Null: they cannot be clicked.
    void set_large_plot(LargePlot* plot) { large_plot_ = plot; }
    LargePlot* large_plot() const { return large_plot_; }

    /// `width` in pixels; 0: fits the text. If `why_not` is not empty, the button is disabled and this is its tooltip.
    bool button(std::string_view label, std::string_view tip, float width = 0, std::string_view why_not = {}) {
        return button(label, ButtonFace{}, tip, width, why_not);
    }
    bool button(std::string_view label, const ButtonFace& face, std::string_view tip, float width = 0,
                std::string_view why_not = {});
    /// The action that the page is for: one per page.
    bool primary(std::string_view label, std::string_view tip, float width = 0, std::string_view why_not = {}) {
        return button(label, {.role = ButtonRole::kPrimary}, tip, width, why_not);
    }
    bool toggle(std::string_view label, bool& value, std::string_view tip);
    bool slider(std::string_view label, double& value, const SliderRange& range, std::string_view tip);
    bool slider(std::string_view label, float& value, const SliderRange& range, std::string_view tip);
    /// `zero`: text shown for the number 0.
    bool whole_number(std::string_view label, int& value, int low, int high, int reset, std::string_view tip,
                      std::string_view zero = {});

    /// Call choice() for each entry between begin_combo(), if it returned true, and end_combo().
    bool begin_combo(std::string_view label, std::string_view shown, std::string_view tip,
                     std::string_view why_not = {});
    /// Without a tooltip, it shows that of its combo.
    bool choice(std::string_view label, bool selected, std::string_view tip, std::string_view why_not = {});
    void end_combo();

    /// One button of a row of which one is selected. (ImGui's tabs miss a click that arrives together with the
    /// preceding mouse movement.) `width` in pixels; 0: fits the text.
    bool tab(std::string_view label, bool chosen, std::string_view tip = {}, float width = 0) {
        return tab(label, ButtonFace{}, chosen, tip, width);
    }
    bool tab(std::string_view label, const ButtonFace& face, bool chosen, std::string_view tip = {}, float width = 0);

    void value(std::string_view label, std::string_view text, std::string_view tip = {});  ///< a read-only line
    /// Reserves space for a drawing; returns whether the mouse is over it. Its position is ImGui's item rectangle.
    bool canvas(std::string_view label, float width, float height, std::string_view tip = {},
                CanvasUse use = CanvasUse::kMouse);
    /// While the last canvas has the keyboard's focus: −1 if the left arrow was pressed in this frame, +1 for the right
    /// one, otherwise 0.
    int canvas_steps() const;
    /// A header that opens and closes what follows; closed at first. Returns whether it is open.
    bool fold(std::string_view label, std::string_view tip);
    /// The same, if `open` is kept elsewhere. Returns whether it was clicked.
    bool fold(std::string_view label, std::string_view tip, bool open);
    void progress(std::string_view label, double fraction, std::string_view tip);
    void name(std::string_view label);  ///< label of a row whose controls follow
    void note(std::string_view text);   ///< a remark in small letters, wrapped
    void heading(std::string_view text);

private:
    void begin_slider(std::string_view label);
    void finish_slider(std::string_view label, std::string_view tip, std::string_view number);

    std::string combo_tip_;  // of the open combo
    float enlarged_ = 1, plots_ = 0;
    LargePlot* large_plot_ = nullptr;
};

/// Every entry of a menu can be chosen.
struct AnyEntry {
    std::string_view operator()(const auto&) const { return {}; }
};

/// A combo over a menu whose entries carry label and doc. Returns the entry that was chosen now, or null.
/// `why_not(entry)` returns why an entry cannot be chosen, or an empty text.
template <class Menu, class Current, class WhyNot = AnyEntry>
auto choose_from(Widgets& ui, std::string_view label, std::string_view shown, const Menu& menu, const Current& current,
                 std::string_view tip, const WhyNot& why_not = {}) -> decltype(&*std::ranges::begin(menu)) {
    decltype(&*std::ranges::begin(menu)) chosen = nullptr;
    if (!ui.begin_combo(label, shown, tip)) return chosen;
    for (const auto& entry : menu)
        if (ui.choice(entry.label, current(entry), entry.doc, why_not(entry))) chosen = &entry;
    ui.end_combo();
    return chosen;
}

/// The same over a menu one of whose fields is `value`, which it sets. Returns whether it was edited.
template <class Menu, class Value, class Field, class WhyNot = AnyEntry>
bool menu_combo(Widgets& ui, std::string_view label, const Menu& menu, Value& value, Field field, std::string_view tip,
                const WhyNot& why_not = {}) {
    const auto is_current = [&](const auto& entry) { return entry.*field == value; };
    const auto now = std::ranges::find_if(menu, is_current);
    const std::string_view shown = now == menu.end() ? std::string_view{"?"} : now->label;
    const auto* const chosen = choose_from(ui, label, shown, menu, is_current, tip, why_not);
    if (chosen) value = chosen->*field;
    return chosen;
}

/// The typed text as a path: ~ is the home folder, and a relative path begins at `base`.
std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& base);

#if IMGUI_VERSION_NUM < 18700
inline constexpr auto kKeypadEnter = ImGuiKey_KeyPadEnter;
#else
inline constexpr auto kKeypadEnter = ImGuiKey_KeypadEnter;  // as Dear ImGui spells it since 1.87
#endif

}  // namespace orrery
