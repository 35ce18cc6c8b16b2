// SPDX-License-Identifier: MIT
#include "core/simulation/edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

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
    EditEntry{
        .id = "pin", .label = "Pin", .doc = "fixes bodies in place; they still attract others", .kind = EditKind::kPin},
    EditEntry{.id = "unpin", .label = "Unpin", .doc = "releases pinned bodies, from rest", .kind = EditKind::kUnpin},
    EditEntry{.id = "species",
              .label = "Species",
              .doc = "assigns one of Gadget's species, which sets the colour; species boundary accretes",
              .kind = EditKind::kSpecies,
              .sorts = true},
    EditEntry{.id = "name", .label = "Name", .doc = "names a body", .kind = EditKind::kName, .names = true},
    EditEntry{.id = "attract",
              .label = "Attract",
              .doc = "pulls bodies within reach towards a point",
              .kind = EditKind::kAttract,
              .scales = true,
              .brushes = true},
    EditEntry{.id = "repel",
              .label = "Repel",
              .doc = "pushes bodies within reach away from a point",
              .kind = EditKind::kRepel,
              .scales = true,
              .brushes = true},
    EditEntry{.id = "stir",
              .label = "Stir",
              .doc = "turns bodies within reach about a point",
              .kind = EditKind::kStir,
              .scales = true,
              .brushes = true},
};

constexpr std::uint32_t kMostAdded = 1u << 20;

bool finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void require_numbers(const Edit& edit, const EditEntry& entry, const Gravity& gravity) {
    const NewBodies& add = edit.add;
    if (entry.shifts && !finite(edit.by)) usage_error(fmt::format("{}: the shift is not finite", entry.id));
    if (entry.scales && !(edit.factor >= 0 && std::isfinite(edit.factor)))
        usage_error(fmt::format("{}: the factor {} is not 0 or more", entry.id, edit.factor));
    if (entry.orbits && gravity.law != PairLaw::kGravity && gravity.law != PairLaw::kSpline)
        usage_error(fmt::format("{}: bodies under this law do not orbit each other", entry.id));
    if (!entry.adds && !entry.brushes) return;
    if (!finite(add.position) || !finite(add.velocity))
        usage_error(fmt::format("{}: the position or velocity is not finite", entry.id));
    if (!(add.mass >= 0 && std::isfinite(add.mass)))
        usage_error(fmt::format("{}: the mass {} is not 0 or more", entry.id, add.mass));
    if (add.count < 1 || add.count > kMostAdded)
        usage_error(
            fmt::format("{}: cannot add {} bodies at once; the range is 1 to {}", entry.id, add.count, kMostAdded));
    if (entry.kind == EditKind::kAddBody) return;
    if (!(add.radius > 0 && std::isfinite(add.radius)))
        usage_error(fmt::format("{}: the radius {} is not positive", entry.id, add.radius));
    if ((entry.kind == EditKind::kAddRing || entry.kind == EditKind::kAddDisc || entry.brushes) &&
        !(finite(add.normal) && length(add.normal) > 0))
        usage_error(fmt::format("{}: the normal of its plane has no direction", entry.id));
}

void require_bodies(const Edit& edit, const EditEntry& entry, const BodyReader& bodies) {
    if (entry.adds || entry.brushes) return;
    if (edit.bodies.empty()) usage_error(fmt::format("{}: no body is picked", entry.id));
    for (std::size_t i = 0; i < edit.bodies.size(); ++i) {
        if (edit.bodies[i] >= bodies.size())
            usage_error(
                fmt::format("{}: there is no body {}; the last is {}", entry.id, edit.bodies[i], bodies.size() - 1));
        if (i > 0 && edit.bodies[i] <= edit.bodies[i - 1])
            usage_error(fmt::format("{}: body indices must ascend, but {} follows {}", entry.id, edit.bodies[i],
                                    edit.bodies[i - 1]));
    }
}

std::uint64_t largest_id(const Bodies& labels) {
    return labels.ids.empty() ? 0 : *std::ranges::max_element(labels.ids);
}

/// New bodies, with a value in each label column that the other bodies have, and ids above all others.
class Newcomers {
public:
    explicit Newcomers(const BodyReader& others) : others_{others} {}

    void add(Vec3d position, Vec3d velocity, double mass) {
        if (bodies.size() == 0) id_ = largest_id(others_.labels());
        bodies.add(position, velocity, mass);
        const Bodies& like = others_.labels();
        if (!like.names.empty()) bodies.names.emplace_back();
        if (!like.species.empty()) bodies.species.push_back(Species::kStars);
        if (!like.ids.empty()) bodies.ids.push_back(++id_);
        if (!like.charge.empty()) bodies.charge.push_back(0);
        if (!like.pinned.empty()) bodies.pinned.push_back(0);
    }

    Bodies bodies;

private:
    const BodyReader& others_;
    std::uint64_t id_ = 0;
};

/// A Plummer sphere has virial radius 1 in N-body units, G = M = 1.
void add_cluster(const NewBodies& add, const Gravity& gravity, Newcomers& come) {
    const Bodies sphere = make_preset("plummer", {.bodies = add.count, .seed = add.seed}).bodies;
    const double speed = std::sqrt(gravity.constant * add.mass / add.radius);
    for (std::size_t i = 0; i < sphere.size(); ++i)
        come.add(add.position + add.radius * xyz(sphere.position_mass[i]), add.velocity + speed * sphere.velocity[i],
                 add.mass * sphere.position_mass[i].w);
}

double circular_speed(const Gravity& gravity, double mass, double distance) {
    const double softened = distance * distance + gravity.softening * gravity.softening;
    return distance * std::sqrt(gravity.constant * mass / (softened * std::sqrt(softened)));
}

/// Axes of a plane with this normal: two in the plane, and the normal.
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

/// The preset has G = M = 1 and scale length 1.
void add_disc(const NewBodies& add, const Gravity& gravity, Newcomers& come) {
    const Bodies disc = make_preset("disc-galaxy", {.bodies = add.count, .seed = add.seed}).bodies;
    const double speed = std::sqrt(gravity.constant * add.mass / add.radius);
    const Axes axes = axes_of(add.normal);
    for (std::size_t i = 0; i < disc.size(); ++i) {
        come.add(add.position + add.radius * axes(xyz(disc.position_mass[i])),
                 add.velocity + speed * axes(disc.velocity[i]), add.mass * disc.position_mass[i].w);
        if (!come.bodies.species.empty()) come.bodies.species.back() = disc.species_of(i);
    }
}

void add_ring(const NewBodies& add, const Gravity& gravity, Newcomers& come) {
    const auto [x, y, z] = axes_of(add.normal);
    const double speed = circular_speed(gravity, add.mass, add.radius);
    come.add(add.position, add.velocity, add.mass);
    for (std::uint32_t i = 0; i < add.count; ++i) {
        const double angle = 2 * std::numbers::pi * i / add.count;
        const Vec3d out = std::cos(angle) * x + std::sin(angle) * y;
        come.add(add.position + add.radius * out, add.velocity + speed * cross(z, out), 0);
    }
}

void duplicate(const std::vector<std::uint32_t>& which, Vec3d by, const BodyReader& bodies, Newcomers& come) {
    if (which.size() > kMostAdded)
        usage_error(
            fmt::format("duplicate: cannot add {} bodies at once; the maximum is {}", which.size(), kMostAdded));
    const Bodies& labels = bodies.labels();
    for (const std::uint32_t i : which) {
        const Vec4d body = bodies.position_mass(i);
        come.add(xyz(body) + by, bodies.velocity(i), body.w);
        if (!labels.species.empty()) come.bodies.species.back() = labels.species[i];
        if (!labels.charge.empty()) come.bodies.charge.back() = labels.charge[i];
    }
}

void arrive(Newcomers come, const BodyReader& bodies, BodyChange& change) {
    change.kind = BodyChange::Kind::kInsert;
    change.rows.resize(come.bodies.size());
    std::iota(change.rows.begin(), change.rows.end(), static_cast<std::uint32_t>(bodies.size()));
    change.after = std::move(come.bodies);
}

template <class Value>
std::vector<Value> some_of(const std::vector<Value>& column, const std::vector<std::uint32_t>& rows) {
    std::vector<Value> some;
    if (column.empty()) return some;
    some.reserve(rows.size());
    for (const std::uint32_t i : rows) some.push_back(column[i]);
    return some;
}

void remove(const std::vector<std::uint32_t>& which, const BodyReader& bodies, BodyChange& change) {
    if (which.size() == bodies.size()) usage_error("remove: at least one body must remain");
    change.kind = BodyChange::Kind::kErase;
    const Bodies& labels = bodies.labels();
    change.before = {.names = some_of(labels.names, which),
                     .species = some_of(labels.species, which),
                     .ids = some_of(labels.ids, which),
                     .pinned = some_of(labels.pinned, which),
                     .charge = some_of(labels.charge, which)};
    for (const BodyField& field : labels.fields)
        change.before.fields.push_back(with_values(field, some_of(*field.values, which)));
    for (const std::uint32_t i : which)
        change.before.add(xyz(bodies.position_mass(i)), bodies.velocity(i), bodies.position_mass(i).w);
}

void brush(const Edit& edit, const BodyReader& bodies, BodyChange& change) {
    const Vec3d at = edit.add.position, axis = (1 / length(edit.add.normal)) * edit.add.normal;
    const double reach = edit.add.radius;
    const auto& pinned = bodies.labels().pinned;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d off = (1 / reach) * (xyz(bodies.position_mass(i)) - at);
        const double within = 1 - dot(off, off);
        if (!(within > 0) || (!pinned.empty() && pinned[i])) continue;
        const Vec3d way = edit.kind == EditKind::kStir    ? cross(axis, off)
                          : edit.kind == EditKind::kRepel ? off
                                                          : -1.0 * off;
        const Vec3d velocity = bodies.velocity(i);
        change.rows.push_back(static_cast<std::uint32_t>(i));
        change.before.velocity.push_back(velocity);
        change.after.velocity.push_back(velocity + edit.factor * within * within * way);
    }
}

void pin(bool on, const BodyReader& bodies, BodyChange& change) {
    const auto& pinned = bodies.labels().pinned;
    change.before.pinned = some_of(pinned, change.rows);
    change.after.pinned.assign(change.rows.size(), on);
    if (on) {
        for (const std::uint32_t i : change.rows) change.before.velocity.push_back(bodies.velocity(i));
        change.after.velocity.resize(change.rows.size());
    }
    const auto held = std::ranges::count(change.before.pinned, 1);
    change.has.pinned = on || std::ranges::count(pinned, 1) > held;  // other bodies remain pinned
}

/// The other body with the largest m / r².
std::size_t strongest(const BodyReader& bodies, std::size_t of) {
    std::size_t found = of;
    double most = 0;
    const Vec3d here = xyz(bodies.position_mass(of));
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Vec4d other = bodies.position_mass(j);
        const Vec3d apart = xyz(other) - here;
        const double distance2 = dot(apart, apart);
        if (j == of || !(distance2 > 0) || !(other.w / distance2 > most)) continue;
        found = j, most = other.w / distance2;
    }
    if (found == of) usage_error(fmt::format("circular: body {} has nothing to orbit: no other body has mass", of));
    return found;
}

/// Axis of the orbit. Without motion, or with purely radial motion, the z axis; on the z axis, the x axis.
Vec3d orbit_axis(Vec3d out, Vec3d relative_velocity) {
    for (const Vec3d spin : {cross(out, relative_velocity), cross(out, cross(Vec3d{0, 0, 1}, out))})
        if (length(spin) > 1e-9 * length(out) * std::max(length(relative_velocity), 1e-300) && length(spin) > 0)
            return (1 / length(spin)) * spin;
    return {1, 0, 0};
}

Vec3d circular_velocity(std::size_t i, const Gravity& gravity, const BodyReader& bodies) {
    const std::size_t centre = strongest(bodies, i);
    const Vec4d body = bodies.position_mass(i), about = bodies.position_mass(centre);
    const Vec3d apart = xyz(body) - xyz(about), out = (1 / length(apart)) * apart;
    const double speed = circular_speed(gravity, body.w + about.w, length(apart));
    const Vec3d axis = orbit_axis(out, bodies.velocity(i) - bodies.velocity(centre));
    return bodies.velocity(centre) + speed * cross(axis, out);
}

/// Records old and new velocities, or positions and masses, of the bodies in change.rows.
template <class After>
void set_velocities(const BodyReader& bodies, BodyChange& change, const After& after) {
    change.before.velocity.reserve(change.rows.size()), change.after.velocity.reserve(change.rows.size());
    for (const std::uint32_t i : change.rows) {
        change.before.velocity.push_back(bodies.velocity(i));
        change.after.velocity.push_back(after(i, change.before.velocity.back()));
    }
}
template <class After>
void set_places(const BodyReader& bodies, BodyChange& change, const After& after) {
    change.before.position_mass.reserve(change.rows.size()), change.after.position_mass.reserve(change.rows.size());
    for (const std::uint32_t i : change.rows) {
        change.before.position_mass.push_back(bodies.position_mass(i));
        change.after.position_mass.push_back(after(change.before.position_mass.back()));
    }
}

void fill(const Edit& edit, const Gravity& gravity, const BodyReader& bodies, BodyChange& change) {
    Newcomers come{bodies};
    const Bodies& labels = bodies.labels();
    switch (edit.kind) {
        case EditKind::kAddBody:
            come.add(edit.add.position, edit.add.velocity, edit.add.mass);
            return arrive(std::move(come), bodies, change);
        case EditKind::kAddCluster:
            add_cluster(edit.add, gravity, come);
            return arrive(std::move(come), bodies, change);
        case EditKind::kAddRing:
            add_ring(edit.add, gravity, come);
            return arrive(std::move(come), bodies, change);
        case EditKind::kAddDisc:
            add_disc(edit.add, gravity, come);
            return arrive(std::move(come), bodies, change);
        case EditKind::kDuplicate:
            duplicate(edit.bodies, edit.by, bodies, come);
            return arrive(std::move(come), bodies, change);
        case EditKind::kRemove:
            return remove(edit.bodies, bodies, change);
        case EditKind::kCircular:
            return set_velocities(bodies, change,
                                  [&](std::uint32_t i, Vec3d) { return circular_velocity(i, gravity, bodies); });
        case EditKind::kMove:
            return set_places(bodies, change, [&](Vec4d body) {
                return Vec4d{body.x + edit.by.x, body.y + edit.by.y, body.z + edit.by.z, body.w};
            });
        case EditKind::kThrow:
            return set_velocities(bodies, change, [&](std::uint32_t, Vec3d velocity) { return velocity + edit.by; });
        case EditKind::kScaleMass:
            return set_places(bodies, change, [&](Vec4d body) {
                return Vec4d{body.x, body.y, body.z, body.w * edit.factor};
            });
        case EditKind::kScaleVelocity:
            return set_velocities(bodies, change,
                                  [&](std::uint32_t, Vec3d velocity) { return edit.factor * velocity; });
        case EditKind::kPin:
        case EditKind::kUnpin:
            return pin(edit.kind == EditKind::kPin, bodies, change);
        case EditKind::kSpecies:
            change.before.species = some_of(labels.species, change.rows);
            change.after.species.assign(change.rows.size(), edit.species);
            change.has.species = true;
            return;
        case EditKind::kName:
            if (edit.bodies.size() != 1) usage_error("name: expected one body");
            change.before.names = some_of(labels.names, change.rows);
            change.after.names = {edit.name};
            change.has.names = true;
            return;
        case EditKind::kAttract:
        case EditKind::kRepel:
        case EditKind::kStir:
            return brush(edit, bodies, change);
    }
}

/// Like validate() of all bodies, but checks only the changed ones.
void require_valid(const BodyChange& change, const BodyReader& bodies, std::string_view id) {
    const Bodies& after = change.after;
    for (std::size_t k = 0; k < std::max(after.position_mass.size(), after.velocity.size()); ++k)
        validate_body(std::string{id}, change.rows[k], k < after.size() ? after.position_mass[k] : Vec4d{},
                      k < after.velocity.size() ? after.velocity[k] : Vec3d{});
    const auto heavy = [](const Vec4d& body) { return body.w > 0; };
    if (std::ranges::any_of(after.position_mass, heavy) || std::ranges::none_of(change.before.position_mass, heavy))
        return;
    auto gone = change.rows.begin();  // then another body must have mass
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (gone != change.rows.end() && *gone == i)
            ++gone;
        else if (heavy(bodies.position_mass(i)))
            return;
    }
    usage_error(fmt::format("{}: no body has a mass", id));
}

}  // namespace

std::span<const EditEntry> edit_kinds() { return kEdits; }
const EditEntry& edit_kind(EditKind kind) { return *std::ranges::find(kEdits, kind, &EditEntry::kind); }

BodyChange change_of(const Edit& edit, const Gravity& gravity, const BodyReader& bodies) {
    const EditEntry& entry = edit_kind(edit.kind);
    require_numbers(edit, entry, gravity);
    require_bodies(edit, entry, bodies);
    BodyChange change;
    change.rows = edit.bodies;
    change.had = change.has = label_columns(bodies.labels());
    fill(edit, gravity, bodies, change);
    require_valid(change, bodies, entry.id);
    return change;
}

Bodies edited(const Edit& edit, const Gravity& gravity, Bodies bodies) {
    apply(change_of(edit, gravity, BodyReader{bodies}), bodies);
    validate(bodies, std::string{edit_kind(edit.kind).id});
    return bodies;
}

}  // namespace orrery
