// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

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
    };
    struct Widget {
        std::string label;
        Rectangle place;
        bool enabled;
        bool tipped;                   ///< has a tooltip
        bool cut;                      ///< clipped at the left or right, or its text does not fit
        std::optional<Slider> slider;  ///< only for sliders
        unsigned root;                 ///< ImGui's id of the window that holds it
    };

    void clear() { widgets_.clear(), places_.clear(); }
    /// Records ImGui's last item under its visible text, clipped to its visible part.
    void note(std::string_view label, bool enabled, bool tipped);
    void note_cut();                               ///< of the widget recorded last: its text does not fit
    void note_slider(double value, double reset);  ///< of the widget recorded last
    void note_place(std::string_view name, const Rectangle& place);  ///< of a drawing that is no window of ImGui
    /// Removes widgets covered by another window, and notes where the windows are. Call it when all of the frame are
    /// drawn.
    void drop_covered();
    const std::vector<Widget>& widgets() const { return widgets_; }
    const std::vector<Place>& places() const { return places_; }

private:
    std::vector<Widget> widgets_;
    std::vector<Place> places_;
    bool noted_ = false;  // the last one is visible
};

}  // namespace orrery
