// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/files.hpp"

namespace orrery {

/// Files sent by viewers, in a folder that only this user can read and that is removed when the program ends. Their
/// total size is limited.
class Uploads {
public:
    explicit Uploads(std::uint64_t most_bytes) : most_{most_bytes} {}
    Uploads(const Uploads&) = delete;
    Uploads& operator=(const Uploads&) = delete;

    std::uint64_t most_bytes() const { return most_; }
    /// Begins a file and drops an incomplete one. `name` as in the browser. Throws Error{kUsage} if it is too large,
    /// Error{kEnvironment} if it cannot be written.
    void begin(std::string_view name, std::uint64_t size);
    /// Returns the path if these bytes complete the file. Throws as begin(); the file is then dropped.
    std::optional<std::filesystem::path> add(std::string_view bytes);
    void drop();  ///< removes an incomplete file

private:
    [[noreturn]] void fail() const;

    const std::uint64_t most_;
    std::uint64_t used_ = 0, size_ = 0, left_ = 0;
    int count_ = 0;
    std::optional<TemporaryFolder> folder_;  // from the first file on
    std::filesystem::path path_;
    std::string name_;  // as in the browser
    std::ofstream file_;
};

/// Makes a file name from the name that a viewer gave, in UTF-8: the last part, without characters that are special to
/// a shell or a file system. Keeps letters of all scripts and spaces.
std::string safe_name(std::string_view name);

/// Removes folders that mean nothing to a user at another machine from a message: that of uploads, with the number of
/// each file in it, and the working folder. Keeps the file names.
std::string without_folders(std::string message, const std::filesystem::path& uploads,
                            const std::filesystem::path& working);

/// The value of a Content-Disposition header that gives a downloaded file this name (RFC 6266).
std::string content_disposition(std::string_view name);

/// Files that were made in the window; viewers may download these and no others. Thread-safe.
class MadeFiles {
public:
    struct Made {
        std::uint32_t id;
        std::filesystem::path path;
        std::uint64_t size;
    };
    /// Returns nothing for anything but a regular file.
    std::optional<Made> add(const std::filesystem::path& path);
    std::optional<std::filesystem::path> find(std::uint32_t id) const;

private:
    static constexpr std::size_t kMost = 256;  // the oldest is discarded
    mutable std::mutex mutex_;
    std::deque<Made> made_;
    std::uint32_t last_id_ = 0;
};

}  // namespace orrery
