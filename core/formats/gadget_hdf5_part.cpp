// SPDX-License-Identifier: MIT
#include "core/formats/gadget_hdf5_part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/text.hpp"

namespace orrery::hdf5 {
namespace {

constexpr std::uint64_t kMostFiles = 100'000;

// Names of each column in the files of different programs, the most common first. SWIFT calls the masses of black
// holes dynamical.
constexpr std::array<std::string_view, 4> kPlaces{"Coordinates", "Coordinate", "Positions", "Position"};
constexpr std::array<std::string_view, 2> kVelocities{"Velocities", "Velocity"};
constexpr std::array<std::string_view, 3> kMasses{"Masses", "Mass", "DynamicalMasses"};
constexpr std::array<std::string_view, 4> kIds{"ParticleIDs", "ParticleIds", "ParticleID", "ParticleId"};

/// Finds the path of a column of a species under any of its names, as given or in lower case.
std::string find(const Reader& file, std::size_t species, std::span<const std::string_view> names) {
    std::vector<std::string> paths;
    for (const std::string_view name : names) paths.push_back(fmt::format("{}/{}", group_of(species), name));
    for (const std::string_view name : names)
        paths.push_back(fmt::format("{}/{}", group_of(species), lower_case(std::string{name})));
    return file.first_of(paths);
}

bool has_number(const std::filesystem::path& stem) {
    const std::string number = stem.extension().string();
    return number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos;
}

}  // namespace

Part::Part(Reader opened) : file{std::move(opened)} {
    if (!file.has("Header")) file.refuse("group Header is missing: not a Gadget or AREPO snapshot");
    stated_ = counts_of("NumPart_ThisFile", beyond_);
    read_totals();
    read_masses();
    time = file.number("Header", "Time").value_or(0);
    if (!std::isfinite(time)) file.refuse(fmt::format("time is {}, expected a finite number", time));
    const double number = file.number("Header", "NumFilesPerSnapshot").value_or(1);
    if (!(number >= 0) || number > kMostFiles) file.refuse(fmt::format("NumFilesPerSnapshot is {}", number));
    files = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(number));
    for (std::size_t k = 0; k < kSpeciesCount; ++k) count_rows(k);
}

void Part::read_totals() {
    std::vector<std::uint64_t> beyond, high_beyond;
    const auto low = counts_of("NumPart_Total", beyond);
    if (!low) return;
    totals = *low;
    const Counts high = counts_of("NumPart_Total_HighWord", high_beyond).value_or(Counts{});
    for (std::size_t k = 0; k < kSpeciesCount; ++k) totals[k] += high[k] << 32;
    if (beyond.size() > beyond_.size()) beyond_.resize(beyond.size());
    for (std::size_t k = 0; k < beyond.size(); ++k) beyond_[k] = std::max(beyond_[k], beyond[k]);
}

void Part::read_masses() {
    const auto table = file.numbers("Header", "MassTable");
    for (std::size_t k = 0; table && k < std::min(table->size(), kSpeciesCount); ++k) {
        masses_of_each[k] = (*table)[k];
        if (!(masses_of_each[k] >= 0) || !std::isfinite(masses_of_each[k]))
            file.refuse(fmt::format("MassTable: expected a mass or 0, found {}", masses_of_each[k]));
    }
}

std::optional<Counts> Part::counts_of(const char* name, std::vector<std::uint64_t>& beyond) const {
    const auto found = file.numbers("Header", name);
    if (!found) return std::nullopt;
    Counts result{};
    for (std::size_t k = 0; k < found->size(); ++k) {
        const double n = (*found)[k];
        if (!(n >= 0) || n > 1e15 || n != std::floor(n)) file.refuse(fmt::format("{} is {}", name, n));
        if (k < kSpeciesCount)
            result[k] = static_cast<std::uint64_t>(n);
        else
            beyond.push_back(static_cast<std::uint64_t>(n));
    }
    return result;
}

void Part::count_rows(std::size_t species) {
    const bool of_set = files > 1 && has_number(file.path().stem());
    if (of_set && stated_ && (*stated_)[species] == 0) return;  // headers of sets are reliable
    places_[species] = find(file, species, kPlaces);
    if (!places_[species].empty()) {
        counts[species] = file.shape(places_[species]).rows;
        return;
    }
    if ((stated_ ? *stated_ : totals)[species] == 0 || !file.has(group_of(species))) return;
    tracers_[species] = file.has(group_of(species) + "/TracerID");  // AREPO's Monte Carlo tracers have no positions
    if (!tracers_[species]) file.refuse(fmt::format("data set {}/{} is missing", group_of(species), kPlaces.front()));
}

bool Part::one_of_several() const {
    if (files == 1 || (counts == totals && counts != Counts{})) return false;
    return !differs() || has_number(file.path().stem());
}

void Part::require_beside(const Part& first) const {
    if (files != first.files || totals != first.totals)
        file.refuse("is not of the same snapshot as " + first.file.path().string());
    for (std::size_t k = 0; stated_ && k < kSpeciesCount; ++k)
        if ((*stated_)[k] != counts[k] && !tracers_[k])
            file.refuse(fmt::format("data set {}/{}: expected {} rows, as NumPart_ThisFile states, found {}",
                                    group_of(k), kPlaces.front(), (*stated_)[k], counts[k]));
}

Counts Part::all() const {
    Counts all = one_of_several() ? totals : counts;
    for (std::size_t k = 0; k < kSpeciesCount; ++k)
        if (tracers_[k]) all[k] = 0;
    return all;
}

std::vector<std::string> Part::notes() const {
    std::vector<std::string> notes, differences;
    const bool alone = !one_of_several();
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (tracers_[k]) {
            notes.push_back(fmt::format("bodies of species {} are tracers without positions, and are left out", k));
            continue;
        }
        if (!alone || !stated_ || (*stated_)[k] == counts[k]) continue;
        differences.push_back(fmt::format("{} bodies of species {}, the file holds {}", (*stated_)[k], k, counts[k]));
    }
    if (!differences.empty())
        notes.push_back(fmt::format("NumPart_ThisFile gives {}: read as a part cut out of a snapshot",
                                    fmt::join(differences, "; ")));
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        const bool noted = tracers_[k] || (stated_ && (*stated_)[k] != counts[k]);
        if (alone && !noted && totals != Counts{} && totals[k] != counts[k])
            notes.push_back(fmt::format("NumPart_Total gives {} bodies of species {}, but the file holds {}", totals[k],
                                        k, counts[k]));
    }
    if (alone && files > 1) notes.push_back(fmt::format("NumFilesPerSnapshot is {}; this file alone is read", files));
    for (std::size_t k = 0; k < beyond_.size(); ++k)
        if (beyond_[k] > 0)
            notes.push_back(fmt::format("{} {} (species {}) are left out; species 0 to 5 are read", beyond_[k],
                                        k == 0 ? "neutrinos" : "bodies", kSpeciesCount + k));
    return notes;
}

std::string Part::not_read() const {
    constexpr std::size_t kMostNamed = 8;  // of a species
    std::vector<std::string> all;
    for (std::size_t k = 0; k < kSpeciesCount; ++k) {
        if (counts[k] == 0) continue;
        const std::array read{places(k), find(file, k, kVelocities), find(file, k, kMasses), ids(k)};
        std::vector<std::string> names = file.data_sets(group_of(k));
        std::erase_if(names, [&](const std::string& name) {
            return std::ranges::find(read, fmt::format("{}/{}", group_of(k), name)) != read.end();
        });
        if (names.empty()) continue;
        const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
        names.resize(names.size() - more);
        all.push_back(fmt::format("{}/{}", group_of(k), fmt::join(names, ", ")));
        if (more > 0) all.back() += fmt::format(" and {} more", more);
    }
    return fmt::format("{}", fmt::join(all, "; "));
}

std::string Part::velocities(std::size_t species) const {
    const std::string found = find(file, species, kVelocities);
    if (found.empty()) file.refuse(fmt::format("data set {}/{} is missing", group_of(species), kVelocities.front()));
    return found;
}

std::string Part::masses(std::size_t species) const {
    const std::string found = find(file, species, kMasses);
    if (found.empty() && masses_of_each[species] == 0)
        file.refuse(
            fmt::format("data set {}/{} is missing, and MassTable gives no mass", group_of(species), kMasses.front()));
    return found;
}

std::string Part::ids(std::size_t species) const { return find(file, species, kIds); }

}  // namespace orrery::hdf5
