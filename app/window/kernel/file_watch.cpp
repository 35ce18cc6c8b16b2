// SPDX-License-Identifier: MIT
#include "app/window/kernel/file_watch.hpp"

#include <sys/stat.h>

#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {
namespace {

/// Identifies a version of a file without reading it. Editors replace a file or write into it.
using FileVersion = std::tuple<std::string, ino_t, off_t, time_t, long>;

std::optional<FileVersion> version_of(const std::filesystem::path& path) {
    struct stat found {};
    if (path.empty() || ::stat(path.c_str(), &found) != 0) return std::nullopt;
    return FileVersion{path.string(), found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

std::chrono::system_clock::time_point time_of(const FileVersion& version) {
    using Clock = std::chrono::system_clock;
    return Clock::time_point{std::chrono::duration_cast<Clock::duration>(
        std::chrono::seconds{std::get<3>(version)} + std::chrono::nanoseconds{std::get<4>(version)})};
}

}  // namespace

FileWatch::FileWatch() : thread_{[this](const std::stop_token& stop) { watch(stop); }} {}

void FileWatch::set(const std::filesystem::path& path, std::string content) {
    {
        const std::lock_guard lock{mutex_};
        path_ = path, content_ = std::move(content);
        change_.reset();
    }
    wake_.notify_one();
}

std::optional<FileChange> FileWatch::take() {
    const std::lock_guard lock{mutex_};
    return std::exchange(change_, std::nullopt);
}

bool FileWatch::changed() const {
    const std::lock_guard lock{mutex_};
    return change_.has_value();
}

void FileWatch::watch(const std::stop_token& stop) {
    std::optional<FileVersion> seen;
    std::unique_lock lock{mutex_};
    while (!stop.stop_requested()) {
        if (path_.empty()) {
            wake_.wait(lock, stop, [this] { return !path_.empty(); });
            continue;
        }
        wake_.wait_for(lock, stop, kPeriod, [] { return false; });
        const std::filesystem::path path = path_;
        lock.unlock();
        const auto now = version_of(path);
        std::optional<std::string> text;
        if (now && now != seen) try {
                text = read_kernel_text(path.string());
            } catch (const Error&) {
                // Too large, or removed since: the next version may be readable.
            }
        lock.lock();
        if (now) seen = now;
        if (!text || path != path_ || *text == content_) continue;
        content_ = *text;
        change_ = FileChange{std::move(*text), time_of(*now)};
    }
}

}  // namespace orrery
