// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace orrery {
namespace {

volatile std::sig_atomic_t signalled = 0;  // the first signal received; global because a handler has no other access

void note_signal(int signal) {
    if (signalled == 0) signalled = signal;
}

void install(int signal, void (*handler)(int), int flags = 0) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}

/// True if the program was started by nohup.
bool hangup_is_ignored() {
    struct sigaction action {};
    return sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signalled = 0;
    for (const int once : {SIGINT, SIGTERM}) install(once, note_signal, static_cast<int>(SA_RESETHAND));
    for (const int repeated : {SIGUSR1, SIGXCPU}) install(repeated, note_signal);
    if (!hangup_is_ignored()) install(SIGHUP, note_signal);
}

InterruptGuard::~InterruptGuard() {
    for (const int once : {SIGINT, SIGTERM}) install(once, SIG_DFL);
}

bool InterruptGuard::interrupted() const noexcept { return signalled != 0; }

int interrupt_code() noexcept { return signalled == SIGINT ? 128 + SIGINT : 0; }

}  // namespace orrery
