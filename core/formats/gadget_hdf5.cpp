// SPDX-License-Identifier: MIT
// Reads and writes the HDF5 snapshots of Gadget and related programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/bodies/bodies.hpp"
#include "core/formats/gadget.hpp"
#include "core/formats/gadget_species_hdf5.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "core/formats/limits.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/units.hpp"

namespace orrery::hdf5 {
namespace {

/// Reads a column of ids from row `begin` on, one for each element of `ids`. A negative number of 8 bytes is an id
/// above 2^63, written by a tool without unsigned numbers; with fewer bytes it throws Error{kUsage}.
void read_ids(const Reader& file, const ReadColumn& column, std::uint64_t bytes_of_each, std::uint64_t begin,
              std::span<std::uint64_t> ids) {
    file.read(column, begin, ids.size(), Number::kUint64, ids.data());
    if (std::ranges::find(ids, 0u) == ids.end()) return;
    // The library converts negative numbers to 0.
    std::vector<std::int64_t> numbers;
    for (std::uint64_t first = 0; first < ids.size(); first += kRows) {
        numbers.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kRows, ids.size() - first)));
        file.read(column, begin + first, numbers.size(), Number::kInt64, numbers.data());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] >= 0) continue;
            if (bytes_of_each < sizeof(std::uint64_t))
                file.refuse(fmt::format("{} holds the negative id {}", column.name, numbers[i]));
            ids[static_cast<std::size_t>(first) + i] = static_cast<std::uint64_t>(numbers[i]);
        }
    }
}

/// Reads ids from a column of real numbers, as written by tools that cut snapshots. Returns false unless all are whole,
/// non-negative, and small enough to be exact.
bool read_real_ids(const Reader& file, const ReadColumn& column, std::span<std::uint64_t> ids) {
    constexpr double kMostExact = 9007199254740992.0;  // beyond 2^53 two ids may round to the same number
    std::vector<double> numbers;
    for (std::uint64_t first = 0; first < ids.size(); first += kRows) {
        numbers.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kRows, ids.size() - first)));
        file.read(column, first, numbers.size(), Number::kDouble, numbers.data());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double number = numbers[i];
            if (!(number >= 0 && number < kMostExact) || number != std::floor(number)) return false;
            ids[static_cast<std::size_t>(first) + i] = static_cast<std::uint64_t>(number);
        }
    }
    return true;
}

using Counts = std::array<std::uint64_t, kSpeciesCount>;

constexpr double kGravityCgs = 6.6743e-8;  ///< cm³/g/s² (CODATA 2018)
constexpr double kSecondsPerDay = 86400;

struct LengthUnit {
    std::string_view word;
    double cm;
};
constexpr std::array kLengthUnits{LengthUnit{"kpc", 3.0857e21}, LengthUnit{"Mpc", 3.0857e24},
                                  LengthUnit{"pc", 3.0857e18}, LengthUnit{"AU", 1.496e13}};

std::string group_of(std::size_t species) { return fmt::format("PartType{}", species); }

/// One file of a snapshot: its header, and the number of bodies in its data sets. Programs that cut a region out of a
/// snapshot often keep the original header, so the number of rows decides; notes() reports the differences. Throws
/// Error{kUsage} if the header is missing or invalid.
class Part {
public:
    explicit Part(const std::filesystem::path& path) : Part{Reader{path}} {}
    /// Another file of the same snapshot.
    Part(const std::filesystem::path& path, const Part& beside) : Part{Reader{path, beside.file}} {}

    /// True if other files hold bodies of the same snapshot.
    bool one_of_several() const;
    /// Refuses the file unless it belongs to the same snapshot as `first` and holds as many bodies as its header
    /// states.
    void require_beside(const Part& first) const;
    /// The number of bodies in all files of the snapshot, without tracers.
    Counts all() const;
    /// Notes for the user on the numbers of bodies, one line each.
    std::vector<std::string> notes() const;

    /// Data sets of bodies that are not read, "PartType0/Density, InternalEnergy; PartType4/Metallicity"; empty if
    /// there are none.
    std::string not_read() const;

    /// Paths of the columns of a species; empty if missing.
    std::string places(std::size_t species) const { return places_[species]; }
    std::string velocities(std::size_t species) const;
    std::string masses(std::size_t species) const;
    std::string ids(std::size_t species) const;

    Reader file;
    Counts counts{};                                     ///< of bodies, in this file
    Counts totals{};                                     ///< in all files of the snapshot; some programs leave it 0
    std::array<double, kSpeciesCount> masses_of_each{};  ///< 0: not stated
    double time = 0;
    std::uint64_t files = 1;  ///< of the snapshot

private:
    explicit Part(Reader opened);
    void read_totals();
    void read_masses();
    void count_rows(std::size_t species);
    /// Reads the counts of species 0 to 5; `beyond` receives the others.
    std::optional<Counts> counts_of(const char* name, std::vector<std::uint64_t>& beyond) const;
    bool differs() const { return stated_ && *stated_ != counts; }

    std::optional<Counts> stated_;       // in NumPart_ThisFile
    std::vector<std::uint64_t> beyond_;  // bodies of species 6 and above
    std::array<bool, kSpeciesCount> tracers_{};
    std::array<std::string, kSpeciesCount> places_;
};

constexpr std::uint64_t kMostFiles = 100'000;

// Names of each column in the files of different programs, the most common first. SWIFT calls the masses of black
// holes dynamical.
constexpr std::array<std::string_view, 4> kPlaces{"Coordinates", "Coordinate", "Positions", "Position"};
constexpr std::array<std::string_view, 2> kVelocities{"Velocities", "Velocity"};
constexpr std::array<std::string_view, 3> kMasses{"Masses", "Mass", "DynamicalMasses"};
constexpr std::array<std::string_view, 4> kIds{"ParticleIDs", "ParticleIds", "ParticleID", "ParticleId"};

/// Finds the path of a column of a species under any of its names, as given or in lower case.
std::string find(const Reader& file, std::size_t species, std::span<const std::string_view> names) {
    std::vector<std::string> paths;
    for (const std::string_view name : names) paths.push_back(fmt::format("{}/{}", group_of(species), name));
    for (const std::string_view name : names)
        paths.push_back(fmt::format("{}/{}", group_of(species), lower_case(std::string{name})));
    return file.first_of(paths);
}

bool has_number(const std::filesystem::path& stem) {
    const std::string number = stem.extension().string();
    return number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// The time of the header; of cosmological files that state none, the scale factor.
double time_in(const Reader& file) {
    if (const auto time = file.number("Header", "Time")) return *time;
    if (const auto a = file.number("Header", "ExpansionFactor")) return *a;
    const auto redshift = file.number("Header", "Redshift");
    return redshift && *redshift != 0 && *redshift > -1 ? 1 / (1 + *redshift) : 0;
}

Part::Part(Reader opened) : file{std::move(opened)} {
    if (!file.has("Header")) file.refuse("group Header is missing: not a Gadget or AREPO snapshot");
    stated_ = counts_of("NumPart_ThisFile", beyond_);
    read_totals();
    read_masses();
    time = time_in(file);
    if (!std::isfinite(time)) file.refuse(fmt::format("time is {}, expected a finite number", time));
    const double number = file.number("Header", "NumFilesPerSnapshot").value_or(1);
    if (!(number >= 0) || number > kMostFiles) file.refuse(fmt::format("NumFilesPerSnapshot is {}", number));
    files = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(number));
    for (std::size_t k = 0; k < kSpeciesCount; ++k) count_rows(k);
}

void Part::read_totals() {
    std::vector<std::uint64_t> beyond, high_beyond;
    const auto low = counts_of("NumPart_Total", beyond);
    if (!low) return;
    totals = *low;
    const Counts high = counts_of("NumPart_Total_HighWord", high_beyond).value_or(Counts{});
    for (std::size_t k = 0; k < kSpeciesCount; ++k) totals[k] += high[k] << 32;
    if (beyond.size() > beyond_.size()) beyond_.resize(beyond.size());
    for (std::size_t k = 0; k < beyond.size(); ++k) beyond_[k] = std::max(beyond_[k], beyond[k]);
}

void Part::read_masses() {
    const auto table = file.numbers("Header", "MassTable");
    for (std::size_t k = 0; table && k < std::min(table->size(), kSpeciesCount); ++k) {
        masses_of_each[k] = (*table)[k];
        if (!(masses_of_each[k] >= 0) || !std::isfinite(masses_of_each[k]))
            file.refuse(fmt::format("MassTable: expected a mass or 0, found {}", masses_of_each[k]));
    }
}

std::optional<Counts> Part::counts_of(const char* name, std::vector<std::uint64_t>& beyond) const {
    const auto found = file.numbers("Header", name);
    if (!found) return std::nullopt;
    Counts result{};
    for (std::size_t k = 0; k < found->size(); ++k) {
        const double n = (*found)[k];
        if (!(n >= 0) || n > 1e15 || n != std::floor(n)) file.refuse(fmt::format("{} is {}", name, n));
        if (k < kSpeciesCount)
            result[k] = static_cast<std::uint64_t>(n);
        else
            beyond.push_back(static_cast<std::uint64_t>(n));
    }
    return result;
}

void Part::count_rows(std::size_t species) {
    const bool of_set = files > 1 && has_number(file.path().stem());
    if (of_set && stated_ && (*stated_)[species] == 0) return;  // headers of sets are reliable
    places_[species] = find(file, species, kPlaces);
    if (!places_[species].empty()) {
        counts[species] = file.shape(places_[species]).rows;
        return;
    }
    if ((stated_ ? *stated_ : totals)[species] == 0 || !file.has(group_of(species))) return;
    tracers_[species] = file.has(group_of(species) + "/TracerID");  // AREPO's Monte Carlo tracers have no positions
    if (!tracers_[species]) file.refuse(fmt::format("data set {}/{} is missing", group_of(species), kPlaces.front()));
}

bool Part::one_of_several() const {
    if (files == 1 || (counts == totals && counts != Counts{})) return false;
    return !differs() || has_number(file.path().stem());
}

void Part::require_beside(const Part& first) const {
    if (files != first.files || totals != first.totals)
        file.refuse("is not of the same snapshot as " + first.file.path().string());
    for (std::size_t k = 0; stated_ && k < kSpeciesCount; ++k)
        if ((*stated_)[k] != counts[k] && !tracers_[k])
            file.refuse(fmt::format("data set {}/{}: expected {} rows, as NumPart_ThisFile states, found {}",
                                    group_of(k), kPlaces.front(), (*stated_)[k], counts[k]));
}

Counts Part::all() const {
    Counts all = one_of_several() ? totals : counts;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (tracers_[k]) all[k] = 0;
    return all;
}

std::vector<std::string> Part::notes() const {
    std::vector<std::string> notes, differences;
    const bool alone = !one_of_several();
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (tracers_[k]) {
            notes.push_back(fmt::format("bodies of species {} are tracers without positions, and are left out", k));
            continue;
        }
        if (!alone || !stated_ || (*stated_)[k] == counts[k]) continue;
        differences.push_back(fmt::format("{} bodies of species {}, the file holds {}", (*stated_)[k], k, counts[k]));
    }
    if (!differences.empty())
        notes.push_back(fmt::format("NumPart_ThisFile gives {}: read as a part cut out of a snapshot",
                                    fmt::join(differences, "; ")));
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        const bool noted = tracers_[k] || (stated_ && (*stated_)[k] != counts[k]);
        if (alone && !noted && totals != Counts{} && totals[k] != counts[k])
            notes.push_back(fmt::format("NumPart_Total gives {} bodies of species {}, but the file holds {}", totals[k],
                                        k, counts[k]));
    }
    if (alone && files > 1) notes.push_back(fmt::format("NumFilesPerSnapshot is {}; this file alone is read", files));
    for (std::size_t k = 0; k < beyond_.size(); ++k)
        if (beyond_[k] > 0)
            notes.push_back(fmt::format("{} {} (species {}) are left out; species 0 to 5 are read", beyond_[k],
                                        k == 0 ? "neutrinos" : "bodies", kSpeciesCount + k));
    return notes;
}

std::string Part::not_read() const {
    constexpr std::size_t kMostNamed = 8;  // of a species
    std::vector<std::string> all;
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (counts[k] == 0) continue;
        const std::array read{places(k), find(file, k, kVelocities), find(file, k, kMasses), ids(k)};
        std::vector<std::string> names = file.data_sets(group_of(k));
        std::erase_if(names, [&](const std::string& name) {
            return std::ranges::find(read, fmt::format("{}/{}", group_of(k), name)) != read.end();
        });
        if (names.empty()) continue;
        const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
        names.resize(names.size() - more);
        all.push_back(fmt::format("{}/{}", group_of(k), fmt::join(names, ", ")));
        if (more > 0) all.back() += fmt::format(" and {} more", more);
    }
    return fmt::format("{}", fmt::join(all, "; "));
}

std::string Part::velocities(std::size_t species) const {
    const std::string found = find(file, species, kVelocities);
    if (found.empty()) file.refuse(fmt::format("data set {}/{} is missing", group_of(species), kVelocities.front()));
    return found;
}

std::string Part::masses(std::size_t species) const {
    const std::string found = find(file, species, kMasses);
    if (found.empty() && masses_of_each[species] == 0)
        file.refuse(
            fmt::format("data set {}/{} is missing, and MassTable gives no mass", group_of(species), kMasses.front()));
    return found;
}

std::string Part::ids(std::size_t species) const { return find(file, species, kIds); }

/// A snapshot in one file or several: "NAME.3.hdf5" is the fourth. At most two files are open at a time, each once, so
/// neither memory nor descriptors limit their number.
class Snapshot {
public:
    explicit Snapshot(const std::filesystem::path& path) : named_{path}, counts_{named_.all()} {
        if (named_.one_of_several()) find_stem();
        if (bodies() == 0) named_.file.refuse("holds no bodies");
        if (stem_.empty())  // a damaged file must not cause a large allocation; multiple files are checked later
            for (std::size_t k = 0; k < kSpeciesCount; ++k)
                if (counts_[k] > 0) named_.file.column(named_.places(k), counts_[k], 3, H5T_FLOAT);
    }

    const Part& named() const { return named_; }
    std::uint64_t bodies() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }
    bool only_halo() const { return counts_[static_cast<std::size_t>(Species::kHalo)] == bodies(); }
    /// A file of the snapshot, opened again if it is not the last one used.
    const Part& part(std::uint64_t i) {
        if (stem_.empty()) return named_;
        if (open_number_ == i) return *open_;
        open_.emplace(path_of(i), named_);
        open_->require_beside(named_);
        open_number_ = i;
        return *open_;
    }
    /// Calls f(part, species) for each species that a file holds, file by file. Throws Error{kUsage} unless the files
    /// belong together.
    template <class F>
    void for_each_species(F f) const {
        for_each_piece([&](const Part& part, std::size_t k, std::uint64_t) { f(part, k); });
    }
    /// The same with the number of the file.
    template <class F>
    void for_each_piece(F f) const {
        Counts found{};
        const auto of_part = [&](const Part& part, std::uint64_t i) {
            for (std::size_t k = 0; k < kSpeciesCount; ++k) {
                if (part.counts[k] == 0) continue;
                found[k] += part.counts[k];
                if (found[k] > counts_[k]) refuse_number();
                f(part, k, i);
            }
        };
        if (stem_.empty()) return of_part(named_, 0);
        for (std::uint64_t i = 0; i < named_.files; ++i) {
            const Part part{path_of(i), named_};
            part.require_beside(named_);
            of_part(part, i);
        }
        if (found != counts_) refuse_number();
    }

private:
    void find_stem() {
        const std::filesystem::path& path = named_.file.path();
        extension_ = path.extension().string();
        const std::filesystem::path without = path.parent_path() / path.stem();
        const std::string number = without.extension().string();
        if (number.size() < 2 || number.find_first_not_of("0123456789", 1) != std::string::npos)
            named_.file.refuse(
                fmt::format("is one of {} files, whose names should end in .0{}", named_.files, extension_));
        stem_ = without.string().substr(0, without.string().size() - number.size());
    }
    std::filesystem::path path_of(std::uint64_t i) const { return fmt::format("{}.{}{}", stem_, i, extension_); }
    [[noreturn]] void refuse_number() const {
        named_.file.refuse("the number of bodies in all files differs from NumPart_Total");
    }

    Part named_;
    std::string stem_, extension_;  // of the names of several files
    Counts counts_;
    std::optional<Part> open_;
    std::optional<std::uint64_t> open_number_;
};

/// The columns of one species of one file.
struct SpeciesColumns {
    SpeciesColumns(const Part& part, std::size_t species)
        : file{part.file}, count{part.counts[species]}, mass{part.masses_of_each[species]} {
        x = open(part.places(species), 3), v = open(part.velocities(species), 3);
        if (const std::string masses = part.masses(species); !masses.empty()) m = open(masses, 1);
    }
    ReadColumn open(const std::string& name, std::uint64_t columns) const {
        return file.column(name, count, columns, H5T_FLOAT);
    }
    /// Mass of a body with value `own` in the mass column. Some programs write 0 there if the header states the mass.
    double mass_of(double own) const { return own == 0 ? mass : own; }

    const Reader& file;
    std::uint64_t count;
    double mass;  ///< of each body, from the header
    ReadColumn x, v;
    std::optional<ReadColumn> m;
};

/// Reads the ids of all bodies, or none if any are invalid.
class Ids {
public:
    explicit Ids(Bodies& bodies) : bodies_{bodies} {}
    /// Reads the ids of the last `count` bodies.
    void read(const Part& part, std::size_t species, std::size_t count) {
        if (!why_none_.empty()) return;
        const std::string name = part.ids(species);
        if (name.empty()) return give_up(group_of(species) + "/ParticleIDs is missing");
        bodies_.ids.resize(bodies_.size());
        const auto ids = std::span{bodies_.ids}.last(count);
        const Shape shape = part.file.shape(name);
        const H5T_class_t kind = shape.kind == H5T_FLOAT ? H5T_FLOAT : H5T_INTEGER;
        const ReadColumn column = part.file.column(name, count, 1, kind);
        if (kind == H5T_INTEGER)
            read_ids(part.file, column, shape.bytes, 0, ids);
        else if (!read_real_ids(part.file, column, ids))
            give_up(name + " holds real numbers that are no ids");
    }
    void add_note(Scene& scene) const {
        if (why_none_.empty()) return;
        scene.notes.push_back(fmt::format("{}: {}; the bodies are read without ids", scene.id, why_none_));
    }

private:
    void give_up(std::string why) {
        why_none_ = std::move(why);
        bodies_.ids = {};
    }

    Bodies& bodies_;
    std::string why_none_;
};

/// Adds the bodies of one species of one file.
class SpeciesReader {
public:
    static constexpr std::uint64_t kNumbers = 7;

    SpeciesReader(const Part& part, std::size_t species, Bodies& bodies, FileProgress& progress)
        : columns_{part, species}, bodies_{bodies}, first_{bodies.size()}, progress_{progress} {
        const double mass = columns_.mass;
        const std::size_t all = first_ + static_cast<std::size_t>(columns_.count);
        // Reserved memory is only committed when written, so a file refused half-way takes no more than was read.
        rows(columns_.x, [&](std::size_t, const double* q) {
            bodies_.position_mass.push_back({q[0], q[1], q[2], mass});
        });
        rows(columns_.v, [&](std::size_t, const double* q) { bodies_.velocity.push_back({q[0], q[1], q[2]}); });
        if (columns_.m)
            rows(*columns_.m,
                 [&](std::size_t i, const double* q) { bodies_.position_mass[i].w = columns_.mass_of(*q); });
        bodies_.species.resize(all, static_cast<Species>(species));
    }

private:
    template <class F>
    void rows(const ReadColumn& column, F f) {
        for (std::uint64_t first = 0; first < columns_.count; first += kRows) {
            const std::uint64_t now = std::min(kRows, columns_.count - first);
            buffer_.resize(static_cast<std::size_t>(now * column.columns));
            columns_.file.read(column, first, now, Number::kDouble, buffer_.data());
            for (std::uint64_t i = 0; i < now; ++i)
                f(first_ + static_cast<std::size_t>(first + i), buffer_.data() + i * column.columns);
            progress_.add(buffer_.size());
        }
    }

    SpeciesColumns columns_;
    Bodies& bodies_;
    std::size_t first_;
    FileProgress& progress_;  // counts numbers, kNumbers per body
    std::vector<double> buffer_;
};

/// A unit in common use such as "kpc"; otherwise empty.
std::string length_word(double cm) {
    const auto is = [&](const LengthUnit& unit) { return std::abs(cm / unit.cm - 1) < 1e-3; };
    const auto found = std::ranges::find_if(kLengthUnits, is);
    return found == kLengthUnits.end() ? "" : std::string{found->word};
}
std::string mass_word(double g) {
    const auto is = [&](double other) { return std::abs(g / other - 1) < 2e-3; };
    return is(1.989e33) ? "M☉" : is(1.989e43) ? "10¹⁰M☉" : "";
}

/// Units in cgs.
struct CgsUnits {
    std::optional<double> length, mass, velocity;
};

/// From the header (AREPO, GIZMO and Orrery), the parameters (Gadget-4), or the Units group (SWIFT).
CgsUnits cgs_units(const Reader& file) {
    const auto length = file.has("Units") ? file.number("Units", "Unit length in cgs (U_L)") : std::nullopt;
    if (length) {
        const auto time = file.number("Units", "Unit time in cgs (U_t)");
        CgsUnits units{length, file.number("Units", "Unit mass in cgs (U_M)"), std::nullopt};
        if (time) units.velocity = *length / *time;
        return units;
    }
    const auto say = [&](const char* name) {
        const auto value = file.number("Header", name);
        return value || !file.has("Parameters") ? value : file.number("Parameters", name);
    };
    if (file.number("Header", "UnitLength_In_CGS"))  // GIZMO
        return {say("UnitLength_In_CGS"), say("UnitMass_In_CGS"), say("UnitVelocity_In_CGS")};
    return {say("UnitLength_in_cm"), say("UnitMass_in_g"), say("UnitVelocity_in_cm_per_s")};
}

void take_units(Scene& scene, const Reader& file) {
    const auto positive = [](std::optional<double> x) { return x && *x > 0 && std::isfinite(*x); };
    const auto [length, mass, velocity] = cgs_units(file);
    const bool stated = positive(length) && positive(mass) && positive(velocity);
    if (stated) {
        scene.gravity.constant = kGravityCgs * *mass / *length / *velocity / *velocity;
        scene.days_per_time = *length / *velocity / kSecondsPerDay;
        scene.length_unit = length_word(*length), scene.mass_unit = mass_word(*mass);
    }
    const auto own = file.number("Header", "Orrery_G");
    if (positive(own)) scene.gravity.constant = *own;
    if (positive(file.number("Header", "Orrery_days_per_time")))
        scene.days_per_time = *file.number("Header", "Orrery_days_per_time");
    if (const auto word = file.text("Header", "Orrery_length_unit")) scene.length_unit = *word;
    if (const auto word = file.text("Header", "Orrery_mass_unit")) scene.mass_unit = *word;
    if (!positive(own) && !stated) scene.notes.push_back(scene.id + ": states no units; G = 1 is assumed");
    if (!(scene.gravity.constant > 0) || !std::isfinite(scene.gravity.constant)) file.refuse("its units are invalid");
}

std::optional<double> stated_softening(const Reader& file) {
    const auto softening = file.number("Header", "Orrery_softening");
    return softening && *softening >= 0 && std::isfinite(*softening) ? softening : std::nullopt;
}

std::optional<double> stated_dt(const Reader& file) {
    const auto dt = file.number("Header", "Orrery_dt");
    return dt && *dt > 0 && std::isfinite(*dt) ? dt : std::nullopt;
}

/// Takes softening and dt from the file, otherwise derives them from the bodies.
void take_steps(Scene& scene, const Reader& file) {
    const auto softening = stated_softening(file), dt = stated_dt(file);
    scene.gravity.softening = softening ? *softening : suggested_softening(scene.bodies);
    scene.dt = dt ? *dt : suggested_dt(scene.bodies, scene.gravity);
}

/// The factors between the numbers of Gadget and its relatives, and physical ones. SWIFT states its own.
std::string conversions_of(const Reader& file, double a) {
    const double h = file.number("Header", "HubbleParam").value_or(0);
    if (!(a > 0) || !(h > 0) || file.has("Cosmology")) return {};
    return fmt::format(
        ": by Gadget's convention physical lengths are a / h = {:.4g} times those of the file, masses 1 / h = {:.4g}, "
        "peculiar velocities √a = {:.4g}",
        a / h, 1 / h, std::sqrt(a));
}

/// ", 2.15 Gyr after the big bang"; empty unless the file states a flat cosmology.
std::string age_text(const Reader& file, double a) {
    const auto number = [&](const char* name) { return file.number("Header", name).value_or(0); };
    const double omega = number("Omega0"), lambda = number("OmegaLambda"), h = number("HubbleParam");
    if (!(omega > 0) || !(omega <= 1) || !(h > 0) || std::abs(omega + lambda - 1) > 0.01) return {};
    return fmt::format(", {:.3g} Gyr after the big bang", age_of_universe(a, omega, h));
}

void add_notes(Scene& scene, const Part& part) {
    for (const std::string& note : part.notes()) scene.notes.push_back(fmt::format("{}: {}", scene.id, note));
    if (const std::string sets = part.not_read(); !sets.empty())
        scene.notes.push_back(fmt::format("{}: further data sets, read on request (--fields): {}", scene.id, sets));
    const Reader& file = part.file;
    if (scene.box > 0)
        scene.notes.push_back(fmt::format(
            "{}: has a periodic box of side {}; forces and computed motion are not periodic", scene.id, scene.box));
    if (file.number("Header", "Redshift").value_or(0) != 0 || file.number("Header", "Omega0").value_or(0) != 0)
        scene.notes.push_back(fmt::format("{}: is a cosmological snapshot; its values are not converted{}", scene.id,
                                          conversions_of(file, scene.scale_factor)));
    if (scene.scale_factor > 0)
        scene.notes.push_back(fmt::format("{}: its time is the scale factor: {}{}", scene.id,
                                          clock_text(scene.time, scene.days_per_time, scene.scale_factor),
                                          age_text(file, scene.scale_factor)));
}

Cosmology cosmology_of(const Part& part) {
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (part.counts[k] > 0) return cosmology_in({part.file, group_of(k), static_cast<Species>(k), part.counts[k]});
    return {};
}

/// The edge of a cubic box. SWIFT states three edges.
double box_in(const Reader& file) {
    const auto edges = file.numbers("Header", "BoxSize");
    if (!edges || edges->empty() || std::ranges::adjacent_find(*edges, std::not_equal_to{}) != edges->end()) return 0;
    return box_of(edges->front());
}

void take_universe(Scene& scene, const Part& part) {
    scene.time = part.time, scene.scale_factor = scale_factor_in(part.file), scene.cosmology = cosmology_of(part);
    scene.box = box_in(part.file);
}

/// The columns of one species of one file, with the ids.
class SpeciesRows {
public:
    SpeciesRows(const Part& part, std::size_t species, bool with_ids)
        : columns_{part, species}, species_{static_cast<Species>(species)} {
        if (!with_ids) return;
        const std::string name = part.ids(species);
        id_bytes_ = part.file.shape(name).bytes;
        ids_ = part.file.column(name, columns_.count, 1, H5T_INTEGER);
    }
    /// Appends `count` bodies from `first` on.
    void read(std::uint64_t first, std::size_t count, Bodies& into) {
        constexpr std::size_t kAtOnce = 4 * kRows;  // whole chunks; other programs use larger ones
        for (std::size_t done = 0; done < count; done += kAtOnce)
            read_some(first + done, std::min(kAtOnce, count - done), into);
    }

private:
    void read_some(std::uint64_t first, std::size_t count, Bodies& into) {
        const std::size_t at = into.size();
        into.position_mass.resize(at + count), into.velocity.resize(at + count);
        numbers(columns_.x, first, count);
        for (std::size_t i = 0; i < count; ++i)
            into.position_mass[at + i] = {numbers_[3 * i], numbers_[3 * i + 1], numbers_[3 * i + 2], columns_.mass};
        numbers(columns_.v, first, count);
        for (std::size_t i = 0; i < count; ++i)
            into.velocity[at + i] = {numbers_[3 * i], numbers_[3 * i + 1], numbers_[3 * i + 2]};
        if (columns_.m) {
            numbers(*columns_.m, first, count);
            for (std::size_t i = 0; i < count; ++i) into.position_mass[at + i].w = columns_.mass_of(numbers_[i]);
        }
        into.species.resize(at + count, species_);
        if (!ids_) return;
        into.ids.resize(at + count);
        read_ids(columns_.file, *ids_, id_bytes_, first, std::span{into.ids}.subspan(at));
    }
    void numbers(const ReadColumn& column, std::uint64_t first, std::size_t count) {
        numbers_.resize(count * static_cast<std::size_t>(column.columns));
        columns_.file.read(column, first, count, Number::kDouble, numbers_.data());
    }

    SpeciesColumns columns_;
    Species species_;
    std::optional<ReadColumn> ids_;
    std::uint64_t id_bytes_ = 0;
    std::vector<double> numbers_;
};

constexpr std::uint64_t kMostRows = 1'000'000'000'000;

/// Collects rows and writes them in chunks.
class RowWriter {
public:
    RowWriter(Writer& file, const std::string& name, std::uint64_t rows, std::uint64_t columns, const GadgetOutput& how)
        : file_{file},
          column_{file.column(name, rows, columns, how.single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, how.compress)} {}
    void put(std::initializer_list<double> row) {
        buffer_.insert(buffer_.end(), row);
        if (buffer_.size() == kRows * column_.columns) flush();
    }
    void flush() {
        const std::uint64_t rows = buffer_.size() / column_.columns;
        if (rows > 0) file_.write(column_, done_, rows, H5T_NATIVE_DOUBLE, buffer_.data());
        done_ += rows;
        buffer_.clear();
    }

private:
    Writer& file_;
    Column column_;
    std::vector<double> buffer_;
    std::uint64_t done_ = 0;
};

/// Writes the units in cgs, as AREPO does, if the scene names them. The unit of mass follows from G.
void write_units(Writer& file, const Scene& scene) {
    const auto length = std::ranges::find(kLengthUnits, scene.length_unit, &LengthUnit::word);
    if (length == kLengthUnits.end() || !(scene.days_per_time > 0)) return;
    const double velocity = length->cm / (scene.days_per_time * kSecondsPerDay);
    file.number("Header", "UnitLength_in_cm", length->cm);
    file.number("Header", "UnitVelocity_in_cm_per_s", velocity);
    file.number("Header", "UnitMass_in_g", scene.gravity.constant * velocity * velocity * length->cm / kGravityCgs);
}

void write_header(Writer& file, const Scene& scene, const Counts& counts) {
    const std::vector<std::int64_t> numbers(counts.begin(), counts.end());
    file.group("Header");
    file.integers("Header", "NumPart_ThisFile", numbers);
    file.integers("Header", "NumPart_Total", numbers);
    file.numbers("Header", "MassTable", std::vector<double>(kSpeciesCount));
    file.integers("Header", "NumFilesPerSnapshot", {1});
    const bool moved = scene.scale_factor > 0 && scene.time != scene.scale_factor;  // computed on from a snapshot
    const double expansion = moved ? 0 : expansion_of(scene);
    for (const auto& [name, value] : {std::pair{"Time", scene.time},
                                      {"Redshift", redshift_of(expansion, expansion)},
                                      {"BoxSize", scene.box},
                                      {"Omega0", scene.cosmology.omega},
                                      {"OmegaLambda", scene.cosmology.lambda},
                                      {"HubbleParam", scene.cosmology.hubble},
                                      {"Orrery_G", scene.gravity.constant},
                                      {"Orrery_softening", scene.gravity.softening},
                                      {"Orrery_dt", scene.dt},
                                      {"Orrery_scale_factor", scene.scale_factor},
                                      {"Orrery_days_per_time", scene.days_per_time}})
        file.number("Header", name, value);
    write_units(file, scene);
    file.text("Header", "Orrery_length_unit", scene.length_unit);
    file.text("Header", "Orrery_mass_unit", scene.mass_unit);
    if (scene.scale_factor > 0 || !(scene.cosmology.scale_factor > 0)) return;
    file.group("Cosmology");  // as SWIFT states the scale factor of a file whose time is none
    file.number("Cosmology", "Cosmological run", 1);
    file.number("Cosmology", "Scale-factor", scene.cosmology.scale_factor);
}

/// The powers of a and h of positions and velocities, in the attributes of EAGLE, where they are not Gadget's or do not
/// follow from the time.
void write_convention(Writer& file, const Scene& scene, const std::string& group) {
    const Cosmology& universe = scene.cosmology;
    const Cosmology gadget = gadget_convention(universe.omega, universe.lambda, universe.hubble, universe.scale_factor);
    if (!(universe.scale_factor > 0) || (scene.scale_factor > 0 && universe == gadget)) return;
    const auto powers = [&](const char* name, double a, double h) {
        file.number(group + name, "aexp-scale-exponent", a);
        file.number(group + name, "h-scale-exponent", h);
    };
    powers("/Coordinates", universe.length_a, universe.length_h);
    powers("/Velocities", universe.velocity_a, 0);
}

void write_ids(Writer& file, const BodyStretches& bodies, Species species, std::uint64_t count,
               const GadgetOutput& how) {
    const std::string name = group_of(static_cast<std::size_t>(species)) + "/ParticleIDs";
    const Column column = file.column(name, count, 1, H5T_NATIVE_UINT64, how.compress);
    std::vector<std::uint64_t> ids;
    std::uint64_t done = 0;
    const auto flush = [&] {
        if (!ids.empty()) file.write(column, done, ids.size(), H5T_NATIVE_UINT64, ids.data());
        done += ids.size();
        ids.clear();
    };
    gadget::of_species(bodies, species, [&](std::size_t i) {
        ids.push_back(bodies.with_ids() ? bodies.id(i) : i + 1);
        if (ids.size() == kRows) flush();
    });
    flush();
}

/// In single precision. Species without values of a field do not have its data set; the columns that are written anyway
/// are no fields.
void write_fields(Writer& file, const BodyStretches& bodies, Species species, std::uint64_t count, GadgetOutput how) {
    constexpr std::array<std::string_view, 4> kWritten{"Coordinates", "Velocities", "Masses", "ParticleIDs"};
    how.single = true;
    for (const BodyField& field : bodies.others().fields) {
        bool any = false;
        gadget::of_species(bodies, species, [&](std::size_t i) { any = any || !std::isnan((*field.values)[i]); });
        if (!any || std::ranges::find(kWritten, field.name) != kWritten.end()) continue;
        const std::string name = fmt::format("{}/{}", group_of(static_cast<std::size_t>(species)), field.name);
        RowWriter to{file, name, count, 1, how};
        gadget::of_species(bodies, species, [&](std::size_t i) { to.put({static_cast<double>((*field.values)[i])}); });
        to.flush();
    }
}

void write_species(Writer& file, const BodyStretches& bodies, Species species, std::uint64_t count,
                   const GadgetOutput& how) {
    const std::string group = group_of(static_cast<std::size_t>(species));
    file.group(group);
    const auto rows = [&](const char* name, std::uint64_t columns, auto put) {
        RowWriter to{file, group + "/" + name, count, columns, how};
        gadget::of_species(bodies, species, [&](std::size_t i) { put(to, i); });
        to.flush();
    };
    const auto put_xyz = [](RowWriter& to, const auto& v) { to.put({v.x, v.y, v.z}); };
    rows("Coordinates", 3, [&](RowWriter& to, std::size_t i) { put_xyz(to, bodies.position_mass(i)); });
    rows("Velocities", 3, [&](RowWriter& to, std::size_t i) { put_xyz(to, bodies.velocity(i)); });
    rows("Masses", 1, [&](RowWriter& to, std::size_t i) { to.put({bodies.position_mass(i).w}); });
    write_ids(file, bodies, species, count, how);
    write_fields(file, bodies, species, count, how);
    if (how.accelerations.empty()) return;
    rows("Acceleration", 3, [&](RowWriter& to, std::size_t i) { put_xyz(to, how.accelerations[i]); });
    if (how.potentials) rows("Potential", 1, [&](RowWriter& to, std::size_t i) { to.put({how.accelerations[i].w}); });
}

}  // namespace

/// The scale factor as defined by Scene. Gadget-4 and AREPO state whether they integrate in it; others set Omega0 = 0
/// if not.
double scale_factor_in(const Reader& file) {
    const auto own = file.number("Header", "Orrery_scale_factor");
    if (own && *own >= 0 && std::isfinite(*own)) return *own;
    const auto say = [&](const char* name) {
        const auto value = file.number("Header", name);
        return value || !file.has("Parameters") ? value : file.number("Parameters", name);
    };
    const auto comoving = say("ComovingIntegrationOn");
    if (comoving && *comoving == 0) return 0;
    return scale_factor_of(time_in(file), file.number("Header", "Redshift").value_or(0),
                           comoving || say("Omega0").value_or(0) != 0);
}

void for_each_species(const std::filesystem::path& path, const VisitSpecies& visit) {
    const Snapshot snapshot{path};
    snapshot.for_each_species([&](const Part& part, std::size_t k) {
        visit({.file = part.file, .group = group_of(k), .species = static_cast<Species>(k), .bodies = part.counts[k]});
    });
}

SnapshotHead head_of_gadget(const std::filesystem::path& path) {
    const Part part{path};
    const Counts counts = part.all();
    const std::uint64_t bodies = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (bodies == 0) part.file.refuse("holds no bodies");
    return {part.time, bodies, part.one_of_several() ? part.files : 1, box_in(part.file), expansion_in(part.file)};
}

namespace {

class Rows final : public SnapshotRows {
public:
    Rows(const std::filesystem::path& path, bool with_ids) : snapshot_{path}, with_ids_{with_ids} {
        about_.id = about_.label = path.filename().string();
        snapshot_.for_each_piece([&](const Part& part, std::size_t k, std::uint64_t file) {
            size_ += part.counts[k];
            pieces_.push_back({file, k, size_});
            if (with_ids_) with_ids_ = has_ids(part, k);
        });
        const Part& part = snapshot_.named();
        take_universe(about_, part);
        take_units(about_, part.file);
        softening_ = stated_softening(part.file), dt_ = stated_dt(part.file);
        about_.gravity.softening = softening_.value_or(about_.gravity.softening), about_.dt = dt_.value_or(about_.dt);
        add_notes(about_, part);
    }
    void read(std::uint64_t first, std::size_t count, Bodies& into) override {
        into = {};
        while (count > 0) {
            const auto piece =
                static_cast<std::size_t>(std::ranges::upper_bound(pieces_, first, {}, &Piece::end) - pieces_.begin());
            const std::uint64_t begin = piece == 0 ? 0 : pieces_[piece - 1].end;
            const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(count, pieces_[piece].end - first));
            if (open_ != piece) {
                const Part& part = snapshot_.part(pieces_[piece].file);
                columns_.emplace(part, pieces_[piece].species, with_ids_);
                open_ = piece;
            }
            columns_->read(first - begin, now, into);
            first += now, count -= now;
        }
        if (snapshot_.only_halo()) into.species.clear();  // as simplify_species() does
    }

private:
    /// The bodies of one species of one file.
    struct Piece {
        std::uint64_t file;
        std::size_t species;
        std::uint64_t end;  ///< bodies up to its end
    };

    /// Ids that are real numbers are read from a whole file.
    bool has_ids(const Part& part, std::size_t species) {
        const std::string name = part.ids(species);
        const bool whole = !name.empty() && part.file.shape(name).kind == H5T_INTEGER;
        if (!name.empty() && !whole) complete_ = false;
        return whole;
    }

    Snapshot snapshot_;
    bool with_ids_;
    std::vector<Piece> pieces_;
    std::optional<SpeciesRows> columns_;
    std::optional<std::size_t> open_;  // the piece that these are of
};

}  // namespace

std::unique_ptr<SnapshotRows> gadget_rows(const std::filesystem::path& path, WithIds ids) {
    return std::make_unique<Rows>(path, ids == WithIds::kYes);
}

Scene read_gadget(const std::filesystem::path& path) {
    const Snapshot snapshot{path};
    Scene scene;
    scene.id = scene.label = path.filename().string();
    Bodies& bodies = scene.bodies;
    const std::uint64_t count = snapshot.bodies();
    require_memory_for(path, count);
    bodies.position_mass.reserve(static_cast<std::size_t>(count));
    bodies.velocity.reserve(static_cast<std::size_t>(count));
    bodies.ids.reserve(static_cast<std::size_t>(count));
    bodies.species.reserve(static_cast<std::size_t>(count));
    FileProgress progress{"reading", count * SpeciesReader::kNumbers, sizeof(double)};
    Ids ids{bodies};
    snapshot.for_each_species([&](const Part& part, std::size_t k) {
        SpeciesReader{part, k, bodies, progress};
        ids.read(part, k, static_cast<std::size_t>(part.counts[k]));
    });
    ids.add_note(scene);
    validate(bodies, path.string());
    simplify_species(bodies);
    const Part& part = snapshot.named();
    take_universe(scene, part);
    take_units(scene, part.file);
    take_steps(scene, part.file);
    add_notes(scene, part);
    note_duplicate_ids(scene);
    return scene;
}

void write_gadget(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    write_gadget(scene, bodies, path, {});
}

void write_gadget(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path,
                  const GadgetOutput& how) {
    how.single ? check_single_precision(bodies, path.string(), "this file", kMostRows)
               : validate(bodies, path.string());
    Counts counts{};
    for (std::size_t i = 0; i < bodies.size(); ++i) ++counts[static_cast<std::size_t>(bodies.species_of(i))];
    Writer file{path, 0};
    write_header(file, scene, counts);
    FileProgress progress{"writing", bodies.size(), sizeof(Vec4d)};
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (counts[k] > 0) {
            write_species(file, bodies, static_cast<Species>(k), counts[k], how);
            write_convention(file, scene, group_of(k));
        }
        progress.add(counts[k]);
    }
    file.commit();
}

}  // namespace orrery::hdf5
