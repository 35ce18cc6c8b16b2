// SPDX-License-Identifier: MIT
#include "core/base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr int kMostLinks = 40;  // the kernel's limit

/// The file that a path refers to after following links; it need not exist.
std::filesystem::path followed(std::filesystem::path path) {
    std::error_code error;
    for (int i = 0; i < kMostLinks; ++i) {
        const std::filesystem::path link = std::filesystem::read_symlink(path, error);
        if (error) break;  // not a link
        path = link.is_absolute() ? link : path.parent_path() / link;
    }
    return path;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

/// File systems without fsync, and descriptors that are not files, fail with EINVAL.
bool synced(int file) { return fsync(file) == 0 || errno == EINVAL || errno == EROFS; }

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

std::optional<std::size_t> read_at(int descriptor, std::uint64_t offset, std::span<std::byte> into) noexcept {
    std::size_t done = 0;
    while (done < into.size()) {
        const auto at = static_cast<off_t>(offset + done);
        const ssize_t got = ::pread(descriptor, into.data() + done, into.size() - done, at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::nullopt;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

bool Descriptor::write(std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t written = ::write(number_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool Descriptor::close() noexcept { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

Destination::Destination(std::filesystem::path asked) : asked_{std::move(asked)}, file_{followed(asked_)} {
    std::error_code none;
    const auto there = std::filesystem::status(file_, none);
    if (std::filesystem::is_directory(there)) environment_error(fmt::format("{}: is a folder", asked_.string()));
    replaceable_ = !std::filesystem::exists(there) || std::filesystem::is_regular_file(there);
    temporary_ = file_.parent_path() /
                 fmt::format(".{}.{}.partial{}", file_.stem().string(), getpid(), file_.extension().string());
}

Descriptor Destination::open() const {
    if (!replaceable_) {
        Descriptor file{::open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY)};
        if (!file) fail();
        return file;
    }
    struct stat old {};
    const bool replaces = stat(file_.c_str(), &old) == 0;
    remove_temporary();  // left by a dead process with the same process id
    Descriptor file{::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
    if (!file) fail();
    if (replaces && fchmod(file.get(), old.st_mode & 07777) != 0) {
        const int why = errno;
        remove_temporary();
        errno = why;
        fail();
    }
    return file;
}

void Destination::require_writable() const {
    if (replaceable_) {
        const Descriptor probe = open();
        remove_temporary();
        remove_abandoned();
    } else if (::access(file_.c_str(), W_OK) != 0) {
        fail();
    }
}

void Destination::replace(bool durable) const {
    if (!replaceable_) return;
    if (durable) {
        const Descriptor written{::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
        if (!written || !synced(written.get())) fail();
    }
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail();
    if (!durable) return;
    const Descriptor folder{::open(folder_of(file_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (folder && !synced(folder.get())) fail();  // a folder that cannot be opened for reading cannot be synced
}

void Destination::remove_temporary() const noexcept { ::unlink(temporary_.c_str()); }

void Destination::remove_abandoned() const {
    const std::string before = fmt::format(".{}.", file_.stem().string()),
                      behind = fmt::format(".partial{}", file_.extension().string());
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{folder_of(file_), none}) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(before) || !name.ends_with(behind) || name.size() < before.size() + behind.size())
            continue;
        const char *first = name.data() + before.size(), *last = name.data() + name.size() - behind.size();
        pid_t process = 0;
        const auto [end, status] = std::from_chars(first, last, process);
        if (status != std::errc{} || end != last || process <= 0) continue;
        if (kill(process, 0) != 0 && errno == ESRCH) std::filesystem::remove(entry.path(), none);
    }
}

void Destination::fail() const {
    environment_error(fmt::format("{}: cannot be written: {}", asked_.string(), std::strerror(errno)));
}

Descriptor lock_output(const std::filesystem::path& path) {
    const Destination to{path};
    if (!to.replaceable()) return to.open();
    Descriptor file{::open(to.file().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)};
    if (!file) to.fail();
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == EOPNOTSUPP) return file;
    if (errno != EWOULDBLOCK) to.fail();
    environment_error(fmt::format("{}: is being written by another process", path.string()));
}

LifeSign take_life_sign(const std::filesystem::path& path) {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    Descriptor file{::open(path.c_str(), kFlags, 0666)};
    struct stat found {};
    if (!file || fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == EOPNOTSUPP) return {std::move(file)};
    return {.file = {}, .others = true};
}

OutputFile::OutputFile(std::filesystem::path path, Durable durable)
    : to_{std::move(path)}, durable_{durable}, file_{to_.open()} {}

OutputFile::~OutputFile() {
    if (file_ && to_.replaceable()) to_.remove_temporary();
}

void OutputFile::write(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() <= kBuffer)
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    else if (!file_.write(bytes))
        to_.fail();
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span{text})); }

void OutputFile::flush() {
    if (!file_.write(buffer_)) to_.fail();
    buffer_.clear();
}

void OutputFile::commit() {
    flush();
    if (durable_ == Durable::kYes && !synced(file_.get())) to_.fail();
    // A network file system may report a full disk only on close.
    if (!file_.close()) {
        const int why = errno;
        if (to_.replaceable()) to_.remove_temporary();
        errno = why;
        to_.fail();
    }
    try {
        to_.replace(durable_ == Durable::kYes);
    } catch (...) {
        to_.remove_temporary();
        throw;
    }
}

TemporaryFolder::TemporaryFolder() {
    std::string made = (std::filesystem::temp_directory_path() / "orrery-XXXXXX").string();
    handle_signals();
    if (!mkdtemp(made.data())) environment_error(fmt::format("{}: cannot be created: {}", made, std::strerror(errno)));
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
