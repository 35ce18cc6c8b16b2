// SPDX-License-Identifier: MIT
#include "core/catalogues/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

constexpr double kSameTime = 2e-3;  // relative difference of scale factors that files print with few digits
constexpr double kNotStated = std::numeric_limits<double>::quiet_NaN();

bool is_finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Order of times: by scale factor if both have one, otherwise by the number of the snapshot.
bool is_earlier(const Halo& a, const Halo& b) {
    if (a.scale_factor > 0 && b.scale_factor > 0) return a.scale_factor < b.scale_factor;
    return a.snapshot < b.snapshot;
}

void remove_unplaced(HaloCatalogue& catalogue) {
    std::vector<Halo>& halos = catalogue.halos;
    const auto is_bad = [](const Halo& halo) { return !is_finite(halo.position); };
    const auto first = std::ranges::find_if(halos, is_bad);
    if (first == halos.end()) return;
    const std::string named = label_of(*first);
    std::vector<std::uint32_t> moved(halos.size(), kNoHalo);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < halos.size(); ++i) {
        if (is_bad(halos[i])) continue;
        moved[i] = static_cast<std::uint32_t>(kept);
        halos[kept] = halos[i];
        if (!catalogue.ranges.empty()) catalogue.ranges[kept] = catalogue.ranges[i];
        ++kept;
    }
    catalogue.notes.push_back(
        fmt::format("{}: {} haloes, the first with id {}, have positions that are not numbers; "
                    "they are left out",
                    catalogue.path, halos.size() - kept, named));
    halos.resize(kept);
    if (!catalogue.ranges.empty()) catalogue.ranges.resize(kept);
    for (Halo& halo : halos)
        if (halo.host != kNoHalo) halo.host = moved[halo.host];
}

void find_times(HaloCatalogue& catalogue) {
    const std::vector<Halo>& halos = catalogue.halos;
    catalogue.by_time.resize(halos.size());
    std::iota(catalogue.by_time.begin(), catalogue.by_time.end(), 0u);
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return is_earlier(halos[a], halos[b]); };
    if (!std::ranges::is_sorted(catalogue.by_time, earlier)) std::ranges::stable_sort(catalogue.by_time, earlier);
    for (std::size_t i = 0; i < halos.size(); ++i) {
        const Halo& halo = halos[catalogue.by_time[i]];
        if (i == 0 || is_earlier(halos[catalogue.by_time[i - 1]], halo))
            catalogue.times.push_back({halo.scale_factor, halo.snapshot, i, 0});
        ++catalogue.times.back().count;
    }
}

/// Finds haloes by id and time.
class HaloIndex {
public:
    explicit HaloIndex(const HaloCatalogue& catalogue) : catalogue_{catalogue}, rows_(catalogue.by_time) {
        for (const HaloTime& time : catalogue.times) sort(std::span{rows_}.subspan(time.first, time.count));
        if (catalogue.ids_are_unique) sort(rows_);
    }
    /// Index of the halo, or kNoHalo.
    std::uint32_t find(std::uint64_t id, HaloKind kind, std::span<const std::uint32_t> among) const {
        const auto key = [&](std::uint32_t i) { return std::pair{catalogue_.halos[i].id, catalogue_.halos[i].kind}; };
        const auto found = std::ranges::lower_bound(among, std::pair{id, kind}, {}, key);
        return found != among.end() && key(*found) == std::pair{id, kind} ? *found : kNoHalo;
    }
    std::span<const std::uint32_t> all() const { return rows_; }
    std::span<const std::uint32_t> at(const HaloTime& time) const {
        return std::span{rows_}.subspan(time.first, time.count);
    }

private:
    void sort(std::span<std::uint32_t> rows) {
        const auto key = [&](std::uint32_t i) { return std::pair{catalogue_.halos[i].id, catalogue_.halos[i].kind}; };
        if (!std::ranges::is_sorted(rows, {}, key)) std::ranges::sort(rows, {}, key);
        const auto same = std::ranges::adjacent_find(rows, {}, key);
        if (same != rows.end())
            usage_error(fmt::format("{}: two {}es have the id {}; expected ids that are unique{}", catalogue_.path,
                                    name(catalogue_.halos[*same].kind), catalogue_.halos[*same].id,
                                    catalogue_.ids_are_unique ? "" : " at each time"));
    }

    const HaloCatalogue& catalogue_;
    std::vector<std::uint32_t> rows_;
};

[[noreturn]] void refuse_descendant(const HaloCatalogue& catalogue, std::size_t halo, std::string_view why) {
    const Halo& from = catalogue.halos[halo];
    usage_error(fmt::format("{}: {} {} has the descendant {}, which {}; the tree is damaged: write it again",
                            catalogue.path, name(from.kind), from.id, from.descendant, why));
}

void find_descendants(HaloCatalogue& catalogue) {
    const auto has_one = [](const Halo& halo) { return halo.descendant != kNoHaloId; };
    if (!std::ranges::any_of(catalogue.halos, has_one)) return;
    if (catalogue.times.size() < 2 && !catalogue.ids_are_unique) return;  // the descendants are in another file
    const HaloIndex index{catalogue};
    catalogue.descendants.assign(catalogue.halos.size(), kNoHalo);
    std::size_t missing = 0;
    for (std::size_t t = 0; t < catalogue.times.size(); ++t)
        for (const std::uint32_t i : catalogue.at(catalogue.times[t])) {
            const Halo& halo = catalogue.halos[i];
            if (!has_one(halo)) continue;
            if (!catalogue.ids_are_unique && t + 1 == catalogue.times.size()) continue;  // beyond the last file
            const std::uint32_t found = catalogue.ids_are_unique
                                            ? index.find(halo.descendant, halo.kind, index.all())
                                            : index.find(halo.descendant, halo.kind, index.at(catalogue.times[t + 1]));
            missing += found == kNoHalo;
            if (found == i) refuse_descendant(catalogue, i, "is the halo itself");
            if (found != kNoHalo && is_earlier(catalogue.halos[found], halo))
                refuse_descendant(catalogue, i, "is at an earlier time");
            catalogue.descendants[i] = found;
        }
    if (missing > 0)
        catalogue.notes.push_back(
            fmt::format("{}: {} haloes name descendants that the file does not contain; their "
                        "branches end there",
                        catalogue.path, missing));
}

/// Follows the descendants of each halo; a halo that is reached twice on one way is part of a cycle.
void refuse_cycles(const HaloCatalogue& catalogue) {
    std::vector<std::uint8_t> done(catalogue.descendants.size());
    std::vector<std::uint32_t> way;
    for (std::uint32_t i = 0; i < done.size(); ++i) {
        way.clear();
        std::uint32_t at = i;
        for (; at != kNoHalo && done[at] == 0; at = catalogue.descendants[at]) done[at] = 1, way.push_back(at);
        if (at != kNoHalo && done[at] == 1) refuse_descendant(catalogue, at, "leads back to it: a cycle");
        for (const std::uint32_t each : way) done[each] = 2;
    }
}

const HaloUnit* no_unit(const HaloUnits&) { return nullptr; }
const HaloUnit* length_unit(const HaloUnits& units) { return &units.length; }
const HaloUnit* mass_unit(const HaloUnits& units) { return &units.mass; }
const HaloUnit* velocity_unit(const HaloUnits& units) { return &units.velocity; }

}  // namespace

std::string_view name(HaloKind kind) { return kind == HaloKind::kHalo ? "halo" : "subhalo"; }

std::size_t HaloCatalogue::time_of(std::size_t halo) const {
    const auto after = std::ranges::upper_bound(times, halos[halo], is_earlier, [&](const HaloTime& time) {
        return Halo{.scale_factor = time.scale_factor, .snapshot = time.snapshot};
    });
    return static_cast<std::size_t>(after - times.begin()) - 1;
}

std::optional<std::size_t> HaloCatalogue::time_at(double scale_factor) const {
    if (times.empty()) return std::nullopt;
    if (scale_factor <= 0) return times.size() == 1 ? std::optional<std::size_t>{0} : std::nullopt;
    if (times.size() == 1 && times.front().scale_factor <= 0) return 0;
    const auto apart = [&](const HaloTime& time) { return std::abs(time.scale_factor - scale_factor); };
    const auto nearest = std::ranges::min_element(times, {}, apart);
    if (apart(*nearest) > kSameTime * scale_factor) return std::nullopt;
    return static_cast<std::size_t>(nearest - times.begin());
}

void link_halos(HaloCatalogue& catalogue) {
    if (catalogue.halos.size() >= kNoHalo)
        usage_error(
            fmt::format("{}: {} haloes; up to {} are read", catalogue.path, catalogue.halos.size(), kNoHalo - 1));
    remove_unplaced(catalogue);
    if (catalogue.halos.empty())
        usage_error(fmt::format("{}: no halo has a position; expected finite numbers", catalogue.path));
    for (Halo& halo : catalogue.halos)
        for (double* value : {&halo.mass, &halo.radius})
            if (!std::isfinite(*value)) *value = kNotStated;
    catalogue.times.clear(), catalogue.descendants.clear();
    find_times(catalogue);
    find_descendants(catalogue);
    if (catalogue.has_tree()) refuse_cycles(catalogue);
}

void append_halos(HaloCatalogue& to, HaloCatalogue&& more) {
    const auto differ = [](const HaloUnit& a, const HaloUnit& b) { return a.cgs != b.cgs || a.a != b.a || a.h != b.h; };
    if (to.format != more.format || to.box != more.box || differ(to.units.length, more.units.length) ||
        differ(to.units.mass, more.units.mass))
        usage_error(
            fmt::format("{} and {}: differ in format, units or box; give catalogues of one run", to.path, more.path));
    const auto moved = static_cast<std::uint32_t>(to.halos.size());
    for (Halo& halo : more.halos)
        if (halo.host != kNoHalo) halo.host += moved;
    to.halos.insert(to.halos.end(), more.halos.begin(), more.halos.end());
    to.ranges.insert(to.ranges.end(), more.ranges.begin(), more.ranges.end());
    to.notes.insert(to.notes.end(), more.notes.begin(), more.notes.end());
    to.member_file.clear();
}

std::span<const HaloColumn> halo_columns() {
    static constexpr auto whole = [](std::uint64_t value, bool stated) {
        return stated ? static_cast<double>(value) : kNotStated;
    };
    static constexpr std::array menu{
        HaloColumn{"mass", "Mass", [](const Halo& h) { return h.mass; }, mass_unit, false},
        HaloColumn{"radius", "Radius", [](const Halo& h) { return h.radius; }, length_unit, false},
        HaloColumn{"members", "Members", [](const Halo& h) { return whole(h.members, h.members > 0); }, no_unit, true},
        HaloColumn{"id", "Id", [](const Halo& h) { return whole(h.id, true); }, no_unit, true},
        HaloColumn{"x", "x", [](const Halo& h) { return h.position.x; }, length_unit, false},
        HaloColumn{"y", "y", [](const Halo& h) { return h.position.y; }, length_unit, false},
        HaloColumn{"z", "z", [](const Halo& h) { return h.position.z; }, length_unit, false},
        HaloColumn{"vx", "vx", [](const Halo& h) { return h.velocity.x; }, velocity_unit, false},
        HaloColumn{"vy", "vy", [](const Halo& h) { return h.velocity.y; }, velocity_unit, false},
        HaloColumn{"vz", "vz", [](const Halo& h) { return h.velocity.z; }, velocity_unit, false},
        HaloColumn{"scale_factor", "a", [](const Halo& h) { return h.scale_factor > 0 ? h.scale_factor : kNotStated; },
                   no_unit, false},
        HaloColumn{"snapshot", "Snapshot",
                   [](const Halo& h) { return h.snapshot >= 0 ? static_cast<double>(h.snapshot) : kNotStated; },
                   no_unit, true}};
    return menu;
}

void sort_halos(const HaloCatalogue& catalogue, std::span<std::uint32_t> halos, const HaloColumn& column,
                bool ascending) {
    const bool by_id = column.id == "id";  // ids may exceed 2^53
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const Halo &left = catalogue.halos[a], &right = catalogue.halos[b];
        if (by_id) return ascending ? left.id < right.id : right.id < left.id;
        const double x = column.value(left), y = column.value(right);
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return ascending ? x < y : y < x;
    };
    std::ranges::stable_sort(halos, before);
}

std::uint32_t find_halo(const HaloCatalogue& catalogue, std::string_view text, std::size_t time) {
    constexpr std::string_view kSub = "sub";
    const bool sub = text.starts_with(kSub);
    std::uint64_t id = 0;
    if (!read_number(sub ? text.substr(kSub.size()) : text, id))
        usage_error(fmt::format("halo '{}': expected an id as in the catalogue, or sub and the id of a subhalo", text));
    const auto among = time < catalogue.times.size() ? catalogue.at(catalogue.times[time])
                                                     : std::span<const std::uint32_t>{catalogue.by_time};
    const bool two_kinds =
        std::ranges::any_of(among, [&](std::uint32_t i) { return catalogue.halos[i].kind == HaloKind::kHalo; });
    for (const std::uint32_t i : among) {
        const Halo& halo = catalogue.halos[i];
        if (halo.id == id && (halo.kind == HaloKind::kSubhalo) == (sub || !two_kinds)) return i;
    }
    usage_error(fmt::format("{}: has no halo {} at this time; `orrery halos` lists them", catalogue.path, text));
}

std::string label_of(const Halo& halo) {
    return fmt::format("{}{}", halo.kind == HaloKind::kSubhalo ? "sub" : "", halo.id);
}

}  // namespace orrery
