// SPDX-License-Identifier: MIT
#include "core/base/spawn.hpp"

#include <signal.h>
#include <unistd.h>

namespace orrery {

int spawn_apart(pid_t& child, char* const* words, const posix_spawn_file_actions_t& files) {
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all), sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int failed = ::posix_spawnp(&child, words[0], &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

}  // namespace orrery
