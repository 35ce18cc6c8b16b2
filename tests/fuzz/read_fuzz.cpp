// SPDX-License-Identifier: MIT
// Any bytes, given to one reader: it returns sound bodies or throws Error. A crash, another exception, a leak, or an
// allocation larger than twice the file is a finding.
#include <fcntl.h>
#include <fmt/format.h>
#include <sanitizer/allocator_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"

namespace {

constexpr std::size_t kSlack = 64 << 10;  // messages, the menu, what the HDF5 library keeps
std::size_t most = 0;                     // 0: not watched

void on_malloc(const volatile void*, std::size_t size) {
    if (most == 0 || size <= most) return;
    most = 0;
    fmt::print(stderr, "allocation of {} bytes\n", size);
    std::abort();
}
void on_free(const volatile void*) {}

/// A file in memory that holds these bytes.
class MemoryFile {
public:
    MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_{memfd_create("fuzz", MFD_CLOEXEC)} {
        if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor_); }
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

private:
    int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const orrery::FormatEntry& entry = orrery::format(ORRERY_FUZZ_FORMAT);
    const MemoryFile file{data, size};
    most = 2 * size + kSlack;
    try {
        const orrery::Scene scene = entry.read(file.path());
        orrery::validate(scene.bodies, "what was read");  // Error here is a finding
    } catch (const orrery::Error& error) {
        most = 0;
        if (std::string_view{error.what()}.starts_with("what was read")) std::abort();
    }
    most = 0;
    return 0;
}
