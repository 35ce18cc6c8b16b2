// SPDX-License-Identifier: MIT
#include "core/simulation/edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t kMostAdded = 1u << 20;

constexpr std::array kEdits{
    EditEntry{.id = "add-body", .label = "One", .doc = "one body", .kind = EditKind::kAddBody, .adds = true},
    EditEntry{.id = "add-cluster",
              .label = "Cluster",
              .doc = "a Plummer sphere in equilibrium",
              .kind = EditKind::kAddCluster,
              .adds = true,
              .orbits = true},
    EditEntry{.id = "add-ring",
              .label = "Ring",
              .doc = "a body, and massless ones on circular orbits about it",
              .kind = EditKind::kAddRing,
              .adds = true,
              .orbits = true},
    EditEntry{.id = "add-disc",
              .label = "Disc",
              .doc = "a disc galaxy with bulge and halo",
              .kind = EditKind::kAddDisc,
              .adds = true,
              .orbits = true},
    EditEntry{.id = "remove", .label = "Delete", .doc = "removes bodies", .kind = EditKind::kRemove},
    EditEntry{.id = "duplicate",
              .label = "Duplicate",
              .doc = "adds the same bodies, shifted",
              .kind = EditKind::kDuplicate,
              .shifts = true},
    EditEntry{.id = "move", .label = "Move", .doc = "shifts bodies", .kind = EditKind::kMove, .shifts = true},
    EditEntry{.id = "throw",
              .label = "Throw",
              .doc = "adds a velocity to that of bodies",
              .kind = EditKind::kThrow,
              .shifts = true},
    EditEntry{.id = "circular",
              .label = "Circular orbit",
              .doc = "a circular orbit about the body that pulls most",
              .kind = EditKind::kCircular,
              .orbits = true},
    EditEntry{.id = "scale-mass",
              .label = "Mass ×",
              .doc = "multiplies masses",
              .kind = EditKind::kScaleMass,
              .scales = true},
    EditEntry{.id = "scale-velocity",
              .label = "Velocity ×",
              .doc = "multiplies velocities",
              .kind = EditKind::kScaleVelocity,
              .scales = true},
    EditEntry{.id = "pin", .label = "Pin", .doc = "bodies keep their place, and go on pulling", .kind = EditKind::kPin},
    EditEntry{.id = "unpin", .label = "Unpin", .doc = "pinned bodies move again, from rest", .kind = EditKind::kUnpin},
    EditEntry{.id = "species",
              .label = "Species",
              .doc = "makes bodies one of Gadget's species, which have colours, and of which boundary accretes",
              .kind = EditKind::kSpecies,
              .sorts = true},
    EditEntry{.id = "name", .label = "Name", .doc = "names a body", .kind = EditKind::kName, .names = true},
    EditEntry{.id = "attract",
              .label = "Attract",
              .doc = "pulls what is within reach to a place",
              .kind = EditKind::kAttract,
              .scales = true,
              .brushes = true},
    EditEntry{.id = "repel",
              .label = "Repel",
              .doc = "pushes what is within reach away from a place",
              .kind = EditKind::kRepel,
              .scales = true,
              .brushes = true},
    EditEntry{.id = "stir",
              .label = "Stir",
              .doc = "turns what is within reach about a place",
              .kind = EditKind::kStir,
              .scales = true,
              .brushes = true},
};

bool finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void require_numbers(const Edit& edit, const EditEntry& entry, const Gravity& gravity) {
    const NewBodies& add = edit.add;
    if (entry.shifts && !finite(edit.by)) usage_error(fmt::format("{}: a shift that is not finite", entry.id));
    if (entry.scales && !(edit.factor >= 0 && std::isfinite(edit.factor)))
        usage_error(fmt::format("{}: the factor {} is not 0 or more", entry.id, edit.factor));
    if (entry.orbits && gravity.law != PairLaw::kGravity && gravity.law != PairLaw::kSpline)
        usage_error(fmt::format("{}: bodies under this law do not orbit each other", entry.id));
    if (!entry.adds && !entry.brushes) return;
    if (!finite(add.position) || !finite(add.velocity))
        usage_error(fmt::format("{}: a position or velocity that is not finite", entry.id));
    if (!(add.mass >= 0 && std::isfinite(add.mass)))
        usage_error(fmt::format("{}: the mass {} is not 0 or more", entry.id, add.mass));
    if (add.count < 1 || add.count > kMostAdded)
        usage_error(fmt::format("{}: {} bodies: 1 to {} can be added at once", entry.id, add.count, kMostAdded));
    if (entry.kind == EditKind::kAddBody) return;
    if (!(add.radius > 0 && std::isfinite(add.radius)))
        usage_error(fmt::format("{}: the radius {} is not positive", entry.id, add.radius));
    if ((entry.kind == EditKind::kAddRing || entry.kind == EditKind::kAddDisc || entry.brushes) &&
        !(finite(add.normal) && length(add.normal) > 0))
        usage_error(fmt::format("{}: the normal of its plane has no direction", entry.id));
}

void require_bodies(const Edit& edit, const EditEntry& entry, const Bodies& bodies) {
    if (entry.adds || entry.brushes) return;
    if (edit.bodies.empty()) usage_error(fmt::format("{}: no body is picked", entry.id));
    for (std::size_t i = 0; i < edit.bodies.size(); ++i) {
        if (edit.bodies[i] >= bodies.size())
            usage_error(
                fmt::format("{}: there is no body {}; the last is {}", entry.id, edit.bodies[i], bodies.size() - 1));
        if (i > 0 && edit.bodies[i] <= edit.bodies[i - 1])
            usage_error(
                fmt::format("{}: bodies must ascend, and {} follows {}", entry.id, edit.bodies[i], edit.bodies[i - 1]));
    }
}

std::uint64_t largest_id(const Bodies& bodies) {
    return bodies.ids.empty() ? 0 : *std::ranges::max_element(bodies.ids);
}

/// What is known of every body becomes known of the last one, too.
void label_last(Bodies& bodies, std::uint64_t id) {
    if (!bodies.names.empty()) bodies.names.emplace_back();
    if (!bodies.species.empty()) bodies.species.push_back(Species::kStars);
    if (!bodies.ids.empty()) bodies.ids.push_back(id);
    if (!bodies.charge.empty()) bodies.charge.push_back(0);
    if (!bodies.pinned.empty()) bodies.pinned.push_back(0);
}

void append(Bodies& bodies, Vec3d position, Vec3d velocity, double mass, std::uint64_t& id) {
    bodies.add(position, velocity, mass);
    label_last(bodies, ++id);
}

/// A Plummer sphere has the virial radius 1 in N-body units, G = M = 1.
void add_cluster(const NewBodies& add, const Gravity& gravity, Bodies& bodies) {
    const Bodies sphere = make_preset("plummer", {.bodies = add.count, .seed = add.seed}).bodies;
    const double speed = std::sqrt(gravity.constant * add.mass / add.radius);
    std::uint64_t id = largest_id(bodies);
    for (std::size_t i = 0; i < sphere.size(); ++i)
        append(bodies, add.position + add.radius * xyz(sphere.position_mass[i]),
               add.velocity + speed * sphere.velocity[i], add.mass * sphere.position_mass[i].w, id);
}

double circular_speed(const Gravity& gravity, double mass, double distance) {
    const double softened = distance * distance + gravity.softening * gravity.softening;
    return distance * std::sqrt(gravity.constant * mass / (softened * std::sqrt(softened)));
}

/// Axes of a plane with this normal: two in it, and the normal.
struct Axes {
    Vec3d x, y, z;
    Vec3d operator()(Vec3d v) const { return v.x * x + v.y * y + v.z * z; }
};
Axes axes_of(Vec3d normal) {
    const Vec3d z = (1 / length(normal)) * normal;
    const Vec3d away = std::abs(z.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d across = cross(z, away), y = (1 / length(across)) * across;
    return {cross(y, z), y, z};
}

/// The preset has G = M = 1 and the scale 1.
void add_disc(const NewBodies& add, const Gravity& gravity, Bodies& bodies) {
    const Bodies disc = make_preset("disc-galaxy", {.bodies = add.count, .seed = add.seed}).bodies;
    const double speed = std::sqrt(gravity.constant * add.mass / add.radius);
    const Axes axes = axes_of(add.normal);
    std::uint64_t id = largest_id(bodies);
    for (std::size_t i = 0; i < disc.size(); ++i) {
        append(bodies, add.position + add.radius * axes(xyz(disc.position_mass[i])),
               add.velocity + speed * axes(disc.velocity[i]), add.mass * disc.position_mass[i].w, id);
        if (!bodies.species.empty()) bodies.species.back() = disc.species_of(i);
    }
}

void brush(const Edit& edit, Bodies& bodies) {
    const Vec3d at = edit.add.position, axis = (1 / length(edit.add.normal)) * edit.add.normal;
    const double reach = edit.add.radius;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d off = (1 / reach) * (xyz(bodies.position_mass[i]) - at);
        const double within = 1 - dot(off, off);
        if (!(within > 0) || (!bodies.pinned.empty() && bodies.pinned[i])) continue;
        const Vec3d way = edit.kind == EditKind::kStir    ? cross(axis, off)
                          : edit.kind == EditKind::kRepel ? off
                                                          : -1.0 * off;
        bodies.velocity[i] = bodies.velocity[i] + edit.factor * within * within * way;
    }
}

void pin(const std::vector<std::uint32_t>& which, bool on, Bodies& bodies) {
    if (bodies.pinned.empty()) bodies.pinned.resize(bodies.size());
    for (const std::uint32_t i : which) {
        bodies.pinned[i] = on;
        if (on) bodies.velocity[i] = {};
    }
    if (std::ranges::find(bodies.pinned, 1) == bodies.pinned.end()) bodies.pinned.clear();
}

void add_ring(const NewBodies& add, const Gravity& gravity, Bodies& bodies) {
    const auto [x, y, z] = axes_of(add.normal);
    const double speed = circular_speed(gravity, add.mass, add.radius);
    std::uint64_t id = largest_id(bodies);
    append(bodies, add.position, add.velocity, add.mass, id);
    for (std::uint32_t i = 0; i < add.count; ++i) {
        const double angle = 2 * std::numbers::pi * i / add.count;
        const Vec3d out = std::cos(angle) * x + std::sin(angle) * y;
        append(bodies, add.position + add.radius * out, add.velocity + speed * cross(z, out), 0, id);
    }
}

template <class Value>
void keep_others(std::vector<Value>& values, const std::vector<bool>& removed) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!removed[i]) {
            if (kept != i) values[kept] = std::move(values[i]);
            ++kept;
        }
    values.resize(kept);
}

void remove(const std::vector<std::uint32_t>& which, Bodies& bodies) {
    if (which.size() == bodies.size()) usage_error("remove: one body at least must stay");
    std::vector<bool> removed(bodies.size());
    for (const std::uint32_t i : which) removed[i] = true;
    keep_others(bodies.position_mass, removed), keep_others(bodies.velocity, removed);
    keep_others(bodies.names, removed), keep_others(bodies.species, removed);
    keep_others(bodies.ids, removed), keep_others(bodies.charge, removed);
    keep_others(bodies.pinned, removed);
}

void duplicate(const std::vector<std::uint32_t>& which, Vec3d by, Bodies& bodies) {
    if (which.size() > kMostAdded)
        usage_error(fmt::format("duplicate: {} bodies: up to {} can be added at once", which.size(), kMostAdded));
    std::uint64_t id = largest_id(bodies);
    for (const std::uint32_t i : which) {
        const Vec4d body = bodies.position_mass[i];
        append(bodies, xyz(body) + by, bodies.velocity[i], body.w, id);
        if (!bodies.species.empty()) bodies.species.back() = bodies.species[i];
        if (!bodies.charge.empty()) bodies.charge.back() = bodies.charge[i];
    }
}

/// The other body with the largest m / r².
std::size_t strongest(const Bodies& bodies, std::size_t of) {
    std::size_t found = of;
    double most = 0;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Vec3d apart = xyz(bodies.position_mass[j]) - xyz(bodies.position_mass[of]);
        const double distance2 = dot(apart, apart);
        if (j == of || !(distance2 > 0) || !(bodies.position_mass[j].w / distance2 > most)) continue;
        found = j, most = bodies.position_mass[j].w / distance2;
    }
    if (found == of) usage_error(fmt::format("circular: nothing else has mass, and body {} has nothing to orbit", of));
    return found;
}

/// Where there is no motion, or one straight to or from the centre, about z; on that axis about x.
Vec3d orbit_axis(Vec3d out, Vec3d relative_velocity) {
    for (const Vec3d spin : {cross(out, relative_velocity), cross(out, cross(Vec3d{0, 0, 1}, out))})
        if (length(spin) > 1e-9 * length(out) * std::max(length(relative_velocity), 1e-300) && length(spin) > 0)
            return (1 / length(spin)) * spin;
    return {1, 0, 0};
}

void make_circular(std::size_t i, const Gravity& gravity, const Bodies& before, Bodies& bodies) {
    const std::size_t centre = strongest(before, i);
    const Vec4d body = before.position_mass[i], about = before.position_mass[centre];
    const Vec3d apart = xyz(body) - xyz(about), out = (1 / length(apart)) * apart;
    const double speed = circular_speed(gravity, body.w + about.w, length(apart));
    const Vec3d axis = orbit_axis(out, before.velocity[i] - before.velocity[centre]);
    bodies.velocity[i] = before.velocity[centre] + speed * cross(axis, out);
}

void change(const Edit& edit, const Gravity& gravity, Bodies& bodies) {
    switch (edit.kind) {
        case EditKind::kAddBody: {
            std::uint64_t id = largest_id(bodies);
            return append(bodies, edit.add.position, edit.add.velocity, edit.add.mass, id);
        }
        case EditKind::kAddCluster:
            return add_cluster(edit.add, gravity, bodies);
        case EditKind::kAddRing:
            return add_ring(edit.add, gravity, bodies);
        case EditKind::kAddDisc:
            return add_disc(edit.add, gravity, bodies);
        case EditKind::kRemove:
            return remove(edit.bodies, bodies);
        case EditKind::kDuplicate:
            return duplicate(edit.bodies, edit.by, bodies);
        case EditKind::kCircular: {
            const Bodies before = bodies;
            for (const std::uint32_t i : edit.bodies) make_circular(i, gravity, before, bodies);
            return;
        }
        case EditKind::kMove:
            for (const std::uint32_t i : edit.bodies) {
                Vec4d& body = bodies.position_mass[i];
                body = {body.x + edit.by.x, body.y + edit.by.y, body.z + edit.by.z, body.w};
            }
            return;
        case EditKind::kThrow:
            for (const std::uint32_t i : edit.bodies) bodies.velocity[i] = bodies.velocity[i] + edit.by;
            return;
        case EditKind::kScaleMass:
            for (const std::uint32_t i : edit.bodies) bodies.position_mass[i].w *= edit.factor;
            return;
        case EditKind::kScaleVelocity:
            for (const std::uint32_t i : edit.bodies) bodies.velocity[i] = edit.factor * bodies.velocity[i];
            return;
        case EditKind::kPin:
        case EditKind::kUnpin:
            return pin(edit.bodies, edit.kind == EditKind::kPin, bodies);
        case EditKind::kSpecies:
            bodies.species.resize(bodies.size(), Species::kHalo);
            for (const std::uint32_t i : edit.bodies) bodies.species[i] = edit.species;
            return;
        case EditKind::kName:
            if (edit.bodies.size() != 1) usage_error("name: one body at a time");
            bodies.names.resize(bodies.size());
            bodies.names[edit.bodies.front()] = edit.name;
            return;
        case EditKind::kAttract:
        case EditKind::kRepel:
        case EditKind::kStir:
            return brush(edit, bodies);
    }
}

}  // namespace

std::span<const EditEntry> edit_kinds() { return kEdits; }
const EditEntry& edit_kind(EditKind kind) { return *std::ranges::find(kEdits, kind, &EditEntry::kind); }

Bodies edited(const Edit& edit, const Gravity& gravity, Bodies bodies) {
    const EditEntry& entry = edit_kind(edit.kind);
    require_numbers(edit, entry, gravity);
    require_bodies(edit, entry, bodies);
    change(edit, gravity, bodies);
    validate(bodies, std::string{entry.id});
    return bodies;
}

}  // namespace orrery
