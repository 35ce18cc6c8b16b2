// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.hpp"

#include <csignal>

namespace orrery {
namespace {

volatile std::sig_atomic_t signalled = 0;  // a signal handler can reach nothing else

void note_signal(int) { signalled = 1; }

void install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = handler == SIG_DFL ? 0 : SA_RESETHAND;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signalled = 0;
    install(note_signal);
}
InterruptGuard::~InterruptGuard() { install(SIG_DFL); }
bool InterruptGuard::interrupted() const noexcept { return signalled != 0; }

}  // namespace orrery
