// SPDX-License-Identifier: MIT
#include "core/catalogues/halo_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr double kCmPerKm = 1e5, kSameBox = 1e-3;

/// The unit of a field of the file with its powers of a and h.
HaloUnit unit_of_field(const std::vector<FieldInfo>& fields, std::initializer_list<std::string_view> names, double a,
                       double h) {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(fields, name, &FieldInfo::name);
        if (found == fields.end() || !found->powers || !(found->cgs > 0)) continue;
        const UnitPowers& powers = *found->powers;
        HaloUnit unit{found->unit, found->cgs, powers.a, powers.h};
        if (powers.a != 0) unit.cgs /= std::pow(a, powers.a);
        if (powers.h != 0) unit.cgs /= std::pow(h, powers.h);
        return unit;
    }
    return {};
}

double solar_masses_in(std::string_view word) { return word == "M☉" ? 1 : word == "10¹⁰M☉" ? 1e10 : 0; }

/// Units that the scene names, for formats without units of fields.
void take_scene_units(HaloUnits& units, const Scene& scene) {
    constexpr double kSolarCgs = 1.989e33;
    if (units.length.cgs == 0) units.length = {scene.length_unit, kCmPerKm * kilometres_in(scene.length_unit), 0, 0};
    if (units.mass.cgs == 0) units.mass = {scene.mass_unit, kSolarCgs * solar_masses_in(scene.mass_unit), 0, 0};
    const double speed = kilometres_per_second(scene.length_unit, scene.days_per_time);
    if (units.velocity.cgs == 0 && speed > 0) units.velocity = {"", kCmPerKm * speed, 0, 0};
}

/// Applies Gadget's convention to units without powers.
void adopt_convention(HaloUnits& units) {
    const auto adopt = [](HaloUnit& unit, double a, double h) {
        if (unit.a == 0 && unit.h == 0) unit.a = a, unit.h = h;
    };
    adopt(units.length, 1, -1), adopt(units.mass, 0, -1), adopt(units.velocity, 0.5, 0);
}

double in_box(double x, double box) {
    const double within = x - box * std::floor(x / box);
    return within < box ? within : 0;
}

std::string or_unknown(const std::string& word) { return word.empty() ? "an unknown unit" : word; }

}  // namespace

SnapshotUnits snapshot_units(const std::filesystem::path& path, const Scene& scene) {
    SnapshotUnits found{.path = path.string(), .scale_factor = expansion_of(scene)};
    const std::vector<FieldInfo> fields = fields_of(path);
    double a = found.scale_factor;
    with_format(path, [&](const FormatEntry& entry, const std::filesystem::path& plain) {
        if (entry.head) found.box = entry.head(plain).box;
        if (entry.id != gadget_hdf5_format().id) return;
        const hdf5::StatedUnits stated = hdf5::stated_units(plain);
        found.hubble = stated.h;
        if (stated.a > 0) a = stated.a;
    });
    found.units.length = unit_of_field(fields, {"Coordinates", "Positions"}, a, found.hubble);
    found.units.mass = unit_of_field(fields, {"Masses", "Mass"}, a, found.hubble);
    found.units.velocity = unit_of_field(fields, {"Velocities", "Velocity"}, a, found.hubble);
    take_scene_units(found.units, scene);
    if (scene.scale_factor > 0) adopt_convention(found.units);
    return found;
}

double unit_factor(const HaloUnit& from, const HaloUnit& to, double a, double h) {
    if (!(from.cgs > 0) || !(to.cgs > 0)) return 0;
    const double of_a = from.a - to.a, of_h = from.h - to.h;
    if ((of_a != 0 && !(a > 0)) || (of_h != 0 && !(h > 0))) return 0;
    return from.cgs / to.cgs * std::pow(of_a != 0 ? a : 1, of_a) * std::pow(of_h != 0 ? h : 1, of_h);
}

void convert_halos(HaloCatalogue& catalogue, const SnapshotUnits& to) {
    const double h = catalogue.hubble > 0 ? catalogue.hubble : to.hubble;
    const auto factor = [&](const HaloUnit& from, const HaloUnit& unit, const Halo* halo) {
        return unit_factor(from, unit, halo && halo->scale_factor > 0 ? halo->scale_factor : to.scale_factor, h);
    };
    const HaloUnits from = catalogue.units;
    double by_box = 0;
    const bool lengths = factor(from.length, to.units.length, nullptr) > 0;
    if (!lengths && catalogue.box > 0 && to.box > 0) by_box = to.box / catalogue.box;
    const auto note = [&](const char* what, const HaloUnit& unit) {
        catalogue.notes.push_back(
            fmt::format("{}: {} states no unit of {} to convert to; {} of the catalogue stay in {}", catalogue.path,
                        to.path, what, what, or_unknown(unit.word)));
    };
    if (by_box > 0)
        catalogue.notes.push_back(fmt::format("{}: lengths are converted by the ratio of the boxes, {:.6g} to {:.6g}",
                                              catalogue.path, catalogue.box, to.box));
    else if (!lengths)
        note("lengths", from.length);
    const bool masses = factor(from.mass, to.units.mass, nullptr) > 0;
    if (!masses) note("masses", from.mass);
    const bool velocities = factor(from.velocity, to.units.velocity, nullptr) > 0;
    for (Halo& halo : catalogue.halos) {
        const double length = lengths ? factor(from.length, to.units.length, &halo) : by_box > 0 ? by_box : 1;
        halo.position = length * halo.position;
        halo.radius *= length;
        if (masses) halo.mass *= factor(from.mass, to.units.mass, &halo);
        if (velocities) halo.velocity = factor(from.velocity, to.units.velocity, &halo) * halo.velocity;
        if (to.box > 0)
            halo.position = {in_box(halo.position.x, to.box), in_box(halo.position.y, to.box),
                             in_box(halo.position.z, to.box)};
    }
    if (lengths) {
        catalogue.box *= factor(from.length, to.units.length, nullptr);
        if (catalogue.box > 0 && to.box > 0 && std::abs(catalogue.box / to.box - 1) > kSameBox)
            usage_error(
                fmt::format("{}: its box has the side {:.6g} {}, that of {} {:.6g}: it belongs to another run; "
                            "choose the catalogue of this snapshot",
                            catalogue.path, catalogue.box, to.units.length.word, to.path, to.box));
        catalogue.units.length = to.units.length;
    }
    if (by_box > 0) catalogue.units.length = to.units.length;
    if (to.box > 0) catalogue.box = to.box;
    if (masses) catalogue.units.mass = to.units.mass;
    if (velocities) catalogue.units.velocity = to.units.velocity;
}

std::size_t time_of_snapshot(const HaloCatalogue& catalogue, const SnapshotUnits& snapshot) {
    if (const auto time = catalogue.time_at(snapshot.scale_factor)) return *time;
    const HaloTime &first = catalogue.times.front(), &last = catalogue.times.back();
    if (first.scale_factor <= 0)
        usage_error(
            fmt::format("{}: has haloes of {} snapshots and states no scale factors; choose a catalogue of one "
                        "snapshot",
                        catalogue.path, catalogue.times.size()));
    const std::string has = catalogue.times.size() == 1
                                ? fmt::format("a = {:.6g}", first.scale_factor)
                                : fmt::format("{} times from a = {:.6g} to {:.6g}", catalogue.times.size(),
                                              first.scale_factor, last.scale_factor);
    usage_error(snapshot.scale_factor > 0
                    ? fmt::format("{}: its haloes are of {}, but {} is of a = {:.6g}; choose the catalogue of this "
                                  "snapshot",
                                  catalogue.path, has, snapshot.path, snapshot.scale_factor)
                    : fmt::format("{}: its haloes are of {}, but {} states no scale factor; choose a catalogue of one "
                                  "snapshot",
                                  catalogue.path, has, snapshot.path));
}

void require_among_bodies(const HaloCatalogue& catalogue, std::size_t time, const Bodies& bodies,
                          const SnapshotUnits& snapshot) {
    if (bodies.size() == 0) return;
    Vec3d low = xyz(bodies.position_mass.front()), high = low;
    for (const Vec4d& body : bodies.position_mass) {
        low = {std::min(low.x, body.x), std::min(low.y, body.y), std::min(low.z, body.z)};
        high = {std::max(high.x, body.x), std::max(high.y, body.y), std::max(high.z, body.z)};
    }
    const Vec3d more = 0.1 * (high - low);
    low = low - more, high = high + more;
    std::size_t within = 0;
    const auto halos = catalogue.at(catalogue.times[time]);
    for (const std::uint32_t i : halos) {
        const Vec3d& x = catalogue.halos[i].position;
        within += x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z;
    }
    if (2 * within < halos.size())
        usage_error(
            fmt::format("{}: {} of its {} haloes are among the bodies of {}; it belongs to another snapshot, or "
                        "is in other units ({}) than the bodies",
                        catalogue.path, within, halos.size(), snapshot.path, or_unknown(catalogue.units.length.word)));
}

Vec3d nearest_image(Vec3d offset, double box) {
    if (!(box > 0)) return offset;
    const auto nearest = [&](double d) { return d - box * std::round(d / box); };
    return {nearest(offset.x), nearest(offset.y), nearest(offset.z)};
}

}  // namespace orrery
