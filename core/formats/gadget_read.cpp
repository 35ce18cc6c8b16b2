// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <numeric>
#include <ranges>

#include "core/base/error.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/gadget_files.hpp"
#include "core/formats/gadget_layout.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/suggest.hpp"

namespace orrery::gadget {
namespace {

using Parts = std::vector<std::unique_ptr<Part>>;

/// Where the name of a part of several ends: before ".3" of "snapshot_007.3".
std::string stem_of(const Part& part) {
    const std::string path = part.file.path().string();
    const std::string number = part.file.path().extension().string();
    const bool numbered = number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!numbered)
        usage_error(
            fmt::format("{}: is one of {} files, whose names should end in .0, .1 and so on", path, part.header.files));
    return path.substr(0, path.size() - number.size());
}

/// All files of the snapshot of which `path` is one. Their headers are checked against each other.
Parts open_parts(const std::filesystem::path& path) {
    Parts parts;
    parts.push_back(std::make_unique<Part>(path));
    const Header first = parts.front()->header;
    if (first.files <= 1) return parts;
    const std::string stem = stem_of(*parts.front());
    parts.clear();
    std::array<std::uint64_t, kSpeciesCount> found{};
    for (std::int32_t i = 0; i < first.files; ++i) {
        parts.push_back(std::make_unique<Part>(fmt::format("{}.{}", stem, i)));
        const Header& header = parts.back()->header;
        if (header.files != first.files || header.totals != first.totals || header.masses != first.masses)
            usage_error(fmt::format("{}: is not of the same snapshot as {}", parts.back()->file.path().string(),
                                    path.string()));
        for (std::size_t k = 0; k < kSpeciesCount; ++k) found[k] += header.counts[k];
    }
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (found[k] != first.totals[k])
            usage_error(fmt::format("{}: expected {} {} bodies in {} files, found {}", path.string(), first.totals[k],
                                    name(static_cast<Species>(k)), first.files, found[k]));
    return parts;
}

/// Some of the bodies of a file, by their places in it.
struct Range {
    std::size_t first, count;
};

/// Reads a range of one part behind the bodies that are there.
class PartReader {
public:
    /// `told`: bodies that are not there any more, before those in `bodies`; for messages.
    PartReader(Part& part, Range range, Bodies& bodies, std::uint64_t told = 0)
        : part_{part}, range_{range}, bodies_{bodies}, told_{told}, first_{bodies.size()} {}

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
    /// Those of the range that are among `count` of the file from `from` on, as places in `bodies_`.
    std::ranges::iota_view<std::size_t, std::size_t> within(std::size_t from, std::size_t count) const {
        const std::size_t low = std::clamp(from, range_.first, range_.first + range_.count),
                          high = std::clamp(from + count, range_.first, range_.first + range_.count);
        return std::views::iota(first_ + low - range_.first, first_ + high - range_.first);
    }

    /// Goes over `range` of a block of `all` elements: f(index from 0, bytes of the element, where in the file).
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
                                part_.file.path().string(), offset, told_ + body, name(bodies_.species[body]),
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

    /// Of the species that have one mass, from the header; the others stand one after the other in the block.
    void masses(FileProgress& progress) {
        const Header& header = part_.header;
        const auto own = static_cast<std::size_t>(header.with_own_mass());
        std::size_t from = 0, place = 0;  // of the species, in the file and in the block
        for (std::size_t k = 0; k < kSpeciesCount; from += header.counts[k++]) {
            const auto some = within(from, header.counts[k]);
            if (header.masses[k] != 0) {
                for (const std::size_t i : some) bodies_.position_mass[i].w = header.masses[k];
                continue;
            }
            if (!some.empty()) {
                const Block& block = part_.block("MASS");
                const bool wide = block.bytes / own == 8;
                const std::size_t in_file = some.front() - first_ + range_.first;
                elements(block, own, {place + in_file - from, some.size()}, progress,
                         [&](std::size_t i, const std::byte* bytes, std::uint64_t offset) {
                             const double mass = real(bytes, wide);
                             const std::size_t body = some.front() + i;
                             if (!(mass >= 0) || !std::isfinite(mass)) refuse(offset, body, 0, mass);
                             bodies_.position_mass[body].w = mass;
                         });
            }
            place += header.counts[k];
        }
    }

    Part& part_;
    Range range_;
    Bodies& bodies_;
    std::uint64_t told_;
    std::size_t first_;
    std::vector<std::byte> buffer_;
};

FileProgress progress_of(const Parts& parts) {
    std::uint64_t bytes = 0;
    for (const auto& part : parts) bytes += part->file.size();
    return {"reading", bytes};
}

/// What a person should know of such a file.
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
    const std::size_t known = header.with_own_mass() > 0 ? 4 : 3;
    if (const auto others = part.blocks.size() - known; part.blocks.size() > known)
        note(fmt::format("{} other {} ignored", others, others == 1 ? "block is" : "blocks are"));
}

/// Of all parts, not 0.
std::uint64_t bodies_in(const Parts& parts, const std::filesystem::path& path) {
    std::uint64_t count = 0;
    for (const auto& part : parts) count += part->header.bodies();
    if (count == 0) usage_error(fmt::format("{}: holds no bodies", path.string()));
    return count;
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
    Parts parts = open_parts(path);
    const std::uint64_t all = bodies_in(parts, path);
    std::uint64_t halo = 0;
    for (const auto& part : parts) halo += part->header.counts[static_cast<std::size_t>(Species::kHalo)];
    FileProgress progress = progress_of(parts);
    std::uint64_t told = 0;
    for (const auto& part : parts) {
        const auto count = static_cast<std::size_t>(part->header.bodies());
        for (std::size_t first = 0; first < count; first += kAtOnce) {
            Bodies some;
            PartReader{*part, {first, std::min(kAtOnce, count - first)}, some, told}.read(false, progress);
            told += some.size();
            if (halo == all) some.species.clear();  // as simplify_species() has it
            take(some);
        }
    }
    Scene scene;
    scene.id = scene.label = path.filename().string();
    scene.time = parts.front()->header.time;
    add_notes(scene, *parts.front());
    return scene;
}

Scene read(const std::filesystem::path& path) {
    Parts parts = open_parts(path);
    const std::uint64_t count = bodies_in(parts, path);
    Scene scene;
    scene.id = scene.label = path.filename().string();
    Bodies& bodies = scene.bodies;
    require_memory_for(path, count);
    bodies.position_mass.reserve(static_cast<std::size_t>(count));  // the blocks have tied the count to the size
    bodies.velocity.reserve(static_cast<std::size_t>(count));
    bodies.ids.reserve(static_cast<std::size_t>(count));
    bodies.species.reserve(static_cast<std::size_t>(count));
    FileProgress progress = progress_of(parts);
    for (const auto& part : parts)
        PartReader{*part, {0, static_cast<std::size_t>(part->header.bodies())}, bodies}.read(true, progress);
    simplify_species(bodies);
    scene.gravity.softening = suggested_softening(bodies);
    scene.time = parts.front()->header.time;
    scene.dt = suggested_dt(bodies, scene.gravity);
    add_notes(scene, *parts.front());
    note_duplicate_ids(scene);
    return scene;
}

}  // namespace orrery::gadget
