// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/formats/binary.hpp"

namespace orrery {
namespace {

constexpr auto kOrder = std::endian::little;
static_assert(std::endian::native == kOrder, "columns of bodies are copied to and from the file unchanged");

/// Spreads the lowest 21 bits of `x` to every third of 63 bits.
std::uint64_t spread(std::uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

std::uint64_t gathered(std::uint64_t x) {
    std::uint64_t result = 0;
    for (int bit = 0; bit < kDeepestCloudNode; ++bit) result |= (x >> (3 * bit) & 1) << bit;
    return result;
}

std::uint64_t along(float x, double low, double side) {
    constexpr double cells = 1 << kDeepestCloudNode;
    return static_cast<std::uint64_t>(std::clamp((static_cast<double>(x) - low) / side * cells, 0.0, cells - 1));
}

void store_text(std::byte*& to, const std::string& text) {
    std::array<std::byte, CloudAbout::kText> bytes{};
    std::memcpy(bytes.data(), text.data(), std::min(text.size(), bytes.size()));
    to = std::ranges::copy(bytes, to).out;
}

}  // namespace

std::uint64_t CloudCube::key(float x, float y, float z) const {
    return spread(along(x, low.x, side)) | spread(along(y, low.y, side)) << 1 | spread(along(z, low.z, side)) << 2;
}

std::array<std::byte, kCloudStart> cloud_start() {
    std::array<std::byte, kCloudStart> bytes{};
    std::byte* to = bytes.data();
    for (const char c : kCloudMagic) *to++ = static_cast<std::byte>(c);
    store(to, kCloudVersion, kOrder);
    return bytes;
}

std::array<std::byte, CloudAbout::kBytes> encode(const CloudAbout& about) {
    std::array<std::byte, CloudAbout::kBytes> bytes{};
    std::byte* to = bytes.data();
    for (const char c : kCloudMagic) *to++ = static_cast<std::byte>(c);
    store(to, kCloudVersion, kOrder);
    store(to, std::uint32_t{about.with_masses ? 1u : 0u} | (about.with_species ? 2u : 0u) | (about.expands ? 4u : 0u),
          kOrder);
    for (const std::uint64_t number : {about.bodies, about.nodes, about.table, about.table_checksum})
        store(to, number, kOrder);
    const CloudCube& cube = about.cube;
    for (const double number : {cube.low.x, cube.low.y, cube.low.z, cube.side, about.mass_of_each, about.total_mass,
                                about.time, about.days_per_time, about.constant, about.softening})
        store(to, number, kOrder);
    store_text(to, about.length_unit);
    store_text(to, about.mass_unit);
    to = bytes.data() + CloudAbout::kBytes - sizeof(std::uint64_t);
    store(to, cloud_checksum(std::span{bytes}.first(CloudAbout::kBytes - sizeof(std::uint64_t))), kOrder);
    return bytes;
}

std::optional<CloudAbout> decode_about(std::span<const std::byte, CloudAbout::kBytes> bytes) {
    constexpr std::size_t kSummed = CloudAbout::kBytes - sizeof(std::uint64_t);
    if (load<std::uint64_t>(bytes.data() + kSummed, kOrder) != cloud_checksum(bytes.first(kSummed)))
        return std::nullopt;
    const std::byte* from = bytes.data() + kCloudMagic.size() + sizeof(std::uint32_t);
    const auto number = [&]<class T>(T& value) { value = load<T>(from, kOrder), from += sizeof(T); };
    CloudAbout about;
    std::uint32_t flags = 0;
    number(flags);
    about.with_masses = (flags & 1) != 0, about.with_species = (flags & 2) != 0;
    about.expands = (flags & 4) != 0;
    for (std::uint64_t* value : {&about.bodies, &about.nodes, &about.table, &about.table_checksum}) number(*value);
    CloudCube& cube = about.cube;
    for (double* value : {&cube.low.x, &cube.low.y, &cube.low.z, &cube.side, &about.mass_of_each, &about.total_mass,
                          &about.time, &about.days_per_time, &about.constant, &about.softening})
        number(*value);
    for (std::string* text : {&about.length_unit, &about.mass_unit}) {
        const std::span from_file{reinterpret_cast<const char*>(from), CloudAbout::kText};
        text->assign(from_file.begin(), std::ranges::find(from_file, '\0'));
        from += CloudAbout::kText;
    }
    return about;
}

int CloudNode::level() const { return (63 - std::countl_zero(key)) / 3; }

double CloudNode::side(const CloudCube& cube) const { return std::ldexp(cube.side, -level()); }

Vec3d CloudNode::low(const CloudCube& cube) const {
    const std::uint64_t place = key ^ std::uint64_t{1} << 3 * level();
    const double one = side(cube);
    const auto at = [&](int axis) { return one * static_cast<double>(gathered(place >> axis)); };
    return cube.low + Vec3d{at(0), at(1), at(2)};
}

bool CloudNode::contains(std::uint64_t body) const {
    const int bits = 3 * level();
    return body >> (3 * kDeepestCloudNode - bits) == (key ^ std::uint64_t{1} << bits);
}

void encode(const CloudNode& node, std::byte* to) {
    store(to, node.key, kOrder), store(to, node.offset, kOrder), store(to, node.bodies, kOrder);
    store(to, node.mass, kOrder);
    store(to, node.own, kOrder), store(to, node.shown, kOrder);
    store(to, node.first_child, kOrder), store(to, node.children, kOrder);
    store(to, node.checksum, kOrder);
}

CloudNode decode_node(const std::byte* from) {
    const auto number = [&]<class T>(T& value) { value = load<T>(from, kOrder), from += sizeof(T); };
    CloudNode node;
    number(node.key), number(node.offset), number(node.bodies), number(node.mass);
    number(node.own), number(node.shown), number(node.first_child), number(node.children);
    number(node.checksum);
    return node;
}

std::uint64_t cloud_checksum(std::span<const std::byte> bytes, std::uint64_t before) {
    constexpr std::uint64_t kPrime = 0x100000001b3u;
    std::uint64_t sum = before;
    const auto add = [&](std::uint64_t word) { sum = (sum ^ word) * kPrime, sum ^= sum >> 32; };
    while (bytes.size() >= 8) add(load<std::uint64_t>(bytes.data(), kOrder)), bytes = bytes.subspan(8);
    if (bytes.empty()) return sum;
    std::array<std::byte, 8> last{};
    std::ranges::copy(bytes, last.begin());
    add(load<std::uint64_t>(last.data(), kOrder));
    return sum;
}

}  // namespace orrery
