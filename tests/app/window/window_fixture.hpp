// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "tests/app/window/virtual_display.hpp"
#include "tests/app/window/window_driver.hpp"

namespace orrery::test {

/// One virtual display for all tests of a process, one window for each.
class WindowTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (!display()) display() = std::make_unique<VirtualDisplay>();
    }
    static std::unique_ptr<VirtualDisplay>& display() {
        static std::unique_ptr<VirtualDisplay> one;
        return one;
    }
    static std::unique_ptr<WindowDriver> open(std::vector<std::string> arguments) {
        auto window = std::make_unique<WindowDriver>(*display(), std::move(arguments));
        window->wait_for_bodies();
        return window;
    }
    using Json = WindowDriver::Json;
};

}  // namespace orrery::test
