// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/slowness.hpp"

namespace orrery::test {

using Seconds = std::chrono::duration<double>;

/// Time limit for events that should come at once: not a measure of speed, only protection against endless waits.
inline Seconds patience() { return Seconds{240 * slowness()}; }

struct Launch {
    std::vector<std::string> command;                ///< the program, found on PATH, and its arguments
    std::map<std::string, std::string> environment;  ///< added to the inherited environment; an empty value removes the
                                                     ///< variable
    std::filesystem::path folder = ".", errors = "/dev/null";  ///< working folder, and file for stderr
    int inherit = -1;                                          ///< an inherited descriptor that becomes descriptor 3
    int stdio = -1;                                            ///< a descriptor that becomes stdin and stdout
};

/// A process that is ended with its owner.
class Child {
public:
    explicit Child(const Launch& launch);  ///< throws std::runtime_error if it cannot be started
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    bool running();
    pid_t process() const { return pid_; }
    void terminate() const;  ///< sends SIGTERM
    /// Exit code, or 128 + the signal that ended it; empty if it is still running after `patience`.
    std::optional<int> exit_code(Seconds patience);

private:
    pid_t pid_ = 0;
    std::optional<int> code_;
};

/// Runs to the end; throws std::runtime_error if that takes longer than `patience` or the exit code is not 0.
void run_child(const Launch& launch, Seconds patience = Seconds{60});

}  // namespace orrery::test
