// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "core/base/files.hpp"

namespace orrery {

/// A CSV table written during a run, with the step in the first column. Each row is on disk at once, so that a run can
/// be monitored and an interrupted run leaves its results. Locked against other processes that write the same table.
class RunTable {
public:
    /// `titles`: its first line. Continues an existing table if the run continues after `steps`: later rows are
    /// dropped, because they will be written again. Throws Error{kEnvironment} with the path, kUsage for other titles.
    RunTable(std::string path, const std::string& titles, std::uint64_t steps);
    void add(const std::string& rows);  ///< lines without the last newline; written completely or not at all

private:
    void write(const std::string& lines);

    std::string path_;
    Descriptor file_;
};

}  // namespace orrery
