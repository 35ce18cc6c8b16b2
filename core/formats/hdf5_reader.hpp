// SPDX-License-Identifier: MIT
#pragma once
#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/packet.hpp"

namespace orrery::hdf5 {

/// What numbers are in memory.
enum class Number : std::uint8_t { kDouble, kFloat, kUint64, kInt64, kUint8, kChar };
std::size_t size_of(Number type);  ///< bytes

inline constexpr const char* kNotHdf5 = "truncated or not an HDF5 file: the library cannot open it";

/// A column of a file that is read: a data set of `rows` rows of `columns` numbers.
struct ReadColumn {
    std::uint32_t index = 0;  ///< among those of its Reader's process
    std::uint64_t rows = 0, columns = 1;
    std::string name;
};

/// The rows of a data set, and the numbers in them.
struct Shape {
    std::uint64_t rows = 0, bytes = 0;  ///< bytes of a number
    H5T_class_t kind = H5T_NO_CLASS;
};

class ReaderProcess;

/// A file that is read. The library, which malformed files crash, reads it in a process of its own with limits;
/// whatever happens to that is an Error too. All members throw Error{kUsage} naming file and object if something is
/// missing or malformed.
class Reader {
public:
    explicit Reader(std::filesystem::path path);
    /// Another file of the same snapshot, read by the same process.
    Reader(std::filesystem::path path, const Reader& beside);
    Reader(Reader&&) noexcept = default;
    Reader& operator=(Reader&&) = delete;
    /// The process closes the file, so that a snapshot of any number of files is read by one process.
    ~Reader();

    bool has(const std::string& object) const;
    void require_group(const std::string& object) const;
    /// All numbers of an attribute of a group; empty if there is none.
    std::optional<std::vector<double>> numbers(const std::string& group, const std::string& name) const;
    std::optional<double> number(const std::string& group, const std::string& name) const;
    std::optional<std::string> text(const std::string& group, const std::string& name) const;
    /// The first of these objects that the file has; empty: none.
    std::string first_of(const std::vector<std::string>& objects) const;
    Shape shape(const std::string& data_set) const;
    /// Checks the shape, and that the file is large enough.
    ReadColumn column(const std::string& object, std::uint64_t rows, std::uint64_t columns, H5T_class_t kind) const;
    /// Rows of a column from `first` on, as many as fit into `into`, converted to `type`.
    void read(const ReadColumn& column, std::uint64_t first, std::uint64_t rows, Number type, void* into) const;
    [[noreturn]] void refuse(const std::string& what) const;
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    Reader(std::filesystem::path path, std::shared_ptr<ReaderProcess> process);
    /// What `taken` takes from the answer.
    template <class Taken>
    auto ask(const Packet& request, Taken taken, int descriptor = -1) const;

    std::filesystem::path path_;
    std::shared_ptr<ReaderProcess> process_;
    std::uint32_t file_ = 0;
    std::uint64_t bytes_ = 0;  // of the file
};

/// From now on this process reads files itself, so that they can crash it: for fuzzers, which look into the code they
/// call.
void read_in_this_process();

}  // namespace orrery::hdf5
