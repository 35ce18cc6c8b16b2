// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/ui/widget_map.hpp"

struct ImGuiInputTextCallbackData;

namespace orrery {

enum class Scale { kLinear, kLogarithmic };

/// Position of a tooltip: at the mouse, under or over its widget, so that the others of a row can be read, or below all
/// widgets of its window.
enum class TipPlace { kMouse, kUnder, kOver, kBelowAll };

/// A slider's range, its default (right click), and its number format (printf).
struct SliderRange {
    double low, high, reset;
    const char* format;
    Scale scale = Scale::kLinear;
};

/// The controls used by all panels: label on the left, control on the right, a tooltip, and an entry in the widget map
/// under the label.
class Widgets {
public:
    Widgets(WidgetMap& map, float scale) : map_{map}, scale_{scale} {}

    void set_tips(TipPlace place) { tips_ = place; }  ///< of the widgets that follow
    void set_quiet(bool quiet) { quiet_ = quiet; }    ///< those that follow have no tips: something lies over them
    bool quiet() const { return quiet_; }
    /// By how much plots of the widgets that follow are taller than usual.
    void set_enlarged(float enlarged) { enlarged_ = enlarged, plots_ = 0; }
    /// Height of a plot that is usually `usual` high at scale 1, in pixels.
    float plot_height(float usual) { return plots_ += usual * scale_, usual * scale_ * enlarged_; }
    float plots() const { return plots_; }  ///< usual heights of those since set_enlarged(), in pixels
    float scale() const { return scale_; }  ///< of this screen: sizes in pixels are multiplied by it

    /// `width` in pixels; 0: fits the text. If `why_not` is not empty, the button is disabled and this is its tooltip.
    bool button(std::string_view label, std::string_view tip, float width = 0, std::string_view why_not = {});
    bool toggle(std::string_view label, bool& value, std::string_view tip);
    bool slider(std::string_view label, double& value, const SliderRange& range, std::string_view tip);
    bool slider(std::string_view label, float& value, const SliderRange& range, std::string_view tip);
    /// `zero`: the word in place of the number 0.
    bool whole_number(std::string_view label, int& value, int low, int high, int reset, std::string_view tip,
                      std::string_view zero = {});
    /// A typed number; returned when Enter is pressed and it has changed. What is none is refused.
    std::optional<std::uint64_t> typed_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                              std::string_view why_not = {});
    /// One of several numbers in a row, without its label, `width` pixels wide; returned when it has been left changed.
    std::optional<std::uint64_t> small_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                              float width);
    std::optional<double> typed_real(std::string_view label, double value, std::string_view tip);
    /// A time of `scene`, whose unit has so many days (0: it is no physical one), also with a unit of its own:
    /// "0.5day".
    std::optional<double> typed_time(std::string_view label, double value, double days_per_time, std::string_view scene,
                                     std::string_view tip);
    /// Of what was typed and refused since the last call, in one line; empty: nothing was.
    std::string take_refusal() { return std::exchange(refusal_, {}); }
    /// Returns whether the text was edited.
    bool text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip);
    /// A path: it is selected when it gets the keyboard, Tab completes it by the files of `base` and others.
    bool path(std::string_view label, std::string& value, std::string_view hint, std::string_view tip,
              const std::filesystem::path& base = ".");
    bool entered() const { return entered_; }  ///< Enter was pressed in the text of the last text()
    void type_into_next();                     ///< the next text() gets the keyboard focus

    /// Call between begin_combo(), if it returned true, and end_combo(): an entry of the combo.
    bool begin_combo(std::string_view label, std::string_view shown, std::string_view tip,
                     std::string_view why_not = {});
    /// Without its own tooltip it has that of its combo.
    bool choice(std::string_view label, bool selected, std::string_view tip, std::string_view why_not = {});
    void end_combo();

    /// One button of a row of which one is selected. (ImGui's own tabs miss a click that comes with the movement before
    /// it.)
    /// `width` in pixels; 0: fits the text.
    bool tab(std::string_view label, bool chosen, std::string_view tip = {}, float width = 0);

    void value(std::string_view label, std::string_view text, std::string_view tip = {});  ///< a read-only line
    /// Reserves space for a drawing; returns whether the mouse is over it. Its position is ImGui's item rectangle.
    bool canvas(std::string_view label, float width, float height, std::string_view tip = {});
    /// A line that opens and closes what follows; closed at first. Returns whether it is open.
    bool fold(std::string_view label, std::string_view tip);
    void progress(std::string_view label, double fraction, std::string_view tip);
    void name(std::string_view label);  ///< label of a row whose controls follow
    void note(std::string_view text);   ///< a small remark, wrapped
    void heading(std::string_view text);

private:
    void row(std::string_view label);  ///< before a control
    std::optional<std::string> typed(std::string_view label, const std::string& shown, std::string_view tip,
                                     std::string_view why_not = {});
    template <class Number>
    std::optional<Number> understood(std::string_view label, const std::string& typed, std::optional<Number> number,
                                     std::string_view expected);
    bool text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip, int flags,
              int (*called)(ImGuiInputTextCallbackData*), const std::filesystem::path* base);
    void begin_slider(std::string_view label);
    void finish_slider(std::string_view label, std::string_view tip, std::string_view number);
    void name_line(std::string_view label);  ///< before text: lower
    void finish(std::string_view label, std::string_view tip, std::string_view why_not = {});

    WidgetMap& map_;
    std::string combo_tip_;  // of the one that is open
    std::string refusal_;
    TipPlace tips_ = TipPlace::kMouse;
    float enlarged_ = 1, plots_ = 0;
    float scale_;
    bool entered_ = false, type_into_next_ = false, quiet_ = false;
};

}  // namespace orrery
