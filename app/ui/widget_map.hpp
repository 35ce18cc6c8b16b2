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

/// Where the widgets of one frame are, so that a script can find and click them by what they say.
class WidgetMap {
public:
    struct Slider {
        double value, reset;  ///< reset: where right click takes it
    };
    struct Widget {
        std::string label;
        Rectangle place;
        bool enabled;
        bool tipped;                   ///< has a tooltip
        std::optional<Slider> slider;  ///< of those
        unsigned root;                 ///< ImGui's id of the window that holds it
    };

    void clear() { widgets_.clear(); }
    /// Notes ImGui's last item under its visible text, cut to what can be seen of it.
    void note(std::string_view label, bool enabled, bool tipped);
    void note_slider(double value, double reset);  ///< of the widget noted last
    /// Forgets what lies under another window. Call it when all windows of the frame are drawn.
    void drop_covered();
    const std::vector<Widget>& widgets() const { return widgets_; }

private:
    std::vector<Widget> widgets_;
    bool noted_ = false;  // the last one can be seen
};

}  // namespace orrery
