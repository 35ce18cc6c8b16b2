// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

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

}  // namespace orrery
