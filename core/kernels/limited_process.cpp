// SPDX-License-Identifier: MIT
#include "core/kernels/limited_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/spawn.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostOutput = 64 * 1024;

/// Starts the program with standard output and error in `to`.
pid_t start_limited(const std::vector<std::string>& arguments, int to) {
    std::vector<char*> words;
    for (const std::string& each : arguments) words.push_back(const_cast<char*>(each.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, to, STDERR_FILENO);
    pid_t child = -1;
    const int failed = spawn_apart(child, words.data(), files);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) environment_error(fmt::format("cannot start {}: {}", arguments.front(), std::strerror(failed)));
    return child;
}

void limit_process(pid_t child, const ProcessLimits& limits) {
    const auto seconds = static_cast<rlim_t>(limits.seconds) + 1;
    for (const auto& [resource, most] :
         {std::pair{RLIMIT_AS, static_cast<rlim_t>(limits.memory)}, {RLIMIT_CPU, 64 * seconds}, {RLIMIT_CORE, 0}}) {
        const rlimit limit{most, most};
        ::prlimit(child, resource, &limit, nullptr);  // fails only if the process has already ended
    }
}

}  // namespace

ProcessEnd run_limited(const std::vector<std::string>& arguments, const ProcessLimits& limits) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        environment_error(fmt::format("cannot start {}: {}", arguments.front(), std::strerror(errno)));
    Descriptor from{ends[0]}, to{ends[1]};
    const pid_t child = start_limited(arguments, to.get());
    to.close();
    limit_process(child, limits);

    ProcessEnd end;
    using Clock = std::chrono::steady_clock;
    const auto last =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    std::array<char, 4096> bytes{};
    bool late = false;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(last - Clock::now()).count();
        late = left <= 0;
        if (late) break;
        pollfd ready{from.get(), POLLIN, 0};
        if (::poll(&ready, 1, static_cast<int>(left)) <= 0) continue;
        const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        end.output.append(bytes.data(), std::min(static_cast<std::size_t>(got),
                                                 kMostOutput - std::min(kMostOutput, end.output.size())));
    }
    // A process that has closed its output may still run: it gets the rest of the time.
    int status = 0;
    pid_t ended = 0;
    while (!late && (ended = ::waitpid(child, &status, WNOHANG)) == 0) {
        late = Clock::now() >= last;
        ::usleep(1000);
    }
    ::kill(-child, SIGKILL);
    while (ended == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (late)
        end.reason = fmt::format("does not end within {:g} s", limits.seconds);
    else if (WIFSIGNALED(status))
        end.reason = WTERMSIG(status) == SIGXCPU
                         ? "exceeds its limit of processor time"
                         : fmt::format("ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    else
        end.code = WEXITSTATUS(status);
    return end;
}

}  // namespace orrery
