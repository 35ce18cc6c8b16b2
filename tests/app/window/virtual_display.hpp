// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "tests/app/window/child.hpp"
#include "tests/app/window/xdotool.hpp"

namespace orrery::test {

/// An X server without a screen: Xvfb on a free display number.
class VirtualDisplay {
public:
    /// `dpi`: pixel density as set by a desktop; 192 doubles all sizes.
    explicit VirtualDisplay(int width = 1280, int height = 800, int dpi = 96);
    /// Sets the keyboard layout by its setxkbmap name. Call before the first input().
    void set_keyboard(const std::string& layout) const;
    /// Requests the window to close, as the × of its frame and Alt + F4 do.
    void ask_to_close() const;
    const std::string& name() const { return name_; }  ///< ":99"
    /// Red, green and blue of each pixel of the screen, from its upper left corner.
    std::string pixels(unsigned width, unsigned height) const;
    Xdotool& input() const;  ///< started on the first call
    /// Resets the input as on a new display: mouse in the middle, no key or button down.
    void reset_input() const;

private:
    std::unique_ptr<Child> server_;
    std::string name_;
    int width_, height_;
    mutable std::unique_ptr<Xdotool> input_;
};

}  // namespace orrery::test
