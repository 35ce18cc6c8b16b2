// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/child_process.hpp"
#include "core/base/files.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {

/// A file as read by the library. Used only in the program that answers a Reader, because malformed files crash the
/// library. All members throw Error{kUsage} naming file and object if something is missing or malformed.
class Source {
public:
    /// `path` is for messages only: the library reads `file` and opens nothing by name.
    Source(std::string path, Descriptor file);

    bool has(const std::string& object) const;
    void require_group(const std::string& object) const;
    /// All numbers of an attribute of a group or data set; empty if it does not exist.
    std::optional<std::vector<double>> numbers(const std::string& group, const std::string& name) const;
    std::optional<std::string> text(const std::string& group, const std::string& name) const;
    /// The position in `objects` of the first one that exists in the file, counted from 1; 0 if none does.
    std::uint32_t first_of(const std::vector<std::string>& objects) const;
    Shape shape(const std::string& object) const;
    /// As Reader::data_sets().
    std::vector<std::string> data_sets(const std::string& group) const;
    /// Opens a column. Checks its shape, and that the file is large enough.
    Column column(const std::string& object, std::uint64_t rows, std::uint64_t columns, H5T_class_t kind) const;
    void read(const Column& column, const std::string& object, std::uint64_t first, std::uint64_t rows, Number type,
              void* into) const;
    [[noreturn]] void refuse(const std::string& what) const;

private:
    Handle set(const std::string& object) const;
    Handle group(const std::string& object) const;
    Handle holder(const std::string& object) const;  ///< a group or data set

    std::string path_;
    Descriptor descriptor_;
    std::uint64_t size_ = 0;  // of the file, bytes
    Handle file_;
};

/// Stops the library from loading plugins and from following links out of a file, for the whole process. Call it before
/// the first Source.
void disable_external_links();

/// Increase it with each change of the protocol below: an update may replace the reader while the program runs.
inline constexpr std::uint32_t kProtocol = 2;

// The protocol between Reader and Server: the kind of a request, and the status that begins an answer.
enum class Ask : std::uint8_t {
    kOpen,
    kHas,
    kRequireGroup,
    kNumbers,
    kText,
    kColumn,
    kRead,
    kFirstOf,
    kShape,
    kDataSets,
    kClose
};
enum class Answer : std::uint8_t { kOk, kUsage, kEnvironment, kNoMemory };

/// Two halves, so that rows are read into one while the Reader copies them out of the other.
inline constexpr std::size_t kHalf = 1 << 20;
inline constexpr std::size_t kShared = 2 * kHalf;

/// Answers the requests of one ReaderProcess.
class Server {
public:
    explicit Server(std::span<std::byte> shared);

    /// Never throws: errors are returned as answers.
    Packet answer(Packet request, Descriptor file);
    /// Reads the rows likely to be requested next, if the last request was for rows.
    void read_ahead();

private:
    struct Opened {
        Column column;
        std::string name;
        std::uint32_t file;
    };
    struct Rows {
        std::uint32_t column;
        std::uint64_t first, count;
        Number type;
        bool operator==(const Rows&) const = default;
    };

    Packet answer_or_throw(Packet& request, Descriptor file);
    Packet rows(const Rows& wanted);
    void read(const Rows& rows, std::size_t half);
    void close(std::uint32_t file);

    std::span<std::byte> shared_;
    // By the numbers in the answers; numbers are never reused.
    std::map<std::uint32_t, Source> files_;
    std::map<std::uint32_t, Opened> columns_;
    std::uint32_t next_file_ = 0, next_column_ = 0;
    std::size_t half_ = 0;       // named in the last answer
    std::optional<Rows> last_;   // in the last answer
    std::optional<Rows> ahead_;  // in the other half
};

}  // namespace orrery::hdf5
