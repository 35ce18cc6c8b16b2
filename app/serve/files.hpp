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

namespace orrery {

/// Files that viewers send, in a folder that only this user can read and that goes with the program. All together have
/// at most so many bytes.
class Uploads {
public:
    explicit Uploads(std::uint64_t most_bytes) : most_{most_bytes} {}
    Uploads(const Uploads&) = delete;
    Uploads& operator=(const Uploads&) = delete;
    ~Uploads();

    std::uint64_t most_bytes() const { return most_; }
    /// Begins a file; one that is not complete is dropped. `name` as the browser has it. Throws Error{kUsage} if it is
    /// too large, Error{kEnvironment} if it cannot be written.
    void begin(std::string_view name, std::uint64_t size);
    /// The path, when the file is complete with these bytes. Throws as begin(); the file is then dropped.
    std::optional<std::filesystem::path> add(std::string_view bytes);
    void drop();  ///< what is not complete

private:
    [[noreturn]] void fail() const;

    const std::uint64_t most_;
    std::uint64_t used_ = 0, size_ = 0, left_ = 0;
    int count_ = 0;
    std::filesystem::path folder_, path_;
    std::string name_;  // as its sender has it
    std::ofstream file_;
};

/// A name for a file from the name that a viewer gave it, in UTF-8: the last part, without characters that have a
/// meaning to a shell or a file system. Letters of any script and spaces stay.
std::string safe_name(std::string_view name);

/// A message without the folders that mean nothing to a person at another machine: the one of uploads, with the number
/// of each file in it, and the working folder. Names stay.
std::string without_folders(std::string message, const std::filesystem::path& uploads,
                            const std::filesystem::path& working);

/// The value of a Content-Disposition header that gives a fetched file this name (RFC 6266).
std::string content_disposition(std::string_view name);

/// Files that were made in the window, which viewers may fetch. Nothing else is. All members on any thread.
class MadeFiles {
public:
    struct Made {
        std::uint32_t id;
        std::filesystem::path path;
        std::uint64_t size;
    };
    /// Nothing if it is no regular file.
    std::optional<Made> add(const std::filesystem::path& path);
    std::optional<std::filesystem::path> find(std::uint32_t id) const;

private:
    static constexpr std::size_t kMost = 256;  // the oldest is forgotten
    mutable std::mutex mutex_;
    std::deque<Made> made_;
    std::uint32_t last_id_ = 0;
};

}  // namespace orrery
