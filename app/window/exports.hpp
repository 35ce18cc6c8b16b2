// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/render/image.hpp"
#include "app/window/window_core.hpp"
#include "app/window/window_picture.hpp"

namespace orrery {

/// Tables, plots and screenshots as files in the current folder, named by the time. A failure becomes a message.
class Exports {
public:
    Exports(WindowCore& core, WindowPicture& picture) : core_{core}, picture_{picture} {}

    void text(const char* what, const char* suffix, const std::string& text);
    void screenshot();
    std::string plot_title() const;  ///< the scene and its engine

    const std::string& last_text() const { return last_text_; }  ///< paths; empty: none yet
    const std::string& last_screenshot() const { return last_screenshot_; }

private:
    WindowCore& core_;
    WindowPicture& picture_;
    Image image_;  // its memory is reused
    std::string last_text_, last_screenshot_;
};

}  // namespace orrery
