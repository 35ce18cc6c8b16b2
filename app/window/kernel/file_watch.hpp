// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace orrery {

/// A new content of a watched file.
struct FileChange {
    std::string text;
    std::chrono::system_clock::time_point saved;  ///< time of its last modification
};

/// Watches the content of one file on a thread.
class FileWatch {
public:
    static constexpr std::chrono::milliseconds kPeriod{50};

    FileWatch();
    /// Watches this file from now on; empty: none. `content`: its content so far, which is no change.
    void set(const std::filesystem::path& path, std::string content);
    /// The newest change since the last call; empty: none.
    std::optional<FileChange> take();
    bool changed() const;  ///< true if take() would return a change

private:
    void watch(const std::stop_token& stop);

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::filesystem::path path_;
    std::string content_;  // as seen last
    std::optional<FileChange> change_;
    std::jthread thread_;  // last member: it uses all of the above
};

}  // namespace orrery
