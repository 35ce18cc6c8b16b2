// SPDX-License-Identifier: MIT
#include "tests/app/window/virtual_display.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace orrery::test {

VirtualDisplay::VirtualDisplay() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error{"no pipe"};
    server_ = std::make_unique<Child>(Launch{
        .command = {"Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"}, .inherit = ends[1]});
    close(ends[1]);
    // The number comes with a newline behind it, once the server takes connections.
    while (name_.empty() || name_.back() != '\n') {
        pollfd ready{ends[0], POLLIN, 0};
        char letter = 0;
        if (poll(&ready, 1, 60'000) != 1 || read(ends[0], &letter, 1) != 1) {
            close(ends[0]);
            throw std::runtime_error{"Xvfb did not start"};
        }
        name_ += letter;
    }
    close(ends[0]);
    name_ = ':' + name_.substr(0, name_.size() - 1);
}

}  // namespace orrery::test
