// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "core/base/output_file.hpp"

namespace orrery {

/// A table that a run writes as it goes, CSV whose first column is the step: each row is on disk at once, so that a run
/// can be watched and an interrupted run leaves its results. Locked: no other process writes the same table.
class RunTable {
public:
    /// `titles`: its first line. Continues an existing table if `steps` have been made before: later rows are dropped,
    /// because they will be written again. Throws Error{kEnvironment} naming the path, kUsage for other titles.
    RunTable(std::string path, const std::string& titles, std::uint64_t steps);
    void add(const std::string& rows);  ///< whole lines but for the last end; completely or not at all

private:
    void write(const std::string& lines);

    std::string path_;
    Descriptor file_;
};

}  // namespace orrery
