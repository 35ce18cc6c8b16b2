// SPDX-License-Identifier: MIT
#include "app/commands/run_encounters.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

constexpr const char* kEncounterTitles = "step,number,time,kind,first,second,mass_first,mass_second,speed,energy";

}  // namespace

EncounterTable::EncounterTable(std::string path, const EncounterLog& log, std::uint64_t steps)
    : table_{std::move(path), kEncounterTitles, steps}, written_{log.ledger.count()} {}

void EncounterTable::add(const EncounterLog& log) {
    const std::uint64_t count = log.ledger.count();
    if (written_ >= count) return;
    std::string rows;
    for (std::uint64_t number = written_; number < count; ++number) {
        const Encounter& e = log.last[log.last.size() - (count - number)];
        rows +=
            fmt::format("{}{},{},{},{},{},{},{},{},{},{}", rows.empty() ? "" : "\n", e.step, number + 1, e.time,
                        encounter_kind(e.kind).id, e.first, e.second, e.mass_first, e.mass_second, e.speed, e.energy);
    }
    written_ = count;
    try {
        table_.add(rows);
    } catch (const Error& refused) {
        if (!refused_) to_stderr("orrery: {}; encounters are missing in it, and the run continues\n", refused.what());
        if (!refused_) refused_ = refused;
    }
}

}  // namespace orrery
