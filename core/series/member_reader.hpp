// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/series/series_index.hpp"

namespace orrery {

/// Reads the members of a series as states of the same bodies, in the order of the first snapshot.
class MemberReader {
public:
    explicit MemberReader(const Scene& first);

    /// A state, and a remark for the user; empty if there is none.
    struct Read {
        TimedBodies state;
        std::string remark;
    };
    /// Matches bodies by id, or by position in the file if the first snapshot has no ids or a repeated one. When
    /// matching by id, a snapshot may lack bodies of the first one (a black hole may have absorbed them): they get mass
    /// 0 and the position of the heaviest body. Skips bodies that are not in the first snapshot. Throws Error as
    /// read_snapshot() does, and kUsage with the file's name if the time differs from the index, the units differ from
    /// the first snapshot, or fewer than half of its bodies are there.
    Read read(const SeriesMember& member) const;
    bool by_ids() const { return !sorted_.empty(); }

private:
    std::vector<std::size_t> sorted_by_id(const std::vector<std::uint64_t>& ids) const;
    void require_units(const SeriesMember& member, const Scene& scene) const;
    bool put_in_order(Bodies& bodies) const;
    std::string take_common(const SeriesMember& member, Bodies& bodies) const;

    std::size_t count_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::size_t> sorted_;  // body numbers of the first snapshot, by id; empty: not matched by id
    double constant_, days_per_time_;
    std::string length_unit_, mass_unit_;
};

}  // namespace orrery
