// SPDX-License-Identifier: MIT
#include "core/catalogues/scene_halos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/halo_units.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/snapshot_names.hpp"
#include "core/series/snapshot_files.hpp"

namespace orrery {
namespace {

std::vector<std::filesystem::path> files_of(std::span<const std::string> sources) {
    if (sources.size() != 1 || names_many(sources.front())) return snapshot_files(sources);
    if (!std::filesystem::is_regular_file(sources.front()))
        usage_error(fmt::format("{}: is not a snapshot file; halo catalogues belong to snapshots", sources.front()));
    return {sources.front()};
}

/// The number in the name of a snapshot, "snap_099.hdf5" and "snap_099.0.hdf5"; −1: none.
std::int32_t number_in_name(const std::filesystem::path& path) {
    const std::string stem = std::filesystem::path{name_of_set(path)}.stem().string();
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t end = stem.size();
    while (end > 0 && !is_digit(stem[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_digit(stem[begin - 1])) --begin;
    std::int32_t number = -1;
    return begin < end && read_number(std::string_view{stem}.substr(begin, end - begin), number) ? number : -1;
}

/// Gives times without a scale factor that of the snapshot with their number.
void take_scale_factors(HaloCatalogue& catalogue, const std::vector<std::filesystem::path>& files) {
    if (catalogue.times.front().scale_factor > 0 || catalogue.times.front().snapshot < 0) return;
    std::unordered_map<std::int32_t, double> scale_factors;
    for (const std::filesystem::path& file : files)
        scale_factors.emplace(number_in_name(file), read_head(file).expansion);
    const bool all = std::ranges::all_of(catalogue.times,
                                         [&](const HaloTime& time) { return scale_factors.contains(time.snapshot); });
    if (!all) return;
    for (Halo& halo : catalogue.halos) halo.scale_factor = scale_factors.at(halo.snapshot);
    for (HaloTime& time : catalogue.times) time.scale_factor = scale_factors.at(time.snapshot);
}

/// The time of a single snapshot: by its scale factor, otherwise by the number in its name.
std::size_t time_of_file(const HaloCatalogue& catalogue, const SnapshotUnits& snapshot,
                         const std::filesystem::path& file) {
    if (catalogue.times.size() > 1 && catalogue.times.front().scale_factor <= 0) {
        const std::int32_t number = number_in_name(file);
        const auto found = std::ranges::find(catalogue.times, number, &HaloTime::snapshot);
        if (number >= 0 && found != catalogue.times.end())
            return static_cast<std::size_t>(found - catalogue.times.begin());
    }
    return time_of_snapshot(catalogue, snapshot);
}

/// The snapshot of a series nearest in time to a halo.
const std::filesystem::path& file_of(const Halo& halo, const std::vector<std::filesystem::path>& files) {
    if (files.size() == 1 || halo.scale_factor <= 0) return files.front();
    std::size_t nearest = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < files.size(); ++i)
        if (const double apart = std::abs(read_head(files[i]).expansion - halo.scale_factor); apart < least)
            least = apart, nearest = i;
    return files[nearest];
}

}  // namespace

SceneHalos read_halos_of(const std::string& catalogue, std::span<const std::string> sources) {
    const std::vector<std::filesystem::path> files = files_of(sources);
    SceneHalos found{.catalogue = read_catalogue(catalogue)};
    Bodies corners;  // of the volume of the bodies
    Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const Scene head = read_snapshot_in_parts(files.front(), [&](const Bodies& part) {
        for (const Vec4d& body : part.position_mass) {
            low = {std::min(low.x, body.x), std::min(low.y, body.y), std::min(low.z, body.z)};
            high = {std::max(high.x, body.x), std::max(high.y, body.y), std::max(high.z, body.z)};
        }
    });
    corners.add(low, {}, 0), corners.add(high, {}, 0);
    const SnapshotUnits units = snapshot_units(files.front(), head);
    if (files.size() > 1 && expansion_of(head) > 0) take_scale_factors(found.catalogue, files);
    const bool of_series = files.size() > 1 && found.catalogue.times.size() > 1;
    if (of_series && found.catalogue.times.front().scale_factor <= 0)
        usage_error(
            fmt::format("{}: has haloes of {} snapshots without scale factors, and the names of the snapshots "
                        "do not have their numbers; choose a catalogue of one snapshot",
                        catalogue, found.catalogue.times.size()));
    if (!of_series) found.time = time_of_file(found.catalogue, units, files.front());
    convert_halos(found.catalogue, units);
    const auto first = of_series ? found.catalogue.time_at(expansion_of(head)) : found.time;
    if (first) require_among_bodies(found.catalogue, *first, corners, units);
    return found;
}

HaloMembers members_in_scene(const HaloCatalogue& catalogue, std::uint32_t halo, std::span<const std::string> sources) {
    const std::vector<std::filesystem::path> files = files_of(sources);
    const std::filesystem::path& file = file_of(catalogue.halos.at(halo), files);
    const Scene scene = read_snapshot(file);
    HaloMembers members = members_of(catalogue, halo, scene.bodies);
    if (file == files.front()) return members;
    const Scene first = read_snapshot(files.front());
    if (first.bodies.ids.empty() || scene.bodies.ids.empty()) return members;
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    for (const std::uint32_t i : members.bodies) places.emplace(scene.bodies.ids[i], i);
    members.bodies.clear();
    for (std::size_t i = 0; i < first.bodies.size(); ++i)
        if (places.contains(first.bodies.ids[i])) members.bodies.push_back(static_cast<std::uint32_t>(i));
    return members;
}

}  // namespace orrery
