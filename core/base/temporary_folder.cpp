// SPDX-License-Identifier: MIT
#include "core/base/temporary_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostFolders = 64, kLongestPath = 512;  // beyond, only the destructor removes them
constexpr int kDeepest = 4;                                   // folders in folders

/// A folder as the handler of a signal finds it, which can reach neither locks nor memory.
struct Place {
    enum State : int { kFree, kChanging, kTaken };
    std::atomic<int> state{kFree};
    pid_t owner = 0;  // not a process that was forked from it
    std::array<char, kLongestPath> path{};
};
static_assert(std::atomic<int>::is_always_lock_free);

std::array<Place, kMostFolders> places;

void take_place(const std::string& path) {
    if (path.size() >= kLongestPath) return;
    for (Place& place : places) {
        int expected = Place::kFree;
        if (!place.state.compare_exchange_strong(expected, Place::kChanging)) continue;
        *std::ranges::copy(path, place.path.begin()).out = '\0';
        place.owner = getpid();
        place.state = Place::kTaken;
        return;
    }
}

void leave_place(const std::string& path) {
    for (Place& place : places)
        if (place.state == Place::kTaken && path == place.path.data()) place.state = Place::kFree;
}

/// Makes only system calls, as a handler of a signal has to.
void remove_tree(int in, const char* name, int depth) noexcept {
    if (::unlinkat(in, name, 0) == 0) return;
    const int folder = ::openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    alignas(dirent64) std::array<char, 4096> entries;
    const auto is_own = [](const char* entry) { return std::strcmp(entry, ".") == 0 || std::strcmp(entry, "..") == 0; };
    for (ssize_t bytes; depth > 0 && (bytes = ::getdents64(folder, entries.data(), entries.size())) > 0;)
        for (ssize_t at = 0; at < bytes;) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
            if (!is_own(entry->d_name)) remove_tree(folder, entry->d_name, depth - 1);
            at += entry->d_reclen;
        }
    ::close(folder);
    ::unlinkat(in, name, AT_REMOVEDIR);
}

void handle_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        action.sa_handler = remove_temporary_folders_and_end;
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::string made = (std::filesystem::temp_directory_path() / "orrery-XXXXXX").string();
    handle_signals();
    if (!mkdtemp(made.data())) environment_error(fmt::format("{}: cannot be made: {}", made, std::strerror(errno)));
    take_place(made);
    path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    leave_place(path_.string());
}

void remove_temporary_folders() noexcept {
    const int before = errno;
    for (Place& place : places)
        if (place.state == Place::kTaken && place.owner == getpid()) remove_tree(AT_FDCWD, place.path.data(), kDeepest);
    errno = before;
}

/// The signal is blocked while its handler runs, so raise() takes effect on return.
void remove_temporary_folders_and_end(int signal) noexcept {
    remove_temporary_folders();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace orrery
