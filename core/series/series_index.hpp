// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/formats/formats.hpp"

namespace orrery {

/// A snapshot of a series.
struct SeriesMember {
    std::filesystem::path path;  ///< of its first file
    double time = 0;             ///< in the file's units
    std::uint64_t bodies = 0;
    double box = 0;  ///< as SnapshotHead has it
    friend bool operator==(const SeriesMember&, const SeriesMember&) = default;
};

/// Which snapshots a series has, ordered by the times that their files state, whatever their names. Reads heads, no
/// bodies, where the format has heads. A file that cannot be read, has another number of bodies than the first one, or
/// the time of another file, is left out with a note that says why.
class SeriesIndex {
public:
    /// Throws Error{kUsage} if no file can be read: with its own word if there is one file only.
    explicit SeriesIndex(std::vector<std::string> sources);

    /// Looks for files that are new, or have changed since they could not be read. Returns whether members() changed.
    bool refresh();
    void remove(const std::filesystem::path& path, const std::string& why);  ///< leaves it out from now on

    const std::vector<SeriesMember>& members() const { return members_; }  ///< times ascend; not empty
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
    std::vector<std::filesystem::path> unseen();
    bool add(const std::filesystem::path& path, const SnapshotHead& head);
    void note_order();

    std::vector<std::string> sources_;
    std::vector<SeriesMember> members_;
    std::vector<std::string> notes_;
    std::map<std::filesystem::path, Stamp> seen_;
    std::set<std::string> sets_;  // names of snapshots in several files
};

}  // namespace orrery
