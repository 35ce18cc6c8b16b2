// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

namespace orrery {

/// Width of the terminal on standard output; without one, the value of COLUMNS, or 80.
std::size_t terminal_columns();

/// Shows a line such as "plummer: making 4000000 bodies" while alive, if stderr is a terminal.
class Notice {
public:
    explicit Notice(const std::string& line);
    Notice(const Notice&) = delete;
    Notice& operator=(const Notice&) = delete;
    ~Notice();

private:
    bool shown_;
};

/// Rows of text, with columns as wide as their widest cell. Cells that begin with a digit are right-aligned. A head of
/// empty cells is not printed.
struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;

    std::string text() const;
};

/// "1.50 G": three digits and a metric prefix.
std::string with_prefix(double value);
/// `text` as one cell of a CSV line (RFC 4180).
std::string csv_cell(const std::string& text);

/// While alive, the signals by which users, batch systems and closing terminals end a program (SIGINT, SIGTERM, SIGHUP,
/// SIGUSR1, SIGXCPU) only set a flag, so that work ends with complete outputs. A second SIGINT or SIGTERM terminates
/// the program after removing its temporary folders. The other three may be sent repeatedly while outputs are written;
/// they stay caught after the guard is destroyed.
class InterruptGuard {
public:
    InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard();
    bool interrupted() const noexcept;

private:
    std::array<struct sigaction, 2> before_{};  // what SIGINT and SIGTERM did
};

/// The exit code of work that a signal to the last InterruptGuard ended: 130 after SIGINT (Ctrl + C), so that a shell
/// loop or a chain of commands stops too; 0 after the signals of batch systems, and if there was none.
int interrupt_code() noexcept;

}  // namespace orrery
