// SPDX-License-Identifier: MIT
#include "app/window/window.hpp"

#include "app/window/frame_loop.hpp"

namespace orrery {

int run_window(const WindowConfig& config) {
    FrameLoop{config}.run();
    return 0;
}

}  // namespace orrery
