// SPDX-License-Identifier: MIT
// Catalogues as text: AHF (Knollmann & Knebe 2009, ApJS 182, 608), Rockstar (Behroozi, Wechsler & Wu 2013, ApJ 762,
// 109) and Consistent-trees (Behroozi et al. 2013, ApJ 763, 18).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/halo_text.hpp"

namespace orrery {
namespace {

constexpr double kKpc = 3.0857e21, kMpc = 3.0857e24, kSolarMass = 1.989e33, kKmPerSecond = 1e5;  // cgs
const HaloUnit kKpcOverH{"kpc/h", kKpc, 1, -1}, kMpcOverH{"Mpc/h", kMpc, 1, -1}, kSolarOverH{"M☉/h", kSolarMass, 0, -1},
    kSpeed{"km/s", kKmPerSecond, 0, 0};

constexpr double kNotInFile = std::numeric_limits<double>::quiet_NaN();

/// A column that some versions of a program do not write.
double number_if(const HaloText& table, std::optional<std::size_t> column) {
    return column ? table.number(*column) : kNotInFile;
}

/// Columns of position and velocity.
struct HaloPlaces {
    std::size_t x, y, z;
    std::optional<std::size_t> vx, vy, vz;

    void read(const HaloText& table, Halo& halo) const {
        halo.position = {table.number(x), table.number(y), table.number(z)};
        halo.velocity = {number_if(table, vx), number_if(table, vy), number_if(table, vz)};
    }
};

/// Replaces ids of hosts by their indices. Hosts that the file does not contain are none.
void find_hosts(std::vector<Halo>& halos, const std::vector<std::uint64_t>& hosts) {
    if (std::ranges::all_of(hosts, [](std::uint64_t id) { return id == kNoHaloId; })) return;
    std::vector<std::uint32_t> by_id(halos.size());
    std::iota(by_id.begin(), by_id.end(), 0u);
    const auto id_of = [&](std::uint32_t i) { return halos[i].id; };
    if (!std::ranges::is_sorted(by_id, {}, id_of)) std::ranges::sort(by_id, {}, id_of);
    for (std::size_t i = 0; i < halos.size(); ++i) {
        if (hosts[i] == kNoHaloId || hosts[i] == halos[i].id) continue;
        const auto found = std::ranges::lower_bound(by_id, hosts[i], {}, id_of);
        if (found == by_id.end() || id_of(*found) != hosts[i]) continue;
        halos[i].host = *found;
    }
}

/// The redshift in the name of a file, "run.0000.z0.250.AHF_halos"; empty: none.
std::optional<double> redshift_in_name(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    const auto end = name.rfind(".AHF_");
    const auto begin = name.rfind(".z", end);
    double redshift = 0;
    if (end == std::string::npos || begin == std::string::npos ||
        !read_number(std::string_view{name}.substr(begin + 2, end - begin - 2), redshift) || redshift < 0)
        return std::nullopt;
    return redshift;
}

/// AHF states its units in its documentation only: kpc/h and M☉/h, comoving; its velocities are peculiar.
HaloCatalogue read_ahf(const std::filesystem::path& path) {
    HaloText table{path};
    const std::size_t id = table.column({"id"}), mass = table.column({"mvir", "mhalo", "m200c"}),
                      radius = table.column({"rvir", "rhalo", "r200c"}), members = table.column({"npart"});
    const auto host = table.find({"hosthalo"});
    const HaloPlaces places{table.column({"xc"}), table.column({"yc"}), table.column({"zc"}),
                            table.find({"vxc"}),  table.find({"vyc"}),  table.find({"vzc"})};
    HaloCatalogue catalogue;
    catalogue.units = {kKpcOverH, kSolarOverH, kSpeed};
    const auto redshift = redshift_in_name(path);
    std::vector<std::uint64_t> hosts;
    while (table.next()) {
        if (catalogue.halos.empty()) catalogue.halos.reserve(table.rows_about());
        Halo halo{.id = table.id(id), .members = table.count(members)};
        places.read(table, halo);
        halo.mass = table.number(mass), halo.radius = table.number(radius);
        if (redshift) halo.scale_factor = 1 / (1 + *redshift);
        hosts.push_back(host ? table.id(*host) : kNoHaloId);
        catalogue.halos.push_back(halo);
    }
    // Versions whose ids begin at 1 state 0 for none, those whose ids begin at 0 state −1.
    if (std::ranges::find(catalogue.halos, 0u, &Halo::id) == catalogue.halos.end())
        std::ranges::replace(hosts, std::uint64_t{0}, kNoHaloId);
    find_hosts(catalogue.halos, hosts);
    std::filesystem::path particles = path;
    std::string name = path.filename().string();
    if (const auto at = name.rfind("AHF_halos"); at != std::string::npos) {
        particles.replace_filename(name.replace(at, std::string_view{"AHF_halos"}.size(), "AHF_particles"));
        if (std::filesystem::exists(particles)) catalogue.member_file = particles.string();
    }
    return catalogue;
}

/// Reads the comments of Rockstar and Consistent-trees.
void take_comments(const HaloText& table, HaloCatalogue& catalogue) {
    catalogue.box = table.said("Box size").value_or(table.said("Full box size").value_or(0));
    catalogue.hubble = table.said("h").value_or(table.said("h0").value_or(0));
    catalogue.units = {kMpcOverH, kSolarOverH, kSpeed};
}

HaloPlaces places_of(const HaloText& table) {
    return {table.column({"x"}), table.column({"y"}), table.column({"z"}),
            table.find({"vx"}),  table.find({"vy"}),  table.find({"vz"})};
}

constexpr double kMpcPerKpc = 1e-3;  // radii are in kpc/h, positions in Mpc/h

/// The number of the snapshot in "out_10.list"; −1: none.
std::int32_t number_of_list(const std::filesystem::path& path) {
    const std::string stem = path.stem().string();
    const auto begin = stem.find_last_not_of("0123456789") + 1;
    std::int32_t number = -1;
    return read_number(std::string_view{stem}.substr(begin), number) ? number : -1;
}

HaloCatalogue read_rockstar(const std::filesystem::path& path) {
    HaloText table{path};
    const std::size_t id = table.column({"id"}), mass = table.column({"mvir", "m200b", "m200c", "mbound_vir"}),
                      radius = table.column({"rvir", "r200b", "r200c"});
    const auto members = table.find({"np", "num_p"}), descendant = table.find({"descid", "desc_id"}),
               host = table.find({"pid"});
    const HaloPlaces places = places_of(table);
    HaloCatalogue catalogue;
    take_comments(table, catalogue);
    const double a = table.said("a").value_or(0);
    const std::int32_t number = path.extension() == ".list" ? number_of_list(path) : -1;
    std::vector<std::uint64_t> hosts;
    while (table.next()) {
        if (catalogue.halos.empty()) catalogue.halos.reserve(table.rows_about());
        Halo halo{.id = table.id(id)};
        if (halo.id == kNoHaloId) continue;  // a halo that is not printed as a separate one
        places.read(table, halo);
        halo.mass = table.number(mass), halo.radius = kMpcPerKpc * table.number(radius);
        if (members) halo.members = table.count(*members);
        if (descendant) halo.descendant = table.id(*descendant);
        if (host) hosts.push_back(table.id(*host));
        halo.scale_factor = a, halo.snapshot = number;
        catalogue.halos.push_back(halo);
    }
    if (host) find_hosts(catalogue.halos, hosts);
    return catalogue;
}

HaloCatalogue read_consistent_trees(const std::filesystem::path& path) {
    HaloText table{path};
    const std::size_t id = table.column({"id"}), scale = table.column({"scale"}),
                      descendant = table.column({"desc_id"}), mass = table.column({"mvir", "m200b", "m200c"}),
                      radius = table.column({"rvir", "r200b", "r200c"});
    const auto host = table.find({"pid"}), main = table.find({"mmp?"}), snapshot = table.find({"snap_num", "snap_idx"});
    const HaloPlaces places = places_of(table);
    HaloCatalogue catalogue;
    take_comments(table, catalogue);
    catalogue.ids_are_unique = true;
    std::vector<std::uint64_t> hosts;
    while (table.next()) {
        if (catalogue.halos.empty()) catalogue.halos.reserve(table.rows_about());
        Halo halo{.id = table.id(id), .descendant = table.id(descendant)};
        places.read(table, halo);
        halo.mass = table.number(mass), halo.radius = kMpcPerKpc * table.number(radius);
        halo.scale_factor = table.number(scale);
        if (!(halo.scale_factor > 0) || !std::isfinite(halo.scale_factor))
            usage_error(fmt::format("{}: halo {} has the scale factor {}; expected a number above 0", path.string(),
                                    halo.id, halo.scale_factor));
        if (snapshot) halo.snapshot = static_cast<std::int32_t>(table.number(*snapshot));
        halo.main_progenitor = main && table.number(*main) == 1;
        hosts.push_back(host ? table.id(*host) : kNoHaloId);
        catalogue.halos.push_back(halo);
    }
    find_hosts(catalogue.halos, hosts);
    return catalogue;
}

bool is_ahf(std::string_view head, const std::filesystem::path&) {
    const HaloTextHead text = halo_text_head(head);
    return has_title(text, "npart") && has_title(text, "xc");
}

bool is_consistent_trees(std::string_view head, const std::filesystem::path&) {
    const HaloTextHead text = halo_text_head(head);
    return has_title(text, "scale") && has_title(text, "desc_id") && has_title(text, "id");
}

bool is_rockstar(std::string_view head, const std::filesystem::path&) {
    const HaloTextHead text = halo_text_head(head);
    return has_title(text, "id") && has_title(text, "x") &&
           (has_title(text, "rvir") || has_title(text, "r200b") || has_title(text, "r200c"));
}

}  // namespace

const CatalogueEntry& ahf_catalogue() {
    static const CatalogueEntry entry{"ahf", "AHF", "NAME.AHF_halos, with members from NAME.AHF_particles", is_ahf,
                                      read_ahf};
    return entry;
}

const CatalogueEntry& rockstar_catalogue() {
    static const CatalogueEntry entry{"rockstar", "Rockstar", "out_N.list, and halos_N.M.ascii", is_rockstar,
                                      read_rockstar};
    return entry;
}

const CatalogueEntry& consistent_trees_catalogue() {
    static const CatalogueEntry entry{"consistent-trees", "Consistent-trees",
                                      "merger trees tree_N_N_N.dat, and catalogues hlist_A.list", is_consistent_trees,
                                      read_consistent_trees};
    return entry;
}

}  // namespace orrery
