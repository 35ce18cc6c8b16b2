// SPDX-License-Identifier: MIT
#include "core/base/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"

namespace orrery {

std::filesystem::path temporary_name(const std::filesystem::path& path) {
    return path.parent_path() /
           fmt::format(".{}.{}.partial{}", path.stem().string(), getpid(), path.extension().string());
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
