// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_stretches.hpp"

namespace orrery {

/// Data that a format preserves besides positions, velocities, masses and time.
struct FormatHolds {
    bool doubles = false;  ///< all numbers exactly, otherwise in single precision
    bool softening = false, constant = false, dt = false, units = false;
    bool names = false, species = false, ids = false;
    bool law = false;                                                      ///< pair laws and charges
    bool fields = false;                                                   ///< see BodyField
    std::uint64_t largest_id = std::numeric_limits<std::uint64_t>::max();  ///< if an id exceeds it, ids are not kept
};
inline constexpr FormatHolds kHoldsEverything{.doubles = true,
                                              .softening = true,
                                              .constant = true,
                                              .dt = true,
                                              .units = true,
                                              .names = true,
                                              .species = true,
                                              .ids = true,
                                              .law = true,
                                              .fields = true};

/// The content of a file's header, known before its bodies are read.
struct SnapshotHead {
    double time = 0;           ///< in the file's units
    std::uint64_t bodies = 0;  ///< in all files of the snapshot
    std::uint64_t files = 1;   ///< of the snapshot
    double box = 0;            ///< edge of the periodic box from the origin on, in the file's units; 0: none is stated
    double expansion = 0;      ///< expansion_of() the scene; 0: none is stated
};

/// Scene::box of a header.
inline double box_of(double stated) {
    return stated > 0 && stated < std::numeric_limits<double>::infinity() ? stated : 0;
}

/// Receives the bodies of a snapshot part by part, in the order of the file.
using TakeBodies = std::function<void(const Bodies& part)>;

struct FieldReaders;  // core/formats/fields.hpp
class SnapshotRows;   // core/formats/snapshot_rows.hpp
enum class WithIds : bool;

/// A line of the menu of file formats.
struct FormatEntry {
    std::string_view id, label, doc;
    std::span<const std::string_view> extensions;  ///< with the dot, lower case
    FormatHolds holds;
    /// True if a file with these first bytes (at most 4096), size and name looks like this format.
    bool (*recognises)(std::span<const std::byte> head, std::uintmax_t file_size, const std::filesystem::path& path);
    Scene (*read)(const std::filesystem::path&);
    /// Writes these bodies, whatever bodies the scene has.
    void (*write)(const Scene&, const BodyStretches&, const std::filesystem::path&);
    std::string_view why_not =
        {};  ///< empty, or why this build does not support it: read and write then throw Error{kEnvironment}
    /// Reads only the head, as strictly as read() does. Null: only read() can provide it.
    SnapshotHead (*head)(const std::filesystem::path&) = nullptr;
    /// Opens the file to read its bodies in stretches. Null: all bodies are read at once.
    std::unique_ptr<SnapshotRows> (*rows)(const std::filesystem::path&, WithIds ids) = nullptr;
    const FieldReaders* fields = nullptr;  ///< null: the format has no fields
};

std::span<const FormatEntry> formats();
/// Formats for film programs. They are written, never read. Includes those that this build lacks.
std::span<const FormatEntry> film_formats();
/// An entry of formats() or film_formats(). Throws Error{kUsage} if there is none.
const FormatEntry& format(std::string_view id);

/// Reads a snapshot in the format recognised from its content; one that is compressed by gzip is unpacked into a
/// temporary folder, also by the reading functions below. Throws Error naming the file, the line or byte offset,
/// what was expected and what was found: kUsage for a missing or malformed file, kEnvironment for one that cannot be
/// read.
Scene read_snapshot(const std::filesystem::path& path);
/// The same, but passes the bodies to `take`, part by part and without ids if the format supports it (see
/// FormatEntry::rows). The scene then has softening and dt only if the file states them. All masses may be 0.
Scene read_snapshot_in_parts(const std::filesystem::path& path, const TakeBodies& take);
struct SnapshotFacts;
/// Opens a snapshot to read its bodies in stretches, with ids. Null if its format does not support that, or if it is
/// compressed. Throws as read_snapshot() does.
std::unique_ptr<SnapshotRows> open_rows(const std::filesystem::path& path, SnapshotFacts& facts);
/// Calls use(entry, path) with the format recognised from the content, and with the path of the unpacked file if it is
/// compressed. Throws as read_snapshot() does.
void with_format(const std::filesystem::path& path,
                 const std::function<void(const FormatEntry& entry, const std::filesystem::path& plain)>& use);
/// Reads only the head if the format supports it, otherwise the whole file. Throws as read_snapshot() does.
SnapshotHead read_head(const std::filesystem::path& path);
/// True if split_by_time() may find several times, judged by the first lines. Throws as read_snapshot() does.
bool may_have_times(const std::filesystem::path& path);
/// Writes each state of a file that holds several times to a separate file in `folder`. Returns the paths in order of
/// time; empty if the file holds one state. Throws as read_snapshot() does.
std::vector<std::filesystem::path> split_by_time(const std::filesystem::path& path,
                                                 const std::filesystem::path& folder);
/// True if a file of a folder may be a snapshot, by its extension or content; .txt and .dat need a row of numbers.
bool may_be_snapshot(const std::filesystem::path& path);
/// The format that write_snapshot() uses for this path, which may be one of film_formats(). Throws Error{kUsage} that
/// lists the extensions.
const FormatEntry& format_for(const std::filesystem::path& path);
/// Writes in the format given by the extension of `path`; completely or not at all.
void write_snapshot(const Scene& scene, const std::filesystem::path& path);
/// The same of other bodies than those of the scene. Formats for programs that make films read all into memory.
void write_snapshot(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path);

/// How the reader interpreted a snapshot, to be shown to the user.
struct SnapshotFacts {
    std::string format;                                      ///< label; empty: the scene does not come from a snapshot
    bool softening_suggested = false, dt_suggested = false;  ///< the value is that of suggest.hpp
    std::array<std::uint64_t, kSpeciesCount> of_species{};   ///< bodies per species; all 0: not stated
    std::vector<std::string> fields{};                       ///< names of the fields of the file
    bool suggests() const { return softening_suggested || dt_suggested; }
};

/// As read_snapshot(), and fills `facts`.
Scene read_snapshot(const std::filesystem::path& path, SnapshotFacts& facts);

}  // namespace orrery
