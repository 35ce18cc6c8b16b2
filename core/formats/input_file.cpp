// SPDX-License-Identifier: MIT
#include "core/formats/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

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

}  // namespace orrery
