// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/platform/surface.hpp"
#include "app/ui/style.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/hand/gestures.hpp"

struct ImDrawData;

namespace orrery {

/// ImGui on a surface, for its lifetime.
class ImGuiHost {
public:
    explicit ImGuiHost(Surface& window);
    ImGuiHost(const ImGuiHost&) = delete;
    ImGuiHost& operator=(const ImGuiHost&) = delete;
    ~ImGuiHost();

    /// With kAway the mouse points at nothing in this frame: no tooltips, no highlights.
    enum class Mouse { kAsItIs, kAway };
    /// `seconds` since the previous frame, > 0, for ImGui's clock.
    void begin_frame(const WindowEvents& events, double seconds, Mouse mouse = Mouse::kAsItIs);
    void end_frame();  ///< panels() are complete
    void draw();       ///< into the current framebuffer
    const ImDrawData& panels() const;
    /// True if glyphs, sizes or colours have changed since the last call.
    bool restyled() { return std::exchange(restyled_, false); }

    const Fonts& fonts() const { return fonts_; }
    /// Sets the size of text and controls, their colours, and the glyphs beyond the default ones (see add_text_font()),
    /// from the next frame on; a new size or new glyphs cost some milliseconds.
    void set_style(float scale, Theme theme, const Glyphs& extra);
    /// Directs arrow keys, Space, Enter etc. to the panels, starting with the first control of this window.
    void set_keyboard(bool on, const char* window);
    /// Moves the keyboard's focus by `by` controls, −1 or +1, and scrolls it into view; while a list is open, among its
    /// entries. `controls`: those of the last frame.
    void focus_next(std::span<const WidgetMap::Control> controls, int by);
    void press_focused(std::span<const WidgetMap::Control> controls);  ///< by Enter, unless it takes text
    /// Label of the control with the keyboard's focus; empty: none, or it is not marked.
    std::string focused(std::span<const WidgetMap::Control> controls) const;
    /// True if the panels currently handle a key. They handle Esc while something in them is open or being edited.
    bool takes_key(int key) const;
    bool takes_keys() const;  ///< a text field is being edited
    bool list_open() const;   ///< a combo or another popup is open, which covers what keys would act on
    /// Closes the topmost list, or releases the control that the mouse holds. False if there is neither.
    bool close_list();
    void let_go();              ///< of every list and text field, because a question takes the keyboard
    std::string typed() const;  ///< content of the text field being edited
    /// Mouse gestures over the picture; none while the mouse is over a panel or was pressed there.
    MouseInput mouse(const WindowEvents& events, const std::function<bool(glm::dvec2)>& grabs) {
        return gestures_.mouse(events, grabs);
    }
    /// See Gestures::flight; none while a text field is being edited.
    glm::dvec3 flight(const WindowEvents& events) const;

private:
    void hold_short_presses(const WindowEvents& events);
    void map_letters(const WindowEvents& events);

    Surface& window_;
    Fonts fonts_;
    Gestures gestures_;
    float scale_ = 1;
    Theme theme_ = Theme::kDark;
    Glyphs extra_;
    bool keyboard_ = false, something_open_ = false, restyled_ = false;
    std::vector<int> held_;
};

}  // namespace orrery
