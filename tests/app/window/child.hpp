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

/// How long a test waits for what should come at once: no limit on speed, only an end to waiting in vain.
inline Seconds patience() { return Seconds{240 * slowness()}; }

struct Launch {
    std::vector<std::string> command;                          ///< the program first, found on PATH
    std::map<std::string, std::string> environment;            ///< on top of ours; an empty value removes the name
    std::filesystem::path folder = ".", errors = "/dev/null";  ///< where it runs, and where its stderr goes
    int inherit = -1;                                          ///< a descriptor of ours that becomes its 3
    int talks = -1;                                            ///< one that becomes its 0 and 1
};

/// A process that does not outlive its owner.
class Child {
public:
    explicit Child(const Launch& launch);  ///< throws std::runtime_error when it cannot be started
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    bool running();
    pid_t process() const { return pid_; }
    void ask_to_end() const;  ///< SIGTERM
    /// Its exit code, or 128 + the signal that ended it; empty when it still runs after that long.
    std::optional<int> exit_code(Seconds patience);

private:
    pid_t pid_ = 0;
    std::optional<int> code_;
};

/// Runs to the end; throws std::runtime_error when that takes longer than `patience` or the exit code is not 0.
void run_child(const Launch& launch, Seconds patience = Seconds{60});

}  // namespace orrery::test
