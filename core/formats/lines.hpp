// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/input_file.hpp"

namespace orrery {

/// The lines of a text file, a block of it held at a time.
class Lines {
public:
    explicit Lines(const std::filesystem::path& path);

    /// The next line without its end, valid until the next call; nothing at the end of the file. Throws Error{kUsage}
    /// naming the line when it is longer than a mebibyte.
    std::optional<std::string_view> next();
    std::size_t number() const noexcept { return number_; }  ///< of the line that next() gave, from 1
    bool ended() const noexcept { return ended_; }           ///< that line had an end
    std::uintmax_t size() const noexcept { return file_.size(); }
    std::uintmax_t position() const noexcept { return file_.position() - (buffer_.size() - begin_); }
    /// How many lines of at least `length` bytes there are. To be called before next(); reads the file once.
    std::size_t count(std::size_t length);

private:
    bool fill();  ///< puts more of the file behind what is left of the buffer; false at its end

    InputFile file_;
    std::string buffer_;
    std::size_t begin_ = 0, number_ = 0;
    bool ended_ = false;
};

}  // namespace orrery
