// SPDX-License-Identifier: MIT
#include "core/formats/gadget_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/formats/binary.hpp"

namespace orrery::gadget {
namespace {

constexpr std::array<std::string_view, 4> kInOrder{"POS ", "VEL ", "ID  ", "MASS"};  // of SnapFormat 1
constexpr std::size_t kMasses = 24, kTime = 72, kTotals = 96, kFiles = 124, kBox = 128, kHighWords = 168;

template <class... Args>
[[noreturn]] void refuse(const InputFile& file, std::uint64_t byte, fmt::format_string<Args...> what, Args&&... args) {
    usage_error(
        fmt::format("{}: byte {}: {}", file.path().string(), byte, fmt::format(what, std::forward<Args>(args)...)));
}

/// Returns the label in printable form, for messages.
std::string shown(std::string label) {
    for (char& c : label)
        if (c < ' ' || c > '~') c = '?';
    return label;
}

}  // namespace

std::optional<Dialect> dialect_of(std::span<const std::byte> head) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        const auto marker = [&](std::size_t at) { return load<std::uint32_t>(head.data() + at, order); };
        if (head.size() >= kMarker && marker(0) == kHeaderBytes &&
            (head.size() < kMarker + kHeaderBytes + kMarker || marker(kMarker + kHeaderBytes) == kHeaderBytes))
            return Dialect{order, false};
        constexpr std::size_t label = kMarker + kLabelBytes + kMarker;
        if (head.size() >= label && marker(0) == kLabelBytes && marker(kMarker + kLabelBytes) == kLabelBytes)
            return Dialect{order, true};
    }
    return std::nullopt;
}

std::uint64_t Header::bodies() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

std::uint64_t Header::with_own_mass() const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (masses[k] == 0) sum += counts[k];
    return sum;
}

Header parse_header(const std::byte* from, std::endian order) {
    Header header;
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        header.counts[k] = load<std::uint32_t>(from + 4 * k, order);
        header.masses[k] = load<double>(from + kMasses + 8 * k, order);
        header.totals[k] = load<std::uint32_t>(from + kTotals + 4 * k, order) |
                           std::uint64_t{load<std::uint32_t>(from + kHighWords + 4 * k, order)} << 32;
    }
    header.time = load<double>(from + kTime, order);
    header.redshift = load<double>(from + kTime + 8, order);
    header.files = load<std::int32_t>(from + kFiles, order);
    header.box = load<double>(from + kBox, order);
    header.omega = load<double>(from + kBox + 8, order);
    return header;
}

std::vector<std::byte> header_bytes(const Header& header, std::endian order) {
    std::vector<std::byte> bytes(kHeaderBytes);
    const auto put = [&](std::size_t at, auto value) {
        std::byte* to = bytes.data() + at;
        store(to, value, order);
    };
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        put(4 * k, header.counts[k]);
        put(kMasses + 8 * k, header.masses[k]);
        put(kTotals + 4 * k, static_cast<std::uint32_t>(header.totals[k]));
        put(kHighWords + 4 * k, static_cast<std::uint32_t>(header.totals[k] >> 32));
    }
    put(kTime, header.time);
    put(kTime + 8, header.redshift);
    put(kFiles, header.files);
    return bytes;
}

Part::Part(const std::filesystem::path& path) : file{path} {
    std::vector<std::byte> head(
        static_cast<std::size_t>(std::min<std::uint64_t>(kMarker + kLabelBytes + kMarker, file.size())));
    file.read(head);
    const auto found = dialect_of(head);
    if (!found) refuse(file, 0, "expected a record of 256 bytes (SnapFormat 1) or 8 bytes (SnapFormat 2) of Gadget");
    dialect = *found;
    read_header();
    find_blocks();
    check_needed_blocks();
}

const Block& Part::block(std::string_view label) const {
    const auto found = std::ranges::find(blocks, label, &Block::label);
    if (found == blocks.end())
        usage_error(fmt::format("{}: block {} is missing for {} bodies", file.path().string(), label, header.bodies()));
    return *found;
}

void Part::read_header() {
    std::uint64_t offset = 0;
    if (dialect.labelled && label_at(offset) != "HEAD") refuse(file, kMarker, "expected the label HEAD");
    const Block record = record_at(offset, "HEAD");
    header_offset = record.offset;
    std::array<std::byte, kHeaderBytes> bytes;
    file.seek(header_offset);
    file.read(bytes);
    header = parse_header(bytes.data(), dialect.order);
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (header.counts[k] > 0x7fffffffu)
            refuse(file, header_offset + 4 * k, "expected a count of {} bodies, found {}",
                   name(static_cast<Species>(k)), static_cast<std::int32_t>(header.counts[k]));
        if (!(header.masses[k] >= 0) || !std::isfinite(header.masses[k]))
            refuse(file, header_offset + kMasses + 8 * k, "expected the mass of {} bodies, or 0, found {}",
                   name(static_cast<Species>(k)), header.masses[k]);
    }
    if (!std::isfinite(header.time))
        refuse(file, header_offset + kTime, "time is {}, expected a finite number", header.time);
    if (header.files < 0) refuse(file, header_offset + kFiles, "expected a number of files, found {}", header.files);
}

void Part::find_blocks() {
    std::uint64_t offset = header_offset + kHeaderBytes + kMarker;
    const std::size_t known = header.with_own_mass() > 0 ? 4 : 3;
    for (std::size_t i = 0; offset < file.size(); ++i) {
        std::string label;
        if (dialect.labelled) {
            label = label_at(offset);
            if (std::ranges::find(blocks, label, &Block::label) != blocks.end())
                refuse(file, offset, "block {} occurs twice", shown(label));
        } else if (i < known && header.bodies() > 0) {
            label = kInOrder[i];
        }
        blocks.push_back(record_at(offset, label));
        if (label == "MASS") note_whose_masses(blocks.back());
        offset = blocks.back().offset + blocks.back().bytes + kMarker;
    }
}

void Part::note_whose_masses(const Block& block) {
    const std::uint64_t n = header.bodies(), own = header.with_own_mass();
    const std::vector<std::uint64_t> sizes = sizes_of("MASS");
    const auto found = std::ranges::find(sizes, block.bytes);
    masses_of_all_ =
        own != n && block.bytes > 0 && (*found == 4 * n || *found == 8 * n) && (found - sizes.begin()) % 2 == 1;
}

void Part::check_needed_blocks() const {
    if (header.bodies() == 0) return;  // a part without bodies may have empty blocks or none
    for (const std::string_view label : {"POS ", "VEL ", "ID  "}) block(label);
    if (header.with_own_mass() > 0) block("MASS");
}

std::uint32_t Part::marker_at(std::uint64_t offset) {
    if (offset + kMarker > file.size())
        refuse(file, offset, "truncated: expected the length of a record, found the end of the file");
    std::array<std::byte, kMarker> bytes;
    file.seek(offset);
    file.read(bytes);
    return load<std::uint32_t>(bytes.data(), dialect.order);
}

std::vector<std::uint64_t> Part::sizes_of(std::string_view label) const {
    const std::uint64_t n = header.bodies(), own = header.with_own_mass();
    if (label == "HEAD") return {kHeaderBytes};
    if (label == "POS " || label == "VEL ") return {12 * n, 24 * n};
    if (label == "ID  ") return {4 * n, 8 * n};
    // Some programs write the masses of all species here, also of those with a mass in the header. If two sizes are
    // equal, the first is assumed: with positions of 8 bytes, masses of 8 bytes are more likely.
    if (label == "MASS") {
        const auto wide =
            std::ranges::find_if(blocks, [&](const Block& b) { return b.label == "POS " && b.bytes == 24 * n; });
        if (wide != blocks.end()) return {8 * own, 8 * n, 4 * own, 4 * n};
        return {4 * own, 4 * n, 8 * own, 8 * n};
    }
    return {};
}

Block Part::record_at(std::uint64_t offset, const std::string& label) {
    const std::uint32_t marker = marker_at(offset);
    const auto sizes = sizes_of(label);
    std::uint64_t bytes = marker;
    if (!sizes.empty()) {  // record lengths beyond 32 bits are written modulo 2^32
        const auto fits = [&](std::uint64_t size) { return static_cast<std::uint32_t>(size) == marker; };
        const auto found = std::ranges::find_if(sizes, fits);
        if (found == sizes.end())
            refuse(file, offset, "expected a record {} of {} bytes for {} bodies, found {}", label, sizes.front(),
                   header.bodies(), marker);
        bytes = *found;
    }
    if (bytes + 2 * kMarker > file.size() - offset)
        refuse(file, offset, "truncated: expected a record of {} bytes, found {} bytes to the end of the file", bytes,
               file.size() - offset);
    const std::uint32_t again = marker_at(offset + kMarker + bytes);
    if (again != marker)
        refuse(file, offset + kMarker + bytes, "expected the length {} repeated at the end of the record, found {}",
               marker, again);
    return {label, offset + kMarker, bytes};
}

std::string Part::label_at(std::uint64_t& offset) {
    std::array<std::byte, kLabelBytes> bytes;
    if (marker_at(offset) != kLabelBytes) refuse(file, offset, "expected a label, a record of 8 bytes");
    const Block record = record_at(offset, "");
    file.seek(record.offset);
    file.read(bytes);
    offset = record.offset + kLabelBytes + kMarker;
    std::string label;
    for (std::size_t i = 0; i < 4; ++i) label += static_cast<char>(bytes[i]);
    return label;
}

}  // namespace orrery::gadget
