// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <csignal>

namespace orrery {

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
