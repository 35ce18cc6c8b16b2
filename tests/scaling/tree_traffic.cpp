// SPDX-License-Identifier: MIT
// Counts the data that the ranks of a distributed tree would receive: tree_traffic [FOLDER]. Writes tree_traffic.csv
// and tree_traffic.svg to the folder.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>

#include "core/plot/plot.hpp"
#include "core/presets/presets.hpp"
#include "core/ranks/ranks.hpp"
#include "tests/scaling/domains.hpp"

namespace {

using namespace orrery;
using orrery::test::Domains;
using orrery::test::Received;
using orrery::test::Visited;

constexpr double kAccuracy = 1e-3;
constexpr std::array kBodies{65'536u, 262'144u, 1'048'576u, 4'194'304u};

struct Row {
    std::string preset;
    std::size_t bodies;
    std::uint64_t ranks;
    double mean_cells, mean_bodies, most_bytes;  ///< over the ranks
    double one_box;                              ///< most_bytes with one box around all groups of a rank
};

Row counted(const std::string& preset, const Domains& domains, std::uint64_t ranks) {
    Row row{.preset = preset, .bodies = domains.bodies(), .ranks = ranks};
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const RankPart part = part_of(domains.groups().size(), rank, ranks);
        const Received by_groups = domains.received(domains.visit(part.first, part.last), part.first, part.last);
        const Received by_box = domains.received(domains.visit(part.first, part.last, true), part.first, part.last);
        row.mean_cells += static_cast<double>(by_groups.cells) / static_cast<double>(ranks);
        row.mean_bodies += static_cast<double>(by_groups.bodies) / static_cast<double>(ranks);
        row.most_bytes = std::max(row.most_bytes, static_cast<double>(by_groups.bytes()));
        row.one_box = std::max(row.one_box, static_cast<double>(by_box.bytes()));
    }
    return row;
}

std::vector<Row> count_all() {
    std::vector<Row> rows;
    for (const std::string preset : {"plummer", "uniform-sphere", "collision"})
        for (const std::size_t bodies : kBodies) {
            const Scene scene = make_preset(preset, {.bodies = bodies});
            const auto a = accelerations({.engine = "tree"}, scene.bodies, scene.gravity);
            const Domains domains{scene.bodies, a, scene.gravity, kAccuracy};
            for (const std::uint64_t ranks : {2, 4, 8, 16, 32, 64}) {
                rows.push_back(counted(preset, domains, ranks));
                std::cerr << preset << ' ' << bodies << ' ' << ranks << '\n';
            }
        }
    return rows;
}

void write_csv(const std::filesystem::path& path, const std::vector<Row>& rows) {
    std::ofstream file{path};
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file << "preset,bodies,ranks,cells_mean,bodies_mean,bytes_most,bytes_most_one_box\n";
    for (const Row& row : rows)
        file << fmt::format("{},{},{},{:.1f},{:.1f},{:.0f},{:.0f}\n", row.preset, row.bodies, row.ranks, row.mean_cells,
                            row.mean_bodies, row.most_bytes, row.one_box);
}

/// Bytes received by the worst rank over the number of bodies per rank.
std::string picture(const std::vector<Row>& rows) {
    const std::vector<std::string> colors{"#4c78a8", "#f58518", "#54a24b", "#b279a2"};
    std::vector<PlotPanel> panels;
    for (const std::string preset : {"plummer", "uniform-sphere", "collision"}) {
        PlotPanel& panel = panels.emplace_back();
        panel.title = preset, panel.x_label = "bodies of a rank", panel.y_label = "bytes to the rank with the most";
        panel.log_x = panel.log_y = true, panel.reference.reset();
        std::size_t color = 0;
        for (const std::size_t bodies : kBodies) {
            PlotCurve by_groups{
                .label = fmt::format("{} bodies", bodies), .color = colors[color], .dashes = "", .points = {}};
            PlotCurve by_box{
                .label = fmt::format("{}, one box", bodies), .color = colors[color++], .dashes = "2 3", .points = {}};
            for (const Row& row : rows) {
                if (row.preset != preset || row.bodies != bodies) continue;
                const double own = static_cast<double>(row.bodies) / static_cast<double>(row.ranks);
                by_groups.points.push_back({own, row.most_bytes});
                by_box.points.push_back({own, row.one_box});
            }
            panel.curves.push_back(by_groups);
            panel.curves.push_back(by_box);
        }
    }
    return plot(
        "Locally essential tree",
        "quadrupoles at 1e-3, leaves of 16, groups of 64, 2 to 64 ranks; dotted: one box around all groups of a rank",
        panels, 3);
}

}  // namespace

int main(int count, char** words) {
    const std::filesystem::path folder = count > 1 ? words[1] : ".";
    const std::vector<Row> rows = count_all();
    write_csv(folder / "tree_traffic.csv", rows);
    std::ofstream svg{folder / "tree_traffic.svg"};
    svg.exceptions(std::ios::failbit | std::ios::badbit);
    svg << picture(rows);
    return 0;
}
