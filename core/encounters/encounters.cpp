// SPDX-License-Identifier: MIT
#include "core/encounters/encounters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/physics/pair_law.hpp"
#include "core/spatial/contacts.hpp"

namespace orrery {
namespace {

/// Rounds as the state does. GCC 12 at -O3 optimises several conversions to float and back away.
double in_float(double x) {
    volatile const float kept = static_cast<float>(x);
    return kept;
}

/// Sets of bodies joined by contacts (union-find).
class Groups {
public:
    explicit Groups(std::size_t count) : root_(count) { std::iota(root_.begin(), root_.end(), 0u); }
    std::uint32_t of(std::uint32_t i) {
        while (root_[i] != i) i = root_[i] = root_[root_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        const auto [low, high] = std::minmax({of(a), of(b)});  // by value
        root_[high] = low;
    }

private:
    std::vector<std::uint32_t> root_;
};

class Meeting {
public:
    Meeting(Pool& pool, const EncounterRule& rule, const Gravity& gravity, const MeetingStep& step, Bodies& bodies,
            EncounterLedger& ledger)
        : pool_{pool},
          rule_{rule},
          gravity_{gravity},
          step_{step},
          bodies_{bodies},
          ledger_{ledger},
          pair_{pair_constants<double>(gravity)} {}

    MeetingOutcome operator()() {
        const std::size_t count = bodies_.size();
        const bool only_marked = rule_.kind == EncounterKind::kAccrete;
        std::vector<double> radius(count);
        std::vector<std::uint8_t> looks(only_marked ? count : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const bool point = only_marked && !is_marked(bodies_, i);
            radius[i] = point ? 0 : radius_of(rule_, bodies_.position_mass[i].w, is_marked(bodies_, i));
            if (only_marked) looks[i] = is_marked(bodies_, i);
        }
        if (only_marked && std::ranges::find(looks, 1) == looks.end()) return {};
        const std::vector<Contact> found = contacts(pool_, {step_.before, bodies_.position_mass, radius, looks});
        if (found.empty()) return {};
        changed_.assign(count, 0);
        merge_all(found);
        if (rule_.kind == EncounterKind::kBounce)
            for (const Contact& contact : found) bounce(contact, radius[contact.first] + radius[contact.second]);
        for (std::uint32_t i = 0; i < count; ++i)
            if (changed_[i]) out_.changed.push_back(i);
        return std::move(out_);
    }

private:
    struct Member {
        bool marked;
        double mass;
        std::uint64_t id;
        std::uint32_t body;
        double when;  ///< of its first contact within the group
    };

    bool merges(const Contact& contact) const {
        return rule_.kind == EncounterKind::kMerge || is_marked(bodies_, contact.first) ||
               is_marked(bodies_, contact.second);
    }
    /// The unmarked body of a pair with one marked body, otherwise empty.
    std::optional<std::uint32_t> swallowed(const Contact& contact) const {
        const bool first = is_marked(bodies_, contact.first), second = is_marked(bodies_, contact.second);
        if (rule_.kind == EncounterKind::kMerge || first == second) return std::nullopt;
        return first ? contact.second : contact.first;
    }

    void merge_all(const std::vector<Contact>& found) {
        Groups groups{bodies_.size()};
        std::vector<double> when(bodies_.size(), 2);
        std::vector<std::uint32_t> touched;
        for (const Contact& contact : found) {
            if (!merges(contact)) continue;
            const auto prey = swallowed(contact);
            if (prey && when[*prey] <= 1) continue;  // already absorbed by another one
            groups.join(contact.first, contact.second);
            for (const std::uint32_t body : {contact.first, contact.second}) {
                if (when[body] > 1) touched.push_back(body);
                when[body] = std::min(when[body], contact.when);
            }
        }
        if (touched.empty()) return;
        out_.removed.assign(bodies_.size(), 0);
        std::vector<std::pair<std::uint32_t, Member>> members;
        for (const std::uint32_t body : touched)
            members.push_back(
                {groups.of(body),
                 {is_marked(bodies_, body), bodies_.position_mass[body].w, bodies_.ids[body], body, when[body]}});
        std::ranges::sort(members, {}, [](const auto& each) {
            return std::tuple{each.first, each.second.when, each.second.id, each.second.body};
        });
        std::vector<std::span<std::pair<std::uint32_t, Member>>> all;
        for (auto from = members.begin(); from != members.end();) {
            const auto to = std::find_if(from, members.end(), [&](const auto& m) { return m.first != from->first; });
            all.emplace_back(from, to);
            from = to;
        }
        std::ranges::sort(all, {}, [](const auto& group) {
            return std::pair{group.front().second.when, group.front().second.id};
        });
        for (const auto& group : all) merge_group(group);
    }

    void merge_group(std::span<std::pair<std::uint32_t, Member>> group) {
        const auto heir = std::ranges::max_element(group, {}, [](const auto& each) {
            const Member& m = each.second;
            return std::tuple{m.marked, m.mass, ~m.id, ~m.body};
        });
        for (auto& each : group)
            if (&each != &*heir) take_in(heir->second.body, each.second);
    }

    Vec4d kept(Vec3d place, double mass) const {
        if (!step_.single) return {place.x, place.y, place.z, mass};
        return {in_float(place.x), in_float(place.y), in_float(place.z), in_float(mass)};
    }
    Vec3d kept(Vec3d velocity) const { return xyz(kept(velocity, 0)); }

    struct Conserved {
        double mass, energy;
        Vec3d momentum, angular_momentum;
    };
    /// Conserved quantities of two bodies on their own.
    Conserved conserved(std::uint32_t i, std::uint32_t j) const {
        Conserved sum{0, 0, {}, {}};
        for (const std::uint32_t b : {i, j}) {
            const Vec4d& x = bodies_.position_mass[b];
            const Vec3d &v = bodies_.velocity[b], p = x.w * v;
            sum.mass += x.w, sum.energy += 0.5 * dot(p, v);
            sum.momentum = sum.momentum + p, sum.angular_momentum = sum.angular_momentum + cross(xyz(x), p);
        }
        const Vec4d &a = bodies_.position_mass[i], &b = bodies_.position_mass[j];
        sum.energy += a.w * b.w * potential(xyz(a) - xyz(b));
        return sum;
    }
    /// Potential of two unit masses at this distance.
    double potential(Vec3d apart) const {
        const double r2 = dot(apart, apart);
        if (gravity_.law == PairLaw::kSpline)
            return r2 > kTouching<double> || pair_.h > 0
                       ? -gravity_.constant *
                             spline_term(pair_, std::sqrt(r2), 1 / std::sqrt(std::max(r2, 1e-200))).depth
                       : 0;
        const double soft2 = r2 + pair_.softening2;
        return soft2 > kTouching<double> ? -gravity_.constant / std::sqrt(soft2) : 0;
    }
    /// Change of the pair's potential energy in the field of all other bodies when the pair moves or merges.
    double change_outside(std::uint32_t i, std::uint32_t j, const Vec4d& i_now, const Vec4d& j_now) const {
        const Vec4d i_was = bodies_.position_mass[i], j_was = bodies_.position_mass[j];
        double change = 0;
        for (const double part : by_blocks(pool_, bodies_.size(), [&](std::size_t first, std::size_t last) {
                 double sum = 0;
                 for (std::size_t k = first; k < last; ++k) {
                     const Vec4d& other = bodies_.position_mass[k];
                     if (k == i || k == j || other.w == 0) continue;
                     const auto of = [&](const Vec4d& body) {
                         return body.w == 0 ? 0 : body.w * potential(xyz(body) - xyz(other));
                     };
                     sum += other.w * (of(i_now) - of(i_was) + of(j_now) - of(j_was));
                 }
                 return sum;
             }))
            change += part;
        return change;
    }

    /// Moves both bodies to their new state and records what that changes in the ledger.
    double book(std::uint32_t i, std::uint32_t j, const Vec4d& i_now, const Vec4d& j_now, Vec3d i_v, Vec3d j_v) {
        const Conserved was = conserved(i, j);
        const bool still = i_now == bodies_.position_mass[i] && j_now == bodies_.position_mass[j];
        const double outside = still ? 0 : change_outside(i, j, i_now, j_now);
        bodies_.position_mass[i] = i_now, bodies_.position_mass[j] = j_now;
        bodies_.velocity[i] = i_v, bodies_.velocity[j] = j_v;
        const Conserved is = conserved(i, j);
        const double taken = was.energy - is.energy - outside;
        ledger_.energy += taken;
        ledger_.mass += was.mass - is.mass;
        ledger_.momentum = ledger_.momentum + (was.momentum - is.momentum);
        ledger_.angular_momentum = ledger_.angular_momentum + (was.angular_momentum - is.angular_momentum);
        out_.moved |= !still;
        changed_[i] = 1, changed_[j] = 1;
        return taken;
    }

    void record(EncounterKind kind, double when, std::uint32_t i, std::uint32_t j, const Vec4d& a, const Vec4d& b,
                Vec3d apart_speed, double taken) {
        out_.encounters.push_back({.kind = kind,
                                   .step = step_.number,
                                   .time = step_.end - (1 - when) * step_.dt,
                                   .first = bodies_.ids[i],
                                   .second = bodies_.ids[j],
                                   .mass_first = a.w,
                                   .mass_second = b.w,
                                   .speed = length(apart_speed),
                                   .energy = taken});
        ++(kind == EncounterKind::kMerge    ? ledger_.merges
           : kind == EncounterKind::kBounce ? ledger_.bounces
                                            : ledger_.accretions);
    }

    void take_in(std::uint32_t heir, const Member& other) {
        const std::uint32_t gone = other.body;
        const Vec4d a = bodies_.position_mass[heir], b = bodies_.position_mass[gone];
        const Vec3d va = bodies_.velocity[heir], vb = bodies_.velocity[gone];
        const double part = b.w / (a.w + b.w);
        const Vec4d one = kept(xyz(a) + part * (xyz(b) - xyz(a)), a.w + b.w);
        const Vec3d v = kept(va + part * (vb - va));
        const double taken = book(heir, gone, one, {b.x, b.y, b.z, 0}, v, vb);
        if (!bodies_.charge.empty()) bodies_.charge[heir] += bodies_.charge[gone];
        out_.removed[gone] = 1, changed_[gone] = 0;
        const bool accretes = is_marked(bodies_, heir) && rule_.kind != EncounterKind::kMerge;
        record(accretes ? EncounterKind::kAccrete : EncounterKind::kMerge, other.when, heir, gone, a, b, vb - va,
               taken);
    }

    /// Two bodies that have changed in this step, or touched before it, bounce where they are if they still approach.
    void bounce(const Contact& contact, double reach) {
        const std::uint32_t i = contact.first, j = contact.second;
        if (!out_.removed.empty() && (out_.removed[i] || out_.removed[j])) return;
        const bool passing = contact.when > 0 && !changed_[i] && !changed_[j];
        const Vec4d a = bodies_.position_mass[i], b = bodies_.position_mass[j];
        const double left = passing ? 1 - contact.when : 0;
        const Vec3d way_a = xyz(a) - xyz(step_.before[i]), way_b = xyz(b) - xyz(step_.before[j]);
        const Vec3d line = (xyz(b) - left * way_b) - (xyz(a) - left * way_a);
        const double apart = length(line);
        if (!(apart > 0) || (!passing && apart > reach)) return;
        const Vec3d n = (1 / apart) * line, va = bodies_.velocity[i], vb = bodies_.velocity[j];
        const double approach = dot(vb - va, n);
        // A body that rests on another approaches only by rounding.
        if (approach >= -1e-12 * (length(va) + length(vb))) return;
        const double share_a = b.w / (a.w + b.w), share_b = a.w / (a.w + b.w);
        const double turn = (1 + rule_.restitution) * approach;
        const double shift = left * (1 + rule_.restitution) * std::min(0.0, dot(way_b - way_a, n));
        const Vec4d a_now = kept(xyz(a) + share_a * shift * n, a.w), b_now = kept(xyz(b) - share_b * shift * n, b.w);
        const double taken = book(i, j, a_now, b_now, kept(va + share_a * turn * n), kept(vb - share_b * turn * n));
        record(EncounterKind::kBounce, passing ? contact.when : 1, i, j, a, b, vb - va, taken);
    }

    Pool& pool_;
    const EncounterRule& rule_;
    const Gravity& gravity_;
    const MeetingStep& step_;
    Bodies& bodies_;
    EncounterLedger& ledger_;
    const PairConstants<double> pair_;
    MeetingOutcome out_;
    std::vector<std::uint8_t> changed_;
};

}  // namespace

MeetingOutcome meet(Pool& pool, const EncounterRule& rule, const Gravity& gravity, const MeetingStep& step,
                    Bodies& bodies, EncounterLedger& ledger) {
    return Meeting{pool, rule, gravity, step, bodies, ledger}();
}

}  // namespace orrery
