// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace orrery {

/// Width of the terminal on standard output; without one, the value of COLUMNS, or 80.
std::size_t terminal_columns();

/// Shows a line such as "plummer: making 4000000 bodies" while alive, if stderr is a terminal.
class Notice {
public:
    explicit Notice(const std::string& line);
    Notice(const Notice&) = delete;
    Notice& operator=(const Notice&) = delete;
    ~Notice();

private:
    bool shown_;
};

/// Rows of text, with columns as wide as their widest cell. Cells that begin with a digit are right-aligned. A head of
/// empty cells is not printed.
struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;

    std::string text() const;
};

/// "1.50 G": three digits and a metric prefix.
std::string with_prefix(double value);
/// `text` as one cell of a CSV line (RFC 4180).
std::string csv_cell(const std::string& text);

}  // namespace orrery
