// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/formats/binary.hpp"
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

/// Reads the blocks of one part behind the bodies that are there.
class PartReader {
public:
    PartReader(Part& part, Bodies& bodies, Progress* progress, std::uint64_t& done)
        : part_{part}, bodies_{bodies}, progress_{progress}, done_{done}, first_{bodies.size()} {}

    void read() {
        const std::size_t n = static_cast<std::size_t>(part_.header.bodies());
        if (n == 0) return;
        bodies_.position_mass.resize(first_ + n);
        bodies_.velocity.resize(first_ + n);
        bodies_.ids.resize(first_ + n);
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            bodies_.species.insert(bodies_.species.end(), part_.header.counts[k], static_cast<Species>(k));
        vectors("POS ", 1, [&](std::size_t i, Vec3d x) { bodies_.position_mass[i] = {x.x, x.y, x.z, 0}; });
        vectors("VEL ", 4, [&](std::size_t i, Vec3d v) { bodies_.velocity[i] = v; });
        ids();
        masses();
    }

private:
    /// Goes over a block of `count` elements: f(index, bytes of the element, where in the file).
    template <class F>
    void elements(const Block& block, std::size_t count, F f) {
        const std::size_t each = static_cast<std::size_t>(block.bytes / count);
        part_.file.seek(block.offset);
        for (std::size_t i = 0; i < count;) {
            const std::size_t now = std::min(count - i, kBlock / each);
            buffer_.resize(now * each);
            part_.file.read(buffer_);
            for (std::size_t k = 0; k < now; ++k, ++i) f(i, buffer_.data() + k * each, block.offset + i * each);
            done_ += buffer_.size();
            if (progress_) progress_->update(done_);
        }
    }

    double real(const std::byte* from, bool wide) const {
        return wide ? load<double>(from, part_.dialect.order)
                    : static_cast<double>(load<float>(from, part_.dialect.order));
    }

    [[noreturn]] void refuse(std::uint64_t offset, std::size_t body, std::size_t quantity, double found) const {
        usage_error(fmt::format("{}: byte {}: body {} ({}): expected a {} number as {}, found {}",
                                part_.file.path().string(), offset, body, name(bodies_.species[body]),
                                quantity == 0 ? "non-negative finite" : "finite", kQuantities[quantity], found));
    }

    template <class F>
    void vectors(std::string_view label, std::size_t quantity, F f) {
        const Block& block = part_.block(label);
        const std::size_t count = bodies_.size() - first_;
        const bool wide = block.bytes / count == 24;
        elements(block, count, [&](std::size_t i, const std::byte* from, std::uint64_t offset) {
            const std::size_t step = wide ? 8 : 4;
            std::array<double, 3> x;
            for (std::size_t k = 0; k < 3; ++k) {
                x[k] = real(from + k * step, wide);
                if (!std::isfinite(x[k])) refuse(offset + k * step, first_ + i, quantity + k, x[k]);
            }
            f(first_ + i, Vec3d{x[0], x[1], x[2]});
        });
    }

    void ids() {
        const Block& block = part_.block("ID  ");
        const std::size_t count = bodies_.size() - first_;
        const bool wide = block.bytes / count == 8;
        elements(block, count, [&](std::size_t i, const std::byte* from, std::uint64_t) {
            const std::endian order = part_.dialect.order;
            bodies_.ids[first_ + i] = wide ? load<std::uint64_t>(from, order) : load<std::uint32_t>(from, order);
        });
    }

    /// Of the species that have one mass, from the header; the others stand one after the other in the block.
    void masses() {
        const Header& header = part_.header;
        std::size_t body = first_;
        std::vector<std::size_t> own;  // first bodies of the runs that have their own masses, and their ends
        for (std::size_t k = 0; k < kSpeciesCount; ++k) {
            if (header.masses[k] == 0 && header.counts[k] > 0) own.insert(own.end(), {body, body + header.counts[k]});
            for (std::size_t i = 0; i < header.counts[k]; ++i) bodies_.position_mass[body++].w = header.masses[k];
        }
        if (own.empty()) return;
        const Block& block = part_.block("MASS");
        const std::size_t count = static_cast<std::size_t>(header.with_own_mass());
        const bool wide = block.bytes / count == 8;
        std::size_t run = 0;
        body = own[0];
        elements(block, count, [&](std::size_t, const std::byte* from, std::uint64_t offset) {
            if (body == own[run + 1]) run += 2, body = own[run];
            const double mass = real(from, wide);
            if (!(mass >= 0) || !std::isfinite(mass)) refuse(offset, body, 0, mass);
            bodies_.position_mass[body++].w = mass;
        });
    }

    Part& part_;
    Bodies& bodies_;
    Progress* progress_;
    std::uint64_t& done_;
    std::size_t first_;
    std::vector<std::byte> buffer_;
};

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
        note(fmt::format("has a periodic box of side {}, which is treated as not periodic", header.box));
    if (header.files <= 1 && !std::ranges::all_of(header.totals, [](std::uint64_t n) { return n == 0; }) &&
        !std::ranges::equal(header.totals, header.counts))
        note("the total numbers in its header differ from those of this file, which are used");
    const std::size_t known = header.with_own_mass() > 0 ? 4 : 3;
    if (const auto others = part.blocks.size() - known; part.blocks.size() > known)
        note(fmt::format("{} other {} ignored", others, others == 1 ? "block is" : "blocks are"));
}

}  // namespace

SnapshotHead head(const std::filesystem::path& path) {
    const Part part{path};
    const Header& header = part.header;
    std::uint64_t bodies = header.bodies();
    if (header.files > 1) bodies = std::accumulate(header.totals.begin(), header.totals.end(), std::uint64_t{0});
    if (bodies == 0) usage_error(fmt::format("{}: holds no bodies", path.string()));
    return {header.time, bodies, static_cast<std::uint64_t>(std::max(1, header.files))};
}

Scene read(const std::filesystem::path& path) {
    Parts parts = open_parts(path);
    std::uint64_t count = 0, bytes = 0;
    for (const auto& part : parts) count += part->header.bodies(), bytes += part->file.size();
    if (count == 0) usage_error(fmt::format("{}: holds no bodies", path.string()));
    Scene scene;
    scene.id = scene.label = path.filename().string();
    Bodies& bodies = scene.bodies;
    require_memory_for(path, count);
    bodies.position_mass.reserve(static_cast<std::size_t>(count));  // the blocks have tied the count to the size
    bodies.velocity.reserve(static_cast<std::size_t>(count));
    bodies.ids.reserve(static_cast<std::size_t>(count));
    bodies.species.reserve(static_cast<std::size_t>(count));
    std::optional<Progress> progress;
    if (bytes >= kShowProgress) progress.emplace("reading", bytes);
    std::uint64_t done = 0;
    for (const auto& part : parts) PartReader{*part, bodies, progress ? &*progress : nullptr, done}.read();
    simplify_species(bodies);
    scene.gravity.softening = suggested_softening(bodies);
    scene.time = parts.front()->header.time;
    scene.dt = suggested_dt(bodies, scene.gravity);
    add_notes(scene, *parts.front());
    note_duplicate_ids(scene);
    return scene;
}

}  // namespace orrery::gadget
