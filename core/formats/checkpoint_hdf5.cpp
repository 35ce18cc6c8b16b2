// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/formats/checkpoint_hdf5.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/snapshot_rows.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery::hdf5 {
namespace {

// Version 1: scenes alone, without integrator and adaptive steps; 2: gravity only; 3: other laws or charges;
// 4: encounters or pinned bodies.
constexpr int kVersion = 4, kVersionOfLaws = 3, kVersionOfGravity = 2, kOldest = 1;
static_assert(std::endian::native == std::endian::little);

/// FNV-1a over words of 64 bits (Fowler, Noll, Vo), the last one padded with zeros. Each step is invertible, so a
/// change in any one word changes the checksum.
class Checksum {
public:
    void add(std::span<const std::byte> bytes) {  // whole words except in the last call
        for (std::size_t i = 0; i < bytes.size(); i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
            sum_ = (sum_ ^ word) * 0x100000001b3ull;
        }
    }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325ull;
};

std::uint64_t checksum_of(InputFile& file) {
    Checksum sum;
    file.seek(kCheckpointBlock);
    std::vector<std::byte> block;
    while (file.position() < file.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, file.size() - file.position())));
        file.read(block);
        sum.add(block);
    }
    return sum.value();
}

/// The header text: one line, padded with newlines.
std::string block_text(int version, std::uint64_t bytes, std::uint64_t sum) {
    std::string text = fmt::format("{}{} bytes={} fnv1a={:016x}\n", kCheckpointMagic, version, bytes, sum);
    text.resize(kCheckpointBlock, '\n');
    return text;
}

static_assert(sizeof(Vec4d) == 32 && sizeof(Vec3d) == 24);

/// Stores all names in one character column, with the end of each name in another.
void write_names(Writer& file, const std::vector<std::string>& names) {
    std::vector<std::uint64_t> ends;
    std::vector<char> letters;
    for (const std::string& name : names) {
        letters.insert(letters.end(), name.begin(), name.end());
        ends.push_back(letters.size());
    }
    write_column(file, "name_ends", ends, 1, H5T_NATIVE_UINT64);
    if (!letters.empty()) write_column(file, "name_letters", letters, 1, H5T_NATIVE_CHAR);
}

void read_names(const Reader& file, std::uint64_t count, std::vector<std::string>& names) {
    std::vector<std::uint64_t> ends;
    read_column(file, "name_ends", count, 1, Number::kUint64, ends);
    if (!std::ranges::is_sorted(ends)) file.refuse("data set name_ends: expected rising numbers");
    std::vector<char> letters;
    if (ends.back() > 0) read_column(file, "name_letters", ends.back(), 1, Number::kChar, letters);
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
        names.emplace_back(letters.data() + begin, letters.data() + end);
        begin = end;
    }
}

/// The velocity column: three numbers a row, or four of which the last is padding.
class VelocityColumn {
public:
    VelocityColumn(const Reader& file, std::uint64_t rows, bool padded)
        : file_{file}, padded_{padded}, column_{file.column("velocity", rows, padded ? 4 : 3, H5T_FLOAT)} {}

    void read(std::uint64_t first, std::uint64_t count, Vec3d* into) {
        if (!padded_) return file_.read(column_, first, count, Number::kDouble, into);
        block_.resize(static_cast<std::size_t>(count));
        file_.read(column_, first, count, Number::kDouble, block_.data());
        std::ranges::transform(block_, into, [](const Vec4d& v) { return xyz(v); });
    }

private:
    const Reader& file_;
    bool padded_;
    ReadColumn column_;
    std::vector<Vec4d> block_;
};

std::uint64_t rows_in(const Reader& file) {
    const double count = file.number("/", "bodies").value_or(0);
    if (!(count >= 1) || count > 1e15) file.refuse("attribute bodies: expected a number of bodies");
    return static_cast<std::uint64_t>(count);
}

void require_known(const Reader& file, const std::vector<Species>& species) {
    if (!std::ranges::all_of(species, [](Species s) { return static_cast<std::size_t>(s) < kSpeciesCount; }))
        file.refuse("data set species: expected numbers from 0 to 5");
}

// Fields are data sets fields/0, fields/1 and so on, with names and units as attributes of the group.
constexpr std::string_view kFields = "fields";

void read_fields(const Reader& file, std::uint64_t rows, std::vector<BodyField>& fields) {
    const std::string group{kFields};
    if (!file.has(group)) return;
    for (std::size_t k = 0; const auto name = file.text(group, fmt::format("name_{}", k)); ++k) {
        std::vector<float> values;
        read_column(file, fmt::format("{}/{}", group, k).c_str(), rows, 1, Number::kFloat, values);
        const bool whole = file.number(group, fmt::format("whole_{}", k)).value_or(0) != 0;
        fields.push_back(
            make_field(*name, file.text(group, fmt::format("unit_{}", k)).value_or(""), std::move(values), whole));
    }
}

void write_fields(Writer& file, const std::vector<BodyField>& fields) {
    if (fields.empty()) return;
    const std::string group{kFields};
    file.group(group);
    for (std::size_t k = 0; k < fields.size(); ++k) {
        file.text(group, fmt::format("name_{}", k).c_str(), fields[k].name);
        file.text(group, fmt::format("unit_{}", k).c_str(), fields[k].unit);
        file.number(group, fmt::format("whole_{}", k).c_str(), fields[k].whole ? 1 : 0);
        write_column(file, fmt::format("{}/{}", group, k).c_str(), *fields[k].values, 1, H5T_NATIVE_FLOAT);
    }
}

void read_bodies(const Reader& file, bool with_state, Bodies& bodies) {
    const std::uint64_t rows = rows_in(file);
    file.column("position_mass", rows, 4, H5T_FLOAT);  // checks the shape before memory is allocated
    require_memory_for(file.path(), rows);
    read_column(file, "position_mass", rows, 4, Number::kDouble, bodies.position_mass);
    VelocityColumn velocities{file, rows, with_state};
    bodies.velocity.resize(static_cast<std::size_t>(rows));
    for_chunks("reading", rows, [&](std::uint64_t first, std::uint64_t count) {
        velocities.read(first, count, bodies.velocity.data() + first);
    });
    if (file.has("ids")) read_column(file, "ids", rows, 1, Number::kUint64, bodies.ids);
    if (file.has("name_ends")) read_names(file, rows, bodies.names);
    if (file.has("pinned")) read_column(file, "pinned", rows, 1, Number::kUint8, bodies.pinned);
    if (file.has("charge")) read_column(file, "charge", rows, 1, Number::kDouble, bodies.charge);
    read_fields(file, rows, bodies.fields);
    if (!file.has("species")) return;
    read_column(file, "species", rows, 1, Number::kUint8, bodies.species);
    require_known(file, bodies.species);
}

/// Files without a law (all of version 2) use gravity.
Gravity read_gravity(const Reader& file, double constant, double softening) {
    Gravity gravity{.constant = constant, .softening = softening};
    const auto id = file.text("/", "law");
    if (!id) return gravity;
    const auto law = std::ranges::find(pair_laws(), *id, &PairLawEntry::id);
    if (law == pair_laws().end()) file.refuse(fmt::format("attribute law: expected {}", ids(pair_laws())));
    gravity.law = law->value;
    gravity.sigma = file.number("/", "sigma").value_or(0);
    gravity.cut_off = file.number("/", "cut_off").value_or(0);
    try {
        validate(gravity);
    } catch (const Error& error) {
        file.refuse(error.what());
    }
    return gravity;
}

/// Files without an encounter rule have encounters disabled.
EncounterRule read_encounters(const Reader& file) {
    EncounterRule rule;
    const auto id = file.text("/", "encounters");
    if (!id) return rule;
    const auto kind = std::ranges::find(encounter_kinds(), *id, &EncounterEntry::id);
    if (kind == encounter_kinds().end())
        file.refuse(fmt::format("attribute encounters: expected {}", ids(encounter_kinds())));
    rule.kind = kind->kind;
    rule.density = file.number("/", "body_density").value_or(0);
    rule.radius = file.number("/", "body_radius").value_or(0);
    rule.restitution = file.number("/", "restitution").value_or(1);
    try {
        validate(rule);
    } catch (const Error& error) {
        file.refuse(error.what());
    }
    return rule;
}

/// Everything in the file except the bodies.
Scene read_about(const Reader& file) {
    Scene scene;
    scene.id = file.path().filename().string();
    scene.label = file.text("/", "label").value_or(scene.id);
    const auto number = [&](const char* name, double least, std::optional<double> otherwise = std::nullopt) {
        const auto value = file.number("/", name);
        if (!value && otherwise) return *otherwise;
        if (!value || !std::isfinite(*value) || *value < least)
            file.refuse(fmt::format("attribute {}: missing or out of range", name));
        return *value;
    };
    constexpr double any = -std::numeric_limits<double>::max(), above_zero = std::numeric_limits<double>::denorm_min();
    scene.gravity = read_gravity(file, number("G", above_zero), number("softening", 0));
    scene.encounters = read_encounters(file);
    scene.dt = number("dt", above_zero);
    scene.adaptive = number("adaptive", 0, 0);
    scene.integrator = file.text("/", "integrator").value_or(scene.integrator);
    scene.time = number("time", any);
    scene.scale_factor = number("scale_factor", 0, 0);
    scene.box = number("box", 0, 0);
    if (const auto values = file.numbers("/", "cosmology"); values && values->size() == 7) {
        const std::vector<double>& v = *values;
        if (std::ranges::all_of(v, [](double x) { return std::isfinite(x); }))
            scene.cosmology = {v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
    }
    scene.days_per_time = number("days_per_time", 0);
    scene.steps_per_frame = static_cast<int>(std::min(number("steps_per_frame", 1), 1e6));
    scene.length_unit = file.text("/", "length_unit").value_or("");
    scene.mass_unit = file.text("/", "mass_unit").value_or("");
    return scene;
}

/// Adds the note for the state of a run, opened as a scene.
void note_state(Scene& scene) {
    scene.notes.push_back(
        fmt::format("{}: opened with the bodies, time, dt, softening and integrator of the run; engine and "
                    "accelerations are restored only by `orrery run --resume`",
                    scene.id));
}

}  // namespace

void check_whole(const std::filesystem::path& path) {
    InputFile file{path};
    const auto refuse = [&](const std::string& what) { usage_error(fmt::format("{}: {}", path.string(), what)); };
    if (file.size() < kCheckpointBlock) refuse("truncated: ends within its first 512 bytes");
    std::string text(kCheckpointBlock, '\0');
    file.read(std::as_writable_bytes(std::span{text}));
    if (!text.starts_with(kCheckpointMagic)) refuse("byte 0: expected \"orrery checkpoint\"");
    int version = 0;
    const char* digits = text.data() + kCheckpointMagic.size();
    std::from_chars(digits, text.data() + text.size(), version);
    if (version < kOldest || version > kVersion)
        refuse(fmt::format("expected a checkpoint of version {} to {}, found {}", kOldest, kVersion, version));
    const std::string found = block_text(version, file.size(), checksum_of(file));
    if (text != found)
        refuse(fmt::format("truncated or modified: expected \"{}\", found size and checksum \"{}\"",
                           text.substr(0, std::min<std::size_t>(text.find('\n'), 80)),
                           found.substr(0, found.find('\n'))));
}

void seal(Writer& file, const Scene& scene) {
    file.close();
    InputFile written{file.temporary()};
    const int version = needs_encounters(scene) ? kVersion : needs_law(scene) ? kVersionOfLaws : kVersionOfGravity;
    const std::string text = block_text(version, written.size(), checksum_of(written));
    std::fstream begin{file.temporary(), std::ios::binary | std::ios::in | std::ios::out};
    begin.write(text.data(), static_cast<std::streamsize>(text.size()));
    begin.close();
    if (!begin) file.fail();
    file.commit();
}

bool needs_encounters(const Scene& scene) {
    return scene.encounters != EncounterRule{} || !scene.bodies.pinned.empty();
}
bool needs_law(const Scene& scene) { return scene.gravity.law != PairLaw::kGravity || !scene.bodies.charge.empty(); }

Scene read_scene(const Reader& file, bool with_state) {
    Scene scene = read_about(file);
    read_bodies(file, with_state, scene.bodies);
    validate(scene.bodies, file.path().string());
    note_duplicate_ids(scene);
    return scene;
}

namespace {

/// A column of numbers of the bodies, number_of(body).
template <class T, class NumberOf>
void write_numbers(Writer& file, const char* name, std::size_t bodies, std::uint64_t columns, hid_t type,
                   const NumberOf& number_of) {
    const Column column = file.column(name, bodies, columns, type);
    std::vector<T> some;
    for_chunks("writing", bodies, [&](std::uint64_t first, std::uint64_t count) {
        some.clear();
        for (std::uint64_t i = first; i < first + count; ++i) some.push_back(number_of(static_cast<std::size_t>(i)));
        file.write(column, first, count, type, some.data());
    });
}

void write_about(Writer& file, const Scene& scene, std::size_t bodies) {
    file.number("/", "bodies", static_cast<double>(bodies));
    file.number("/", "G", scene.gravity.constant);
    file.number("/", "softening", scene.gravity.softening);
    if (needs_law(scene)) {
        file.text("/", "law", std::string{pair_law(scene.gravity.law).id});
        file.number("/", "sigma", scene.gravity.sigma);
        file.number("/", "cut_off", scene.gravity.cut_off);
    }
    if (needs_encounters(scene)) {
        file.text("/", "encounters", std::string{encounter_kind(scene.encounters.kind).id});
        file.number("/", "body_density", scene.encounters.density);
        file.number("/", "body_radius", scene.encounters.radius);
        file.number("/", "restitution", scene.encounters.restitution);
    }
    file.number("/", "dt", scene.dt);
    file.number("/", "adaptive", scene.adaptive);
    file.text("/", "integrator", scene.integrator);
    file.number("/", "time", scene.time);
    file.number("/", "scale_factor", scene.scale_factor);
    file.number("/", "box", scene.box);
    if (const Cosmology& c = scene.cosmology; c != Cosmology{})
        file.numbers("/", "cosmology",
                     {c.omega, c.lambda, c.hubble, c.scale_factor, c.length_a, c.length_h, c.velocity_a});
    file.number("/", "days_per_time", scene.days_per_time);
    file.number("/", "steps_per_frame", scene.steps_per_frame);
    file.text("/", "label", scene.label);
    file.text("/", "length_unit", scene.length_unit);
    file.text("/", "mass_unit", scene.mass_unit);
}

void write_others(Writer& file, const Bodies& labels) {
    if (!labels.charge.empty()) write_column(file, "charge", labels.charge, 1, H5T_NATIVE_DOUBLE);
    if (!labels.pinned.empty()) write_column(file, "pinned", labels.pinned, 1, H5T_NATIVE_UINT8);
    if (!labels.names.empty()) write_names(file, labels.names);
    write_fields(file, labels.fields);
}

}  // namespace

void write_scene(Writer& file, const Scene& scene, std::size_t bodies) {
    write_about(file, scene, bodies);
    const Bodies& labels = scene.bodies;
    if (!labels.ids.empty()) write_column(file, "ids", labels.ids, 1, H5T_NATIVE_UINT64);
    if (!labels.species.empty()) write_column(file, "species", labels.species, 1, H5T_NATIVE_UINT8);
    write_others(file, labels);
}

Scene read_checkpoint(const std::filesystem::path& path) {
    check_whole(path);
    const Reader file{path};
    const bool with_state = file.has("simulation");
    Scene scene = read_scene(file, with_state);
    if (with_state) note_state(scene);
    return scene;
}

namespace {

class CheckpointRows final : public SnapshotRows {
public:
    CheckpointRows(const std::filesystem::path& path, WithIds ids)
        : file_{path},
          rows_{rows_in(file_)},
          places_{file_.column("position_mass", rows_, 4, H5T_FLOAT)},
          velocities_{file_, rows_, file_.has("simulation")} {
        about_ = read_about(file_);
        size_ = rows_;
        softening_ = about_.gravity.softening, dt_ = about_.dt;
        if (file_.has("simulation")) note_state(about_);
        if (ids == WithIds::kYes && file_.has("ids")) ids_ = file_.column("ids", rows_, 1, H5T_INTEGER);
        if (file_.has("species")) species_ = file_.column("species", rows_, 1, H5T_INTEGER);
        for (const std::string_view other : {"name_ends", "pinned", "charge", "fields"})
            complete_ = complete_ && !file_.has(std::string{other});
    }
    void read(std::uint64_t first, std::size_t count, Bodies& into) override {
        into.position_mass.resize(count), into.velocity.resize(count);
        for (std::uint64_t done = 0; done < count; done += kRows) {
            const std::uint64_t now = std::min<std::uint64_t>(kRows, count - done);
            file_.read(places_, first + done, now, Number::kDouble, into.position_mass.data() + done);
            velocities_.read(first + done, now, into.velocity.data() + done);
        }
        read_labels(ids_, Number::kUint64, first, count, into.ids);
        read_labels(species_, Number::kUint8, first, count, into.species);
        require_known(file_, into.species);
    }

private:
    template <class T>
    void read_labels(const std::optional<ReadColumn>& column, Number type, std::uint64_t first, std::size_t count,
                     std::vector<T>& into) const {
        into.resize(column ? count : 0);
        for (std::uint64_t done = 0; done < into.size(); done += kRows)
            file_.read(*column, first + done, std::min<std::uint64_t>(kRows, count - done), type, into.data() + done);
    }

    Reader file_;
    std::uint64_t rows_;
    ReadColumn places_;
    VelocityColumn velocities_;
    std::optional<ReadColumn> ids_, species_;
};

}  // namespace

std::unique_ptr<SnapshotRows> checkpoint_rows(const std::filesystem::path& path, WithIds ids) {
    check_whole(path);
    return std::make_unique<CheckpointRows>(path, ids);
}

void write_checkpoint(const Scene& scene, const BodyStretches& bodies, const std::filesystem::path& path) {
    validate(bodies, path.string());
    const std::size_t count = bodies.size();
    Writer file{path, kCheckpointBlock};
    write_about(file, scene, count);
    if (bodies.with_ids())
        write_numbers<std::uint64_t>(file, "ids", count, 1, H5T_NATIVE_UINT64,
                                     [&](std::size_t i) { return bodies.id(i); });
    if (bodies.with_species())
        write_numbers<Species>(file, "species", count, 1, H5T_NATIVE_UINT8,
                               [&](std::size_t i) { return bodies.species_of(i); });
    write_others(file, bodies.others());
    write_numbers<Vec4d>(file, "position_mass", count, 4, H5T_NATIVE_DOUBLE,
                         [&](std::size_t i) { return bodies.position_mass(i); });
    write_numbers<Vec3d>(file, "velocity", count, 3, H5T_NATIVE_DOUBLE,
                         [&](std::size_t i) { return bodies.velocity(i); });
    seal(file, scene);
}

}  // namespace orrery::hdf5
