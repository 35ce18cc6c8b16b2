// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {

/// A file as read by the library. Used only in the process that answers a Reader (hdf5_server.hpp), because malformed
/// files crash the library. All members throw Error{kUsage} naming file and object if something is missing or
/// malformed.
class Source {
public:
    /// `path` is for messages only: the library reads `file` and opens nothing by name.
    Source(std::string path, Descriptor file);

    bool has(const std::string& object) const;
    void require_group(const std::string& object) const;
    /// All numbers of an attribute of a group; empty if it does not exist.
    std::optional<std::vector<double>> numbers(const std::string& group, const std::string& name) const;
    std::optional<std::string> text(const std::string& group, const std::string& name) const;
    /// The position in `objects` of the first one that exists in the file, counted from 1; 0 if none does.
    std::uint32_t first_of(const std::vector<std::string>& objects) const;
    Shape shape(const std::string& object) const;
    /// Names of the data sets in a group, the first kMostNames of them.
    std::vector<std::string> data_sets(const std::string& group) const;
    /// Opens a column. Checks its shape, and that the file is large enough.
    Column column(const std::string& object, std::uint64_t rows, std::uint64_t columns, H5T_class_t kind) const;
    void read(const Column& column, const std::string& object, std::uint64_t first, std::uint64_t rows, Number type,
              void* into) const;
    [[noreturn]] void refuse(const std::string& what) const;

private:
    Handle set(const std::string& object) const;
    Handle group(const std::string& object) const;

    std::string path_;
    Descriptor descriptor_;
    std::uint64_t size_ = 0;  // of the file, bytes
    Handle file_;
};

/// Stops the library from loading plugins and from following links out of a file, for the whole process. Call it before
/// the first Source.
void disable_external_links();

}  // namespace orrery::hdf5
