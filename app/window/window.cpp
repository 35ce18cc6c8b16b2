// SPDX-License-Identifier: MIT
#include "app/window/window.hpp"

#include "app/platform/glfw_window.hpp"
#include "app/window/frame_loop.hpp"

namespace orrery {

int run_window(const WindowConfig& config, const MakeSurface& make) {
    FrameLoop{config, make}.run();
    return 0;
}

int run_window(const WindowConfig& config) {
    return run_window(config, [](int width, int height) {
        return std::make_unique<GlfwWindow>(GlfwWindowConfig{.width = width, .height = height});
    });
}

}  // namespace orrery
