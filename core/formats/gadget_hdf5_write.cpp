// SPDX-License-Identifier: MIT
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/formats/file_progress.hpp"
#include "core/formats/gadget_hdf5.hpp"
#include "core/formats/gadget_order.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/limits.hpp"
#include "core/physics/units.hpp"

namespace orrery::hdf5 {
namespace {

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
    for (const auto& [name, value] : {std::pair{"Time", scene.time},
                                      {"Redshift", redshift_of(scene.time, scene.scale_factor)},
                                      {"BoxSize", 0.0},
                                      {"Orrery_G", scene.gravity.constant},
                                      {"Orrery_softening", scene.gravity.softening},
                                      {"Orrery_dt", scene.dt},
                                      {"Orrery_scale_factor", scene.scale_factor},
                                      {"Orrery_days_per_time", scene.days_per_time}})
        file.number("Header", name, value);
    write_units(file, scene);
    file.text("Header", "Orrery_length_unit", scene.length_unit);
    file.text("Header", "Orrery_mass_unit", scene.mass_unit);
}

void write_ids(Writer& file, const Bodies& bodies, Species species, std::uint64_t count, const GadgetOutput& how) {
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
        ids.push_back(bodies.ids.empty() ? i + 1 : bodies.ids[i]);
        if (ids.size() == kRows) flush();
    });
    flush();
}

void write_species(Writer& file, const Bodies& bodies, Species species, std::uint64_t count, const GadgetOutput& how) {
    const std::string group = group_of(static_cast<std::size_t>(species));
    file.group(group);
    const auto rows = [&](const char* name, std::uint64_t columns, auto put) {
        RowWriter to{file, group + "/" + name, count, columns, how};
        gadget::of_species(bodies, species, [&](std::size_t i) { put(to, i); });
        to.flush();
    };
    const auto xyz_of = [](const auto& vectors) {
        return [&](RowWriter& to, std::size_t i) { to.put({vectors[i].x, vectors[i].y, vectors[i].z}); };
    };
    const auto w_of = [](const auto& vectors) { return [&](RowWriter& to, std::size_t i) { to.put({vectors[i].w}); }; };
    rows("Coordinates", 3, xyz_of(bodies.position_mass));
    rows("Velocities", 3, xyz_of(bodies.velocity));
    rows("Masses", 1, w_of(bodies.position_mass));
    write_ids(file, bodies, species, count, how);
    if (how.accelerations.empty()) return;
    rows("Acceleration", 3, xyz_of(how.accelerations));
    if (how.potentials) rows("Potential", 1, w_of(how.accelerations));
}

}  // namespace

void write_gadget(const Scene& scene, const std::filesystem::path& path) { write_gadget(scene, path, {}); }

void write_gadget(const Scene& scene, const std::filesystem::path& path, const GadgetOutput& how) {
    how.single ? check_single_precision(scene, path.string(), "this file", kMostRows)
               : validate(scene.bodies, path.string());
    Counts counts{};
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        ++counts[static_cast<std::size_t>(scene.bodies.species_of(i))];
    Writer file{path, 0};
    write_header(file, scene, counts);
    FileProgress progress{"writing", scene.bodies.size(), sizeof(Vec4d)};
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (counts[k] > 0) write_species(file, scene.bodies, static_cast<Species>(k), counts[k], how);
        progress.add(counts[k]);
    }
    file.commit();
}

}  // namespace orrery::hdf5
