// SPDX-License-Identifier: MIT
#include "app/cli/interrupt.hpp"

#include <array>
#include <csignal>
#include <initializer_list>

#include "core/base/files.hpp"

namespace orrery {
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
