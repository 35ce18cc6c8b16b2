// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace orrery {

/// A name beside `path` that nobody else uses, for what is not whole yet.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Removes what processes that are no more left beside `path` under such names.
void remove_abandoned(const std::filesystem::path& path);
/// Waits until the file, or the list of files that a folder is, is on the disk. Throws Error{kEnvironment}.
void put_on_disk(const std::filesystem::path& path);

/// A file that appears under its name only when it is whole: written beside it, renamed by `commit()`,
/// removed when it is destroyed without. Throws Error{kEnvironment} naming the path when the disk refuses.
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
