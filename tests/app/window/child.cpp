// SPDX-License-Identifier: MIT
#include "tests/app/window/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <thread>

namespace orrery::test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry; ++entry) {
        const std::string text = *entry;
        if (!changes.contains(text.substr(0, text.find('=')))) result.push_back(text);
    }
    for (const auto& [name, value] : changes)
        if (!value.empty()) result.push_back(name + '=' + value);
    return result;
}

}  // namespace

Child::Child(const Launch& launch) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, launch.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addchdir_np(&actions, launch.folder.c_str());
    if (launch.inherit >= 0) posix_spawn_file_actions_adddup2(&actions, launch.inherit, 3);
    for (const int own : {0, 1})
        if (launch.stdio >= 0) posix_spawn_file_actions_adddup2(&actions, launch.stdio, own);
    auto command = launch.command;
    auto environment = environment_with(launch.environment);
    const int error = posix_spawnp(&pid_, command[0].c_str(), &actions, nullptr, pointers(command).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error{command[0] + " cannot be started: " + std::strerror(error)};
}

Child::~Child() {
    if (!running()) return;
    terminate();
    if (exit_code(Seconds{10})) return;
    kill(pid_, SIGKILL);
    exit_code(Seconds{10});
}

bool Child::running() { return !exit_code(Seconds{0}); }
void Child::terminate() const { kill(pid_, SIGTERM); }

std::optional<int> Child::exit_code(Seconds patience) {
    const auto start = std::chrono::steady_clock::now();
    while (!code_) {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) == pid_)
            code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        else if (std::chrono::steady_clock::now() - start >= patience)
            break;
        else
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return code_;
}

void run_child(const Launch& launch, Seconds patience) {
    Child child{launch};
    const auto code = child.exit_code(patience);
    if (!code) throw std::runtime_error{launch.command[0] + " did not end"};
    if (*code != 0) throw std::runtime_error{launch.command[0] + " ended with exit code " + std::to_string(*code)};
}

}  // namespace orrery::test
