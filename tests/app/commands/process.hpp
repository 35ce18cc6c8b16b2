// SPDX-License-Identifier: MIT
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/formats/scratch.hpp"

namespace orrery::test {

/// Result of a finished program.
struct Finished {
    int code = -1;  ///< exit code; 128 + n if signal n ended it
    std::string out, err;

    std::size_t error_lines() const;
};

/// Runs the real program in a temporary folder, without a display.
class CommandTest : public Scratch {
protected:
    struct Surroundings {
        std::vector<std::pair<std::string, std::string>> environment;
        std::string in;               ///< file for standard input; empty: inherited from the test
        std::string out;              ///< destination of standard output; empty: captured in the result
        std::string err;              ///< destination of standard error; empty: captured in the result
        std::vector<int> closed;      ///< descriptors closed at the start
        bool without_reader = false;  ///< standard output is a pipe without a reader
        std::size_t file_limit = 0;   ///< maximum size of a file in bytes, to simulate a full disk; 0: no limit
        int interrupt_after_ms = 0;   ///< delay before `signal` is sent; 0: never sent
        int signal = 2;               ///< SIGINT
        std::string
            signal_when;  ///< sends the signal when this file (pattern with *) has `signal_at` bytes; empty: never
        std::size_t signal_at = 1;
        int ranks = 0;        ///< number of ranks started by mpirun; 0: without mpirun
        std::string program;  ///< replaces orrery
    };
    /// Makes calls of the C library fail as `order` specifies; see tests/inject/failing_calls.cpp. A call that failed
    /// leaves a file named mark. Only files below `below` are affected.
    Surroundings failing(const std::string& order, const std::string& below = "") const {
        return {.environment = {{"LD_PRELOAD", ORRERY_FAILING_CALLS},
                                {"ORRERY_FAIL", order},
                                {"ORRERY_FAIL_BELOW", path(below).string()},
                                {"ORRERY_FAIL_MARK", path("mark").string()}}};
    }
    Finished orrery(const std::vector<std::string>& arguments) const { return orrery(arguments, {}); }
    Finished orrery(const std::vector<std::string>& arguments, const Surroundings& surroundings) const;
    /// Writes the manual pages and completions into this folder, as the build does.
    Finished write_manual(const std::string& folder) const;
    /// Standard output as JSON; fails the test if the program fails.
    nlohmann::json json(const std::vector<std::string>& arguments) const;
};

/// The rows of a CSV file, split into cells.
std::vector<std::vector<std::string>> csv_rows(const std::string& text);

}  // namespace orrery::test
