// SPDX-License-Identifier: MIT
#include "core/bodies/body_source.hpp"

#include <algorithm>
#include <array>
#include <future>

#include "core/bodies/sampling.hpp"

namespace orrery {

void BodiesInMemory::read(std::size_t first, std::span<Vec4d> position_mass, std::span<Vec3d> velocity) const {
    std::ranges::copy(std::span{bodies_.position_mass}.subspan(first, position_mass.size()), position_mass.begin());
    std::ranges::copy(std::span{bodies_.velocity}.subspan(first, velocity.size()), velocity.begin());
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
    for (const Vec4d& at : position_mass) {
        low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
    }
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
