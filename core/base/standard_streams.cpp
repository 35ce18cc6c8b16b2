// SPDX-License-Identifier: MIT
#include "core/base/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <initializer_list>

namespace orrery {
namespace {

int first_error = 0;  // errno of the first failed write to standard output
bool muted_streams = false, quiet_stderr = false;

/// Length and code point of the UTF-8 character at the beginning of `text`; length 0 if the bytes are invalid.
struct Character {
    std::size_t length = 0;
    std::uint32_t number = 0;
};

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return {1, byte(0)};
    const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
    std::uint32_t number = byte(0) & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        number = number << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // rejects overlong encodings
    const bool surrogate = number >= 0xd800 && number < 0xe000;
    return number < kLeast[length] || number > 0x10ffff || surrogate ? Character{} : Character{length, number};
}

bool is_control(std::uint32_t character) {
    return (character < 0x20 && character != '\n' && character != '\t') || (character >= 0x7f && character < 0xa0);
}

void write_to_stderr(std::string_view text) noexcept {
    if (muted_streams || quiet_stderr) return;
    while (!text.empty()) {
        const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::atomic<bool> shown_details = false;

}  // namespace

void prepare_standard_streams() noexcept {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // open() returns the lowest free number, which is this one. A closed stdout is opened read-only, so that
        // writing results to it fails; losing stderr is not an error.
        const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", mode) != descriptor) return;
    }
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void mute_standard_streams(bool muted) noexcept { muted_streams = muted; }

void quieten_stderr(bool quiet) noexcept { quiet_stderr = quiet; }

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Character next = first_character(text);
        if (next.length == 0)
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        else if (is_control(next.number))
            result += fmt::format("\\u{:04x}", next.number);
        else
            result += text.substr(0, next.length);
        text.remove_prefix(std::max<std::size_t>(1, next.length));
    }
    return result;
}

void line_to_stderr(std::string_view line) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    std::string text = printable(line);
    std::ranges::replace(text, '\n', ' ');
    write_to_stderr(text + '\n');
}

void draw_on_stderr(std::string_view drawing) noexcept { write_to_stderr(drawing); }

void bytes_to_stdout(std::string_view bytes) {
    if (muted_streams) return;
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() && first_error == 0) first_error = errno;
}

void text_to_stdout(std::string_view text) { bytes_to_stdout(printable(text)); }

int output_error() noexcept {
    if (std::fflush(stdout) != 0 && first_error == 0) first_error = errno;
    if (std::ferror(stdout) != 0 && first_error == 0) first_error = EIO;
    return first_error;
}

void show_details(bool shown) noexcept { shown_details = shown; }

bool details_are_shown() noexcept { return shown_details; }

using Clock = std::chrono::steady_clock;

namespace {

std::atomic<double> latest = -1;  // global: a process has one terminal and one window

}  // namespace

double Progress::shown() { return latest; }

Progress::Progress(std::string label, std::uint64_t total, std::uint64_t begun)
    : label_{printable(label)},
      total_{std::max<std::uint64_t>(total, 1)},
      begun_{begun},
      terminal_{isatty(STDERR_FILENO) == 1},
      start_{Clock::now()} {}

Progress::~Progress() {
    latest = -1;
    if (drawn_) draw_on_stderr("\r\033[K");
}

void Progress::update(std::uint64_t done, const std::string& note) {
    const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    latest = fraction;
    if (!terminal_) return;
    const auto now = Clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds{100}) return;
    last_ = now;
    drawn_ = true;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const auto filled = static_cast<std::size_t>(fraction * 30);
    const double each = done > begun_ ? elapsed / static_cast<double>(done - begun_) : 0;
    const double more = static_cast<double>(total_ - std::min(done, total_));
    const std::string left = done > begun_ ? fmt::format("{:.0f} s left", each * more) : std::string{};
    draw_on_stderr(fmt::format("\r{} [{:━<{}}{:<{}}] {:3.0f} % {} {}\033[K", label_, "", filled, "", 30 - filled,
                               100 * fraction, left, printable(note)));
}

}  // namespace orrery
