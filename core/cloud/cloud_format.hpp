// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

// The bytes of a cloud file, as docs/formats.md describes them. Numbers are little-endian.

inline constexpr std::uint32_t kCloudVersion = 1;
inline constexpr std::array<char, 8> kCloudMagic{'O', 'R', 'R', 'C', 'L', 'O', 'U', 'D'};
inline constexpr std::size_t kCloudStart = 16;  ///< bytes before the first bodies: magic, version, 4 zeros
inline constexpr int kDeepestCloudNode = 21;    ///< levels below the root: three bits of a key each

/// The cube that the octree divides, and the cells of its bodies.
struct CloudCube {
    Vec3d low{};      ///< its corner, in the scene's unit of length
    double side = 1;  ///< > 0

    /// 63 bits, three per level from the root down: the octants, x in the lowest bit. What lies outside counts as at
    /// the border.
    std::uint64_t key(float x, float y, float z) const;
};

/// The last 256 bytes: what is known when all else is written.
struct CloudAbout {
    static constexpr std::size_t kBytes = 256, kText = 24;

    bool with_masses = false;   ///< a column of them; otherwise all are `mass_of_each`
    bool with_species = false;  ///< likewise; otherwise unknown
    std::uint64_t bodies = 0, nodes = 0;
    std::uint64_t table = 0;  ///< offset of the table of nodes
    std::uint64_t table_checksum = 0;
    CloudCube cube;
    double mass_of_each = 0, total_mass = 0;
    double time = 0, days_per_time = 0;  ///< as in Scene
    bool expands = false;                ///< the time is the scale factor of the universe
    double constant = 1, softening = 0;
    std::string length_unit, mass_unit;  ///< at most kText bytes

    std::size_t bytes_per_body() const {
        return sizeof(Vec4f) + (with_masses ? sizeof(float) : 0) + (with_species ? 1 : 0);
    }
};
std::array<std::byte, kCloudStart> cloud_start();
std::array<std::byte, CloudAbout::kBytes> encode(const CloudAbout& about);
/// Numbers as they are there: nothing is checked but the checksum, whose mismatch is an empty answer.
std::optional<CloudAbout> decode_about(std::span<const std::byte, CloudAbout::kBytes> bytes);

/// A cell of the octree. The table has them level by level, in the order of their keys: children are side by side.
struct CloudNode {
    static constexpr std::size_t kBytes = 56;

    std::uint64_t key = 1;     ///< a leading 1, then three bits per level: the root is 1
    std::uint64_t offset = 0;  ///< of its own bodies in the file
    std::uint64_t bodies = 0;  ///< in the cell
    double mass = 0;           ///< of all of them
    std::uint32_t own = 0;     ///< bodies that lie here: the next of the random order after those of its parent
    std::uint32_t shown = 0;   ///< bodies of the cell that lie here or in a node above: its random sample
    std::uint32_t first_child = 0, children = 0;  ///< in the table; 0 children: all bodies are shown
    std::uint64_t checksum = 0;                   ///< of its own bodies

    int level() const;
    Vec3d low(const CloudCube& cube) const;  ///< corner of the cell
    double side(const CloudCube& cube) const;
    /// Whether a body of this key is in the cell.
    bool contains(std::uint64_t body) const;
};
void encode(const CloudNode& node, std::byte* to);
CloudNode decode_node(const std::byte* from);

/// FNV-1a (G. Fowler, L. Noll, K.-P. Vo) over words of eight bytes, the last one filled up with zeros.
std::uint64_t cloud_checksum(std::span<const std::byte> bytes, std::uint64_t before = 0xcbf29ce484222325u);

/// Bodies as a file holds them.
struct CloudColumns {
    std::vector<Vec4f> places;  ///< w: the speed
    std::vector<float> masses;  ///< empty, or one per body
    std::vector<std::uint8_t> species;

    std::size_t size() const { return places.size(); }
    void clear() { places.clear(), masses.clear(), species.clear(); }
    /// Calls write(bytes) column by column, as a file has them.
    template <class Write>
    void write(const Write& write) const {
        write(std::as_bytes(std::span{places}));
        write(std::as_bytes(std::span{masses}));
        write(std::as_bytes(std::span{species}));
    }
    std::uint64_t checksum() const {
        std::uint64_t sum = cloud_checksum({});
        write([&](std::span<const std::byte> bytes) { sum = cloud_checksum(bytes, sum); });
        return sum;
    }
    void append(const CloudColumns& other, std::size_t index) {
        places.push_back(other.places[index]);
        if (!other.masses.empty()) masses.push_back(other.masses[index]);
        if (!other.species.empty()) species.push_back(other.species[index]);
    }
};

}  // namespace orrery
