// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/input_file.hpp"

namespace orrery::nemo_files {

/// An item of a structured file without its data; for a set only its beginning or end.
struct Item {
    char type = 0;
    std::string tag;  ///< empty for ")"
    std::vector<std::uint64_t> dims;
    std::endian order = std::endian::native;
    std::uintmax_t header = 0, data = 0;  ///< where they begin, in bytes
    std::uint64_t elements = 1;

    bool real() const { return type == 'f' || type == 'd'; }
    bool whole() const { return type == 's' || type == 'i' || type == 'l'; }
    std::size_t size() const;  ///< of an element, in bytes
};

/// Iterates over the items, skipping their data. Throws Error{kUsage} naming file and byte for an invalid item.
class Items {
public:
    explicit Items(InputFile& file) : file_{file} {}
    bool next(Item& item);  ///< false at the end of the file
    /// The value of an item with a single number.
    double number(const Item& item);
    [[noreturn]] void refuse(std::uintmax_t at, const std::string& what) const;

private:
    std::byte get();
    std::string text(const char* what);
    void read_dims(Item& item);

    InputFile& file_;
    std::uintmax_t at_ = 0;  // of the next byte
    std::vector<std::byte> block_;
    std::uintmax_t block_at_ = 0;
};

}  // namespace orrery::nemo_files
