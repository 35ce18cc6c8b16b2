// SPDX-License-Identifier: MIT
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/formats/scratch.hpp"

namespace orrery::test {

/// What a program left behind.
struct Finished {
    int code = -1;  ///< exit code; 128 + n when signal n ended it
    std::string out, err;

    std::size_t error_lines() const;
};

/// Runs the real program in a folder of its own, without a display.
class CommandTest : public Scratch {
protected:
    struct Surroundings {
        std::vector<std::pair<std::string, std::string>> environment;
        std::string in;               ///< file on standard input; empty: that of the test
        std::string out;              ///< where standard output goes; empty: to the result
        std::string err;              ///< likewise, standard error
        std::vector<int> closed;      ///< descriptors
        bool without_reader = false;  ///< standard output is a pipe that nobody reads
        std::size_t file_limit = 0;   ///< bytes that a file may have, like a disk that is full; 0: no limit
        int interrupt_after_ms = 0;   ///< sends `signal` then; 0: never
        int signal = 2;               ///< SIGINT
        std::string signal_when;      ///< sends it when this file has grown to `signal_at` bytes; empty: never
        std::size_t signal_at = 1;
        int ranks = 0;        ///< started together by mpirun; 0: the program by itself
        std::string program;  ///< in place of orrery
    };
    /// Calls of the C library fail as `order` says; see tests/inject/failing_calls.cpp. Where one has, there is a file
    /// mark; what lies outside `below` is spared.
    Surroundings failing(const std::string& order, const std::string& below = "") const {
        return {.environment = {{"LD_PRELOAD", ORRERY_FAILING_CALLS},
                                {"ORRERY_FAIL", order},
                                {"ORRERY_FAIL_BELOW", path(below).string()},
                                {"ORRERY_FAIL_MARK", path("mark").string()}}};
    }
    Finished orrery(const std::vector<std::string>& arguments) const { return orrery(arguments, {}); }
    Finished orrery(const std::vector<std::string>& arguments, const Surroundings& surroundings) const;
    /// Standard output as JSON; fails the test when the program fails.
    nlohmann::json json(const std::vector<std::string>& arguments) const;
};

/// The lines of a CSV file, cells apart.
std::vector<std::vector<std::string>> csv_rows(const std::string& text);

}  // namespace orrery::test
