// SPDX-License-Identifier: MIT
#include "core/series/member_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

constexpr double kSameUnit = 1e-6;  // relative; files round them

bool same(double a, double b) { return std::abs(a - b) <= kSameUnit * std::max(std::abs(a), std::abs(b)); }

}  // namespace

MemberReader::MemberReader(const Scene& first)
    : count_{first.bodies.size()},
      ids_{first.bodies.ids},
      constant_{first.gravity.constant},
      days_per_time_{first.days_per_time},
      length_unit_{first.length_unit},
      mass_unit_{first.mass_unit} {
    sorted_ = sorted_by_id(ids_);
    const auto twice = std::ranges::adjacent_find(sorted_, {}, [&](std::size_t i) { return ids_[i]; });
    if (twice != sorted_.end()) sorted_.clear();
}

std::vector<std::size_t> MemberReader::sorted_by_id(const std::vector<std::uint64_t>& ids) const {
    std::vector<std::size_t> sorted(ids.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::ranges::sort(sorted, {}, [&](std::size_t i) { return ids[i]; });
    return sorted;
}

TimedBodies MemberReader::read(const SeriesMember& member) const {
    Scene scene = read_snapshot(member.path);
    const std::string path = member.path.string();
    if (scene.time != member.time)
        usage_error(fmt::format("{}: has changed: its time was {} and is {}", path, member.time, scene.time));
    if (scene.bodies.size() != count_)
        usage_error(fmt::format("{}: holds {} bodies, the series {}", path, scene.bodies.size(), count_));
    require_units(member, scene);
    put_in_order(member, scene.bodies);
    Bodies& bodies = scene.bodies;
    return {.time = member.time,
            .box = member.box,
            .bodies = {.position_mass = std::move(bodies.position_mass), .velocity = std::move(bodies.velocity)}};
}

void MemberReader::require_units(const SeriesMember& member, const Scene& scene) const {
    const auto refuse = [&](const char* what, const std::string& found, const std::string& expected) {
        usage_error(fmt::format("{}: its unit of {} is {}, that of the series {}", member.path.string(), what,
                                found.empty() ? "not named" : found, expected.empty() ? "not named" : expected));
    };
    if (scene.length_unit != length_unit_) refuse("length", scene.length_unit, length_unit_);
    if (scene.mass_unit != mass_unit_) refuse("mass", scene.mass_unit, mass_unit_);
    if (!same(scene.days_per_time, days_per_time_))
        refuse("time", fmt::format("{} days", scene.days_per_time), fmt::format("{} days", days_per_time_));
    if (!same(scene.gravity.constant, constant_))
        usage_error(fmt::format("{}: G is {} in its units, {} in those of the series", member.path.string(),
                                scene.gravity.constant, constant_));
}

void MemberReader::put_in_order(const SeriesMember& member, Bodies& bodies) const {
    if (!by_ids() || bodies.ids == ids_) return;
    const std::vector<std::size_t> sorted = sorted_by_id(bodies.ids);
    std::vector<Vec4d> position_mass(count_);
    std::vector<Vec3d> velocity(count_);
    for (std::size_t i = 0; i < count_; ++i) {
        if (sorted.empty() || bodies.ids[sorted[i]] != ids_[sorted_[i]])
            usage_error(fmt::format("{}: has other bodies than the series: body {} is missing", member.path.string(),
                                    ids_[sorted_[i]]));
        position_mass[sorted_[i]] = bodies.position_mass[sorted[i]];
        velocity[sorted_[i]] = bodies.velocity[sorted[i]];
    }
    bodies.position_mass = std::move(position_mass);
    bodies.velocity = std::move(velocity);
}

}  // namespace orrery
