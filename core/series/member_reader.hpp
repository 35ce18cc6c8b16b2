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

/// Reads the members of a series as states of the same bodies in the same order, that of the first one.
class MemberReader {
public:
    explicit MemberReader(const Scene& first);

    /// A state, and what a user should know of it; empty: nothing.
    struct Read {
        TimedBodies state;
        std::string remark;
    };
    /// Bodies are recognised by their ids, or by their places in the file where the first one has no ids or an id
    /// twice. Told by ids, a snapshot may lack bodies of the first one, as where a black hole takes them in: they are
    /// given without mass at the place of the heaviest body. Bodies that the first one lacks are left out. Throws Error
    /// as read_snapshot() does, and kUsage with the file's name where its time is no longer that of the index, units
    /// are not those of the first one, or it has other bodies: as many with other ids, or fewer than half of them.
    Read read(const SeriesMember& member) const;
    bool by_ids() const { return !sorted_.empty(); }

private:
    std::vector<std::size_t> sorted_by_id(const std::vector<std::uint64_t>& ids) const;
    void require_units(const SeriesMember& member, const Scene& scene) const;
    void put_in_order(const SeriesMember& member, Bodies& bodies) const;
    std::string take_common(const SeriesMember& member, Bodies& bodies) const;

    std::size_t count_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::size_t> sorted_;  // places of the first one's bodies, by id; empty: bodies are not told by ids
    double constant_, days_per_time_;
    std::string length_unit_, mass_unit_;
};

}  // namespace orrery
