// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "tests/app/window/child.hpp"
#include "tests/app/window/xdotool.hpp"

namespace orrery::test {

/// An X server without a screen: Xvfb, on a display number that is free.
class VirtualDisplay {
public:
    /// `dpi`: what a desktop says of its pixels; 192 is twice the usual size of everything.
    explicit VirtualDisplay(int width = 1280, int height = 800, int dpi = 96);
    /// Gives the keyboard the layout of a country, by its name in setxkbmap. Call it before the first hands().
    void set_keyboard(const std::string& layout) const;
    /// What the × of a window's frame and Alt + F4 send: asks the window with the keyboard's display to close.
    void ask_to_close() const;
    const std::string& name() const { return name_; }  ///< ":99"
    /// What the screen shows from its upper left corner on: red, green and blue of each pixel.
    std::string pixels(unsigned width, unsigned height) const;
    Xdotool& hands() const;  ///< from the first call on
    /// As on a new display: the mouse in the middle, no key or button down.
    void put_hands_back() const;

private:
    std::unique_ptr<Child> server_;
    std::string name_;
    int width_, height_;
    mutable std::unique_ptr<Xdotool> hands_;
};

}  // namespace orrery::test
