// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// While it lives, the signals by which people, batch systems and terminals that close ask a program to end (SIGINT,
/// SIGTERM, SIGHUP, SIGUSR1, SIGXCPU) only set a flag, so that work can end whole. A second SIGINT or SIGTERM ends the
/// program. The other three may be sent again and again while outputs are written: once caught, they do no more harm.
class InterruptGuard {
public:
    InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard();
    bool interrupted() const noexcept;
};

/// The exit code of work that a signal to the last InterruptGuard ended: 130 after SIGINT (Ctrl + C), so that a loop of
/// a shell or a chain of commands stops too; 0 after the signals of batch systems and where none came.
int interrupt_code() noexcept;

}  // namespace orrery
