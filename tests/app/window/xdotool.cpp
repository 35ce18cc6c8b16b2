// SPDX-License-Identifier: MIT
#include "tests/app/window/xdotool.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace orrery::test {
namespace {

/// Quotes a word; xdotool knows no escapes within quotes.
std::string quoted(const std::string& word) {
    if (word.find_first_of("'$\n") != std::string::npos) throw std::runtime_error{"xdotool cannot quote " + word};
    return '\'' + word + '\'';
}

std::string line_of(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        line += quoted(word) + ' ';
        // Delay in ms after each click, key or letter; the default is 100 or 12. Tests wait for frames instead.
        if (word == "click" || word == "key" || word == "type") line += "--delay 0 ";
    }
    return line;
}

}  // namespace

Xdotool::Xdotool(const std::string& display) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::runtime_error{"socketpair failed"};
    line_ = ends[0];
    program_ = std::make_unique<Child>(Launch{
        .command = {"stdbuf", "--output=L", "xdotool", "-"}, .environment = {{"DISPLAY", display}}, .stdio = ends[1]});
    close(ends[1]);
}

Xdotool::~Xdotool() { close(line_); }

void Xdotool::act(const std::vector<std::string>& words) {
    // The server answers the query after all earlier requests. It concerns the root window, because a key may close any
    // other window meanwhile, and xdotool ends if it queries a window that is gone.
    const std::string text = line_of(words) + "\ngetdisplaygeometry\n";
    if (send(line_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()) || answer().empty())
        throw std::runtime_error{"xdotool failed: " + line_of(words)};
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
