// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/child_process.hpp"
#include "core/base/files.hpp"
#include "core/formats/hdf5_source.hpp"

namespace orrery::hdf5 {

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

/// Splits an answer or a request that lists several names; an empty text lists none.
std::vector<std::string> lines_of(const std::string& text);

/// Two halves, so that rows are read into one while the Reader copies them out of the other.
inline constexpr std::size_t kHalf = 1 << 20;
inline constexpr std::size_t kShared = 2 * kHalf;

/// The role under which the program starts itself to answer a Reader. It then does so before main(), in any program
/// that links this file, including the tests.
extern const char* const kReaderRole;

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
