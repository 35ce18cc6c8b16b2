// SPDX-License-Identifier: MIT
// Passes arbitrary bytes to one reader of snapshots or of halo catalogues, which must return valid bodies or haloes, or
// throw Error. A crash, another exception, a leak, or an allocation larger than twice the file (of a catalogue 16
// times, whose shortest rows become haloes) is a finding. For HDF5 a third of the changes are to the structure of a
// valid file.
#include <fmt/format.h>
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/formats/formats.hpp"
#include "tests/fuzz/memory_file.hpp"
#ifdef ORRERY_FUZZ_HDF5
#include "core/formats/hdf5_server.hpp"
#include "tests/fuzz/hdf5_mutator.hpp"
#endif

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::string_view kFormat = ORRERY_FUZZ_FORMAT;
constexpr bool kHdf5 =
    kFormat == "gadget-hdf5" || kFormat == "checkpoint" || kFormat == "subfind" || kFormat == "sublink";
// Allowance for messages and the menu; HDF5 needs half a MiB for the library and two for rows, whatever the file.
constexpr std::size_t kSlack = kHdf5 ? 3 << 20 : 64 << 10;
std::size_t most = 0;  // 0: no limit

void on_malloc(const volatile void*, std::size_t size) {
    if (most == 0 || size <= most) return;
    most = 0;
    fmt::print(stderr, "allocation of {} bytes\n", size);
    std::abort();
}
void on_free(const volatile void*) {}

#ifdef ORRERY_FUZZ_CATALOGUE
constexpr std::size_t kGrows = 16;

[[noreturn]] void wrong(std::string_view what) {
    fmt::print(stderr, "{}\n", what);
    std::abort();
}

void read(const std::string& path) {
    static const orrery::CatalogueEntry& entry =
        *std::ranges::find(orrery::catalogue_formats(), kFormat, &orrery::CatalogueEntry::id);
    orrery::HaloCatalogue found = entry.read(path);
    if (found.halos.empty()) return;
    orrery::link_halos(found);
    const std::size_t count = found.halos.size();
    if (found.by_time.size() != count || (!found.ranges.empty() && found.ranges.size() != count))
        wrong("haloes without a time or a range");
    if (!found.descendants.empty() && found.descendants.size() != count) wrong("haloes without a descendant");
    for (const std::uint32_t to : found.descendants)
        if (to != orrery::kNoHalo && to >= count) wrong("a descendant that does not exist");
    for (const orrery::Halo& halo : found.halos) {
        if (halo.host != orrery::kNoHalo && halo.host >= count) wrong("a host that does not exist");
        if (!std::isfinite(halo.position.x + halo.position.y + halo.position.z)) wrong("a halo without a place");
        if (std::isinf(halo.mass) || std::isinf(halo.radius)) wrong("an infinite mass or radius");
    }
}
#else
constexpr std::size_t kGrows = 2;

void read(const std::string& path) {
    static const orrery::FormatEntry& entry = orrery::format(kFormat);
    const orrery::Scene scene = entry.read(path);
    orrery::validate(scene.bodies, "what was read");  // Error here is a finding
}
#endif

/// Puts a valid header block before the bytes of a checkpoint, which random changes would not produce.
std::string sealed(const std::uint8_t* data, std::size_t size) {
    std::uint64_t sum = 0xcbf29ce484222325ull;
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, size - i));
        sum = (sum ^ word) * 0x100000001b3ull;
    }
    std::string bytes = fmt::format("orrery checkpoint 2 bytes={} fnv1a={:016x}\n", size + 512, sum);
    bytes.resize(512, '\n');
    bytes.append(reinterpret_cast<const char*>(data), size);
    return bytes;
}

}  // namespace

/// HDF5 1.10 leaks some hundred bytes if a file's metadata contradict themselves.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

/// Fails at once if the reader refuses a valid file, since fuzzing would then test nothing.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
#ifdef ORRERY_FUZZ_HDF5
    // In this process, so that the fuzzer sees coverage and crashes.
    orrery::hdf5::read_in_this_process([](std::span<std::byte> shared) {
        return
            [server = std::make_shared<orrery::hdf5::Server>(shared)](orrery::Packet request, orrery::Descriptor file) {
                return server->answer(std::move(request), std::move(file));
            };
    });
#endif
    try {
        read(ORRERY_FUZZ_SEED);
    } catch (const orrery::Error& error) {
        fmt::print(stderr, "a valid file is refused: {}\n", error.what());
        std::exit(1);
    }
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Every second checkpoint gets a valid checksum.
    const bool seal = kFormat == "checkpoint" && size > 512 && size % 2 == 0;
    const std::string bytes =
        seal ? sealed(data + 512, size - 512) : std::string{reinterpret_cast<const char*>(data), size};
    const orrery::test::MemoryFile file{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    most = kGrows * size + kSlack;
    try {
        read(file.path());
    } catch (const orrery::Error& error) {
        most = 0;
        const std::string_view told{error.what()};
        // Only read_snapshot() requires a body with mass, not the readers.
        if (told.starts_with("what was read") && !told.ends_with("no body has a mass")) std::abort();
    }
    most = 0;
    return 0;
}

#ifdef ORRERY_FUZZ_HDF5
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    static const std::string sound = [] {
        std::ifstream file{ORRERY_FUZZ_SEED, std::ios::binary};
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    }();
    std::minstd_rand random{seed};
    random.discard(2);
    if (!kHdf5 || random() % 3 != 0) return LLVMFuzzerMutate(data, size, most);
    // A checkpoint starts with a block of 512 bytes that is not part of the HDF5 image.
    constexpr std::size_t kBlock = kFormat == "checkpoint" ? 512 : 0;
    const std::string image = orrery::test::with_other_structure(sound.substr(kBlock), random);
    if (image.empty() || image.size() + kBlock > most) return LLVMFuzzerMutate(data, size, most);
    std::copy_n(sound.begin(), kBlock, data);
    std::copy_n(image.begin(), image.size(), data + kBlock);
    return image.size() + kBlock;
}
#endif
