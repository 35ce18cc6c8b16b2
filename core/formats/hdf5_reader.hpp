// SPDX-License-Identifier: MIT
#pragma once
#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/child_process.hpp"

namespace orrery::hdf5 {

/// The type of numbers in memory.
enum class Number : std::uint8_t { kDouble, kFloat, kUint64, kInt64, kUint8, kChar };
/// In bytes.
inline std::size_t size_of(Number type) {
    switch (type) {
        case Number::kFloat:
            return sizeof(float);
        case Number::kUint8:
        case Number::kChar:
            return 1;
        default:
            return 8;
    }
}

inline constexpr const char* kNotHdf5 = "truncated or not an HDF5 file: the library cannot open it";

/// A column of a file being read: a data set of `rows` rows of `columns` numbers.
struct ReadColumn {
    std::uint32_t index = 0;  ///< among the columns of its Reader's process
    std::uint64_t rows = 0, columns = 1;
    std::string name;
};

inline constexpr std::size_t kMostNames = 256;  ///< data sets of a group that are listed

/// The number of rows of a data set, and the type of its numbers.
struct Shape {
    std::uint64_t rows = 0, columns = 1, bytes = 0;  ///< bytes of a number
    H5T_class_t kind = H5T_NO_CLASS;
};

class ReaderProcess;

/// A file being read. Since malformed files crash the library, it runs in a separate program with limits,
/// orrery-hdf5-reader; a crash there is reported as an Error. All members throw Error{kUsage} naming file and object if
/// something is missing or malformed.
class Reader {
public:
    explicit Reader(std::filesystem::path path);
    /// Another file of the same snapshot, read by the same process.
    Reader(std::filesystem::path path, const Reader& beside);
    Reader(Reader&&) noexcept = default;
    Reader& operator=(Reader&&) = delete;
    /// Closes the file in the process, so that one process can read a snapshot of any number of files.
    ~Reader();

    bool has(const std::string& object) const;
    void require_group(const std::string& object) const;
    /// All numbers of an attribute of a group or data set; empty if it does not exist.
    std::optional<std::vector<double>> numbers(const std::string& group, const std::string& name) const;
    std::optional<double> number(const std::string& group, const std::string& name) const;
    std::optional<std::string> text(const std::string& group, const std::string& name) const;
    /// The first of these objects that exists in the file; empty if none does.
    std::string first_of(const std::vector<std::string>& objects) const;
    Shape shape(const std::string& data_set) const;
    /// Names of the data sets in a group and in the groups within it ("Elements/Carbon"), the first kMostNames of them.
    std::vector<std::string> data_sets(const std::string& group) const;
    /// Opens a column. Checks its shape, and that the file is large enough.
    ReadColumn column(const std::string& object, std::uint64_t rows, std::uint64_t columns, H5T_class_t kind) const;
    /// Reads `rows` rows of a column from `first` on into `into`, converted to `type`.
    void read(const ReadColumn& column, std::uint64_t first, std::uint64_t rows, Number type, void* into) const;
    [[noreturn]] void refuse(const std::string& what) const;
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    Reader(std::filesystem::path path, std::shared_ptr<ReaderProcess> process);
    /// Sends a request and returns `taken(reply)`.
    template <class Taken>
    auto ask(const Packet& request, Taken taken, int descriptor = -1) const;

    std::filesystem::path path_;
    std::shared_ptr<ReaderProcess> process_;
    std::uint32_t file_ = 0;
    std::uint64_t bytes_ = 0;  // of the file
};

/// Answers requests in place of the reader program.
using LocalServer = std::function<Packet(Packet request, Descriptor file)>;
/// Makes this process read files itself from now on, so that they can crash it: for fuzzers, which instrument the code
/// they call. `start` makes the server for a snapshot; it writes rows into `shared`.
void read_in_this_process(std::function<LocalServer(std::span<std::byte> shared)> start);

}  // namespace orrery::hdf5
