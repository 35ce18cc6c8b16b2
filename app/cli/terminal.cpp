// SPDX-License-Identifier: MIT
#include "app/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

constexpr std::size_t kDefault = 80, kLeast = 40, kMost = 120;  // wider lines are hard to read

}  // namespace

std::size_t terminal_columns() {
    std::size_t columns = 0;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
    if (const char* stated = std::getenv("COLUMNS"); columns == 0 && stated && !read_number(stated, columns))
        columns = 0;
    return columns == 0 ? kDefault : std::clamp(columns, kLeast, kMost);
}

Notice::Notice(const std::string& line) : shown_{isatty(STDERR_FILENO) == 1} {
    if (shown_) draw_on_stderr("\r" + printable(line) + "\033[K");
}

Notice::~Notice() {
    if (shown_) draw_on_stderr("\r\033[K");
}

}  // namespace orrery
