// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"
#include "core/formats/input_file.hpp"

namespace orrery {

// The bytes of a cloud file, as described in docs/clouds.md. Numbers are little-endian.

/// Version of the file; a cloud without fields has the first.
inline constexpr std::uint32_t kCloudVersion = 1, kCloudVersionOfFields = 2;
inline constexpr std::size_t kMostCloudFields = 4;
inline constexpr std::array<char, 8> kCloudMagic{'O', 'R', 'R', 'C', 'L', 'O', 'U', 'D'};
inline constexpr std::size_t kCloudStart = 16;  ///< bytes before the first bodies: magic, version, 4 zeros
inline constexpr int kDeepestCloudNode = 21;    ///< levels below the root; each takes three bits of a key

/// The cube divided by the octree, and the keys of its cells.
struct CloudCube {
    Vec3d low{};      ///< its corner, in the scene's unit of length
    double side = 1;  ///< > 0

    /// 63 bits, three per level from the root down: the octants, x in the lowest bit. Positions outside count as being
    /// at the border.
    std::uint64_t key(float x, float y, float z) const;
};

/// A field of the bodies of a cloud; the descriptions stand between the table of nodes and the end.
struct CloudField {
    static constexpr std::size_t kBytes = 128, kName = 72, kUnit = 48;  ///< the rest: 1 for whole numbers, and zeros

    std::string name, unit;  ///< as in BodyField, at most kName and kUnit bytes
    bool whole = false;
    friend bool operator==(const CloudField&, const CloudField&) = default;
};
void encode(const CloudField& field, std::byte* to);
CloudField decode_field(const std::byte* from);

/// The last 256 bytes of the file, written when everything else is known.
struct CloudAbout {
    static constexpr std::size_t kBytes = 256, kText = 24;

    bool with_masses = false;   ///< there is a column of masses; otherwise all are `mass_of_each`
    bool with_species = false;  ///< there is a column of species; otherwise they are unknown
    std::uint64_t bodies = 0, nodes = 0;
    std::uint64_t table = 0;  ///< offset of the table of nodes
    std::uint64_t table_checksum = 0;
    CloudCube cube;
    double mass_of_each = 0, total_mass = 0;
    double time = 0, days_per_time = 0;  ///< as in Scene
    bool expands = false;                ///< the time is the scale factor of the universe
    double constant = 1, softening = 0;
    std::string length_unit, mass_unit;  ///< at most kText bytes
    double box = 0;                      ///< as in Scene
    std::vector<CloudField> fields;      ///< at most kMostCloudFields; only their number is in these bytes

    std::size_t bytes_per_body() const {
        return sizeof(Vec4f) + (with_masses ? sizeof(float) : 0) + (with_species ? 1 : 0) +
               fields.size() * sizeof(float);
    }
};
std::array<std::byte, kCloudStart> cloud_start(bool with_fields);
std::array<std::byte, CloudAbout::kBytes> encode(const CloudAbout& about);
/// Decodes the values without checking them; empty if the checksum does not match.
std::optional<CloudAbout> decode_about(std::span<const std::byte, CloudAbout::kBytes> bytes);

/// A cell of the octree. The table lists cells level by level in the order of their keys, so children are adjacent.
struct CloudNode {
    static constexpr std::size_t kBytes = 56;

    std::uint64_t key = 1;     ///< a leading 1, then three bits per level: the root is 1
    std::uint64_t offset = 0;  ///< of its own bodies in the file
    std::uint64_t bodies = 0;  ///< in the cell
    double mass = 0;           ///< of all of them
    std::uint32_t own = 0;     ///< bodies stored here: those that follow its parent's in the random order
    std::uint32_t shown = 0;   ///< size of its random sample: bodies of the cell stored here or in an ancestor
    std::uint32_t first_child = 0, children = 0;  ///< indices in the table; 0 children: all bodies are shown
    std::uint64_t checksum = 0;                   ///< of its own bodies

    int level() const;
    Vec3d low(const CloudCube& cube) const;  ///< corner of the cell
    double side(const CloudCube& cube) const;
    /// True if a body with this key is in the cell.
    bool contains(std::uint64_t body) const;
};
void encode(const CloudNode& node, std::byte* to);
CloudNode decode_node(const std::byte* from);

/// FNV-1a (G. Fowler, L. Noll, K.-P. Vo) over words of eight bytes, the last one padded with zeros.
std::uint64_t cloud_checksum(std::span<const std::byte> bytes, std::uint64_t before = 0xcbf29ce484222325u);

/// Columns of bodies as stored in a file.
struct CloudColumns {
    std::vector<Vec4f> places;  ///< w: speed
    std::vector<float> masses;  ///< empty, or one per body
    std::vector<std::uint8_t> species;
    std::vector<std::vector<float>> fields;  ///< of each field a column

    std::size_t size() const { return places.size(); }
    /// Calls write(bytes) for each column in the order of the file.
    template <class Write>
    void write(const Write& write) const {
        write(std::as_bytes(std::span{places}));
        write(std::as_bytes(std::span{masses}));
        write(std::as_bytes(std::span{species}));
        for (const std::vector<float>& field : fields) write(std::as_bytes(std::span{field}));
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
        fields.resize(other.fields.size());
        for (std::size_t f = 0; f < fields.size(); ++f) fields[f].push_back(other.fields[f][index]);
    }
};

/// True if the file begins like a cloud; false if it does not exist.
bool is_cloud(const std::filesystem::path& path);

/// A cloud file, open for reading. Everything read is checked; errors are Error{kUsage} naming the file and the byte.
class CloudFile {
public:
    explicit CloudFile(std::filesystem::path path);  ///< reads the table of nodes, but no bodies

    const std::filesystem::path& path() const { return file_.path(); }
    const CloudAbout& about() const { return about_; }
    const std::vector<CloudNode>& nodes() const { return nodes_; }  ///< the root first, never empty

    /// The bodies stored in a node. Thread-safe.
    CloudColumns read(std::uint32_t node) const;
    double mass_of(const CloudColumns& bodies, std::size_t index) const {
        return bodies.masses.empty() ? about_.mass_of_each : static_cast<double>(bodies.masses[index]);
    }

private:
    void read_about();
    void read_nodes();
    void check(const CloudNode& node, std::uint32_t index, std::uint64_t next_child) const;
    [[noreturn]] void refuse(const std::string& what) const;

    InputFile file_;
    CloudAbout about_;
    std::vector<CloudNode> nodes_;
};

}  // namespace orrery
