// SPDX-License-Identifier: MIT
#include "core/catalogues/halo_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/analysis/analyses.hpp"
#include "core/analysis/analysis_settings.hpp"
#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/base/text.hpp"
#include "core/catalogues/halo_units.hpp"
#include "core/formats/input_file.hpp"

namespace orrery {
namespace {

[[noreturn]] void refuse_members(const HaloCatalogue& catalogue, const Halo& halo, const std::string& why) {
    usage_error(fmt::format("{}: {} {}: {}; the catalogue belongs to another snapshot", catalogue.path, name(halo.kind),
                            halo.id, why));
}

/// Indices of the bodies in a range of each species.
std::vector<std::uint32_t> bodies_in_range(const HaloCatalogue& catalogue, std::uint32_t halo, const Bodies& bodies) {
    const HaloRange& range = catalogue.ranges[halo];
    std::vector<std::uint32_t> found;
    std::array<std::uint64_t, kSpeciesCount> seen{};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto k = static_cast<std::size_t>(bodies.species_of(i));
        const std::uint64_t place = seen[k]++;
        if (place >= range.first[k] && place - range.first[k] < range.count[k])
            found.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (range.count[k] > 0 && (range.first[k] > seen[k] || range.count[k] > seen[k] - range.first[k]))
            refuse_members(catalogue, catalogue.halos[halo],
                           fmt::format("lists {} bodies of species {} from {} on, but the snapshot has {}",
                                       range.count[k], name(static_cast<Species>(k)), range.first[k], seen[k]));
    return found;
}

/// Ids of the members of a halo from an AHF_particles file: for each halo its number of bodies and its id, then a line
/// with the id of each body.
std::unordered_set<std::uint64_t> listed_ids(const HaloCatalogue& catalogue, const Halo& halo) {
    Lines lines{catalogue.member_file};
    const auto refuse = [&](std::string_view found) {
        usage_error(fmt::format("{}: line {}: expected whole numbers, found \"{}\"", catalogue.member_file,
                                lines.number(), found));
    };
    const auto first_of = [&](std::string_view line, std::string_view& rest) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const auto end = std::min(line.find_first_of(" \t\r"), line.size());
        std::uint64_t number = 0;
        if (!read_number(line.substr(0, end), number)) refuse(line);
        rest = line.substr(end);
        return number;
    };
    std::string_view rest;
    lines.next();  // the number of haloes
    while (const auto head = lines.next()) {
        const std::uint64_t count = first_of(*head, rest);
        const bool wanted = first_of(rest, rest) == halo.id;
        std::unordered_set<std::uint64_t> ids;
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto line = lines.next();
            if (!line)
                usage_error(fmt::format("{}: truncated: expected {} bodies of a halo, found {}", catalogue.member_file,
                                        count, i));
            if (wanted) ids.insert(first_of(*line, rest));
        }
        if (wanted) return ids;
    }
    usage_error(fmt::format("{}: does not list the bodies of halo {}", catalogue.member_file, halo.id));
}

std::vector<std::uint32_t> bodies_with_ids(const HaloCatalogue& catalogue, const Halo& halo, const Bodies& bodies) {
    if (bodies.ids.empty())
        usage_error(fmt::format("{}: lists bodies by id, but the snapshot has no ids", catalogue.member_file));
    const std::unordered_set<std::uint64_t> ids = listed_ids(catalogue, halo);
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (ids.contains(bodies.ids[i])) found.push_back(static_cast<std::uint32_t>(i));
    if (found.size() < ids.size())
        refuse_members(catalogue, halo,
                       fmt::format("lists {} bodies, of which the snapshot has {}", ids.size(), found.size()));
    return found;
}

std::vector<std::uint32_t> bodies_within(const HaloCatalogue& catalogue, const Halo& halo, const Bodies& bodies) {
    if (!(halo.radius > 0))
        usage_error(
            fmt::format("{}: {} {} lists no bodies and states no radius", catalogue.path, name(halo.kind), halo.id));
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d apart = nearest_image(xyz(bodies.position_mass[i]) - halo.position, catalogue.box);
        if (dot(apart, apart) <= halo.radius * halo.radius) found.push_back(static_cast<std::uint32_t>(i));
    }
    return found;
}

}  // namespace

std::string_view name(MembersBy by) {
    switch (by) {
        case MembersBy::kRanges:
            return "by offsets";
        case MembersBy::kIds:
            return "by ids";
        default:
            return "within the radius";
    }
}

HaloMembers members_of(const HaloCatalogue& catalogue, std::uint32_t halo, const Bodies& bodies) {
    const Halo& one = catalogue.halos.at(halo);
    if (!catalogue.ranges.empty()) return {bodies_in_range(catalogue, halo, bodies), MembersBy::kRanges};
    if (!catalogue.member_file.empty()) return {bodies_with_ids(catalogue, one, bodies), MembersBy::kIds};
    return {bodies_within(catalogue, one, bodies), MembersBy::kRadius};
}

std::vector<HaloMatch> match_halos(Pool& pool, const Scene& scene, const HaloCatalogue& catalogue, std::size_t time,
                                   AnalysisSettings settings, std::size_t most) {
    settings.kind = "groups";
    if (settings.period == 0) settings.period = catalogue.box;
    const AnalysisResult found = analyse(pool, scene, settings);
    std::unordered_map<std::uint32_t, std::size_t> ranks;  // by the smallest index of the group
    for (std::size_t rank = 0; rank < found.groups.size(); ++rank)
        ranks.emplace(static_cast<std::uint32_t>(found.groups[rank].first), rank);
    const auto among = catalogue.at(catalogue.times[time]);
    std::vector<std::uint32_t> halos{among.begin(), among.end()};
    const auto is_halo = [&](std::uint32_t i) { return catalogue.halos[i].kind == HaloKind::kHalo; };
    if (std::ranges::any_of(halos, is_halo)) std::erase_if(halos, [&](std::uint32_t i) { return !is_halo(i); });
    sort_halos(catalogue, halos, halo_columns().front(), false);
    halos.resize(std::min(halos.size(), most));
    std::vector<HaloMatch> matches;
    for (const std::uint32_t i : halos) {
        const HaloMembers members = members_of(catalogue, i, scene.bodies);
        HaloMatch match{.halo = i, .members = members.bodies.size()};
        std::unordered_map<std::size_t, std::size_t> shared;
        for (const std::uint32_t body : members.bodies)
            if (const auto rank = ranks.find(found.group_of[body]); rank != ranks.end()) ++shared[rank->second];
        const auto best = std::ranges::max_element(shared, [](const auto& a, const auto& b) {
            return a.second != b.second ? a.second < b.second : a.first > b.first;
        });
        if (best != shared.end()) {
            const BodyGroup& group = found.groups[best->first];
            const Halo& halo = catalogue.halos[i];
            match.group = best->first + 1, match.shared = best->second, match.group_bodies = group.bodies;
            match.distance = length(nearest_image(group.centre - halo.position, catalogue.box));
            match.mass_ratio = group.mass / halo.mass;
        }
        matches.push_back(match);
    }
    return matches;
}

}  // namespace orrery
