// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/widget_map.hpp"

namespace orrery {

enum class Scale { kLinear, kLogarithmic };

/// A slider's range, what right click returns it to, and how its number is written (printf).
struct SliderRange {
    double low, high, reset;
    const char* format;
    Scale scale = Scale::kLinear;
};

/// The controls all panels are made of: label on the left, control on the right, a tooltip, and a line in the widget
/// map under the label.
class Widgets {
public:
    Widgets(WidgetMap& map, float scale) : map_{map}, scale_{scale} {}

    float scale() const { return scale_; }  ///< of this screen: sizes in pixels are multiplied by it

    /// `width` in pixels; 0: as the text needs. `why_not`, when not empty, greys the button and is its tooltip.
    bool button(std::string_view label, std::string_view tip, float width = 0, std::string_view why_not = {});
    bool toggle(std::string_view label, bool& value, std::string_view tip);
    bool slider(std::string_view label, double& value, const SliderRange& range, std::string_view tip);
    bool slider(std::string_view label, float& value, const SliderRange& range, std::string_view tip);
    bool whole_number(std::string_view label, int& value, int low, int high, int reset, std::string_view tip);
    /// A number that is typed; returned when Enter is pressed and it is another one.
    std::optional<std::uint64_t> typed_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                              std::string_view why_not = {});
    /// One of several in a row, without its label, `width` pixels wide; returned whenever it is another one.
    std::optional<std::uint64_t> small_number(std::string_view label, std::uint64_t value, std::string_view tip,
                                              float width);
    std::optional<double> typed_real(std::string_view label, double value, std::string_view tip);
    /// Returns whether the text was edited.
    bool text(std::string_view label, std::string& value, std::string_view hint, std::string_view tip);
    bool entered() const { return entered_; }  ///< Enter was pressed in the text of the last text()
    void type_into_next();                     ///< the next text() gets the keyboard

    /// Between begin_combo(), when it returned true, and end_combo(): its lines.
    bool begin_combo(std::string_view label, std::string_view shown, std::string_view tip,
                     std::string_view why_not = {});
    /// Without a tip of its own, that of its combo.
    bool choice(std::string_view label, bool selected, std::string_view tip, std::string_view why_not = {});
    void end_combo();

    /// A button of a row of which one is chosen. (ImGui's own tabs miss a click that comes with the movement before
    /// it.)
    bool tab(std::string_view label, bool chosen, std::string_view tip = {});

    void value(std::string_view label, std::string_view text, std::string_view tip = {});  ///< a line that only says
    /// A place for a drawing, and whether the mouse is over it. ImGui's item rectangle says where it is.
    bool canvas(std::string_view label, float width, float height, std::string_view tip = {});
    void progress(std::string_view label, double fraction, std::string_view tip);
    void name(std::string_view label);  ///< of a row whose controls follow
    void note(std::string_view text);   ///< a small remark, wrapped
    void heading(std::string_view text);

private:
    void row(std::string_view label);  ///< before a control
    void begin_slider(std::string_view label);
    void finish_slider(std::string_view label, std::string_view tip, std::string_view number);
    void name_line(std::string_view label);  ///< before a text: less high
    void finish(std::string_view label, std::string_view tip, std::string_view why_not = {});

    WidgetMap& map_;
    std::string combo_tip_;  // of the one that is open
    float scale_;
    bool entered_ = false, type_into_next_ = false;
};

}  // namespace orrery
