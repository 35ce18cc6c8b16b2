// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/input_file.hpp"

namespace orrery {

/// The lines of a text file, of which one block is held in memory at a time.
class Lines {
public:
    explicit Lines(const std::filesystem::path& path);

    /// The next line without its end, valid until the next call; empty optional at the end of the file. Throws
    /// Error{kUsage} naming the line if it is longer than a mebibyte.
    std::optional<std::string_view> next();
    std::size_t number() const noexcept { return number_; }  ///< of the line returned by next(), from 1
    bool ended() const noexcept { return ended_; }           ///< whether that line ended with a line end
    std::uintmax_t size() const noexcept { return file_.size(); }
    std::uintmax_t position() const noexcept { return file_.position() - (buffer_.size() - begin_); }
    /// The number of lines of at least `length` bytes. Call it before next(); it reads the file once.
    std::size_t count(std::size_t length);

private:
    bool fill();  ///< appends more of the file to the buffer; false at its end

    InputFile file_;
    std::string buffer_;
    std::size_t begin_ = 0, number_ = 0;
    bool ended_ = false;
};

}  // namespace orrery
