// SPDX-License-Identifier: MIT
#include "core/formats/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"

namespace orrery {
namespace {

/// Reports an id that occurs twice, using one bit per possible id: for small ids.
template <class Report>
void find_duplicates_by_bits(const std::vector<std::uint64_t>& ids, std::uint64_t largest, const Report& report) {
    std::vector<bool> seen(static_cast<std::size_t>(largest) + 1);
    for (const std::uint64_t id : ids) {
        if (seen[static_cast<std::size_t>(id)]) return report(id);
        seen[static_cast<std::size_t>(id)] = true;
    }
}

}  // namespace

void check_single_precision(const BodyStretches& bodies, const std::string& path, std::string_view format,
                            std::uint64_t most) {
    validate(bodies, path);
    if (bodies.size() > most)
        usage_error(fmt::format("{}: {} holds at most {} bodies, found {}", path, format, most, bodies.size()));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4d& p = bodies.position_mass(i);
        const Vec3d& v = bodies.velocity(i);
        const std::array q{p.w, p.x, p.y, p.z, v.x, v.y, v.z};
        for (std::size_t k = 0; k < q.size(); ++k) {
            const float single = static_cast<float>(q[k]);
            if (!std::isfinite(single) || (k == 0 && single == 0 && q[k] != 0))
                usage_error(fmt::format("{}: body {}: {} {} does not fit {}'s single precision; write CSV", path, i,
                                        kQuantities[k], q[k], format));
        }
    }
}

void validate(const BodyStretches& bodies, const std::string& source) {
    if (bodies.others().size() == bodies.size()) return validate(bodies.others(), source);
    double most = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        validate_body(source, i, bodies.position_mass(i), bodies.velocity(i));
        most = std::max(most, bodies.position_mass(i).w);
    }
    if (!(most > 0)) usage_error(fmt::format("{}: no body has a mass", source));
}

void require_memory_for(const std::filesystem::path& path, std::uint64_t bodies) {
    constexpr std::uint64_t kSortedIds = sizeof(std::uint64_t);  // used by note_duplicate_ids()
    constexpr std::uint64_t kBytesPerBody =
        sizeof(Vec4d) + sizeof(Vec3d) + sizeof(std::uint64_t) + sizeof(Species) + kSortedIds;
    require_memory(fmt::format("{} with {} bodies", path.string(), bodies), bodies * kBytesPerBody);
}

void check_unit_constant(const Scene& scene, const std::string& path, std::string_view format) {
    if (scene.gravity.constant != 1)
        usage_error(fmt::format("{}: {} has G = 1, the scene has {}; write CSV", path, format, scene.gravity.constant));
}

void simplify_species(Bodies& bodies) {
    if (std::ranges::all_of(bodies.species, [](Species s) { return s == Species::kHalo; })) bodies.species = {};
}

void note_massless(Scene& scene) {
    std::array<std::uint64_t, kSpeciesCount> found{};
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (scene.bodies.position_mass[i].w == 0) ++found[static_cast<std::size_t>(scene.bodies.species_of(i))];
    note_massless(scene, found, scene.bodies.size(), !scene.bodies.species.empty());
}

void note_massless(Scene& scene, const std::array<std::uint64_t, kSpeciesCount>& massless, std::uint64_t bodies,
                   bool with_species) {
    const std::uint64_t all = std::accumulate(massless.begin(), massless.end(), std::uint64_t{0});
    if (all == 0) return;
    std::string text;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (massless[k] > 0)
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", massless[k], name(static_cast<Species>(k)));
    if (!with_species) text = fmt::format("{}", all);
    scene.notes.push_back(fmt::format(
        "{}: bodies without mass: {} of {}; they are moved by the others, but attract none (test particles)", scene.id,
        text, bodies));
}

void note_duplicate_ids(Scene& scene) {
    const auto& ids = scene.bodies.ids;
    if (ids.empty()) return;
    const auto report = [&](std::uint64_t id) {
        scene.notes.push_back(fmt::format("{}: id {} occurs more than once", scene.id, id));
    };
    const std::uint64_t largest = *std::ranges::max_element(ids);
    if (largest / 32 < ids.size()) return find_duplicates_by_bits(ids, largest, report);
    std::vector<std::uint64_t> sorted = ids;
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) report(*twice);
}

}  // namespace orrery
