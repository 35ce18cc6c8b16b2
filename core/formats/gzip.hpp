// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/files.hpp"

namespace orrery {

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
