// SPDX-License-Identifier: MIT
// Catalogues in HDF5: FoF and Subfind of Gadget-4 (Springel et al. 2021, MNRAS 506, 2871) and of AREPO, as in
// IllustrisTNG (Nelson et al. 2019, Comput. Astrophys. Cosmol. 6, 2), and SubLink trees (Rodriguez-Gomez et al. 2015,
// MNRAS 449, 49).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/formats/hdf5_reader.hpp"

namespace orrery::hdf5 {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kMostCatalogueFiles = 100'000;
constexpr double kMostExactId = 9007199254740992.0;  // 2^53

/// The numbers of a data set with `rows` rows of `columns`; empty if there is no such data set.
template <class T>
std::vector<T> numbers_in(const Reader& file, const std::string& set, std::uint64_t rows, std::uint64_t columns,
                          Number type) {
    if (!file.has(set)) return {};
    const ReadColumn column = file.column(set, rows, columns, file.shape(set).kind);
    std::vector<T> numbers(static_cast<std::size_t>(rows * columns));
    for (std::uint64_t first = 0; first < rows; first += kRows) {
        const std::uint64_t now = std::min(kRows, rows - first);
        file.read(column, first, now, type, numbers.data() + first * columns);
    }
    return numbers;
}

std::vector<double> reals(const Reader& file, const std::string& set, std::uint64_t rows, std::uint64_t columns = 1) {
    return numbers_in<double>(file, set, rows, columns, Number::kDouble);
}

/// Whole numbers. Real numbers of 2^53 and more, which may be rounded, are refused.
std::vector<std::int64_t> wholes(const Reader& file, const std::string& set, std::uint64_t rows,
                                 std::uint64_t columns = 1) {
    if (file.has(set) && file.shape(set).kind == H5T_FLOAT) {
        const std::vector<double> given = reals(file, set, rows, columns);
        const auto bad =
            std::ranges::find_if(given, [](double x) { return !(std::abs(x) < kMostExactId) || x != std::floor(x); });
        if (bad != given.end())
            file.refuse(fmt::format("data set {}: expected whole numbers, found {} in row {}, which is rounded", set,
                                    *bad, (bad - given.begin()) / static_cast<std::ptrdiff_t>(columns)));
        return {given.begin(), given.end()};
    }
    return numbers_in<std::int64_t>(file, set, rows, columns, Number::kInt64);
}

std::vector<double> required(const Reader& file, const std::string& set, std::uint64_t rows, std::uint64_t columns) {
    if (!file.has(set)) file.refuse(fmt::format("data set {} is missing", set));
    return reals(file, set, rows, columns);
}

Vec3d vector_at(const std::vector<double>& numbers, std::size_t i) {
    if (numbers.empty()) return {kNoNumber, kNoNumber, kNoNumber};
    return {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

/// The units of Gadget's convention: comoving, divided by h.
HaloUnits gadget_units(const Reader& file) {
    const StatedUnits stated = stated_units(file.path());
    const UnitWords words = words_of(stated);
    HaloUnits units;
    const double length = stated.length > 0 ? stated.length : 3.0857e21,
                 mass = stated.mass > 0 ? stated.mass : 1.989e43;
    const bool named = stated.length > 0;
    units.length = {(named ? words.length : "kpc") + "/h", length, 1, -1};
    units.mass = {(stated.mass > 0 ? words.mass : "10¹⁰M☉") + "/h", mass, 0, -1};
    units.velocity = {"km/s", 1e5, 0, 0};
    return units;
}

/// The haloes or subhaloes of one file.
struct SubfindPart {
    const Reader& file;
    std::string prefix;  ///< "Group/Group", "Subhalo/Subhalo"
    std::uint64_t rows;

    std::vector<double> vectors(const char* name) const { return reals(file, prefix + name, rows, 3); }
    std::vector<double> numbers(const char* name) const { return reals(file, prefix + name, rows); }
    std::vector<std::int64_t> whole(const char* name, std::uint64_t columns = 1) const {
        return wholes(file, prefix + name, rows, columns);
    }
};

/// The exponent of a in the velocities of a data set: stated by Gadget-4; GroupVel of AREPO is v a.
double velocity_power(const SubfindPart& part, bool arepo, HaloKind kind) {
    const std::string set = part.prefix + "Vel";
    if (part.file.has(set))
        if (const auto power = part.file.number(set, "a_scaling")) return *power;
    return arepo && kind == HaloKind::kHalo ? -1 : 0;
}

class SubfindFiles {
public:
    explicit SubfindFiles(const std::filesystem::path& path) : first_{path} {
        if (!first_.has("Header")) first_.refuse("group Header is missing: not a catalogue of FoF or Subfind");
        files_ = count(first_, {"NumFiles", "NumFilesPerSnapshot"}).value_or(1);
        if (files_ < 1 || files_ > kMostCatalogueFiles) first_.refuse(fmt::format("NumFiles is {}", files_));
        groups_ = count(first_, {"Ngroups_Total"}).value_or(0);
        subhalos_ = count(first_, {"Nsubhalos_Total", "Nsubgroups_Total"}).value_or(0);
        arepo_ = first_.number("Header", "Nsubgroups_Total").has_value();
        const auto time = first_.number("Header", "Time");
        const auto redshift = first_.number("Header", "Redshift");
        if (redshift && *redshift > -1) scale_ = 1 / (1 + *redshift);
        if (time && *time > 0 && std::abs(*time * (1 + redshift.value_or(0)) - 1) > 1e-3) scale_ = 0;  // no cosmology
    }

    HaloCatalogue read() {
        HaloCatalogue all;
        all.box = first_.number("Header", "BoxSize").value_or(0);
        const StatedUnits stated = stated_units(first_.path());
        all.hubble = stated.h;
        all.units = gadget_units(first_);
        if (scale_ <= 0) {  // lengths and masses are in the units themselves
            for (HaloUnit* unit : {&all.units.length, &all.units.mass}) {
                unit->a = unit->h = 0;
                if (unit->word.ends_with("/h")) unit->word.resize(unit->word.size() - 2);
            }
        }
        if (stated.length == 0)
            all.notes.push_back(fmt::format("{}: states no units; those of TNG are assumed, kpc/h and 10¹⁰ M☉/h",
                                            first_.path().string()));
        std::vector<std::int64_t> group_of;
        std::vector<Halo> subhalos;
        std::vector<HaloRange> sub_ranges;
        for_each_file([&](const Reader& file) {
            take_groups(file, all);
            take_subhalos(file, subhalos, sub_ranges, group_of);
        });
        take_descendants(subhalos);
        check_number(all.halos.size(), groups_, "groups");
        check_number(subhalos.size(), subhalos_, "subhaloes");
        place_ranges(all, subhalos, sub_ranges, group_of);
        for (std::size_t i = 0; i < subhalos.size(); ++i) {
            if (group_of[i] < 0 || static_cast<std::size_t>(group_of[i]) >= all.halos.size())
                first_.refuse(fmt::format("subhalo {} is in group {}, but there are {}; the file is damaged", i,
                                          group_of[i], all.halos.size()));
            subhalos[i].host = static_cast<std::uint32_t>(group_of[i]);
        }
        all.halos.insert(all.halos.end(), subhalos.begin(), subhalos.end());
        if (!all.ranges.empty()) all.ranges.insert(all.ranges.end(), sub_ranges.begin(), sub_ranges.end());
        return all;
    }

private:
    static std::optional<std::uint64_t> count(const Reader& file, std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (const auto value = file.number("Header", name)) {
                if (!(*value >= 0) || *value > 1e15 || *value != std::floor(*value))
                    file.refuse(fmt::format("{} is {}", name, *value));
                return static_cast<std::uint64_t>(*value);
            }
        return std::nullopt;
    }

    template <class F>
    void for_each_file(F f) {
        if (files_ == 1) return f(first_);
        const std::filesystem::path& path = first_.path();
        const std::string extension = path.extension().string(), number = path.stem().extension().string();
        if (number.size() < 2 || number.find_first_not_of("0123456789", 1) != std::string::npos)
            first_.refuse(fmt::format("is one of {} files, whose names should end in .0{}", files_, extension));
        const std::string stem = (path.parent_path() / path.stem().stem()).string();
        for (std::uint64_t i = 0; i < files_; ++i) f(Reader{fmt::format("{}.{}{}", stem, i, extension), first_});
    }

    void check_number(std::size_t found, std::uint64_t stated, const char* what) const {
        if (found != stated)
            first_.refuse(
                fmt::format("expected {} {} in all files, as the header states, found {}; a file of the set "
                            "is missing or of another snapshot",
                            stated, what, found));
    }

    void set_velocities(std::vector<Halo>& halos, std::size_t from, const SubfindPart& part, HaloKind kind) const {
        const std::vector<double> velocities = part.vectors("Vel");
        const double power = velocity_power(part, arepo_, kind);
        const double factor = scale_ > 0 ? std::pow(scale_, power) : 1;
        for (std::size_t i = 0; i < part.rows; ++i) halos[from + i].velocity = factor * vector_at(velocities, i);
    }

    /// Gadget-4 is compiled for any number of types (NTYPES); a snapshot has the first six.
    static void set_ranges(std::vector<HaloRange>& ranges, const SubfindPart& part) {
        const std::string set = part.prefix + "LenType";
        if (!part.file.has(set)) return;
        const std::uint64_t types = part.file.shape(set).columns;
        const std::vector<std::int64_t> counts = part.whole("LenType", types),
                                        offsets = part.whole("OffsetType", types);
        for (std::size_t i = 0; i < part.rows; ++i) {
            HaloRange range;
            range.first.fill(kNoHaloId);
            for (std::size_t k = 0; k < std::min<std::size_t>(types, kSpeciesCount); ++k) {
                const std::int64_t n = counts[i * types + k], first = offsets.empty() ? -1 : offsets[i * types + k];
                if (n < 0 || first < -1)
                    part.file.refuse(fmt::format("{}: row {}: {} bodies from {} on", set, i, n, first));
                range.count[k] = static_cast<std::uint64_t>(n);
                range.first[k] = first < 0 ? kNoHaloId : static_cast<std::uint64_t>(first);
            }
            ranges.push_back(range);
        }
    }

    void take_groups(const Reader& file, HaloCatalogue& all) const {
        const auto rows = count(file, {"Ngroups_ThisFile"}).value_or(0);
        if (rows == 0) return;
        const SubfindPart part{file, "Group/Group", rows};
        const std::vector<double> places = required(file, "Group/GroupPos", rows, 3),
                                  masses = required(file, "Group/GroupMass", rows, 1);
        const std::string radius =
            file.first_of({"Group/Group_R_Crit200", "Group/Group_R_Mean200", "Group/Group_R_TopHat200"});
        const std::vector<double> radii = radius.empty() ? std::vector<double>{} : reals(file, radius, rows);
        const std::vector<std::int64_t> members = part.whole("Len");
        const std::size_t from = all.halos.size();
        for (std::size_t i = 0; i < rows; ++i) {
            Halo halo{.id = from + i, .position = vector_at(places, i), .mass = masses[i]};
            halo.members = members.empty() ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(0, members[i]));
            halo.radius = radii.empty() ? kNoNumber : radii[i];
            halo.scale_factor = scale_;
            all.halos.push_back(halo);
        }
        set_velocities(all.halos, from, part, HaloKind::kHalo);
        set_ranges(all.ranges, part);
    }

    void take_subhalos(const Reader& file, std::vector<Halo>& halos, std::vector<HaloRange>& ranges,
                       std::vector<std::int64_t>& group_of) const {
        const auto rows = count(file, {"Nsubhalos_ThisFile", "Nsubgroups_ThisFile"}).value_or(0);
        if (rows == 0) return;
        const SubfindPart part{file, "Subhalo/Subhalo", rows};
        const std::vector<double> places = required(file, "Subhalo/SubhaloPos", rows, 3),
                                  masses = required(file, "Subhalo/SubhaloMass", rows, 1),
                                  radii = part.numbers("HalfmassRad");
        const std::vector<std::int64_t> members = part.whole("Len");
        const std::string host = file.first_of({"Subhalo/SubhaloGroupNr", "Subhalo/SubhaloGrNr"});
        if (host.empty()) file.refuse("data set Subhalo/SubhaloGroupNr is missing");
        const std::vector<std::int64_t> hosts = wholes(file, host, rows);
        group_of.insert(group_of.end(), hosts.begin(), hosts.end());
        const std::size_t from = halos.size();
        for (std::size_t i = 0; i < rows; ++i) {
            Halo halo{.id = from + i, .position = vector_at(places, i), .mass = masses[i]};
            halo.members = members.empty() ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(0, members[i]));
            halo.radius = radii.empty() ? kNoNumber : radii[i];
            halo.scale_factor = scale_;
            halo.kind = HaloKind::kSubhalo;
            halos.push_back(halo);
        }
        set_velocities(halos, from, part, HaloKind::kSubhalo);
        set_ranges(ranges, part);
    }

    /// Descendants at the next snapshot, which Gadget-4 writes into files subhalo_desc_NNN beside the catalogue.
    void take_descendants(std::vector<Halo>& subhalos) {
        constexpr std::string_view kTable = "fof_subhalo_tab", kSet = "Subhalo/DescSubhaloNr";
        std::vector<std::int64_t> descendants;
        for_each_file([&](const Reader& file) {
            std::string name = file.path().filename().string();
            const auto at = name.find(kTable);
            if (at == std::string::npos) return;
            const auto path = file.path().parent_path() / name.replace(at, kTable.size(), "subhalo_desc");
            if (!std::filesystem::exists(path)) return;
            const Reader links{path, file};
            if (!links.has(std::string{kSet})) return;
            const std::string set{kSet};
            const std::vector<std::int64_t> some = wholes(links, set, links.shape(set).rows);
            descendants.insert(descendants.end(), some.begin(), some.end());
        });
        if (descendants.empty()) return;
        if (descendants.size() != subhalos.size())
            first_.refuse(
                fmt::format("has {} subhaloes, but subhalo_desc beside it lists descendants of {}; one of the "
                            "files is of another snapshot",
                            subhalos.size(), descendants.size()));
        for (std::size_t i = 0; i < subhalos.size(); ++i)
            if (descendants[i] >= 0) subhalos[i].descendant = static_cast<std::uint64_t>(descendants[i]);
    }

    /// Offsets that the files do not state: snapshots hold the bodies of each species group by group, and within a
    /// group subhalo by subhalo.
    static void place_ranges(HaloCatalogue& all, const std::vector<Halo>& subhalos, std::vector<HaloRange>& of_subhalos,
                             const std::vector<std::int64_t>& group_of) {
        if (all.ranges.size() != all.halos.size() || of_subhalos.size() != subhalos.size()) {
            all.ranges.clear();
            return;
        }
        std::array<std::uint64_t, kSpeciesCount> next{};
        for (HaloRange& range : all.ranges)
            for (std::size_t k = 0; k < kSpeciesCount; ++k) {
                if (range.first[k] == kNoHaloId) range.first[k] = next[k];
                next[k] = range.first[k] + range.count[k];
            }
        std::int64_t last = -1;
        for (std::size_t i = 0; i < of_subhalos.size(); ++i) {
            if (group_of[i] < 0 || static_cast<std::size_t>(group_of[i]) >= all.ranges.size()) return;  // is refused
            if (group_of[i] != last) next = all.ranges[static_cast<std::size_t>(group_of[i])].first;
            last = group_of[i];
            HaloRange& range = of_subhalos[i];
            for (std::size_t k = 0; k < kSpeciesCount; ++k) {
                if (range.first[k] == kNoHaloId) range.first[k] = next[k];
                next[k] = range.first[k] + range.count[k];
            }
        }
    }

    Reader first_;
    std::uint64_t files_ = 1, groups_ = 0, subhalos_ = 0;
    bool arepo_ = false;
    double scale_ = 0;
};

std::uint64_t id_of(std::int64_t number) { return number < 0 ? kNoHaloId : static_cast<std::uint64_t>(number); }

}  // namespace

bool is_subfind(const std::filesystem::path& path) {
    const Reader file{path};
    return file.has("Header") && file.number("Header", "Ngroups_Total").has_value();
}

bool is_sublink(const std::filesystem::path& path) {
    const Reader file{path};
    return file.has("SubhaloID") && file.has("DescendantID");
}

HaloCatalogue read_subfind(const std::filesystem::path& path) { return SubfindFiles{path}.read(); }

HaloCatalogue read_sublink(const std::filesystem::path& path) {
    const Reader file{path};
    const std::uint64_t rows = file.shape("SubhaloID").rows;
    HaloCatalogue all;
    all.ids_are_unique = true;
    all.units = gadget_units(file);
    const std::vector<std::int64_t> ids = wholes(file, "SubhaloID", rows),
                                    descendants = wholes(file, "DescendantID", rows),
                                    snapshots = wholes(file, "SnapNum", rows),
                                    firsts = wholes(file, "FirstProgenitorID", rows),
                                    members = wholes(file, "SubhaloLen", rows);
    if (descendants.size() != ids.size()) file.refuse("data set DescendantID is missing");
    if (snapshots.size() != ids.size()) file.refuse("data set SnapNum is missing");
    const std::vector<double> places = required(file, "SubhaloPos", rows, 3),
                              masses = required(file, "SubhaloMass", rows, 1),
                              velocities = reals(file, "SubhaloVel", rows, 3),
                              radii = reals(file, "SubhaloHalfmassRad", rows);
    all.halos.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0) file.refuse(fmt::format("data set SubhaloID: row {}: {}", i, ids[i]));
        Halo halo{.id = id_of(ids[i]),
                  .descendant = id_of(descendants[i]),
                  .position = vector_at(places, i),
                  .velocity = vector_at(velocities, i),
                  .mass = masses[i]};
        halo.members = members.empty() ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(0, members[i]));
        halo.radius = radii.empty() ? kNoNumber : radii[i];
        halo.snapshot = static_cast<std::int32_t>(snapshots[i]);
        all.halos.push_back(halo);
    }
    if (firsts.empty()) return all;
    // The first progenitor of a halo is its main one.
    std::vector<std::pair<std::int64_t, std::size_t>> by_id;
    by_id.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) by_id.emplace_back(ids[i], i);
    std::ranges::sort(by_id);
    for (const std::int64_t first : firsts)
        if (const auto found = std::ranges::lower_bound(by_id, std::pair{first, std::size_t{0}});
            first >= 0 && found != by_id.end() && found->first == first)
            all.halos[found->second].main_progenitor = true;
    return all;
}

}  // namespace orrery::hdf5
