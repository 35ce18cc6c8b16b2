// SPDX-License-Identifier: MIT
// Opens arbitrary bytes as a cloud: every node is read and every cut is made, or a single Error is thrown. A crash,
// another exception, a leak, or an allocation larger than twice the file is a finding. Two thirds of the files get
// valid checksums for their contents, which random changes would not produce.
#include <fmt/format.h>
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/base/error.hpp"
#include "core/cloud/cloud_cut.hpp"
#include "core/cloud/cloud_file.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace orrery;

constexpr std::size_t kSlack = 64 << 10;
std::size_t most = 0;  // 0: no limit

void on_malloc(const volatile void*, std::size_t size) {
    if (most == 0 || size <= most) return;
    most = 0;
    fmt::print(stderr, "allocation of {} bytes\n", size);
    std::abort();
}
void on_free(const volatile void*) {}

/// Sets the checksum of the bodies of a node, if they lie within the file.
void seal(std::vector<std::byte>& bytes, const CloudAbout& about, CloudNode& node) {
    const std::uint64_t size = node.own * std::uint64_t{about.bytes_per_body()};
    if (node.offset > bytes.size() || size > bytes.size() - node.offset) return;
    std::uint64_t sum = cloud_checksum({});
    const std::byte* at = bytes.data() + node.offset;
    for (const std::size_t each :
         {sizeof(Vec4f), about.with_masses ? sizeof(float) : 0, std::size_t{about.with_species}}) {
        sum = cloud_checksum({at, node.own * each}, sum);
        at += node.own * each;
    }
    node.checksum = sum;
}

/// Sets a valid beginning and valid checksums; all else remains arbitrary.
void seal(std::vector<std::byte>& bytes) {
    if (bytes.size() < kCloudStart + CloudAbout::kBytes) return;
    const auto start = cloud_start();
    std::ranges::copy(start, bytes.begin());
    const std::span<std::byte, CloudAbout::kBytes> end{bytes.data() + bytes.size() - CloudAbout::kBytes,
                                                       CloudAbout::kBytes};
    const std::size_t summed = CloudAbout::kBytes - sizeof(std::uint64_t);
    const std::uint64_t sum = cloud_checksum(end.first(summed));
    std::memcpy(end.data() + summed, &sum, sizeof sum);
    CloudAbout about = *decode_about(end);
    if (about.table > bytes.size() || about.nodes > (bytes.size() - about.table) / CloudNode::kBytes) return;
    for (std::size_t i = 0; i < about.nodes; ++i) {
        std::byte* const at = bytes.data() + about.table + i * CloudNode::kBytes;
        CloudNode node = decode_node(at);
        seal(bytes, about, node);
        encode(node, at);
    }
    about.table_checksum = cloud_checksum(
        {bytes.data() + about.table, static_cast<std::size_t>(about.nodes) * CloudNode::kBytes}, cloud_checksum({}));
    std::ranges::copy(encode(about), end.begin());
}

void look(const CloudFile& file) {
    ViewRegion sight;
    const CloudCube& cube = file.about().cube;
    sight.eye = cube.low;
    sight.pixels_per_length = 1000;
    const auto at_hand = [](std::uint32_t) { return true; };
    for (const std::uint64_t bodies : {std::uint64_t{0}, std::uint64_t{50}, std::uint64_t{1} << 40}) {
        sight.bodies = bodies, sight.spacing = bodies == 50 ? 1 : 0;
        const CloudCut cut = cloud_cut(file.nodes(), cube, sight, at_hand);
        if (cut.shown.empty() || cut.stands_for != file.about().bodies) std::abort();  // this view shows all of space
    }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::byte> bytes(size);
    if (size > 0) std::memcpy(bytes.data(), data, size);
    if (size % 3 != 0) seal(bytes);
    const orrery::test::MemoryFile memory{reinterpret_cast<const std::uint8_t*>(bytes.data()), size};
    most = 2 * size + kSlack;
    try {
        const CloudFile file{memory.path()};
        look(file);
        for (std::uint32_t node = 0; node < file.nodes().size(); ++node) (void)file.read(node);
    } catch (const Error&) {
    }
    most = 0;
    return 0;
}
