// SPDX-License-Identifier: MIT
#include "tests/app/window/xdotool.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace orrery::test {
namespace {

/// In quotes, within which xdotool knows no escapes.
std::string quoted(const std::string& word) {
    if (word.find_first_of("'$\n") != std::string::npos) throw std::runtime_error{"xdotool would not take " + word};
    return '\'' + word + '\'';
}

std::string line_of(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        line += quoted(word) + ' ';
        // ms after each click, key or letter; of itself it waits for 100 or 12. Who wants to wait, waits for frames.
        if (word == "click" || word == "key" || word == "type") line += "--delay 0 ";
    }
    return line;
}

}  // namespace

Xdotool::Xdotool(const std::string& display) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw std::runtime_error{"no socket"};
    line_ = ends[0];
    program_ = std::make_unique<Child>(Launch{
        .command = {"stdbuf", "--output=L", "xdotool", "-"}, .environment = {{"DISPLAY", display}}, .talks = ends[1]});
    close(ends[1]);
}

Xdotool::~Xdotool() { close(line_); }

void Xdotool::act(const std::vector<std::string>& words) {
    // What it answers, the server has answered after all that came before. It asks about the root window, because a key
    // may close every other one meanwhile, and xdotool ends when it asks about a window that is gone.
    const std::string text = line_of(words) + "\ngetdisplaygeometry\n";
    if (send(line_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()) || answer().empty())
        throw std::runtime_error{"xdotool did not do " + line_of(words)};
}

std::string Xdotool::answer() const {
    std::string said;
    while (said.empty() || said.back() != '\n') {
        pollfd ready{line_, POLLIN, 0};
        char letter = 0;
        if (poll(&ready, 1, static_cast<int>(1e3 * patience().count())) != 1 || read(line_, &letter, 1) != 1) return "";
        said += letter;
    }
    return said;
}

}  // namespace orrery::test
