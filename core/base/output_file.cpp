// SPDX-License-Identifier: MIT
#include "core/base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "core/base/error.hpp"

namespace orrery {

std::filesystem::path temporary_name(const std::filesystem::path& path) {
    return path.parent_path() /
           fmt::format(".{}.{}.partial{}", path.stem().string(), getpid(), path.extension().string());
}

void remove_abandoned(const std::filesystem::path& path) {
    const std::string before = fmt::format(".{}.", path.stem().string()),
                      behind = fmt::format(".partial{}", path.extension().string());
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{folder, none}) {
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

void put_on_disk(const std::filesystem::path& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = descriptor >= 0 && fsync(descriptor) == 0;
    const int why = errno;
    if (descriptor >= 0) close(descriptor);
    // A file system that has no such thing for folders says EINVAL.
    if (!done && why != EINVAL)
        environment_error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(why)));
}

OutputFile::OutputFile(std::filesystem::path path) : path_{std::move(path)}, temporary_{temporary_name(path_)} {
    if (std::filesystem::is_directory(path_)) environment_error(fmt::format("{}: is a folder", path_.string()));
    file_.reset(std::fopen(temporary_.c_str(), "wb"));
    if (!file_) fail("cannot be written");
}

OutputFile::~OutputFile() {
    if (!file_) return;
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
}

void OutputFile::write(std::span<const std::byte> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail("cannot be written");
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span{text})); }

void OutputFile::commit() {
    if (std::fflush(file_.get()) != 0) fail("cannot be written");
    const bool closed = std::fclose(file_.release()) == 0;  // a file server may tell only now that its disk is full
    std::error_code error{errno, std::generic_category()};
    if (closed) std::filesystem::rename(temporary_, path_, error);
    if (error) {
        const auto why = error.message();
        std::filesystem::remove(temporary_, error);
        environment_error(fmt::format("{}: cannot be written: {}", path_.string(), why));
    }
}

void OutputFile::fail(std::string_view what) const {
    environment_error(fmt::format("{}: {}: {}", path_.string(), what, std::strerror(errno)));
}

}  // namespace orrery
