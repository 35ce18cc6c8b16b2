// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "app/commands/run_table.hpp"
#include "core/base/error.hpp"
#include "core/encounters/encounters.hpp"

namespace orrery {

/// The table of all encounters that `run --encounters-csv` writes. The first row that cannot be written is reported,
/// and the run continues.
class EncounterTable {
public:
    /// For a run that continues after `steps`, with `log` up to there. Throws as RunTable does.
    EncounterTable(std::string path, const EncounterLog& log, std::uint64_t steps);
    void add(const EncounterLog& log);  ///< call after each step: adds the new ones
    const std::optional<Error>& refused() const { return refused_; }

private:
    RunTable table_;
    std::uint64_t written_;
    std::optional<Error> refused_;
};

}  // namespace orrery
