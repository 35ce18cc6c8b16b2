// SPDX-License-Identifier: MIT
#include "app/commands/plot_tree.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/cli/options.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/merger_tree.hpp"

namespace orrery {
namespace {

std::string title_of_tree(const HaloCatalogue& catalogue, const MergerTree& tree) {
    const Halo& root = catalogue.halos[tree.root];
    const std::string& unit = catalogue.units.mass.word;
    return fmt::format("Merger tree of halo {}, mass {:.4g}{}", label_of(root), root.mass,
                       unit.empty() ? "" : " " + unit);
}

/// The branch of the tree with this halo: an id, or with ids that are repeated at other times "ID@SNAPSHOT".
std::size_t lit_branch(const HaloCatalogue& catalogue, const MergerTree& tree, const std::string& wanted) {
    if (wanted.empty()) return kNoBranch;
    const auto at = wanted.find('@');
    std::size_t found = kNoBranch;
    for (std::size_t i = 0; i < tree.branches.size(); ++i)
        for (const std::uint32_t each : tree.branches[i].halos) {
            const Halo& halo = catalogue.halos[each];
            if (label_of(halo) != wanted.substr(0, at)) continue;
            if (at != std::string::npos && fmt::format("{}", halo.snapshot) != wanted.substr(at + 1)) continue;
            if (found != kNoBranch && found != i)
                usage_error(
                    fmt::format("--lit {}: haloes of several branches have this id at different times; add the "
                                "number of the snapshot, as in {}@{}",
                                wanted, wanted, halo.snapshot));
            found = i;
        }
    if (found == kNoBranch)
        usage_error(fmt::format("--lit {}: no branch that is drawn has this halo; --branches draws more", wanted));
    return found;
}

}  // namespace

void add_tree_options(CLI::App& app, TreePlotOptions& options) {
    const HelpGroup group{app, "Merger tree"};
    app.add_option("--halo", options.halo,
                   "Halo of the last time whose merger tree is drawn (default: the heaviest one)");
    app.add_option("--lit", options.lit,
                   "The branch with this halo is coloured: its id, or ID@SNAPSHOT if ids are repeated");
    app.add_option("--branches", options.branches, "Number of branches, the heaviest ones")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
}

int plot_tree(const std::string& source, const std::vector<std::string>& outputs, const TreePlotOptions& options) {
    for (const std::string& path : outputs) require_writable(path);
    const HaloCatalogue catalogue = read_catalogue(source);
    for (const std::string& note : catalogue.notes) to_stderr("orrery: note: {}\n", note);
    const std::uint32_t root =
        options.halo.empty() ? default_root(catalogue) : find_halo(catalogue, options.halo, catalogue.times.size() - 1);
    const Progenitors progenitors{catalogue};
    const MergerTree tree = merger_tree(catalogue, progenitors, root, options.branches);
    const std::size_t lit = lit_branch(catalogue, tree, options.lit);
    if (outputs.empty()) to_stdout("{}", merger_tree_csv(catalogue, tree));
    for (const std::string& path : outputs) {
        const bool svg = std::filesystem::path{path}.extension() == ".svg";
        write_file(path, svg ? merger_tree_svg(catalogue, tree, title_of_tree(catalogue, tree), lit)
                             : merger_tree_csv(catalogue, tree));
        to_stdout("wrote {}: {} branches of halo {}, {} left out\n", path, tree.branches.size(),
                  label_of(catalogue.halos[root]), tree.left_out);
    }
    return 0;
}

}  // namespace orrery
