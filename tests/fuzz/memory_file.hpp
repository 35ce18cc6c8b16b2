// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace orrery::test {

/// A file in memory with these bytes, opened by its path like any other. All instances share one file: creating it
/// takes longer than reading it.
class MemoryFile {
public:
    MemoryFile(const std::uint8_t* data, std::size_t size) {
        if (::ftruncate(descriptor(), 0) != 0 || ::pwrite(descriptor(), data, size, 0) != static_cast<ssize_t>(size))
            std::abort();
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor()); }

private:
    static int descriptor() {
        static const int opened = memfd_create("fuzz", MFD_CLOEXEC);
        return opened;
    }
};

}  // namespace orrery::test
