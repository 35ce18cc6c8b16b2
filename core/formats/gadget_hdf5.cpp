// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "core/base/error.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/gadget_hdf5.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/hdf5_ids.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "core/formats/suggest.hpp"

namespace orrery::hdf5 {
namespace {

constexpr std::uint64_t kMostFiles = 100'000;

/// One file and what its header says.
struct Part {
    explicit Part(const std::filesystem::path& path) : Part{Reader{path}} {}
    /// Another file of the same snapshot.
    Part(const std::filesystem::path& path, const Part& beside) : Part{Reader{path, beside.file}} {}
    explicit Part(Reader opened) : file{std::move(opened)} {
        if (!file.has("Header")) file.refuse("group Header is missing: not a Gadget or AREPO snapshot");
        counts = counts_of("NumPart_ThisFile", true);
        totals = counts_of("NumPart_Total", false);
        const Counts high = counts_of("NumPart_Total_HighWord", false);
        for (std::size_t k = 0; k < kSpeciesCount; ++k) totals[k] += high[k] << 32;
        const auto table = file.numbers("Header", "MassTable");
        for (std::size_t k = 0; table && k < std::min(table->size(), kSpeciesCount); ++k) {
            masses[k] = (*table)[k];
            if (!(masses[k] >= 0) || !std::isfinite(masses[k]))
                file.refuse(fmt::format("MassTable: expected a mass or 0, found {}", masses[k]));
        }
        time = file.number("Header", "Time").value_or(0);
        if (!std::isfinite(time)) file.refuse(fmt::format("time is {}, expected a finite number", time));
        const double number = file.number("Header", "NumFilesPerSnapshot").value_or(1);
        if (!(number >= 0) || number > kMostFiles) file.refuse(fmt::format("NumFilesPerSnapshot is {}", number));
        files = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(number));
    }

    Counts counts_of(const char* name, bool needed) const {
        Counts result{};
        const auto found = file.numbers("Header", name);
        if (!found && needed) file.refuse(fmt::format("attribute {} of Header is missing", name));
        for (std::size_t k = 0; found && k < found->size(); ++k) {
            const double n = (*found)[k];
            if (!(n >= 0) || n > 1e15 || n != std::floor(n)) file.refuse(fmt::format("{} is {}", name, n));
            if (k >= kSpeciesCount && n > 0)
                file.refuse(fmt::format("{}: bodies of species {}; 0 to 5 are known", name, k));
            if (k < kSpeciesCount) result[k] = static_cast<std::uint64_t>(n);
        }
        return result;
    }

    Reader file;
    Counts counts{}, totals{};
    std::array<double, kSpeciesCount> masses{};
    double time = 0;
    std::uint64_t files = 1;
};
using Parts = std::vector<std::unique_ptr<Part>>;

/// "NAME.3.hdf5" is the fourth of several.
Parts open_parts(const std::filesystem::path& path) {
    Parts parts;
    parts.push_back(std::make_unique<Part>(path));
    const std::uint64_t files = parts.front()->files;
    const Counts totals = parts.front()->totals;
    if (files == 1) return parts;
    const std::filesystem::path without = path.parent_path() / path.stem();
    const std::string number = without.extension().string();
    if (number.size() < 2 || number.find_first_not_of("0123456789", 1) != std::string::npos)
        parts.front()->file.refuse(
            fmt::format("is one of {} files, whose names should end in .0{}", files, path.extension().string()));
    const std::string stem = without.string().substr(0, without.string().size() - number.size());
    const Part named = std::move(*parts.front());
    parts.clear();
    Counts found{};
    for (std::uint64_t i = 0; i < files; ++i) {
        parts.push_back(std::make_unique<Part>(fmt::format("{}.{}{}", stem, i, path.extension().string()), named));
        if (parts.back()->files != files || parts.back()->totals != totals)
            parts.back()->file.refuse("is not of the same snapshot as " + path.string());
        for (std::size_t k = 0; k < kSpeciesCount; ++k) found[k] += parts.back()->counts[k];
    }
    if (found != totals) parts.front()->file.refuse("the number of bodies in all files differs from NumPart_Total");
    return parts;
}

/// The columns of one species of one file.
struct SpeciesColumns {
    SpeciesColumns(const Part& part, std::size_t species)
        : file{part.file}, group{group_of(species)}, count{part.counts[species]}, mass{part.masses[species]} {
        file.require_group(group);
        x = open("Coordinates", 3, H5T_FLOAT), v = open("Velocities", 3, H5T_FLOAT);
        if (has("ParticleIDs")) id = open("ParticleIDs", 1, H5T_INTEGER);
        const bool swift = !has("Masses") && has("DynamicalMasses");  // of black holes
        if (mass == 0) m = open(swift ? "DynamicalMasses" : "Masses", 1, H5T_FLOAT);
    }
    bool has(const char* column) const { return file.has(group + "/" + column); }
    ReadColumn open(const char* name, std::uint64_t columns, H5T_class_t kind) const {
        return file.column(group + "/" + name, count, columns, kind);
    }

    const Reader& file;
    std::string group;
    std::uint64_t count;
    double mass;  ///< of each; 0: they are in m
    ReadColumn x, v, m;
    std::optional<ReadColumn> id;
};

/// Adds the bodies of one species of one file.
class SpeciesReader {
public:
    static constexpr std::uint64_t kNumbers = 7;

    SpeciesReader(const Part& part, std::size_t species, Bodies& bodies, FileProgress& progress)
        : columns_{part, species}, bodies_{bodies}, first_{bodies.size()}, progress_{progress} {
        const double mass = columns_.mass;
        const std::size_t all = first_ + static_cast<std::size_t>(columns_.count);
        // What is reserved takes memory as it is filled: of a file that is refused on the way, no more than was read.
        rows(columns_.x, [&](std::size_t, const double* q) {
            bodies_.position_mass.push_back({q[0], q[1], q[2], mass});
        });
        rows(columns_.v, [&](std::size_t, const double* q) { bodies_.velocity.push_back({q[0], q[1], q[2]}); });
        if (mass == 0) rows(columns_.m, [&](std::size_t i, const double* q) { bodies_.position_mass[i].w = *q; });
        bodies_.ids.resize(all), bodies_.species.resize(all, static_cast<Species>(species));
        if (columns_.id) read_ids(part.file, *columns_.id, std::span{bodies_.ids}.subspan(first_));
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
    FileProgress& progress_;  // of numbers, of which a body has kNumbers
    std::vector<double> buffer_;
};

/// Ids are those of all bodies, or none.
void require_all_ids(const Parts& parts, Scene& scene) {
    for (const auto& part : parts)
        for (std::size_t k = 0; k < kSpeciesCount; ++k) {
            if (part->counts[k] == 0 || part->file.has(group_of(k) + "/ParticleIDs")) continue;
            scene.notes.push_back(
                fmt::format("{}: {}/ParticleIDs is missing; the bodies are read without ids", scene.id, group_of(k)));
            scene.bodies.ids = {};
            return;
        }
}

/// "kpc" and the like for what everybody uses; else nothing.
std::string length_word(double cm) {
    const auto is = [&](const LengthUnit& unit) { return std::abs(cm / unit.cm - 1) < 1e-3; };
    const auto found = std::ranges::find_if(kLengthUnits, is);
    return found == kLengthUnits.end() ? "" : std::string{found->word};
}
std::string mass_word(double g) {
    const auto is = [&](double other) { return std::abs(g / other - 1) < 2e-3; };
    return is(1.989e33) ? "M☉" : is(1.989e43) ? "10¹⁰M☉" : "";
}

/// In cgs: length, mass, velocity.
struct CgsUnits {
    std::optional<double> length, mass, velocity;
};

/// From the header, where AREPO, GIZMO and Orrery keep them, from the parameters, where Gadget-4 does, or from SWIFT's
/// group of units.
CgsUnits cgs_units(const Reader& file) {
    if (file.has("Units")) {
        const auto length = file.number("Units", "Unit length in cgs (U_L)");
        const auto time = file.number("Units", "Unit time in cgs (U_t)");
        CgsUnits units{length, file.number("Units", "Unit mass in cgs (U_M)"), std::nullopt};
        if (length && time) units.velocity = *length / *time;
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

/// What the file says; what it does not say follows from the bodies, where they are known.
void take_steps(Scene& scene, const Reader& file, bool bodies_known = true) {
    const auto softening = file.number("Header", "Orrery_softening"), dt = file.number("Header", "Orrery_dt");
    if (softening && *softening >= 0 && std::isfinite(*softening))
        scene.gravity.softening = *softening;
    else if (bodies_known)
        scene.gravity.softening = suggested_softening(scene.bodies);
    if (dt && *dt > 0 && std::isfinite(*dt))
        scene.dt = *dt;
    else if (bodies_known)
        scene.dt = suggested_dt(scene.bodies, scene.gravity);
}

void add_notes(Scene& scene, const Part& first) {
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (first.files == 1 && first.totals != Counts{} && first.totals[k] != first.counts[k])
            scene.notes.push_back(fmt::format("{}: NumPart_Total gives {} bodies of species {}, but the file holds {}",
                                              scene.id, first.totals[k], k, first.counts[k]));
    const Reader& file = first.file;
    const double box = file.number("Header", "BoxSize").value_or(0);
    if (box != 0)
        scene.notes.push_back(fmt::format(
            "{}: has a periodic box of side {}; forces and computed motion are not periodic", scene.id, box));
    if (file.number("Header", "Redshift").value_or(0) != 0 || file.number("Header", "Omega0").value_or(0) != 0)
        scene.notes.push_back(scene.id + ": is a cosmological snapshot; its values are not converted");
}

/// As many as the files have room for.
std::uint64_t bodies_in(const Parts& parts) {
    std::uint64_t count = 0;
    for (const auto& part : parts)
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            if (part->counts[k] > 0) {
                part->file.column(group_of(k) + "/Coordinates", part->counts[k], 3, H5T_FLOAT);
                count += part->counts[k];
            }
    if (count == 0) parts.front()->file.refuse("holds no bodies");
    return count;
}

/// Hands over the bodies of one species of one file, stretch by stretch.
void take_species(const Part& part, std::size_t species, bool with_species, FileProgress& progress,
                  const TakeBodies& take) {
    constexpr std::uint64_t kAtOnce = 4 * kRows;  // whole chunks, of which others' files have larger ones
    const SpeciesColumns columns{part, species};
    Bodies some;
    std::vector<double> numbers;
    const auto read = [&](const ReadColumn& column, std::uint64_t first, std::size_t count) {
        numbers.resize(count * static_cast<std::size_t>(column.columns));
        columns.file.read(column, first, count, Number::kDouble, numbers.data());
    };
    for (std::uint64_t first = 0; first < columns.count; first += kAtOnce) {
        const auto count = static_cast<std::size_t>(std::min(kAtOnce, columns.count - first));
        some.position_mass.resize(count), some.velocity.resize(count);
        read(columns.x, first, count);
        for (std::size_t i = 0; i < count; ++i)
            some.position_mass[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2], columns.mass};
        read(columns.v, first, count);
        for (std::size_t i = 0; i < count; ++i)
            some.velocity[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        if (columns.mass == 0) {
            read(columns.m, first, count);
            for (std::size_t i = 0; i < count; ++i) some.position_mass[i].w = numbers[i];
        }
        if (with_species) some.species.assign(count, static_cast<Species>(species));
        take(some);
        progress.add(count);
    }
}

}  // namespace

SnapshotHead head_of_gadget(const std::filesystem::path& path) {
    const Part part{path};
    const Counts& counts = part.files > 1 ? part.totals : part.counts;
    const std::uint64_t bodies = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (bodies == 0) part.file.refuse("holds no bodies");
    return {part.time, bodies, part.files, part.file.number("Header", "BoxSize").value_or(0)};
}

Scene read_gadget_parts(const std::filesystem::path& path, const TakeBodies& take) {
    const Parts parts = open_parts(path);
    const std::uint64_t count = bodies_in(parts);
    std::uint64_t halo = 0;
    for (const auto& part : parts) halo += part->counts[static_cast<std::size_t>(Species::kHalo)];
    FileProgress progress{"reading", count, sizeof(Vec4d)};
    for (const auto& part : parts)
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            if (part->counts[k] > 0) take_species(*part, k, halo != count, progress, take);
    Scene scene;
    scene.id = scene.label = path.filename().string();
    const Reader& file = parts.front()->file;
    scene.time = parts.front()->time;
    take_units(scene, file);
    take_steps(scene, file, false);
    add_notes(scene, *parts.front());
    return scene;
}

Scene read_gadget(const std::filesystem::path& path) {
    const Parts parts = open_parts(path);
    Scene scene;
    scene.id = scene.label = path.filename().string();
    Bodies& bodies = scene.bodies;
    const std::uint64_t count = bodies_in(parts);
    require_memory_for(path, count);
    bodies.position_mass.reserve(static_cast<std::size_t>(count));
    bodies.velocity.reserve(static_cast<std::size_t>(count));
    bodies.ids.reserve(static_cast<std::size_t>(count));
    bodies.species.reserve(static_cast<std::size_t>(count));
    FileProgress progress{"reading", count * SpeciesReader::kNumbers, sizeof(double)};
    for (const auto& part : parts)
        for (std::size_t k = 0; k < kSpeciesCount; ++k) {
            if (part->counts[k] > 0) SpeciesReader{*part, k, bodies, progress};
        }
    require_all_ids(parts, scene);
    validate(bodies, path.string());
    simplify_species(bodies);
    const Reader& file = parts.front()->file;
    scene.time = parts.front()->time;
    take_units(scene, file);
    take_steps(scene, file);
    add_notes(scene, *parts.front());
    note_duplicate_ids(scene);
    return scene;
}

}  // namespace orrery::hdf5
