// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace orrery {

/// A unique temporary name next to `path`.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Removes such temporary files of dead processes next to `path`.
void remove_abandoned(const std::filesystem::path& path);
/// Flushes the file, or the directory, to disk. Throws Error{kEnvironment}.
void put_on_disk(const std::filesystem::path& path);

/// A file that appears under its name only when it is complete: written under a temporary name, renamed by `commit()`,
/// removed if destroyed without. Throws Error{kEnvironment} naming the path when the disk fails.
class OutputFile {
public:
    explicit OutputFile(std::filesystem::path path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    void commit();

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    [[noreturn]] void fail(std::string_view what) const;

    std::filesystem::path path_, temporary_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace orrery
