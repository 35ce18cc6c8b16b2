// SPDX-License-Identifier: MIT
#include "core/bodies/body_source.hpp"

#include <algorithm>
#include <array>
#include <future>

#include "core/base/pool.hpp"
#include "core/bodies/sampling.hpp"

namespace orrery {

void BodiesInMemory::read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const {
    std::ranges::copy(std::span{bodies_.position_mass}.subspan(first, position_mass.size()), position_mass.begin());
    std::ranges::copy(std::span{bodies_.velocity}.subspan(first, velocity.size()), velocity.begin());
}

PartOfBodies::PartOfBodies(std::shared_ptr<const BodySource> source, std::size_t first, std::size_t count)
    : source_{std::move(source)}, first_{first}, count_{count} {
    const Bodies& all = source_->labels();
    const auto take = [&](const auto& from, auto& to) {
        if (from.size() >= first + count)
            to.assign(from.begin() + static_cast<std::ptrdiff_t>(first),
                      from.begin() + static_cast<std::ptrdiff_t>(first + count));
    };
    take(all.names, labels_.names), take(all.species, labels_.species), take(all.ids, labels_.ids);
    take(all.pinned, labels_.pinned), take(all.charge, labels_.charge);
}

BodySource::Equal PartOfBodies::masses_from(std::size_t i) const {
    const Equal some = source_->masses_from(first_ + i);
    return {some.mass, std::min(some.end - first_, count_)};
}

void for_stretches(const BodySource& source, const TakeStretch& take) {
    if (const Bodies* bodies = source.in_memory()) return take(0, bodies->position_mass, bodies->velocity);
    struct Stretch {
        std::vector<Vec4d> x;
        std::vector<Vec3d> v;
    };
    std::array<Stretch, 2> both;
    const std::size_t count = source.size();
    const auto read = [&](Stretch& to, std::size_t first) {
        const std::size_t length = std::min(kStretch, count - first);
        to.x.resize(length), to.v.resize(length);
        source.read(first, to.x, to.v);
    };
    if (count > 0) read(both[0], 0);
    std::size_t turn = 0;
    for (std::size_t first = 0; first < count; first += kStretch, turn ^= 1) {
        std::future<void> next;  // its destructor waits
        if (first + kStretch < count)
            next = std::async(std::launch::async, [&, turn, first] { read(both[turn ^ 1], first + kStretch); });
        take(first, both[turn].x, both[turn].v);
        if (next.valid()) next.get();
    }
}

Bodies all_bodies(const BodySource& source) {
    if (const Bodies* bodies = source.in_memory()) return *bodies;
    Bodies all = source.labels();
    all.position_mass.resize(source.size());
    all.velocity.resize(source.size());
    source.read(0, all.position_mass, all.velocity);
    return all;
}

std::optional<std::size_t> first_massless(const BodySource& source) {
    for (std::size_t i = 0; i < source.size();) {
        const BodySource::Equal some = source.masses_from(i);
        if (!(some.mass > 0)) return i;
        i = some.end;
    }
    return std::nullopt;
}

BodyExtent::BodyExtent(std::size_t all, std::size_t samples) : which{sample_indices(all, std::min(all, samples))} {}

void BodyExtent::add(std::span<const Vec4d> position_mass) {
    if (count == 0 && !position_mass.empty()) low = high = xyz(position_mass.front());
    while (sample.size() < which.size() && which[sample.size()] < count + position_mass.size())
        sample.push_back(xyz(position_mass[which[sample.size()] - count]));
    struct Box {
        Vec3d low, high;
        void add(Vec3d least, Vec3d most) {
            low = {std::min(low.x, least.x), std::min(low.y, least.y), std::min(low.z, least.z)};
            high = {std::max(high.x, most.x), std::max(high.y, most.y), std::max(high.z, most.z)};
        }
    };
    Box all{low, high};
    const auto enclose = [&](std::size_t from, std::size_t to) {
        Box box = all;
        for (std::size_t i = from; i < to; ++i) box.add(xyz(position_mass[i]), xyz(position_mass[i]));
        return box;
    };
    Pool pool{0, false};
    for (const Box& part : by_blocks(pool, position_mass.size(), enclose)) all.add(part.low, part.high);
    low = all.low, high = all.high;
    count += position_mass.size();
}

void MeasuredSource::read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const {
    source_.read(first, position_mass, velocity);
    if (first == extent_.count) extent_.add(position_mass);
}

const BodyExtent& MeasuredSource::extent() const {
    if (extent_.count < size()) {
        extent_ = BodyExtent{size(), extent_.which.size()};
        for_stretches(source_, [&](std::size_t, std::span<const Vec4d> x, std::span<const Vec3d>) { extent_.add(x); });
    }
    return extent_;
}

}  // namespace orrery
