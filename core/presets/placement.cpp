// SPDX-License-Identifier: MIT
#include "core/presets/placement.hpp"

#include <array>
#include <iterator>
#include <stdexcept>

#include "core/base/pool.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery {
namespace {

/// Sums of masses, positions and momenta, in the order of the bodies.
struct Moments {
    double mass = 0;
    Vec3d place{}, momentum{};

    void add(std::span<const Vec4d> position_mass, std::span<const Vec3d> velocity) {
        for (std::size_t i = 0; i < position_mass.size(); ++i) {
            const Vec4d& p = position_mass[i];
            mass += p.w;
            place = place + p.w * xyz(p);
            momentum = momentum + p.w * velocity[i];
        }
    }
    void add(const Moments& more) {
        mass += more.mass, place = place + more.place, momentum = momentum + more.momentum;
    }
    Placement::Change to_rest() const {
        return [offset = (1 / mass) * place, drift = (1 / mass) * momentum](Vec4d& p, Vec3d& v) {
            p = {p.x - offset.x, p.y - offset.y, p.z - offset.z, p.w};
            v = v - drift;
        };
    }
};

}  // namespace

void centre(Bodies& bodies) {
    Moments moments;
    moments.add(bodies.position_mass, bodies.velocity);
    const Placement::Change change = moments.to_rest();
    for (std::size_t i = 0; i < bodies.size(); ++i) change(bodies.position_mass[i], bodies.velocity[i]);
}

/// The recipe of a placement, as a source.
class Placement::Recipe final : public BodySource {
public:
    explicit Recipe(Placement placed) : placed_{std::move(placed)} {
        placed_.bodies_.species = std::move(placed_.species);
    }
    std::size_t size() const override { return placed_.count_; }
    const Bodies& labels() const override { return placed_.bodies_; }
    Equal masses_from(std::size_t i) const override { return placed_.masses_from(i); }
    bool centred() const override { return true; }
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override {
        placed_.read(first, position_mass, velocity);
    }

private:
    Placement placed_;
};

/// The bodies added so far, from a first one on.
class Placement::Rest final : public BodySource {
public:
    Rest(const Placement& placed, std::size_t first) : placed_{placed}, first_{first} {}
    std::size_t size() const override { return placed_.count_ - first_; }
    const Bodies& labels() const override { return placed_.bodies_; }
    Equal masses_from(std::size_t i) const override { return placed_.masses_from(first_ + i); }
    void read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const override {
        placed_.read(first_ + first, position_mass, velocity);
    }

private:
    const Placement& placed_;
    std::size_t first_;
};

std::vector<Placement::Part>::const_iterator Placement::part_of(std::size_t i) const {
    return std::prev(std::ranges::upper_bound(parts_, i, {}, &Part::first));
}

BodySource::Equal Placement::masses_from(std::size_t i) const {
    const Part& part = *part_of(i);
    if (part.make) return {part.mass, part.first + part.count};
    return {part.position_mass[i - part.first].w, i + 1};
}

void Placement::read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const {
    const std::vector<Piece> all = pieces(first, first + position_mass.size());
    Pool pool{0, false};
    pool.parallel_for(0, all.size(), [&](std::uint64_t k) {
        const std::size_t at = all[k].first - first, length = all[k].end - all[k].first;
        make(all[k], position_mass.subspan(at, length), velocity.subspan(at, length));
    });
}

std::vector<Placement::Piece> Placement::pieces(std::size_t first, std::size_t end) const {
    std::vector<Piece> all;
    if (first == end) return all;
    for (auto part = part_of(first); part != parts_.end() && part->first < end; ++part) {
        const std::size_t to = std::min(end, part->first + part->count);
        for (std::size_t i = std::max(first, part->first); i < to;) {
            const std::size_t next = std::min(to, part->first + ((i - part->first) / kBlock + 1) * kBlock);
            all.push_back({&*part, i, next});
            i = next;
        }
    }
    return all;
}

void Placement::make(const Piece& piece, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const {
    make_blocks(*piece.part, piece.first - piece.part->first, position_mass, velocity);
    for (const ChangeOfRange& each : changes_) {
        const std::size_t from = std::max(piece.first, each.first), to = std::min(piece.end, each.end);
        for (std::size_t i = from; i < to; ++i) each.change(position_mass[i - piece.first], velocity[i - piece.first]);
    }
}

void Placement::add(Vec3d place, Vec3d velocity, double mass) {
    const Vec4d at{place.x, place.y, place.z, mass};
    if (way_ == Way::kInMemory) {
        bodies_.position_mass.push_back(at);
        bodies_.velocity.push_back(velocity);
    } else {
        if (parts_.empty() || parts_.back().make)
            parts_.push_back(Part{.first = count_, .count = 0, .mass = 0, .seed = 0, .make = {}});
        Part& part = parts_.back();
        part.position_mass.push_back(at);
        part.velocity.push_back(velocity);
        ++part.count;
    }
    ++count_;
}

void Placement::add(Bodies bodies) {
    if (count_ > 0) throw std::logic_error{"bodies with labels must be the only ones"};
    count_ = bodies.size();
    bodies_ = std::move(bodies);
    species = std::move(bodies_.species);
    if (way_ == Way::kInMemory) return;
    parts_.push_back(Part{.first = 0, .count = count_, .mass = 0, .seed = 0, .make = {}});
    parts_.back().position_mass = std::exchange(bodies_.position_mass, {});
    parts_.back().velocity = std::exchange(bodies_.velocity, {});
}

void Placement::make_blocks(const Part& part, std::size_t first, std::span<Vec4d> position_mass,
                            std::span<Vec3d> velocity) {
    if (!part.make) {
        std::ranges::copy(std::span{part.position_mass}.subspan(first, position_mass.size()), position_mass.begin());
        std::ranges::copy(std::span{part.velocity}.subspan(first, velocity.size()), velocity.begin());
        return;
    }
    const std::size_t block = first / kBlock, skipped = first - block * kBlock;
    Random own{mixed(part.seed, block)};
    std::vector<NewBody> made(skipped + position_mass.size());  // those skipped draw random numbers too
    part.make(own, block * kBlock, made.data(), made.size());
    for (std::size_t i = 0; i < position_mass.size(); ++i) {
        const NewBody& body = made[skipped + i];
        position_mass[i] = {body.place.x, body.place.y, body.place.z, part.mass};
        velocity[i] = body.velocity;
    }
}

void Placement::add_part(std::size_t count, double mass, std::uint64_t seed, MakeBlock make) {
    Part part{.first = count_, .count = count, .mass = mass, .seed = seed, .make = std::move(make)};
    count_ += count;
    if (way_ == Way::kInStretches) {
        if (count > 0) parts_.push_back(std::move(part));
        return;
    }
    bodies_.position_mass.resize(count_);
    bodies_.velocity.resize(count_);
    const auto x = std::span{bodies_.position_mass}.subspan(part.first);
    const auto v = std::span{bodies_.velocity}.subspan(part.first);
    Pool pool{0, false};
    pool.parallel_for(0, (count + kBlock - 1) / kBlock, [&](std::uint64_t b) {
        const std::size_t first = b * kBlock, length = std::min(kBlock, count - first);
        make_blocks(part, first, x.subspan(first, length), v.subspan(first, length));
    });
}

void Placement::change(std::size_t first, Change change) {
    if (way_ == Way::kInStretches) return changes_.push_back({first, count_, std::move(change)});
    for (std::size_t i = first; i < count_; ++i) change(bodies_.position_mass[i], bodies_.velocity[i]);
}

void Placement::scale_masses(double factor) {
    for (Vec4d& body : bodies_.position_mass) body.w *= factor;
    for (Part& part : parts_) {
        part.mass *= factor;
        for (Vec4d& body : part.position_mass) body.w *= factor;
    }
}

void Placement::centre(std::size_t first) { change(first, to_rest(first)); }

Placement::Change Placement::to_rest(std::size_t first) const {
    Moments moments;
    if (count_ - first >= sums_.by_blocks_from) {
        std::vector<Moments> sums((count_ - first + kBlock - 1) / kBlock);
        const RankPart own = orrery::part_of(sums.size(), sums_.ranks);
        Pool pool{0, false};
        pool.parallel_for(own.first, own.last, [&](std::uint64_t k) {
            const std::size_t from = first + k * kBlock, length = std::min(kBlock, count_ - from);
            if (way_ == Way::kInMemory)
                return sums[k].add(std::span{bodies_.position_mass}.subspan(from, length),
                                   std::span{bodies_.velocity}.subspan(from, length));
            std::vector<Vec4d> x(length);
            std::vector<Vec3d> v(length);
            for (const Piece& piece : pieces(from, from + length)) {
                const std::size_t at = piece.first - from, some = piece.end - piece.first;
                make(piece, std::span{x}.subspan(at, some), std::span{v}.subspan(at, some));
            }
            sums[k].add(x, v);
        });
        if (sums_.ranks) gather_parts(*sums_.ranks, std::span{sums}, sums.size(), 1);
        for (const Moments& each : sums) moments.add(each);
    } else if (way_ == Way::kInMemory) {
        moments.add(std::span{bodies_.position_mass}.subspan(first), std::span{bodies_.velocity}.subspan(first));
    } else {
        for_stretches(Rest{*this, first},
                      [&](std::size_t, std::span<const Vec4d> x, std::span<const Vec3d> v) { moments.add(x, v); });
    }
    return moments.to_rest();
}

Bodies Placement::take_bodies() && {
    if (way_ != Way::kInMemory) throw std::logic_error{"these bodies are made in stretches"};
    bodies_.species = std::move(species);
    return std::move(bodies_);
}

std::shared_ptr<const BodySource> Placement::take_source() && {
    if (way_ != Way::kInStretches) throw std::logic_error{"these bodies are in memory"};
    return std::make_shared<const Recipe>(std::move(*this));
}

}  // namespace orrery
