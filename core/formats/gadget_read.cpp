// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/gadget_files.hpp"
#include "core/formats/gadget_layout.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/units.hpp"

namespace orrery::gadget {
namespace {

/// The common part of the names of a snapshot's files: "snapshot_007" for "snapshot_007.3".
std::string stem_of(const Part& part) {
    const std::string path = part.file.path().string();
    const std::string number = part.file.path().extension().string();
    const bool numbered = number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!numbered)
        usage_error(
            fmt::format("{}: is one of {} files, whose names should end in .0, .1 and so on", path, part.header.files));
    return path.substr(0, path.size() - number.size());
}

/// All files of the snapshot that contains `path`. At most two of them are open at a time, so the number of descriptors
/// does not limit their number.
class Snapshot {
public:
    /// Opens all files once, and checks their headers against each other.
    explicit Snapshot(const std::filesystem::path& path) : named_{path} {
        const Header& first = named_.header;
        if (first.files <= 1) {
            add_counts(named_);
            return;
        }
        stem_ = stem_of(named_);
        for (std::int32_t i = 0; i < first.files; ++i) {
            const Part part{path_of(i)};
            if (part.header.files != first.files || part.header.totals != first.totals ||
                part.header.masses != first.masses)
                usage_error(
                    fmt::format("{}: is not of the same snapshot as {}", part.file.path().string(), path.string()));
            add_counts(part);
        }
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            if (counts_[k] != first.totals[k])
                usage_error(fmt::format("{}: expected {} {} bodies in {} files, found {}", path.string(),
                                        first.totals[k], name(static_cast<Species>(k)), first.files, counts_[k]));
    }

    const Part& named() const { return named_; }
    /// The number of bodies in all files; throws if it is 0.
    std::uint64_t bodies() const {
        const std::uint64_t count = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
        if (count == 0) usage_error(fmt::format("{}: holds no bodies", named_.file.path().string()));
        return count;
    }
    bool only_halo() const { return counts_[static_cast<std::size_t>(Species::kHalo)] == bodies(); }
    FileProgress progress() const { return {"reading", bytes_}; }
    template <class F>
    void for_each_part(F f) {
        if (stem_.empty()) return f(named_);
        for (std::int32_t i = 0; i < named_.header.files; ++i) {
            Part part{path_of(i)};
            f(part);
        }
    }
    /// Throws if files were replaced between the check of the headers and the reading.
    void require_all(std::uint64_t read) const {
        if (read != bodies())
            usage_error(fmt::format("{}: changed while it was read: {} bodies, then {}", named_.file.path().string(),
                                    bodies(), read));
    }

private:
    std::string path_of(std::int32_t i) const { return fmt::format("{}.{}", stem_, i); }
    void add_counts(const Part& part) {
        for (std::size_t k = 0; k < kSpeciesCount; ++k) counts_[k] += part.header.counts[k];
        bytes_ += part.file.size();
    }

    Part named_;
    std::string stem_;  // empty: one file
    std::array<std::uint64_t, kSpeciesCount> counts_{};
    std::uint64_t bytes_ = 0;
};

/// A range of the bodies of a file, by their positions in it.
struct Range {
    std::size_t first, count;
};

/// Reads a range of one part and appends it to the bodies.
class PartReader {
public:
    /// `passed_on`: number of bodies already passed on, which are no longer in `bodies`; for messages.
    PartReader(Part& part, Range range, Bodies& bodies, std::uint64_t passed_on = 0)
        : part_{part}, range_{range}, bodies_{bodies}, passed_on_{passed_on}, first_{bodies.size()} {}

    void read(bool with_ids, FileProgress& progress) {
        if (range_.count == 0) return;
        const std::size_t n = first_ + range_.count;
        bodies_.position_mass.resize(n);
        bodies_.velocity.resize(n);
        bodies_.species.resize(n);
        std::size_t from = 0;
        for (std::size_t k = 0; k < kSpeciesCount; from += part_.header.counts[k++])
            for (std::size_t i : within(from, part_.header.counts[k])) bodies_.species[i] = static_cast<Species>(k);
        vectors("POS ", 1, progress, [&](std::size_t i, Vec3d x) { bodies_.position_mass[i] = {x.x, x.y, x.z, 0}; });
        vectors("VEL ", 4, progress, [&](std::size_t i, Vec3d v) { bodies_.velocity[i] = v; });
        if (with_ids) bodies_.ids.resize(n), ids(progress);
        masses(progress);
    }

private:
    /// The part of the range within `count` bodies of the file from `from` on, as indices into `bodies_`.
    std::ranges::iota_view<std::size_t, std::size_t> within(std::size_t from, std::size_t count) const {
        const std::size_t low = std::clamp(from, range_.first, range_.first + range_.count),
                          high = std::clamp(from + count, range_.first, range_.first + range_.count);
        return std::views::iota(first_ + low - range_.first, first_ + high - range_.first);
    }

    /// Visits `range` of a block of `all` elements: f(index from 0, bytes of the element, offset in the file).
    template <class F>
    void elements(const Block& block, std::size_t all, Range range, FileProgress& progress, F f) {
        const std::size_t each = static_cast<std::size_t>(block.bytes / all);
        const std::uint64_t start = block.offset + range.first * each;
        part_.file.seek(start);
        for (std::size_t i = 0; i < range.count;) {
            const std::size_t now = std::min(range.count - i, kBlock / each);
            buffer_.resize(now * each);
            part_.file.read(buffer_);
            for (std::size_t k = 0; k < now; ++k, ++i) f(i, buffer_.data() + k * each, start + i * each);
            progress.add(buffer_.size());
        }
    }
    std::size_t all() const { return static_cast<std::size_t>(part_.header.bodies()); }

    double real(const std::byte* from, bool wide) const {
        return wide ? load<double>(from, part_.dialect.order)
                    : static_cast<double>(load<float>(from, part_.dialect.order));
    }

    [[noreturn]] void refuse(std::uint64_t offset, std::size_t body, std::size_t quantity, double found) const {
        usage_error(fmt::format("{}: byte {}: body {} ({}): expected a {} number as {}, found {}",
                                part_.file.path().string(), offset, passed_on_ + body, name(bodies_.species[body]),
                                quantity == 0 ? "non-negative finite" : "finite", kQuantities[quantity], found));
    }

    template <class F>
    void vectors(std::string_view label, std::size_t quantity, FileProgress& progress, F f) {
        const Block& block = part_.block(label);
        const bool wide = block.bytes / all() == 24;
        elements(block, all(), range_, progress, [&](std::size_t i, const std::byte* from, std::uint64_t offset) {
            const std::size_t step = wide ? 8 : 4;
            std::array<double, 3> x;
            for (std::size_t k = 0; k < 3; ++k) {
                x[k] = real(from + k * step, wide);
                if (!std::isfinite(x[k])) refuse(offset + k * step, first_ + i, quantity + k, x[k]);
            }
            f(first_ + i, Vec3d{x[0], x[1], x[2]});
        });
    }

    void ids(FileProgress& progress) {
        const Block& block = part_.block("ID  ");
        const bool wide = block.bytes / all() == 8;
        elements(block, all(), range_, progress, [&](std::size_t i, const std::byte* from, std::uint64_t) {
            const std::endian order = part_.dialect.order;
            bodies_.ids[first_ + i] = wide ? load<std::uint64_t>(from, order) : load<std::uint32_t>(from, order);
        });
    }

    /// Takes masses from the header for species with one mass there, and from the block for the others, or for all
    /// bodies if the block holds the masses of all.
    void masses(FileProgress& progress) {
        const Header& header = part_.header;
        const bool of_all = part_.masses_are_of_all();
        std::size_t from = 0, place = 0;  // first of the species, in the file and in the block
        for (std::size_t k = 0; k < kSpeciesCount; from += header.counts[k++]) {
            const auto some = within(from, header.counts[k]);
            for (const std::size_t i : some) bodies_.position_mass[i].w = header.masses[k];
            if (header.masses[k] != 0 && !of_all) continue;
            if (!some.empty()) read_masses(some, place + some.front() - first_ + range_.first - from, progress);
            place += header.counts[k];
        }
    }

    /// Reads masses of the bodies `some`, from element `place` of the block on. A 0 there keeps the mass of the header.
    void read_masses(std::ranges::iota_view<std::size_t, std::size_t> some, std::size_t place, FileProgress& progress) {
        const Block& block = part_.block("MASS");
        const auto own =
            static_cast<std::size_t>(part_.masses_are_of_all() ? part_.header.bodies() : part_.header.with_own_mass());
        const bool wide = block.bytes / own == 8;
        elements(block, own, {place, some.size()}, progress,
                 [&](std::size_t i, const std::byte* bytes, std::uint64_t offset) {
                     const double mass = real(bytes, wide);
                     const std::size_t body = some.front() + i;
                     if (!(mass >= 0) || !std::isfinite(mass)) refuse(offset, body, 0, mass);
                     if (mass > 0) bodies_.position_mass[body].w = mass;
                 });
    }

    Part& part_;
    Range range_;
    Bodies& bodies_;
    std::uint64_t passed_on_;
    std::size_t first_;
    std::vector<std::byte> buffer_;
};

/// Meanings of the labels of SnapFormat 2.
struct Meaning {
    std::string_view label, what;
};
constexpr std::array kMeanings{Meaning{"U", "internal energy"},     Meaning{"RHO", "density"},
                               Meaning{"HSML", "smoothing length"}, Meaning{"POT", "potential"},
                               Meaning{"ACCE", "acceleration"},     Meaning{"ENDT", "rate of change of entropy"},
                               Meaning{"TSTP", "time steps"},       Meaning{"NE", "electron abundance"},
                               Meaning{"NH", "neutral hydrogen"},   Meaning{"SFR", "star formation rate"},
                               Meaning{"AGE", "age of stars"},      Meaning{"Z", "metallicity"},
                               Meaning{"TEMP", "temperature"},      Meaning{"BFLD", "magnetic field"}};

/// The label of a block in printable form. SnapFormat 1 has none: there the blocks of gas are identified by the order
/// of Gadget-2, as long as their sizes match.
std::string label_of_block(const Part& part, std::size_t i, std::size_t known) {
    constexpr std::array kOfGas{"U", "RHO", "HSML"};
    const Block& block = part.blocks[i];
    if (!part.dialect.labelled) {
        const std::uint64_t gas = part.header.counts[static_cast<std::size_t>(Species::kGas)];
        const bool of_gas = gas > 0 && (block.bytes == 4 * gas || block.bytes == 8 * gas);
        return of_gas && i - known < kOfGas.size() ? kOfGas[i - known] : "";
    }
    std::string label = block.label.substr(0, block.label.find_last_not_of(' ') + 1);
    for (char& c : label)
        if (c < ' ' || c > '~') c = '?';
    return label;
}

/// Returns `block "U" (internal energy), block "RHO" (density)`, or an empty text if all blocks are read.
std::string blocks_not_read(const Part& part) {
    constexpr std::array<std::string_view, 4> kRead{"POS ", "VEL ", "ID  ", "MASS"};
    const std::size_t known = part.header.with_own_mass() > 0 ? 4 : 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < part.blocks.size(); ++i) {
        if (std::ranges::find(kRead, part.blocks[i].label) != kRead.end()) continue;
        const std::string label = label_of_block(part, i, known);
        const auto found = std::ranges::find(kMeanings, label, &Meaning::label);
        names.push_back(
            (label.empty() ? fmt::format("block {} of the file", i + 1) : fmt::format("block \"{}\"", label)) +
            (found == kMeanings.end() ? "" : fmt::format(" ({})", found->what)));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

void adopt_time(Scene& scene, const Header& header) {
    scene.time = header.time;
    scene.scale_factor = scale_factor_of(header.time, header.redshift, header.omega != 0);
}

/// Adds the notes for the user.
void add_notes(Scene& scene, const Part& part) {
    const Header& header = part.header;
    const auto note = [&](const std::string& what) { scene.notes.push_back(scene.id + ": " + what); };
    note("the format states no units; G = 1 is assumed");
    if (header.omega != 0 || header.redshift != 0)
        note(
            fmt::format("is a cosmological snapshot (Ω₀ {}, redshift {}); comoving positions and velocities over √a "
                        "are not converted",
                        header.omega, header.redshift));
    if (header.box != 0)
        note(fmt::format("has a periodic box of side {}; forces and computed motion are not periodic", header.box));
    if (header.files <= 1 && !std::ranges::all_of(header.totals, [](std::uint64_t n) { return n == 0; }) &&
        !std::ranges::equal(header.totals, header.counts))
        note("the total numbers in its header differ from those of this file, which are used");
    if (const std::string blocks = blocks_not_read(part); !blocks.empty()) note("not read: " + blocks);
}

}  // namespace

SnapshotHead head(const std::filesystem::path& path) {
    const Part part{path};
    const Header& header = part.header;
    std::uint64_t bodies = header.bodies();
    if (header.files > 1) bodies = std::accumulate(header.totals.begin(), header.totals.end(), std::uint64_t{0});
    if (bodies == 0) usage_error(fmt::format("{}: holds no bodies", path.string()));
    return {header.time, bodies, static_cast<std::uint64_t>(std::max(1, header.files)), header.box};
}

Scene read_parts(const std::filesystem::path& path, const TakeBodies& take) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 18;
    Snapshot snapshot{path};
    const bool only_halo = snapshot.only_halo();
    FileProgress progress = snapshot.progress();
    std::uint64_t passed_on = 0;
    snapshot.for_each_part([&](Part& part) {
        const auto count = static_cast<std::size_t>(part.header.bodies());
        for (std::size_t first = 0; first < count; first += kAtOnce) {
            Bodies some;
            PartReader{part, {first, std::min(kAtOnce, count - first)}, some, passed_on}.read(false, progress);
            passed_on += some.size();
            if (only_halo) some.species.clear();  // as simplify_species() does
            take(some);
        }
    });
    snapshot.require_all(passed_on);
    Scene scene;
    scene.id = scene.label = path.filename().string();
    adopt_time(scene, snapshot.named().header);
    add_notes(scene, snapshot.named());
    return scene;
}

Scene read(const std::filesystem::path& path) {
    Snapshot snapshot{path};
    const std::uint64_t count = snapshot.bodies();
    Scene scene;
    scene.id = scene.label = path.filename().string();
    Bodies& bodies = scene.bodies;
    require_memory_for(path, count);
    bodies.position_mass.reserve(static_cast<std::size_t>(count));  // the blocks have confirmed the count
    bodies.velocity.reserve(static_cast<std::size_t>(count));
    bodies.ids.reserve(static_cast<std::size_t>(count));
    bodies.species.reserve(static_cast<std::size_t>(count));
    FileProgress progress = snapshot.progress();
    snapshot.for_each_part([&](Part& part) {
        PartReader{part, {0, static_cast<std::size_t>(part.header.bodies())}, bodies}.read(true, progress);
    });
    snapshot.require_all(bodies.size());
    simplify_species(bodies);
    scene.gravity.softening = suggested_softening(bodies);
    adopt_time(scene, snapshot.named().header);
    scene.dt = suggested_dt(bodies, scene.gravity);
    add_notes(scene, snapshot.named());
    note_duplicate_ids(scene);
    return scene;
}

}  // namespace orrery::gadget
