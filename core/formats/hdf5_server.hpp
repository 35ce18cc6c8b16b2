// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/output_file.hpp"
#include "core/base/packet.hpp"
#include "core/formats/hdf5_source.hpp"

namespace orrery::hdf5 {

// The two ends of a Reader: requests by number, and what an answer begins with.
enum class Ask : std::uint8_t { kOpen, kHas, kRequireGroup, kNumbers, kText, kColumn, kRead, kFirstOf, kShape, kClose };
enum class Answer : std::uint8_t { kOk, kUsage, kEnvironment, kNoMemory };

/// Two halves, so that rows are read into one while the Reader takes them from the other.
inline constexpr std::size_t kHalf = 1 << 20;
inline constexpr std::size_t kShared = 2 * kHalf;

/// The name under which the program is started to answer a Reader. It then does so before main(), whatever program it
/// is: each that links this file can, the tests too.
extern const char* const kReaderRole;

/// Answers the requests of one ReaderProcess.
class Server {
public:
    explicit Server(std::span<std::byte> shared);

    /// Never throws: errors are answers.
    Packet answer(Packet request, Descriptor file);
    /// Reads the rows that will be asked for next, if the last request was for rows.
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
    // By the numbers that the answers gave them, none of which comes twice.
    std::map<std::uint32_t, Source> files_;
    std::map<std::uint32_t, Opened> columns_;
    std::uint32_t next_file_ = 0, next_column_ = 0;
    std::size_t half_ = 0;       // that the last answer named
    std::optional<Rows> last_;   // that were answered
    std::optional<Rows> ahead_;  // in the other half
};

}  // namespace orrery::hdf5
