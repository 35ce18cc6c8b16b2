// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/formats/formats.hpp"

namespace orrery {

/// A snapshot of a series.
struct SeriesMember {
    std::filesystem::path path;  ///< first file of the snapshot
    double time = 0;             ///< in the file's units, or the number in its name: see SeriesIndex::by_names()
    double stated = 0;           ///< time in the file's header
    std::uint64_t bodies = 0;
    double box = 0;  ///< as SnapshotHead::box; 0: none
    friend bool operator==(const SeriesMember&, const SeriesMember&) = default;
};

/// The snapshots of a series, sorted by the times in their headers, regardless of their names. If all files have the
/// same time (tables without one do), the number in which their names differ is used instead. Reads only headers if the
/// format has them. A file that is unreadable, or has the time of another, is left out with a note.
class SeriesIndex {
public:
    /// Throws Error{kUsage} if no file is readable, with the original message if there is only one file.
    explicit SeriesIndex(std::vector<std::string> sources);

    /// Looks for files that are new, or that have changed since they were found unreadable. Returns whether members()
    /// or notes() changed. Sources that no longer match any file get a note and are looked up again next time.
    bool refresh();
    /// Leaves out, now and later, members with another number of bodies; for bodies that are not matched by id.
    void require_bodies(std::uint64_t bodies);
    /// True if times are the numbers in the file names.
    bool by_names() const { return by_names_; }
    void remove(const std::filesystem::path& path, const std::string& why);  ///< leaves it out from now on

    const std::vector<SeriesMember>& members() const { return members_; }  ///< ascending times
    /// One line for each file left out, and one if names and times are ordered differently.
    const std::vector<std::string>& notes() const { return notes_; }

private:
    /// Size and modification time: an unreadable file may still be being written.
    struct Stamp {
        std::uintmax_t size = 0;
        std::filesystem::file_time_type changed{};
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    static Stamp stamp_of(const std::filesystem::path& path);
    struct Found {
        std::filesystem::path path;
        SnapshotHead head;
        std::string failure;
    };
    void look();
    std::vector<std::filesystem::path> unseen();
    std::vector<Found> heads_of(const std::vector<std::filesystem::path>& paths) const;
    void read_heads(const std::vector<std::filesystem::path>& paths);
    void take_times_from_names(std::vector<Found>& found);
    bool add(const std::filesystem::path& path, const SnapshotHead& head);
    void note_order();

    std::vector<std::string> sources_;
    std::vector<SeriesMember> members_;
    std::vector<std::string> notes_;
    std::map<std::filesystem::path, Stamp> seen_;
    std::set<std::string> sets_;           // names of snapshots in several files
    std::optional<std::uint64_t> bodies_;  // required of all members
    std::string missing_;                  // last note about sources that match no file
    bool by_names_ = false;
};

}  // namespace orrery
