// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

namespace orrery {

/// Columns of the terminal on standard output; without one those that COLUMNS states, or 80.
std::size_t terminal_columns();

/// A terminal on stderr shows this line while the notice lives, such as "plummer: making 4000000 bodies".
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
