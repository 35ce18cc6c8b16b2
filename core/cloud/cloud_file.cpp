// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
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

/// The text and zeros, `size` bytes.
void store_text(std::byte*& to, const std::string& text, std::size_t size = CloudAbout::kText) {
    std::fill_n(to, size, std::byte{0});
    std::memcpy(to, text.data(), std::min(text.size(), size));
    to += size;
}

std::string text_from(const std::byte*& from, std::size_t size = CloudAbout::kText) {
    const std::span bytes{reinterpret_cast<const char*>(from), size};
    from += size;
    return {bytes.begin(), std::ranges::find(bytes, '\0')};
}

std::uint32_t version_of(bool with_fields) { return with_fields ? kCloudVersionOfFields : kCloudVersion; }

constexpr unsigned kFieldsShift = 8;  // of their number in the flags

constexpr std::uint64_t kLeastBytes = kCloudStart + CloudNode::kBytes + CloudAbout::kBytes;

bool finite(std::initializer_list<double> numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

}  // namespace

std::uint64_t CloudCube::key(float x, float y, float z) const {
    return spread(along(x, low.x, side)) | spread(along(y, low.y, side)) << 1 | spread(along(z, low.z, side)) << 2;
}

void encode(const CloudField& field, std::byte* to) {
    std::byte* const end = to + CloudField::kBytes;
    store_text(to, field.name, CloudField::kName);
    store_text(to, field.unit, CloudField::kUnit);
    store(to, std::uint32_t{field.whole ? 1u : 0u}, kOrder);
    std::fill(to, end, std::byte{0});
}

CloudField decode_field(const std::byte* from) {
    CloudField field;
    field.name = text_from(from, CloudField::kName);
    field.unit = text_from(from, CloudField::kUnit);
    field.whole = load<std::uint32_t>(from, kOrder) != 0;
    return field;
}

std::array<std::byte, kCloudStart> cloud_start(bool with_fields) {
    std::array<std::byte, kCloudStart> bytes{};
    std::byte* to = bytes.data();
    for (const char c : kCloudMagic) *to++ = static_cast<std::byte>(c);
    store(to, version_of(with_fields), kOrder);
    return bytes;
}

std::array<std::byte, CloudAbout::kBytes> encode(const CloudAbout& about) {
    std::array<std::byte, CloudAbout::kBytes> bytes{};
    std::byte* to = bytes.data();
    for (const char c : kCloudMagic) *to++ = static_cast<std::byte>(c);
    store(to, version_of(!about.fields.empty()), kOrder);
    store(to,
          std::uint32_t{about.with_masses ? 1u : 0u} | (about.with_species ? 2u : 0u) | (about.expands ? 4u : 0u) |
              static_cast<std::uint32_t>(about.fields.size()) << kFieldsShift,
          kOrder);
    for (const std::uint64_t number : {about.bodies, about.nodes, about.table, about.table_checksum})
        store(to, number, kOrder);
    const CloudCube& cube = about.cube;
    for (const double number : {cube.low.x, cube.low.y, cube.low.z, cube.side, about.mass_of_each, about.total_mass,
                                about.time, about.days_per_time, about.constant, about.softening})
        store(to, number, kOrder);
    store_text(to, about.length_unit);
    store_text(to, about.mass_unit);
    store(to, about.box, kOrder);
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
    about.fields.resize(flags >> kFieldsShift & 0xff);
    for (std::uint64_t* value : {&about.bodies, &about.nodes, &about.table, &about.table_checksum}) number(*value);
    CloudCube& cube = about.cube;
    for (double* value : {&cube.low.x, &cube.low.y, &cube.low.z, &cube.side, &about.mass_of_each, &about.total_mass,
                          &about.time, &about.days_per_time, &about.constant, &about.softening})
        number(*value);
    for (std::string* text : {&about.length_unit, &about.mass_unit}) *text = text_from(from);
    number(about.box);
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

bool is_cloud(const std::filesystem::path& path) {
    std::array<char, kCloudMagic.size()> magic{};
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return false;
    std::ifstream{path, std::ios::binary}.read(magic.data(), magic.size());
    return magic == kCloudMagic;
}

CloudFile::CloudFile(std::filesystem::path path) : file_{std::move(path)} {
    read_about();
    read_nodes();
}

void CloudFile::refuse(const std::string& what) const {
    usage_error(fmt::format("{}: {}", file_.path().string(), what));
}

void CloudFile::read_about() {
    std::array<std::byte, kCloudStart> start{};
    if (file_.size() >= start.size()) file_.read(start);
    if (std::memcmp(start.data(), kCloudMagic.data(), kCloudMagic.size()) != 0) refuse("not a cloud");
    const bool with_fields = std::ranges::equal(start, cloud_start(true));
    if (!with_fields && !std::ranges::equal(start, cloud_start(false)))
        refuse(fmt::format("byte 8: expected a cloud of version {} or {}; this one is of another, or damaged",
                           kCloudVersion, kCloudVersionOfFields));
    if (file_.size() < kLeastBytes)
        refuse(fmt::format("truncated: expected {} bytes or more, found {}", kLeastBytes, file_.size()));
    std::array<std::byte, CloudAbout::kBytes> bytes;
    const std::uint64_t at = file_.size() - bytes.size();
    file_.seek(at);
    file_.read(bytes);
    const auto about = decode_about(bytes);
    if (!about) refuse(fmt::format("byte {}: truncated or damaged: the end does not match its checksum", at));
    about_ = *about;
    if (about_.fields.empty() == with_fields || about_.fields.size() > kMostCloudFields)
        refuse(fmt::format("byte {}: {} fields", at, about_.fields.size()));
    const CloudCube& cube = about_.cube;
    if (!finite({cube.low.x, cube.low.y, cube.low.z, cube.side, about_.total_mass, about_.mass_of_each, about_.time,
                 about_.days_per_time, about_.constant, about_.softening}) ||
        !(cube.side > 0) || !(about_.total_mass > 0) || about_.mass_of_each < 0 || about_.days_per_time < 0 ||
        about_.softening < 0)
        refuse(fmt::format("byte {}: a value out of range", at));
    const std::uint64_t of_fields = about_.fields.size() * CloudField::kBytes;
    const std::uint64_t in_table =
        at - kCloudStart < of_fields ? 0 : (at - kCloudStart - of_fields) / CloudNode::kBytes;
    if (about_.nodes == 0 || about_.nodes > in_table ||
        about_.table != at - of_fields - about_.nodes * CloudNode::kBytes)
        refuse(fmt::format("byte {}: truncated or damaged: {} nodes in a table at byte {}", at, about_.nodes,
                           about_.table));
    if (about_.table - kCloudStart != about_.bodies * about_.bytes_per_body())
        refuse(fmt::format("byte {}: truncated or damaged: {} bytes of bodies, expected {} bodies of {} bytes", at,
                           about_.table - kCloudStart, about_.bodies, about_.bytes_per_body()));
}

void CloudFile::read_nodes() {
    // The table is as large as the header states; read_about() has checked that it fits into the file.
    const std::size_t of_nodes = static_cast<std::size_t>(about_.nodes) * CloudNode::kBytes;
    std::vector<std::byte> bytes(of_nodes + about_.fields.size() * CloudField::kBytes);
    file_.seek(about_.table);
    file_.read(bytes);
    if (cloud_checksum(bytes, cloud_checksum({})) != about_.table_checksum)
        refuse(fmt::format("byte {}: damaged: the table of nodes does not match its checksum", about_.table));
    for (std::size_t f = 0; f < about_.fields.size(); ++f)
        about_.fields[f] = decode_field(bytes.data() + of_nodes + f * CloudField::kBytes);
    nodes_.reserve(static_cast<std::size_t>(about_.nodes));
    for (std::size_t i = 0; i < about_.nodes; ++i) nodes_.push_back(decode_node(bytes.data() + i * CloudNode::kBytes));
    std::uint64_t next = 1, own = 0;
    if (nodes_[0].key != 1 || nodes_[0].bodies != about_.bodies) refuse("the root does not hold all bodies");
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        check(nodes_[i], i, next);
        next += nodes_[i].children;
        own += nodes_[i].own;
    }
    if (next != nodes_.size() || own != about_.bodies)
        refuse(fmt::format("nodes of {} bodies, {} of them children, expected {} and {}", own, next - 1, about_.bodies,
                           nodes_.size() - 1));
}

void CloudFile::check(const CloudNode& node, std::uint32_t index, std::uint64_t next_child) const {
    const auto wrong = [&](std::string_view what) {
        refuse(fmt::format("byte {}: node {}: {}", about_.table + index * CloudNode::kBytes, index, what));
    };
    const std::uint64_t bytes = node.own * std::uint64_t{about_.bytes_per_body()};
    if (node.offset < kCloudStart || node.offset > about_.table || bytes > about_.table - node.offset)
        wrong("its bodies lie outside the file");
    if (!std::isfinite(node.mass) || node.mass < 0) wrong("invalid mass");
    if (node.own > node.shown || node.shown == 0 || node.shown > node.bodies) wrong("inconsistent numbers of bodies");
    if (node.children == 0) {
        if (node.shown != node.bodies) wrong("a leaf without all of its bodies");
        return;
    }
    if (node.children > 8 || node.first_child != next_child || nodes_.size() - next_child < node.children)
        wrong("children outside the table");
    if (node.level() >= kDeepestCloudNode) wrong("too deep");
    std::uint64_t bodies = 0, last = 0;
    for (std::uint32_t k = 0; k < node.children; ++k) {
        const CloudNode& child = nodes_[node.first_child + k];
        if (child.key >> 3 != node.key || (k > 0 && child.key <= last)) wrong("wrong keys of its children");
        last = child.key;
        if (child.bodies > node.bodies) wrong("a child with more bodies than its parent");
        bodies += child.bodies;
    }
    if (bodies != node.bodies) wrong("children whose numbers of bodies do not add up");
}

CloudColumns CloudFile::read(std::uint32_t index) const {
    const CloudNode& node = nodes_[index];
    CloudColumns bodies;
    bodies.places.resize(node.own);
    if (about_.with_masses) bodies.masses.resize(node.own);
    if (about_.with_species) bodies.species.resize(node.own);
    bodies.fields.assign(about_.fields.size(), std::vector<float>(node.own));
    std::uint64_t at = node.offset;
    const auto fill = [&](std::span<std::byte> bytes) {
        const auto done = read_at(file_.descriptor(), at, bytes);
        if (!done) environment_error(fmt::format("{}: cannot be read: {}", path().string(), std::strerror(errno)));
        if (*done < bytes.size()) refuse("was truncated while it was read");
        at += bytes.size();
    };
    fill(std::as_writable_bytes(std::span{bodies.places}));
    fill(std::as_writable_bytes(std::span{bodies.masses}));
    fill(std::as_writable_bytes(std::span{bodies.species}));
    for (std::vector<float>& field : bodies.fields) fill(std::as_writable_bytes(std::span{field}));
    if (bodies.checksum() != node.checksum)
        refuse(fmt::format("byte {}: damaged: the bodies of node {} do not match their checksum", node.offset, index));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4f& p = bodies.places[i];
        const bool sound = std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && std::isfinite(p.w) &&
                           node.contains(about_.cube.key(p.x, p.y, p.z)) &&
                           (bodies.masses.empty() || (std::isfinite(bodies.masses[i]) && bodies.masses[i] >= 0)) &&
                           (bodies.species.empty() || bodies.species[i] < kSpeciesCount);
        if (!sound)
            refuse(fmt::format("byte {}: body {} of node {} is invalid or outside its cell", node.offset, i, index));
    }
    return bodies;
}

}  // namespace orrery
