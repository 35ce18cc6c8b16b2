// SPDX-License-Identifier: MIT
#include "core/catalogues/match.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/analysis/analyses.hpp"
#include "core/catalogues/halo_members.hpp"
#include "core/catalogues/halo_units.hpp"

namespace orrery {

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
