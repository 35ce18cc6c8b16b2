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
    std::filesystem::path path;  ///< of its first file
    double time = 0;             ///< in the file's units, or the number in its name: see SeriesIndex::by_names()
    double stated = 0;           ///< the time that the file states
    std::uint64_t bodies = 0;
    double box = 0;  ///< as SnapshotHead has it
    friend bool operator==(const SeriesMember&, const SeriesMember&) = default;
};

/// Which snapshots a series has, ordered by the times that their files state, whatever their names. Where all files
/// state the same time, as tables without one do, the number by which their names differ takes its place. Reads heads,
/// no bodies, where the format has heads. A file that cannot be read, or has the time of another file, is left out with
/// a note that says why.
class SeriesIndex {
public:
    /// Throws Error{kUsage} if no file can be read: with its own word if there is one file only.
    explicit SeriesIndex(std::vector<std::string> sources);

    /// Looks for files that are new, or have changed since they could not be read. Returns whether members() or notes()
    /// changed. Sources that name no file any more are noted, and looked for again by the next call.
    bool refresh();
    /// Leaves out, now and later, what has another number of bodies: for bodies that are not told by ids.
    void require_bodies(std::uint64_t bodies);
    /// Whether times are the numbers in the names of the files.
    bool by_names() const { return by_names_; }
    void remove(const std::filesystem::path& path, const std::string& why);  ///< leaves it out from now on

    const std::vector<SeriesMember>& members() const { return members_; }  ///< times ascend
    /// One line for each file that was left out, and for names whose order is not that of time.
    const std::vector<std::string>& notes() const { return notes_; }

private:
    /// Size and time of change: a file that cannot be read may still be being written.
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
    std::optional<std::uint64_t> bodies_;  // that all must have
    std::string missing_;                  // what was last noted of sources that name no file
    bool by_names_ = false;
};

}  // namespace orrery
