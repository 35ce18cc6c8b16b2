// SPDX-License-Identifier: MIT
#include "tests/app/commands/process.hpp"

#include <fcntl.h>
#include <glob.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "tests/support/mpirun.hpp"

namespace orrery::test {
namespace {

void redirect(const std::string& path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(120);
}

void redirect_to_closed_pipe(int descriptor) {
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], descriptor) < 0) _exit(123);
    close(ends[0]), close(ends[1]);
}

void limit_files(std::size_t bytes) {
    const rlimit limit{bytes, bytes};
    std::signal(SIGXFSZ, SIG_IGN);  // inherited, so that a write beyond the limit fails as on a full disk
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(121);
}

/// The first file that matches a pattern with *.
std::filesystem::path found(const std::filesystem::path& pattern) {
    glob_t names{};
    std::filesystem::path first;
    if (glob(pattern.c_str(), GLOB_PERIOD, nullptr, &names) == 0) first = names.gl_pathv[0];
    globfree(&names);
    return first;
}

/// Waits up to a minute; if the file stays too small, the test fails later.
void wait_for(const std::filesystem::path& file, std::size_t bytes) {
    for (int i = 0; i < 6000; ++i) {
        std::error_code none;
        const auto size = std::filesystem::file_size(found(file), none);
        if (!none && size >= bytes) break;
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
}

}  // namespace

std::size_t Finished::error_lines() const { return static_cast<std::size_t>(std::ranges::count(err, '\n')); }

Finished CommandTest::orrery(const std::vector<std::string>& arguments, const Surroundings& surroundings) const {
    const std::string out = surroundings.out.empty() ? path("stdout").string() : surroundings.out;
    const std::string err = surroundings.err.empty() ? path("stderr").string() : surroundings.err;
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), surroundings.program.empty() ? ORRERY_BINARY : surroundings.program);
    if (surroundings.ranks > 0) {
        const std::vector<std::string> before = mpirun(ORRERY_MPIRUN, surroundings.ranks);
        words.insert(words.begin(), before.begin(), before.end());
    }
    const auto mpi = mpi_environment(path("mpi"));
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        for (const int ignored : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE})
            std::signal(ignored, SIG_DFL);  // resets signals that nohup ignores
        for (const auto& [name, value] : mpi) setenv(name.c_str(), value.c_str(), 1);
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
        setenv("ORRERY_TUNING", "", 1);  // settings tuned by the developer would change results
        for (const auto& [name, value] : surroundings.environment) setenv(name.c_str(), value.c_str(), 1);
        if (!surroundings.in.empty()) {
            const int file = open(surroundings.in.c_str(), O_RDONLY);
            if (file < 0 || dup2(file, STDIN_FILENO) < 0) _exit(124);
        }
        redirect(out, STDOUT_FILENO);
        redirect(err, STDERR_FILENO);
        if (surroundings.without_reader) redirect_to_closed_pipe(STDOUT_FILENO);
        for (const int descriptor : surroundings.closed) close(descriptor);
        if (surroundings.file_limit > 0) limit_files(surroundings.file_limit);
        if (chdir(path("").c_str()) == 0) execv(argv.front(), argv.data());
        _exit(122);
    }
    if (surroundings.interrupt_after_ms > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds{surroundings.interrupt_after_ms});
        kill(child, surroundings.signal);
    }
    int status = 0;
    if (!surroundings.signal_when.empty()) {
        wait_for(path(surroundings.signal_when), surroundings.signal_at);
        kill(child, surroundings.signal);
    }
    waitpid(child, &status, 0);
    std::filesystem::remove_all(path("mpi"));
    Finished result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (surroundings.out.empty()) result.out = content(out);
    if (surroundings.err.empty()) result.err = content(err);
    return result;
}

Finished CommandTest::write_manual(const std::string& folder) const {
    return orrery({"python3", ORRERY_MANUAL, ORRERY_BINARY, folder}, {.program = "/usr/bin/env"});
}

nlohmann::json CommandTest::json(const std::vector<std::string>& arguments) const {
    const Finished finished = orrery(arguments);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return nlohmann::json::parse(finished.out, nullptr, false);
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells{line};
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
        if (line.ends_with(',')) rows.back().emplace_back();
    }
    return rows;
}

}  // namespace orrery::test
