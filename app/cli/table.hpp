// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace orrery {

/// Rows of text for people; columns are as wide as their widest cell. Cells that begin with a digit stand to the right.
/// A head without words is not printed.
struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;

    std::string text() const;
};

/// "1.50 G": three digits and a prefix of 1000.
std::string with_prefix(double value);
/// `text` as one cell of a CSV line (RFC 4180).
std::string csv_cell(const std::string& text);

}  // namespace orrery
