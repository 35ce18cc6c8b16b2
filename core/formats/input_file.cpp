// SPDX-License-Identifier: MIT
#include "core/formats/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/formats/limits.hpp"

namespace orrery {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int why) {
    const bool missing = why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG;
    if (missing) usage_error(fmt::format("{}: no such file: {}", path.string(), std::strerror(why)));
    environment_error(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(why)));
}

std::uintmax_t size_of_regular_file(int descriptor, const std::filesystem::path& path) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) fail(path, errno);
    if (S_ISDIR(status.st_mode)) usage_error(fmt::format("{}: is a folder, expected a snapshot file", path.string()));
    if (!S_ISREG(status.st_mode)) usage_error(fmt::format("{}: is not a regular file", path.string()));
    if (status.st_size == 0) usage_error(fmt::format("{}: is empty, expected a snapshot", path.string()));
    return static_cast<std::uintmax_t>(status.st_size);
}

}  // namespace

InputFile::InputFile(std::filesystem::path path) : path_{std::move(path)} {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe must not block
    if (descriptor_ < 0) fail(path_, errno);
    try {
        size_ = size_of_regular_file(descriptor_, path_);
    } catch (...) {
        ::close(descriptor_);  // no destructor runs for an object whose constructor throws
        throw;
    }
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::span<std::byte> bytes) {
    const auto done = read_at(descriptor_, position_, bytes);
    if (!done) fail(path_, errno);
    if (*done < bytes.size()) environment_error(fmt::format("{}: was truncated while it was read", path_.string()));
    position_ += bytes.size();
}

Lines::Lines(const std::filesystem::path& path) : file_{path} {}

std::optional<std::string_view> Lines::next() {
    std::size_t end = buffer_.find('\n', begin_);
    while (end == std::string::npos) {
        const std::size_t searched = buffer_.size() - begin_;
        if (searched > kBlock)
            usage_error(fmt::format("{}: line {}: longer than {} bytes", file_.path().string(), number_ + 1, kBlock));
        if (!fill()) break;
        end = buffer_.find('\n', begin_ + searched);
    }
    if (begin_ == buffer_.size()) return std::nullopt;
    ++number_;
    ended_ = end != std::string::npos;
    const std::string_view line = std::string_view{buffer_}.substr(begin_, end - begin_);
    begin_ += line.size() + (ended_ ? 1 : 0);
    return line;
}

std::size_t Lines::count(std::size_t length) {
    std::size_t lines = 0;
    while (const auto line = next())
        if (line->size() >= length) ++lines;
    file_.seek(0);
    buffer_.clear();
    begin_ = number_ = 0;
    return lines;
}

bool Lines::fill() {
    const auto now = static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, file_.size() - file_.position()));
    if (now == 0) return false;
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + now);
    file_.read(std::as_writable_bytes(std::span{buffer_}.subspan(kept)));
    return true;
}

}  // namespace orrery
