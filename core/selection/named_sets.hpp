// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/selection/body_set.hpp"

namespace orrery {

/// The bodies to which sets belong: their number, and their ids if they have any.
struct Identities {
    std::size_t bodies = 0;
    std::span<const std::uint64_t> ids{};  ///< empty or one per body
};

/// A set under a name.
struct NamedSet {
    std::string name;
    std::vector<std::uint64_t> members;  ///< ids, or indices if the bodies have no ids; ascending
    bool by_index = false;
    friend bool operator==(const NamedSet&, const NamedSet&) = default;
};

/// Sets with names. They are kept by ids, so they hold the same bodies in every snapshot of a run, in whatever order;
/// bodies that a snapshot lacks are not in its set.
class NamedSets {
public:
    /// Adds a set, or replaces the one with this name. Throws Error{kUsage} for an empty name, or one with a backquote
    /// or a control character.
    void store(const std::string& name, const BodySet& set, const Identities& of);
    void store(NamedSet set);
    void erase(std::string_view name);
    bool has(std::string_view name) const;
    /// The sets whose names occur in a text, such as a condition.
    NamedSets named_in(std::string_view text) const;
    const std::vector<NamedSet>& all() const noexcept { return all_; }  ///< in the order in which they were added

    /// The bodies of the set with this name. Throws Error{kUsage} if there is none, if it holds ids but these bodies
    /// have none, or indices that these bodies lack.
    BodySet set(std::string_view name, const Identities& of) const;
    /// The bodies for which an expression over names of sets is true: `hot & !(inner | outer)`. Names with other
    /// characters than letters, digits and _ are put in backquotes. Throws Error{kUsage} as set() and Expression do.
    BodySet combined(std::string_view expression, const Identities& of) const;

    friend bool operator==(const NamedSets&, const NamedSets&) = default;

private:
    std::vector<NamedSet> all_;
};

/// The numbers by which a file names the bodies of a set: their ids, or their indices if they have none. Ascending.
std::vector<std::uint64_t> members_of(const BodySet& set, const Identities& of);

/// A scene of only the bodies of a set, with all labels and fields. Throws Error{kUsage} if the set is empty.
Scene scene_of(const BodySet& set, const Scene& scene);

}  // namespace orrery
