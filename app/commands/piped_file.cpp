// SPDX-License-Identifier: MIT
#include "app/commands/piped_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 20;

}  // namespace

void PipedFile::fill_from_stdin() const {
    OutputFile file{path()};
    std::array<std::byte, 65536> part;
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) environment_error(fmt::format("standard input: {}", std::strerror(errno)));
        if (count == 0) break;
        file.write(std::span{part}.first(static_cast<std::size_t>(count)));
    }
    file.commit();
}

void PipedFile::copy_to_stdout() const {
    std::ifstream file{path(), std::ios::binary};
    std::string part(kPart, '\0');
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0)
        bytes_to_stdout(std::string_view{part}.substr(0, static_cast<std::size_t>(file.gcount())));
}

bool is_pipe(const std::string& argument) {
    return argument == "-" || argument == "/dev/stdin" || argument == "/dev/stdout";
}

}  // namespace orrery
