// SPDX-License-Identifier: MIT
#include "app/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <initializer_list>

#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

constexpr std::size_t kDefault = 80, kLeast = 40, kMost = 120;  // wider lines are hard to read

void append(std::string& text, const std::vector<std::string>& row, const std::vector<std::size_t>& width) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool number = !row[i].empty() && (row[i][0] == '-' || (row[i][0] >= '0' && row[i][0] <= '9'));
        line += number ? fmt::format("{:>{}}  ", row[i], width[i]) : fmt::format("{:<{}}  ", row[i], width[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
}

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

std::string Table::text() const {
    std::vector<std::size_t> width(head.size());
    const auto widen = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    };
    widen(head);
    for (const auto& row : rows) widen(row);
    std::string result;
    if (std::ranges::any_of(head, [](const std::string& cell) { return !cell.empty(); })) append(result, head, width);
    for (const auto& row : rows) append(result, row, width);
    return result;
}

std::string with_prefix(double value) {
    constexpr std::array kPrefixes{"", " k", " M", " G", " T", " P"};
    std::size_t i = 0;
    while (std::abs(value) >= 999.5 && i + 1 < kPrefixes.size()) value /= 1000, ++i;
    return fmt::format("{:.3g}{}", value, kPrefixes[i]);
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

namespace {

volatile std::sig_atomic_t signalled = 0;  // the first signal received; global because a handler has no other access

constexpr std::array kOnce{SIGINT, SIGTERM};

struct sigaction install(int signal, void (*handler)(int)) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = handler;
    sigaction(signal, &action, &before);
    return before;
}

void note_signal(int signal) {
    if (signalled == 0) signalled = signal;
}

void note_signal_once(int signal) {
    note_signal(signal);
    install(signal, remove_temporary_folders_and_end);
}

/// True if the program was started by nohup.
bool hangup_is_ignored() {
    struct sigaction action {};
    return sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signalled = 0;
    for (std::size_t i = 0; i < kOnce.size(); ++i) before_[i] = install(kOnce[i], note_signal_once);
    for (const int repeated : {SIGUSR1, SIGXCPU}) install(repeated, note_signal);
    if (!hangup_is_ignored()) install(SIGHUP, note_signal);
}

InterruptGuard::~InterruptGuard() {
    for (std::size_t i = 0; i < kOnce.size(); ++i) sigaction(kOnce[i], &before_[i], nullptr);
}

bool InterruptGuard::interrupted() const noexcept { return signalled != 0; }

int interrupt_code() noexcept { return signalled == SIGINT ? 128 + SIGINT : 0; }

}  // namespace orrery
