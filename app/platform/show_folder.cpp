// SPDX-License-Identifier: MIT
#include "app/platform/show_folder.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace orrery {
namespace {

/// Reaps the children that have ended, so that zombies do not accumulate.
void forget_ended(std::vector<pid_t>& children) {
    std::erase_if(children, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; });
}

}  // namespace

bool show_folder(const std::filesystem::path& folder) { return open_on_desktop(folder.string()); }

bool open_on_desktop(const std::string& what) {
    static std::vector<pid_t> children;
    forget_ended(children);
    std::string program = "xdg-open", path = what;
    char* words[] = {program.data(), path.data(), nullptr};
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0) return false;
    // Keep its output out of the terminal in which this program was started.
    for (const int output : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, output, "/dev/null", output == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    pid_t child = -1;
    const int failed = posix_spawnp(&child, program.c_str(), &files, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return false;
    children.push_back(child);
    return true;
}

}  // namespace orrery
