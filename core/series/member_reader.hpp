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

    /// Bodies are recognised by their ids, or by their places in the file where the first one has no ids or an id
    /// twice. Throws Error as read_snapshot() does, and kUsage with the file's name where its time is no longer that of
    /// the index, or number, ids or units are not those of the first one.
    TimedBodies read(const SeriesMember& member) const;
    bool by_ids() const { return !sorted_.empty(); }

private:
    std::vector<std::size_t> sorted_by_id(const std::vector<std::uint64_t>& ids) const;
    void require_units(const SeriesMember& member, const Scene& scene) const;
    void put_in_order(const SeriesMember& member, Bodies& bodies) const;

    std::size_t count_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::size_t> sorted_;  // places of the first one's bodies, by id; empty: bodies are not told by ids
    double constant_, days_per_time_;
    std::string length_unit_, mass_unit_;
};

}  // namespace orrery
