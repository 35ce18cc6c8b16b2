// SPDX-License-Identifier: MIT
// The fields of Gadget's SnapFormat 1 and 2. Blocks state neither the species that they belong to nor the type of their
// numbers. Both follow from the block INFO of Gadget-3 if there is one, otherwise from the label (user guide of
// Gadget-2, table 3) and the size. In SnapFormat 1 a label is the place of the block in Gadget-2's order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/gadget.hpp"
#include "core/formats/limits.hpp"

namespace orrery::gadget {
namespace {

using SpeciesSet = std::bitset<kSpeciesCount>;
constexpr unsigned long kGas = 1, kStars = 16, kAll = 63;

/// A label with its meaning.
struct KnownBlock {
    std::string_view label, what;
    unsigned long species;  ///< as SpeciesSet
    std::uint64_t components = 1;
    bool whole = false;
};
constexpr std::array kKnown{KnownBlock{"POS", "position", kAll, 3},
                            KnownBlock{"VEL", "velocity", kAll, 3},
                            KnownBlock{"ID", "id", kAll, 1, true},
                            KnownBlock{"U", "internal energy", kGas},
                            KnownBlock{"RHO", "density", kGas},
                            KnownBlock{"HSML", "smoothing length", kGas},
                            KnownBlock{"NE", "electron abundance", kGas},
                            KnownBlock{"NH", "neutral hydrogen", kGas},
                            KnownBlock{"SFR", "star formation rate", kGas},
                            KnownBlock{"TEMP", "temperature", kGas},
                            KnownBlock{"ENDT", "rate of change of entropy", kGas},
                            KnownBlock{"BFLD", "magnetic field", kGas, 3},
                            KnownBlock{"AGE", "time of formation of stars", kStars},
                            KnownBlock{"Z", "metallicity", kGas | kStars},
                            KnownBlock{"POT", "potential", kAll},
                            KnownBlock{"ACCE", "acceleration", kAll, 3},
                            KnownBlock{"TSTP", "time step", kAll}};
/// Blocks of SnapFormat 1 after the masses, as far as Gadget-2 writes them in every run with gas.
constexpr std::array<std::string_view, 3> kAfterMasses{"U", "RHO", "HSML"};

/// How the numbers of a block are arranged.
struct Arrangement {
    SpeciesSet species;
    std::uint64_t components = 1, bytes = 4;
    bool whole = false;
};

std::string trimmed(const std::string& label) { return label.substr(0, label.find_last_not_of(' ') + 1); }

std::uint64_t bodies_of(const Header& header, SpeciesSet species) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (species[k]) sum += header.counts[k];
    return sum;
}

/// The species of the set that occur in the file.
SpeciesSet present(const Header& header, SpeciesSet species) {
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (header.counts[k] == 0) species.reset(k);
    return species;
}

/// The arrangements stated in the block INFO: for each block a label of 4 letters, a type of 8, the number of
/// components, and a flag for each of six species.
std::map<std::string, Arrangement> stated_arrangements(Part& part) {
    constexpr std::size_t kEntry = 40;
    std::map<std::string, Arrangement> all;
    const auto info = std::ranges::find(part.blocks, "INFO", &Block::label);
    if (info == part.blocks.end() || info->bytes % kEntry != 0 || info->bytes > kBlock) return all;
    std::vector<std::byte> bytes(static_cast<std::size_t>(info->bytes));
    part.file.seek(info->offset);
    part.file.read(bytes);
    for (std::size_t at = 0; at < bytes.size(); at += kEntry) {
        const std::string label{reinterpret_cast<const char*>(bytes.data() + at), 4};
        const std::string type{reinterpret_cast<const char*>(bytes.data() + at + 4), 8};
        const auto number = [&](std::size_t k) {
            return load<std::int32_t>(bytes.data() + at + 12 + 4 * k, part.dialect.order);
        };
        Arrangement found{.bytes = type.starts_with("DOUBLE") || type.starts_with("LLONG") ? 8u : 4u,
                          .whole = type.starts_with("LONG") || type.starts_with("LLONG")};
        const bool vector = type.starts_with("FLOATN") || type.starts_with("DOUBLEN");
        found.components = vector ? static_cast<std::uint64_t>(std::clamp(number(0), 1, 1024)) : 1;
        for (std::size_t k = 0; k < kSpeciesCount; ++k) found.species[k] = number(1 + k) != 0;
        all.try_emplace(trimmed(label), found);
    }
    return all;
}

/// The arrangement of a block whose label is known or not, from its size. Empty if none or several explain the size.
/// The numbers of an unknown block are as wide as those of the positions.
std::optional<Arrangement> arrangement_of(const Part& part, const Block& block, const KnownBlock* known) {
    std::vector<Arrangement> found;
    const std::uint64_t width = part.block("POS ").bytes / (3 * part.header.bodies());
    const auto add = [&](SpeciesSet species, std::uint64_t components, bool whole) {
        const std::uint64_t numbers = components * bodies_of(part.header, species);
        for (const std::uint64_t bytes : {4u, 8u}) {
            if (!known && bytes != width) continue;
            const Arrangement one{present(part.header, species), components, bytes, whole};
            const auto same = [&](const Arrangement& other) {
                return other.species == one.species && other.components == components && other.bytes == bytes;
            };
            if (numbers > 0 && numbers * bytes == block.bytes && std::ranges::none_of(found, same))
                found.push_back(one);
        }
    };
    if (known)
        add(known->species, known->components, known->whole);
    else
        for (const unsigned long species : {kGas, kStars, kGas | kStars, kAll})
            for (const std::uint64_t components : {1u, 3u}) add(species, components, false);
    return found.size() == 1 ? std::optional{found.front()} : std::nullopt;
}

struct FoundField {
    const Block* block;
    FieldInfo info;
    Arrangement arranged;
};

/// The name of block `i`; empty in SnapFormat 1 behind those whose order is known.
std::string name_of(const Part& part, std::size_t i) {
    const std::string& label = part.blocks[i].label;
    if (part.dialect.labelled || !label.empty()) return trimmed(label);
    const std::size_t known = part.header.with_own_mass() > 0 ? 4 : 3;
    return part.header.counts[0] > 0 && i >= known && i - known < kAfterMasses.size()
               ? std::string{kAfterMasses[i - known]}
               : std::string{};
}

std::vector<FoundField> fields_in(Part& part) {
    std::vector<FoundField> all;
    if (part.header.bodies() == 0) return all;
    const auto stated = stated_arrangements(part);
    for (std::size_t i = 0; i < part.blocks.size(); ++i) {
        const Block& block = part.blocks[i];
        std::string name = name_of(part, i);
        if (name == "HEAD" || name == "INFO" || name == "MASS") continue;
        const auto known = std::ranges::find(kKnown, name, &KnownBlock::label);
        const KnownBlock* meaning = known == kKnown.end() ? nullptr : &*known;
        auto arranged = arrangement_of(part, block, meaning);
        if (const auto found = stated.find(name); found != stated.end()) {
            const Arrangement& a = found->second;
            const bool fits = a.components * a.bytes * bodies_of(part.header, a.species) == block.bytes;
            arranged = fits ? std::optional{a} : std::nullopt;
        }
        if (!arranged) continue;
        if (name.empty()) name = fmt::format("block{}", i + 1);
        FieldInfo info{.name = name,
                       .what = meaning ? std::string{meaning->what} : std::string{},
                       .components = arranged->components,
                       .bytes = arranged->bytes,
                       .whole = arranged->whole,
                       .species = present(part.header, arranged->species),
                       .bodies = bodies_of(part.header, arranged->species)};
        all.push_back({&block, std::move(info), *arranged});
    }
    return all;
}

std::vector<FieldInfo> list(const std::filesystem::path& path) {
    std::vector<FieldInfo> all;
    for_each_part(path, [&](Part& part) {
        for (FoundField& field : fields_in(part)) {
            const auto known = std::ranges::find(all, field.info.name, &FieldInfo::name);
            if (known == all.end()) {
                all.push_back(std::move(field.info));
            } else if (known->components == field.info.components) {
                known->bodies += field.info.bodies;
                known->species |= field.info.species;
            }
        }
    });
    return all;
}

double number_at(const std::byte* from, const Arrangement& arranged, std::endian order) {
    constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
    if (!arranged.whole)
        return arranged.bytes == 8 ? load<double>(from, order) : static_cast<double>(load<float>(from, order));
    const std::uint64_t id = arranged.bytes == 8 ? load<std::uint64_t>(from, order) : load<std::uint32_t>(from, order);
    return id > kMostExact ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(id);
}

/// Passes on the numbers of `count` bodies from number `first` of the block on.
void take_numbers(Part& part, const FoundField& field, std::uint64_t first, std::uint64_t count,
                  const TakeNumbers& take) {
    const std::size_t row = static_cast<std::size_t>(field.arranged.components * field.arranged.bytes);
    std::vector<std::byte> block;
    std::vector<double> numbers;
    part.file.seek(field.block->offset + first * row);
    for (std::uint64_t left = count; left > 0;) {
        const auto now =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max<std::size_t>(1, kBlock / row)));
        block.resize(now * row);
        part.file.read(block);
        numbers.clear();
        for (std::size_t at = 0; at < block.size(); at += static_cast<std::size_t>(field.arranged.bytes))
            numbers.push_back(number_at(block.data() + at, field.arranged, part.dialect.order));
        take(numbers);
        left -= now;
    }
}

void read(const std::filesystem::path& path, const FieldInfo& wanted, const TakeNumbers& take) {
    for_each_part(path, [&](Part& part) {
        const std::vector<FoundField> fields = fields_in(part);
        const auto field = std::ranges::find_if(fields, [&](const FoundField& f) {
            return f.info.name == wanted.name && f.info.components == wanted.components;
        });
        std::uint64_t first = 0;
        for (std::size_t k = 0; k < kSpeciesCount; ++k) {
            const std::uint64_t count = part.header.counts[k];
            if (field != fields.end() && field->arranged.species[k]) {
                take_numbers(part, *field, first, count, take);
                first += count;
            } else if (count > 0) {
                take(std::vector<double>(static_cast<std::size_t>(count * wanted.components),
                                         std::numeric_limits<double>::quiet_NaN()));
            }
        }
    });
}

constexpr FieldReaders kReaders{list, read};

}  // namespace

const FieldReaders* const kFields = &kReaders;

}  // namespace orrery::gadget
