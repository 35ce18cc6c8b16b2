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

}  // namespace orrery
