// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files.hpp"

namespace orrery {

/// A regular file, open for reading. Throws Error naming the path: kUsage if it is missing, empty or not a regular file
/// (a folder, a pipe), kEnvironment if it exists but cannot be read.
class InputFile {
public:
    explicit InputFile(std::filesystem::path path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    const std::filesystem::path& path() const noexcept { return path_; }
    int descriptor() const noexcept { return descriptor_; }
    std::uintmax_t size() const noexcept { return size_; }
    /// Fills `bytes` from the current position; a premature end (the file was truncated meanwhile) is an error.
    void read(std::span<std::byte> bytes);
    std::uintmax_t position() const noexcept { return position_; }
    /// Sets the position of the next read; reading beyond the end fails.
    void seek(std::uintmax_t position) noexcept { position_ = position; }

private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uintmax_t size_ = 0, position_ = 0;
};

/// The lines of a text file, of which one block is held in memory at a time.
class Lines {
public:
    explicit Lines(const std::filesystem::path& path);

    /// The next line without its end, valid until the next call; empty optional at the end of the file. Throws
    /// Error{kUsage} naming the line if it is longer than a mebibyte.
    std::optional<std::string_view> next();
    std::size_t number() const noexcept { return number_; }  ///< of the line returned by next(), from 1
    bool ended() const noexcept { return ended_; }           ///< true if that line ended with a line end
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

/// A file as it is or, if it is compressed by gzip, unpacked into a temporary folder. Throws as unpack() and InputFile
/// do.
class PlainFile {
public:
    explicit PlainFile(const std::filesystem::path& asked);

    const std::filesystem::path& path() const { return path_; }
    bool unpacked() const { return folder_.has_value(); }
    /// The message with the path of the compressed file in place of the temporary one.
    std::string named(std::string message) const;

private:
    std::filesystem::path asked_, path_;
    std::optional<TemporaryFolder> folder_;
};

/// True if a file that begins so is compressed by gzip.
bool is_gzip(std::span<const std::byte> head);

/// The name of the file that `gunzip` would write: without .gz.
std::filesystem::path unpacked_name(const std::filesystem::path& packed);

/// The first bytes of what a file compressed by gzip holds, at most `most`. Throws as unpack() does.
std::vector<std::byte> unpacked_head(const std::filesystem::path& packed, std::size_t most);

/// Writes the unpacked bytes to `to`. Throws Error naming the file: kUsage if it is damaged or truncated, or unpacks
/// to more than 64 MiB and 200 times its size; kEnvironment if the disk has not enough space.
void unpack(const std::filesystem::path& packed, const std::filesystem::path& to);

}  // namespace orrery
