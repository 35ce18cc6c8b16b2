// SPDX-License-Identifier: MIT
#include "core/series/member_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

constexpr double kSameUnit = 1e-6;  // relative; files store rounded values

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

MemberReader::Read MemberReader::read(const SeriesMember& member) const {
    Scene scene = read_snapshot(member.path);
    const std::string path = member.path.string();
    if (scene.time != member.stated)
        usage_error(fmt::format("{}: has changed: its time was {} and is {}", path, member.stated, scene.time));
    Bodies& bodies = scene.bodies;
    const bool same_number = bodies.size() == count_;
    if (!same_number && (!by_ids() || bodies.ids.empty()))
        usage_error(fmt::format("{}: holds {} bodies, the series {}", path, bodies.size(), count_));
    require_units(member, scene);
    std::string remark;
    if (!same_number || !put_in_order(bodies)) remark = take_common(member, bodies);
    return {{.time = member.time,
             .box = member.box,
             .bodies = {.position_mass = std::move(bodies.position_mass), .velocity = std::move(bodies.velocity)},
             .scale_factor = scene.scale_factor},
            std::move(remark)};
}

void MemberReader::require_units(const SeriesMember& member, const Scene& scene) const {
    const auto refuse = [&](const char* what, const std::string& found, const std::string& expected) {
        usage_error(fmt::format("{}: its unit of {} is {}, that of the series is {}", member.path.string(), what,
                                found.empty() ? "not named" : found, expected.empty() ? "not named" : expected));
    };
    if (scene.length_unit != length_unit_) refuse("length", scene.length_unit, length_unit_);
    if (scene.mass_unit != mass_unit_) refuse("mass", scene.mass_unit, mass_unit_);
    if (!same(scene.days_per_time, days_per_time_))
        refuse("time", fmt::format("{} days", scene.days_per_time), fmt::format("{} days", days_per_time_));
    if (!same(scene.gravity.constant, constant_))
        usage_error(fmt::format("{}: G is {} in its units, but {} in those of the series", member.path.string(),
                                scene.gravity.constant, constant_));
}

/// False: it has other bodies.
bool MemberReader::put_in_order(Bodies& bodies) const {
    if (!by_ids() || bodies.ids == ids_) return true;
    if (bodies.ids.empty()) return false;
    const std::vector<std::size_t> sorted = sorted_by_id(bodies.ids);
    std::vector<Vec4d> position_mass(count_);
    std::vector<Vec3d> velocity(count_);
    for (std::size_t i = 0; i < count_; ++i) {
        if (bodies.ids[sorted[i]] != ids_[sorted_[i]]) return false;
        position_mass[sorted_[i]] = bodies.position_mass[sorted[i]];
        velocity[sorted_[i]] = bodies.velocity[sorted[i]];
    }
    bodies.position_mass = std::move(position_mass);
    bodies.velocity = std::move(velocity);
    return true;
}

/// Puts the bodies that the snapshot shares with the first one into the order of the first.
std::string MemberReader::take_common(const SeriesMember& member, Bodies& bodies) const {
    const std::vector<std::size_t> sorted = sorted_by_id(bodies.ids);
    const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(bodies.position_mass, {}, &Vec4d::w) -
                                                   bodies.position_mass.begin());
    const Vec4d& place = bodies.position_mass[heaviest];
    std::vector<Vec4d> position_mass(count_, {place.x, place.y, place.z, 0});
    std::vector<Vec3d> velocity(count_, bodies.velocity[heaviest]);
    std::size_t common = 0;
    std::optional<std::uint64_t> lacking;
    auto at = sorted.begin();
    for (const std::size_t body : sorted_) {
        while (at != sorted.end() && bodies.ids[*at] < ids_[body]) ++at;
        if (at == sorted.end() || bodies.ids[*at] != ids_[body]) {
            if (!lacking) lacking = ids_[body];
            continue;
        }
        position_mass[body] = bodies.position_mass[*at];
        velocity[body] = bodies.velocity[*at];
        ++common, ++at;
    }
    const std::string path = member.path.string();
    if (2 * common < std::max(count_, bodies.size()))
        usage_error(
            fmt::format("{}: has other bodies than the series: only {} of {} are the same", path, common, count_));
    std::string remark = path + ":";
    if (common < count_)
        remark += fmt::format(
            " lacks {} of {} bodies of the first snapshot (the first has id {}): they are shown without "
            "mass at the position of the heaviest body",
            count_ - common, count_, *lacking);
    if (common < bodies.size())
        remark += fmt::format("{} {} bodies that are not in the first snapshot are not shown",
                              common < count_ ? ";" : "", bodies.size() - common);
    bodies.position_mass = std::move(position_mass);
    bodies.velocity = std::move(velocity);
    return remark;
}

}  // namespace orrery
