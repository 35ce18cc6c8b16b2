// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"
#include "core/formats/binary.hpp"
#include "core/formats/gadget.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/snapshot_rows.hpp"
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
            const Part part{path_of(static_cast<std::size_t>(i))};
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
        for (std::size_t i = 0; i < ends_.size(); ++i) f(part(i));
    }
    /// Calls f(part, first, count) for the files that hold bodies [first, first + count) of the snapshot; `first` is
    /// then counted in the file.
    template <class F>
    void for_bodies(std::uint64_t first, std::size_t count, F f) {
        while (count > 0) {
            const auto i = static_cast<std::size_t>(std::ranges::upper_bound(ends_, first) - ends_.begin());
            const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
            const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(count, ends_[i] - first));
            Part& of_file = part(i);
            if (of_file.header.bodies() != ends_[i] - begin) require_all(begin + of_file.header.bodies());
            f(of_file, static_cast<std::size_t>(first - begin), now);
            first += now, count -= now;
        }
    }
    /// Throws if files were replaced between the check of the headers and the reading.
    void require_all(std::uint64_t read) const {
        if (read != bodies())
            usage_error(fmt::format("{}: changed while it was read: {} bodies, then {}", named_.file.path().string(),
                                    bodies(), read));
    }

private:
    std::string path_of(std::size_t i) const { return fmt::format("{}.{}", stem_, i); }
    void add_counts(const Part& part) {
        for (std::size_t k = 0; k < kSpeciesCount; ++k) counts_[k] += part.header.counts[k];
        ends_.push_back((ends_.empty() ? 0 : ends_.back()) + part.header.bodies());
        bytes_ += part.file.size();
    }
    Part& part(std::size_t i) {
        if (stem_.empty()) return named_;
        if (!open_ || open_number_ != i) open_.emplace(path_of(i)), open_number_ = i;
        return *open_;
    }

    Part named_;
    std::string stem_;  // empty: one file
    std::array<std::uint64_t, kSpeciesCount> counts_{};
    std::vector<std::uint64_t> ends_;  // bodies up to the end of each file
    std::uint64_t bytes_ = 0;
    std::optional<Part> open_;
    std::size_t open_number_ = 0;
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
    scene.box = box_of(header.box);
    scene.scale_factor = scale_factor_of(header.time, header.redshift, header.omega != 0);
    if (scene.scale_factor > 0)
        scene.cosmology = gadget_convention(header.omega, header.lambda, header.hubble, scene.scale_factor);
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
    if (const std::string blocks = blocks_not_read(part); !blocks.empty())
        note("further blocks, read on request (--fields): " + blocks);
}

/// The head of the whole snapshot, from the header of this file.
SnapshotHead head(const std::filesystem::path& path) {
    const Part part{path};
    const Header& header = part.header;
    std::uint64_t bodies = header.bodies();
    if (header.files > 1) bodies = std::accumulate(header.totals.begin(), header.totals.end(), std::uint64_t{0});
    if (bodies == 0) usage_error(fmt::format("{}: holds no bodies", path.string()));
    return {header.time, bodies, static_cast<std::uint64_t>(std::max(1, header.files)), header.box,
            scale_factor_of(header.time, header.redshift, header.omega != 0)};
}

class Rows final : public SnapshotRows {
public:
    Rows(const std::filesystem::path& path, WithIds ids) : snapshot_{path}, with_ids_{ids == WithIds::kYes} {
        size_ = snapshot_.bodies();
        about_.id = about_.label = path.filename().string();
        adopt_time(about_, snapshot_.named().header);
        add_notes(about_, snapshot_.named());
    }
    void read(std::uint64_t first, std::size_t count, Bodies& into) override {
        FileProgress none{"reading", 0};
        into = {};
        snapshot_.for_bodies(first, count, [&](Part& part, std::size_t from, std::size_t bodies) {
            PartReader{part, {from, bodies}, into, first}.read(with_ids_, none);
        });
        if (snapshot_.only_halo()) into.species.clear();  // as simplify_species() does
    }

private:
    Snapshot snapshot_;
    bool with_ids_;
};

std::unique_ptr<SnapshotRows> rows(const std::filesystem::path& path, WithIds ids) {
    return std::make_unique<Rows>(path, ids);
}

/// Reads the file, or all files of the snapshot if its header states that there are several.
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

}  // namespace

void for_each_part(const std::filesystem::path& path, const std::function<void(Part& part)>& visit) {
    Snapshot{path}.for_each_part(visit);
}

namespace {

constexpr std::size_t kLargestElement = 12;

class Writer {
public:
    Writer(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path, Dialect dialect)
        : scene_{scene},
          bodies_{bodies},
          dialect_{dialect},
          file_{path, Durable::kYes},
          progress_{"writing", 28 * bodies.size()} {
        buffer_.reserve(kBlock + kLargestElement);
    }

    void write() {
        const auto header = header_bytes(this->header(), dialect_.order);
        begin("HEAD", header.size());
        buffer_.insert(buffer_.end(), header.begin(), header.end());
        end(header.size());
        const std::uint64_t n = bodies_.size();
        column("POS ", 12 * n, [&](std::size_t i) {
            const Vec4d& p = bodies_.position_mass(i);
            for (const double x : {p.x, p.y, p.z}) put(static_cast<float>(x));
        });
        column("VEL ", 12 * n, [&](std::size_t i) {
            const Vec3d& v = bodies_.velocity(i);
            for (const double x : {v.x, v.y, v.z}) put(static_cast<float>(x));
        });
        write_ids();
        column("MASS", 4 * n, [&](std::size_t i) { put(static_cast<float>(bodies_.position_mass(i).w)); });
        flush();
        file_.commit();
    }

private:
    Header header() const {
        Header header;
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            ++header.counts[static_cast<std::size_t>(bodies_.species_of(i))];
        std::ranges::copy(header.counts, header.totals.begin());
        header.time = scene_.time, header.box = scene_.box;
        header.redshift = redshift_of(scene_.time, scene_.scale_factor);
        header.omega = scene_.cosmology.omega, header.lambda = scene_.cosmology.lambda;
        header.hubble = scene_.cosmology.hubble;
        return header;
    }

    void write_ids() {
        const bool given = bodies_.with_ids();
        const std::uint64_t largest = given ? bodies_.largest_id() : bodies_.size();
        const bool wide = largest > std::numeric_limits<std::uint32_t>::max();
        column("ID  ", (wide ? 8 : 4) * std::uint64_t{bodies_.size()}, [&](std::size_t i) {
            const std::uint64_t id = given ? bodies_.id(i) : i + 1;
            wide ? put(id) : put(static_cast<std::uint32_t>(id));
        });
    }

    template <class F>
    void column(const char* label, std::uint64_t bytes, F element) {
        begin(label, bytes);
        in_order(bodies_, [&](std::size_t i) {
            element(i);
            if (buffer_.size() >= kBlock) flush();
        });
        end(bytes);
    }

    void begin(std::string_view label, std::uint64_t bytes) {
        if (dialect_.labelled) {
            put(std::uint32_t{kLabelBytes});
            for (const char c : label) put(c);
            put(static_cast<std::uint32_t>(bytes + 2 * kMarker));  // distance to the next label
            put(std::uint32_t{kLabelBytes});
        }
        put(static_cast<std::uint32_t>(bytes));
    }
    void end(std::uint64_t bytes) { put(static_cast<std::uint32_t>(bytes)); }

    template <class T>
    void put(T value) {
        const std::size_t at = buffer_.size();
        buffer_.resize(at + sizeof(T));
        std::byte* to = buffer_.data() + at;
        store(to, value, dialect_.order);
    }
    void flush() {
        file_.write(buffer_);
        progress_.add(buffer_.size());
        buffer_.clear();
    }

    const Scene& scene_;
    const BodyStretches& bodies_;
    Dialect dialect_;
    OutputFile file_;
    std::vector<std::byte> buffer_;
    FileProgress progress_;
};

/// In single precision, bodies in order of their species; bodies without ids are numbered from 1.
void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path, Dialect dialect) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    check_single_precision(bodies, path.string(), "Gadget", most);
    check_unit_constant(scene, path.string(), "Gadget");
    Writer{scene, bodies, path, dialect}.write();
}

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
    header.lambda = load<double>(from + kBox + 16, order);
    header.hubble = load<double>(from + kBox + 24, order);
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
    put(kBox, header.box);
    put(kBox + 8, header.omega);
    put(kBox + 16, header.lambda);
    put(kBox + 24, header.hubble);
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

namespace orrery {
namespace {

using gadget::Dialect;

template <std::endian order, bool labelled>
bool recognises(std::span<const std::byte> head, std::uintmax_t, const std::filesystem::path&) {
    return gadget::dialect_of(head) == Dialect{order, labelled};
}

template <std::endian order, bool labelled>
void write(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    gadget::write(scene, bodies, path, {order, labelled});
}

template <std::endian order, bool labelled>
FormatEntry entry(std::string_view id, std::string_view label, std::string_view doc,
                  std::span<const std::string_view> extensions) {
    return {.id = id,
            .label = label,
            .doc = doc,
            .extensions = extensions,
            .holds = {.species = true, .ids = true},
            .recognises = recognises<order, labelled>,
            .read = gadget::read,
            .write = write<order, labelled>,
            .head = gadget::head,
            .rows = gadget::rows,
            .fields = gadget::kFields};
}

constexpr std::array<std::string_view, 3> kOne{".gadget", ".gadget2", ".gadget1"};
constexpr std::array<std::string_view, 2> kOneBig{".be.gadget", ".be.gadget2"};
constexpr std::array<std::string_view, 1> kTwo{".snap2"};
constexpr std::array<std::string_view, 1> kTwoBig{".be.snap2"};

}  // namespace

const FormatEntry& gadget_1() {
    static const FormatEntry one = entry<std::endian::little, false>(
        "gadget", "Gadget SnapFormat 1",
        "Gadget-1 and -2 records, little-endian; species and ids, single precision; no units: G = 1", kOne);
    return one;
}
const FormatEntry& gadget_1_big() {
    static const FormatEntry one = entry<std::endian::big, false>("gadget-big", "Gadget SnapFormat 1, big-endian",
                                                                  "the same, big-endian", kOneBig);
    return one;
}
const FormatEntry& gadget_2() {
    static const FormatEntry two = entry<std::endian::little, true>(
        "gadget-snap2", "Gadget SnapFormat 2",
        "labelled records, little-endian; species and ids, single precision; G = 1", kTwo);
    return two;
}
const FormatEntry& gadget_2_big() {
    static const FormatEntry two = entry<std::endian::big, true>("gadget-snap2-big", "Gadget SnapFormat 2, big-endian",
                                                                 "the same, big-endian", kTwoBig);
    return two;
}

}  // namespace orrery
