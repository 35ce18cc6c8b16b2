// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

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

}  // namespace orrery
