// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/input_file.hpp"

namespace orrery {

// Snapshots of Gadget (user guide of Gadget-2, §6; Springel 2005, MNRAS 364, 1105), SnapFormat 1 and 2, both byte
// orders, in one file or several. A file is a sequence of Fortran records: length, data, length again, the lengths in
// 32 bits. In SnapFormat 2 a record of 8 bytes with a label of four characters precedes each. The first record is
// the header of 256 bytes; then positions, velocities and ids of all bodies in order of their species, and masses of
// those species that have none in the header. Numbers have 4 or 8 bytes, as determined by the length of the record.

namespace gadget {

inline constexpr std::size_t kHeaderBytes = 256, kLabelBytes = 8, kMarker = 4;

/// Byte order and record style of a file.
struct Dialect {
    std::endian order = std::endian::little;
    bool labelled = false;  ///< SnapFormat 2
    friend bool operator==(const Dialect&, const Dialect&) = default;
};
/// Determines the dialect from the first bytes of a file; empty if it is not a Gadget file.
std::optional<Dialect> dialect_of(std::span<const std::byte> head);

/// The header fields that are read; offsets as in the user guide, table 4.
struct Header {
    std::array<std::uint32_t, kSpeciesCount> counts{};  ///< in this file
    std::array<double, kSpeciesCount> masses{};         ///< 0: each body has its own mass
    double time = 0, redshift = 0;
    std::array<std::uint64_t, kSpeciesCount> totals{};  ///< in all files; some programs leave it 0
    std::int32_t files = 1;
    double box = 0, omega = 0, lambda = 0, hubble = 0;

    std::uint64_t bodies() const;
    std::uint64_t with_own_mass() const;  ///< number of bodies of this file whose mass is in a block
};
Header parse_header(const std::byte* header, std::endian order);
/// Returns the header record, 256 bytes.
std::vector<std::byte> header_bytes(const Header& header, std::endian order);

/// The data of a record.
struct Block {
    std::string label;  ///< "POS ", "VEL ", "ID  ", "MASS"; other labels, or empty, for blocks that are not read
    std::uint64_t offset = 0, bytes = 0;
};

/// One file with its header and the positions of its blocks. Throws Error{kUsage} naming the byte where the records do
/// not match the header or the file size.
struct Part {
    explicit Part(const std::filesystem::path& path);

    InputFile file;
    Dialect dialect;
    Header header;
    std::uint64_t header_offset = 0;
    std::vector<Block> blocks;

    /// True if the block MASS holds the masses of all bodies, including species with one mass in the header.
    bool masses_are_of_all() const { return masses_of_all_; }
    const Block& block(std::string_view label) const;  ///< throws Error{kUsage} if there is none

private:
    void read_header();
    void find_blocks();
    void check_needed_blocks() const;
    std::uint32_t marker_at(std::uint64_t offset);
    /// The record that begins at `offset`; `label` determines its valid sizes.
    Block record_at(std::uint64_t offset, const std::string& label);
    std::string label_at(std::uint64_t& offset);  ///< SnapFormat 2 only; advances `offset` past it
    std::vector<std::uint64_t> sizes_of(std::string_view label) const;
    void note_whose_masses(const Block& block);

    bool masses_of_all_ = false;
};

/// Calls visit(part) for all files of the snapshot, in the order in which their bodies are read.
void for_each_part(const std::filesystem::path& path, const std::function<void(Part& part)>& visit);
/// The fields of these snapshots.
extern const FieldReaders* const kFields;

/// Calls f(body) for the bodies of one species, in their order.
template <class F>
void of_species(const BodyStretches& bodies, Species species, F f) {
    if (!bodies.with_species() && species != Species::kHalo) return;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies.species_of(i) == species) f(i);
}

/// Calls f(body) for all bodies in the order of Gadget's files: species by species.
template <class F>
void in_order(const BodyStretches& bodies, F f) {
    for (std::size_t k = 0; k < kSpeciesCount; ++k) of_species(bodies, static_cast<Species>(k), f);
}

}  // namespace gadget
}  // namespace orrery
