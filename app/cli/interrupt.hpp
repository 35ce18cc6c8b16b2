// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// While it lives, SIGINT and SIGTERM only set a flag, so that work can end whole. A second signal ends the program.
class InterruptGuard {
public:
    InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard();
    bool interrupted() const noexcept;
};

}  // namespace orrery
