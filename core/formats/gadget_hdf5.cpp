// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/formats/file_progress.hpp"
#include "core/formats/gadget_hdf5.hpp"
#include "core/formats/gadget_hdf5_part.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/hdf5_ids.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "core/formats/suggest.hpp"
#include "core/physics/units.hpp"

namespace orrery::hdf5 {
namespace {

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
    /// Calls f(part, species) for each species that a file holds, file by file. Throws Error{kUsage} unless the files
    /// belong together.
    template <class F>
    void for_each_species(F f) const {
        Counts found{};
        const auto of_part = [&](const Part& part) {
            for (std::size_t k = 0; k < kSpeciesCount; ++k) {
                if (part.counts[k] == 0) continue;
                found[k] += part.counts[k];
                if (found[k] > counts_[k]) refuse_number();
                f(part, k);
            }
        };
        if (stem_.empty()) return of_part(named_);
        for (std::uint64_t i = 0; i < named_.files; ++i) {
            const Part part{path_of(i), named_};
            part.require_beside(named_);
            of_part(part);
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
            read_ids(part.file, column, shape.bytes, ids);
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

/// Takes softening and dt from the file, otherwise derives them from the bodies if these are known.
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

/// The scale factor as defined by Scene. Gadget-4 and AREPO state whether they integrate in it; others set Omega0 = 0
/// if not.
double scale_factor_in(const Reader& file, double time) {
    const auto own = file.number("Header", "Orrery_scale_factor");
    if (own && *own >= 0 && std::isfinite(*own)) return *own;
    const auto say = [&](const char* name) {
        const auto value = file.number("Header", name);
        return value || !file.has("Parameters") ? value : file.number("Parameters", name);
    };
    const auto comoving = say("ComovingIntegrationOn");
    if (comoving && *comoving == 0) return 0;
    return scale_factor_of(time, file.number("Header", "Redshift").value_or(0),
                           comoving || say("Omega0").value_or(0) != 0);
}

void add_notes(Scene& scene, const Part& part) {
    for (const std::string& note : part.notes()) scene.notes.push_back(fmt::format("{}: {}", scene.id, note));
    if (const std::string sets = part.not_read(); !sets.empty())
        scene.notes.push_back(fmt::format("{}: not read: {}", scene.id, sets));
    const Reader& file = part.file;
    const double box = file.number("Header", "BoxSize").value_or(0);
    if (box != 0)
        scene.notes.push_back(fmt::format(
            "{}: has a periodic box of side {}; forces and computed motion are not periodic", scene.id, box));
    if (file.number("Header", "Redshift").value_or(0) != 0 || file.number("Header", "Omega0").value_or(0) != 0)
        scene.notes.push_back(scene.id + ": is a cosmological snapshot; its values are not converted");
    if (scene.scale_factor > 0)
        scene.notes.push_back(fmt::format("{}: its time is the scale factor: {}", scene.id,
                                          clock_text(scene.time, scene.days_per_time, scene.scale_factor)));
}

/// Passes on the bodies of one species of one file, chunk by chunk.
void take_species(const Part& part, std::size_t species, bool with_species, FileProgress& progress,
                  const TakeBodies& take) {
    constexpr std::uint64_t kAtOnce = 4 * kRows;  // whole chunks; other programs use larger ones
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
        if (columns.m) {
            read(*columns.m, first, count);
            for (std::size_t i = 0; i < count; ++i) some.position_mass[i].w = columns.mass_of(numbers[i]);
        }
        if (with_species) some.species.assign(count, static_cast<Species>(species));
        take(some);
        progress.add(count);
    }
}

}  // namespace

SnapshotHead head_of_gadget(const std::filesystem::path& path) {
    const Part part{path};
    const Counts counts = part.all();
    const std::uint64_t bodies = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (bodies == 0) part.file.refuse("holds no bodies");
    return {part.time, bodies, part.one_of_several() ? part.files : 1,
            part.file.number("Header", "BoxSize").value_or(0)};
}

Scene read_gadget_parts(const std::filesystem::path& path, const TakeBodies& take) {
    const Snapshot snapshot{path};
    const std::uint64_t count = snapshot.bodies();
    const bool with_species = !snapshot.only_halo();
    FileProgress progress{"reading", count, sizeof(Vec4d)};
    snapshot.for_each_species(
        [&](const Part& part, std::size_t k) { take_species(part, k, with_species, progress, take); });
    Scene scene;
    scene.id = scene.label = path.filename().string();
    const Part& part = snapshot.named();
    scene.time = part.time, scene.scale_factor = scale_factor_in(part.file, scene.time);
    take_units(scene, part.file);
    take_steps(scene, part.file, false);
    add_notes(scene, part);
    return scene;
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
    scene.time = part.time, scene.scale_factor = scale_factor_in(part.file, scene.time);
    take_units(scene, part.file);
    take_steps(scene, part.file);
    add_notes(scene, part);
    note_duplicate_ids(scene);
    return scene;
}

}  // namespace orrery::hdf5
