// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/input_file.hpp"

namespace orrery {

/// The titles and comments above the rows of a text catalogue, from its first bytes.
struct HaloTextHead {
    std::vector<std::string> titles;    ///< lower case, without the numbers in brackets; of the first comment
    std::vector<std::string> comments;  ///< the others, without #
};
HaloTextHead halo_text_head(std::string_view beginning);
bool has_title(const HaloTextHead& head, std::string_view title);

/// The rows of a text catalogue: columns separated by blanks or tabs, named in the first comment. Throws Error{kUsage}
/// naming file and line.
class HaloText {
public:
    explicit HaloText(const std::filesystem::path& path);

    const HaloTextHead& head() const { return head_; }
    /// Index of the first of these titles that the table has; empty: none.
    std::optional<std::size_t> find(std::initializer_list<std::string_view> titles) const;
    /// The same; throws if there is none.
    std::size_t column(std::initializer_list<std::string_view> titles) const;
    /// Advances to the next row; false at the end of the file. Rows with another number of columns than titles throw,
    /// except for single numbers above the first row.
    bool next();

    double number(std::size_t column) const;
    /// A whole number; −1, which states that there is none, is kNoHaloId.
    std::uint64_t id(std::size_t column) const;
    std::uint64_t count(std::size_t column) const;
    /// The number behind `key` in a comment, as in "#a = 0.5" and "Om = 0.3; h = 0.7"; empty: none.
    std::optional<double> said(std::string_view key) const;
    std::size_t rows_about() const;  ///< estimate from the size of the file, for reserving memory
    const std::filesystem::path& path() const { return path_; }

private:
    [[noreturn]] void refuse(std::size_t column, std::string_view expected) const;

    std::filesystem::path path_;
    HaloTextHead head_;
    Lines lines_;
    std::vector<std::string_view> fields_;
    std::size_t rows_ = 0, row_bytes_ = 0;
};

}  // namespace orrery
