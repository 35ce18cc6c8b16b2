// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/halo_members.hpp"
#include "core/catalogues/halo_units.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRowsOfList = 20;

struct HalosOptions {
    std::string catalogue, sort = "mass", snapshot, match, members, output;
    bool ascending = false, json = false;
    std::optional<std::size_t> most;
    std::optional<double> at;
    AnalysisSettings groups;
    int threads = 0;
};

/// The catalogue, in the units of the snapshot if one was given, and the haloes to list.
struct HaloList {
    HaloCatalogue catalogue;
    std::size_t time = 0;
    std::optional<Scene> scene;  ///< of the snapshot
    std::vector<std::uint32_t> rows;
};

std::optional<double> if_stated(double value) { return std::isnan(value) ? std::nullopt : std::optional{value}; }

std::size_t time_asked(const HaloCatalogue& catalogue, std::optional<double> at) {
    if (!at) return catalogue.times.size() - 1;
    if (const auto time = catalogue.time_at(*at)) return *time;
    usage_error(fmt::format("--at {}: {} has {} times, from a = {:.6g} to {:.6g}", *at, catalogue.path,
                            catalogue.times.size(), catalogue.times.front().scale_factor,
                            catalogue.times.back().scale_factor));
}

HaloList open_halos(const HalosOptions& options, const std::string& snapshot) {
    HaloList list{.catalogue = read_catalogue(options.catalogue)};
    HaloCatalogue& catalogue = list.catalogue;
    if (snapshot.empty()) {
        list.time = time_asked(catalogue, options.at);
    } else {
        list.scene = read_snapshot(snapshot);
        const SnapshotUnits units = snapshot_units(snapshot, *list.scene);
        list.time = time_of_snapshot(catalogue, units);
        convert_halos(catalogue, units);
        require_among_bodies(catalogue, list.time, list.scene->bodies, units);
    }
    for (const std::string& note : catalogue.notes) to_stderr("orrery: note: {}\n", note);
    const auto at = catalogue.at(catalogue.times[list.time]);
    list.rows.assign(at.begin(), at.end());
    sort_halos(catalogue, list.rows, find_in_menu(halo_columns(), "column", options.sort), options.ascending);
    return list;
}

/// "x [Mpc/h]"; for a CSV file and the table.
std::string title_of(const HaloColumn& column, const HaloUnits& units) {
    const HaloUnit* const unit = column.unit(units);
    return unit && !unit->word.empty() ? fmt::format("{} [{}]", column.id, unit->word) : std::string{column.id};
}

std::string cell_of(const HaloColumn& column, const Halo& halo, int digits) {
    if (column.id == "id") return fmt::format("{}", halo.id);
    const auto value = if_stated(column.value(halo));
    if (!value) return {};
    if (column.whole) return fmt::format("{:.0f}", *value);
    return digits > 0 ? fmt::format("{:.{}g}", *value, digits) : fmt::format("{}", *value);
}

std::string csv_of(const HaloList& list) {
    std::string text = "kind,host,descendant";
    for (const HaloColumn& column : halo_columns()) text += ',' + title_of(column, list.catalogue.units);
    text += '\n';
    for (const std::uint32_t i : list.rows) {
        const Halo& halo = list.catalogue.halos[i];
        const std::string host = halo.host == kNoHalo ? "" : label_of(list.catalogue.halos[halo.host]);
        text += fmt::format("{},{},{}", name(halo.kind), host,
                            halo.descendant == kNoHaloId ? "" : fmt::format("{}", halo.descendant));
        for (const HaloColumn& column : halo_columns()) text += ',' + cell_of(column, halo, 0);
        text += '\n';
    }
    return text;
}

Json json_of(const HaloList& list) {
    const HaloCatalogue& catalogue = list.catalogue;
    Json halos = Json::array();
    const auto id_or_null = [](std::uint64_t id) { return id == kNoHaloId ? Json{} : Json(id); };
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json{}; };
    for (const std::uint32_t i : list.rows) {
        const Halo& halo = catalogue.halos[i];
        halos.push_back({{"id", halo.id},
                         {"kind", name(halo.kind)},
                         {"host", halo.host == kNoHalo ? Json{} : Json(label_of(catalogue.halos[halo.host]))},
                         {"descendant", id_or_null(halo.descendant)},
                         {"members", halo.members > 0 ? Json(halo.members) : Json{}},
                         {"mass", number(halo.mass)},
                         {"radius", number(halo.radius)},
                         {"position", {halo.position.x, halo.position.y, halo.position.z}},
                         {"velocity", {number(halo.velocity.x), number(halo.velocity.y), number(halo.velocity.z)}},
                         {"scale_factor", halo.scale_factor > 0 ? Json(halo.scale_factor) : Json{}},
                         {"snapshot", halo.snapshot >= 0 ? Json(halo.snapshot) : Json{}}});
    }
    return {{"path", catalogue.path},
            {"format", catalogue.format},
            {"times", catalogue.times.size()},
            {"box", catalogue.box > 0 ? Json(catalogue.box) : Json{}},
            {"units",
             {{"length", catalogue.units.length.word},
              {"mass", catalogue.units.mass.word},
              {"velocity", catalogue.units.velocity.word}}},
            {"halos", halos}};
}

void print_halos(const HaloList& list, std::size_t all) {
    std::vector<std::vector<std::string>> cells(1);
    for (const char* title : {"halo", "host"}) cells.front().emplace_back(title);
    for (const HaloColumn& column : halo_columns())
        if (column.id != "id") cells.front().push_back(title_of(column, list.catalogue.units));
    for (const std::uint32_t i : list.rows) {
        const Halo& halo = list.catalogue.halos[i];
        cells.push_back({label_of(halo), halo.host == kNoHalo ? "" : label_of(list.catalogue.halos[halo.host])});
        for (const HaloColumn& column : halo_columns())
            if (column.id != "id") cells.back().push_back(cell_of(column, halo, 6));
    }
    std::vector<std::size_t> widths(cells.front().size());
    for (std::size_t k = 0; k < widths.size(); ++k) {
        bool stated = false;
        for (std::size_t row = 1; row < cells.size(); ++row) stated = stated || !cells[row][k].empty();
        for (const auto& row : cells) widths[k] = stated ? std::max(widths[k], row[k].size()) : 0;
    }
    for (const auto& row : cells) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k)
            if (widths[k] > 0) line += fmt::format("{:>{}}  ", row[k], widths[k]);
        to_stdout("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
    if (list.rows.size() < all) to_stdout("{} of {} haloes; --most 0 lists all\n", list.rows.size(), all);
}

int print_members(const HalosOptions& options, const HaloList& list) {
    if (!list.scene) usage_error("--members: give the snapshot of the bodies, with --snapshot FILE");
    const std::uint32_t halo = find_halo(list.catalogue, options.members, list.time);
    const HaloMembers members = members_of(list.catalogue, halo, list.scene->bodies);
    to_stderr("orrery: {} bodies of halo {}, found {}\n", members.bodies.size(), options.members, name(members.by));
    std::string text = list.scene->bodies.ids.empty() ? "body\n" : "body,id\n";
    for (const std::uint32_t i : members.bodies)
        text += list.scene->bodies.ids.empty() ? fmt::format("{}\n", i)
                                               : fmt::format("{},{}\n", i, list.scene->bodies.ids[i]);
    if (options.output.empty())
        to_stdout("{}", text);
    else
        write_file(options.output, text);
    return 0;
}

std::string match_text(const HalosOptions& options, const HaloList& list, const std::vector<HaloMatch>& matches) {
    const HaloUnit& unit = list.catalogue.units.length;
    if (options.json) {
        Json rows = Json::array();
        for (const HaloMatch& each : matches)
            rows.push_back(
                {{"halo", list.catalogue.halos[each.halo].id},
                 {"members", each.members},
                 {"group", each.group ? Json(*each.group) : Json{}},
                 {"group_bodies", each.group_bodies},
                 {"shared", each.shared},
                 {"distance", each.group ? Json(each.distance) : Json{}},
                 {"mass_ratio", each.group && std::isfinite(each.mass_ratio) ? Json(each.mass_ratio) : Json{}}});
        return rows.dump(2) + '\n';
    }
    const auto share = [](std::size_t part, std::size_t whole) {
        return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    };
    if (!options.output.empty()) {
        std::string text = "halo,members,group,group_bodies,shared,distance,mass_ratio\n";
        for (const HaloMatch& each : matches)
            text += fmt::format("{},{},{},{},{},{},{}\n", list.catalogue.halos[each.halo].id, each.members,
                                each.group ? fmt::format("{}", *each.group) : "", each.group_bodies, each.shared,
                                each.group ? fmt::format("{}", each.distance) : "",
                                each.group ? fmt::format("{}", each.mass_ratio) : "");
        return text;
    }
    const std::string far = unit.word.empty() ? "distance" : fmt::format("distance [{}]", unit.word);
    std::string text = fmt::format("{:>12} {:>10} {:>7} {:>10} {:>14} {:>14} {:>18} {:>10}\n", "halo", "members",
                                   "group", "bodies", "of the halo", "of the group", far, "mass ratio");
    for (const HaloMatch& each : matches) {
        const std::string halo = label_of(list.catalogue.halos[each.halo]);
        text += each.group
                    ? fmt::format("{:>12} {:>10} {:>7} {:>10} {:>13.1f}% {:>13.1f}% {:>18.4g} {:>10.4g}\n", halo,
                                  each.members, *each.group, each.group_bodies, 100 * share(each.shared, each.members),
                                  100 * share(each.shared, each.group_bodies), each.distance, each.mass_ratio)
                    : fmt::format("{:>12} {:>10} {:>7}\n", halo, each.members, "none");
    }
    return text;
}

int match_command(const HalosOptions& options) {
    const HaloList list = open_halos(options, options.match);
    Pool pool{options.threads, false};
    const std::vector<HaloMatch> matches =
        match_halos(pool, *list.scene, list.catalogue, list.time, options.groups, options.most.value_or(kRowsOfList));
    const std::string text = match_text(options, list, matches);
    if (options.output.empty())
        to_stdout("{}", text);
    else
        write_file(options.output, text);
    return 0;
}

int halos_command(const HalosOptions& options) {
    if (!options.output.empty()) require_writable(options.output);
    if (!options.match.empty()) return match_command(options);
    HaloList list = open_halos(options, options.snapshot);
    if (!options.members.empty()) return print_members(options, list);
    const bool table = !options.json && options.output.empty();
    const std::size_t all = list.rows.size(), most = options.most.value_or(table ? kRowsOfList : 0);
    if (most > 0) list.rows.resize(std::min(all, most));
    if (!options.output.empty()) {
        write_file(options.output, options.json ? json_of(list).dump(2) + '\n' : csv_of(list));
        to_stdout("wrote {}: {} of {} haloes\n", options.output, list.rows.size(), all);
    } else if (options.json) {
        to_stdout("{}\n", json_of(list).dump(2, ' ', false, Json::error_handler_t::replace));
    } else {
        print_halos(list, all);
    }
    return 0;
}

}  // namespace

Work declare_halos(CLI::App& app) {
    const auto options = std::make_shared<HalosOptions>();
    app.add_option("CATALOGUE", options->catalogue, "Halo catalogue or merger tree: a file, or a pattern of several")
        ->required();
    app.add_option("--sort", options->sort, "Column by which haloes are sorted: " + ids(halo_columns()))
        ->capture_default_str();
    app.add_flag("--ascending", options->ascending, "The smallest value first");
    app.add_option("--most", options->most, "Number of haloes; 0: all (default: 20, in files and JSON all)");
    app.add_option("--at", options->at,
                   "Scale factor of the haloes, for catalogues of several times (default: the last)")
        ->check(positive());
    app.add_option("--snapshot", options->snapshot,
                   "Snapshot that the catalogue belongs to: values are converted to its units");
    app.add_option("--members", options->members, "List the bodies of this halo in the snapshot");
    app.add_option("--match", options->match,
                   "Find groups of friends of friends in this snapshot and match the haloes with them: shared bodies, "
                   "distance, ratio of masses");
    app.add_option("--link", options->groups.link, "For --match: linking length in mean separations")
        ->check(positive())
        ->capture_default_str();
    app.add_option("--least", options->groups.least, "For --match: minimum number of bodies of a group")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    app.add_option("--of", options->groups.of, "For --match: species of the bodies in groups, as in `orrery plot`");
    app.add_option("-o,--output", options->output, "Write the list as CSV, or with --json as JSON");
    add_json(app, options->json);
    add_threads(app, options->threads);
    std::string formats;
    for (const CatalogueEntry& entry : catalogue_formats())
        formats += fmt::format("{}{}: {}", formats.empty() ? "" : "; ", entry.label, entry.doc);
    app.footer(
        "Formats: " + formats +
        ".\nExamples:\n  orrery halos fof_subhalo_tab_099.hdf5 --sort members\n  orrery halos out_10.list "
        "--snapshot snap_010.hdf5 -o halos.csv\n  orrery halos groups.hdf5 --match snap_010.hdf5\n  orrery halos "
        "tree_0_0_0.dat --at 0.5 --json");
    return [options] { return halos_command(*options); };
}

}  // namespace orrery
