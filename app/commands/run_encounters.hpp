// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "app/commands/run_table.hpp"
#include "core/base/error.hpp"
#include "core/encounters/encounter.hpp"

namespace orrery {

/// The table of all encounters that `run --encounters-csv` writes. Rows that cannot be written are told once, and the
/// run goes on.
class EncounterTable {
public:
    /// Of a run that goes on from `steps`, with `log` up to there. Throws as RunTable does.
    EncounterTable(std::string path, const EncounterLog& log, std::uint64_t steps);
    void add(const EncounterLog& log);  ///< after each step: those that are new
    const std::optional<Error>& refused() const { return refused_; }

private:
    RunTable table_;
    std::uint64_t written_;
    std::optional<Error> refused_;
};

}  // namespace orrery
