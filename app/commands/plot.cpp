// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/halo_options.hpp"
#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "core/analysis/analyses.hpp"
#include "core/analysis/result.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/standard_streams.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/merger_tree.hpp"
#include "core/formats/fields.hpp"

namespace orrery {
namespace {

/// The kind of `orrery plot` that draws a halo catalogue instead of a scene.
constexpr std::string_view kTreeKind = "merger-tree";

struct TreePlotOptions {
    std::string halo, lit;  ///< of find_halo(); empty: the heaviest halo of the last time; no branch
    std::size_t branches = 60;
};

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

/// Draws the merger tree in the catalogue `source` to these files, .svg or .csv; without any the CSV goes to standard
/// output. Returns the exit code.
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

struct PlotOptions {
    SceneOptions scene;
    std::string kind;
    std::vector<std::string> outputs;
    AnalysisSettings settings;
    ViewSettings view;  // of which the periodic box
    TreePlotOptions tree;
    int threads = 0;
};

enum class PlotFile { kCsv, kSvg };

PlotFile file_kind(const std::string& path) {
    const std::string extension = std::filesystem::path{path}.extension().string();
    if (extension == ".svg") return PlotFile::kSvg;
    if (extension == ".csv") return PlotFile::kCsv;
    usage_error(fmt::format("{}: expected a name that ends in .svg or .csv", path));
}

std::string time_text(const AnalysisResult& result) {
    return result.seconds > 0 ? fmt::format(", found in {:.1f} ms", 1e3 * result.seconds) : "";
}

/// Options of other kinds of plot would have no effect.
void require_read(const CLI::App& app, const AnalysisSettings& settings) {
    for (const Setting<AnalysisSettings>& each : analysis_settings())
        if (!each.applies_to(settings) && app.get_option("--" + first_flag_of(each.info))->count() > 0)
            usage_error(fmt::format("--{} does not apply to plot kind '{}'", first_flag_of(each.info), settings.kind));
}

/// Adds a field of an axis to those that are loaded, and replaces its short name by that of the file.
void load_also(SceneRequest& given, std::string& field) {
    if (defines(given.fields, field)) return;
    given.fields += (given.fields.empty() ? "" : ",") + field;
    if (std::filesystem::exists(given.source)) field = choose_field(fields_of(given.source), field, given.source).name;
}

/// Options of a merger tree have no effect on other kinds of plot, and the other way round.
void require_tree_options(const CLI::App& app, bool tree) {
    for (const char* name : {"--halo", "--lit", "--branches"})
        if (!tree && app.get_option(name)->count() > 0)
            usage_error(fmt::format("{} applies to plot kind '{}' only", name, kTreeKind));
    for (const Setting<AnalysisSettings>& each : analysis_settings())
        if (const std::string flag = "--" + first_flag_of(each.info); tree && app.get_option(flag)->count() > 0)
            usage_error(fmt::format("{} does not apply to plot kind '{}'", flag, kTreeKind));
}

/// Adds what a projection or slice reads besides its field: smoothing lengths if the file has some, density for
/// volumes, components of vectors.
void load_for_kernels(SceneRequest& given, AnalysisSettings& settings) {
    if (settings.kind != "projection" && settings.kind != "slice") return;
    if (!std::filesystem::exists(given.source)) return;
    const std::vector<FieldInfo> fields = fields_of(given.source);
    if (std::string length = "h"; choose_by_name(fields, length)) load_also(given, length);
    if (std::string density = "rho"; settings.weight == AnalysisWeight::kVolume) load_also(given, density);
    if (settings.arrows.empty() || settings.arrows == "v") return;
    if (const FieldInfo* const found = choose_by_name(fields, settings.arrows)) settings.arrows = found->name;
    for (int k = 0; k < 3; ++k) {
        std::string component = fmt::format("{}[{}]", settings.arrows, k);
        load_also(given, component);
    }
}

/// Groups and correlations are periodic in the box of the file. Others have no period: with --recentre, bodies move to
/// their images nearest to that point, which becomes the origin.
void make_periodic(const CLI::App& app, Scene& scene, PlotOptions& options) {
    SpaceView& space = options.view.space;
    const bool has_period = setting(analysis_settings(), "period").applies_to(options.settings);
    if (has_period && app.count("--period") == 0) options.settings.period = space.box > 0 ? space.box : scene.box;
    if (space.recentre.empty()) return;
    if (has_period)
        usage_error(fmt::format("--recentre does not apply to plot kind '{}', which is periodic", options.kind));
    resolve_centre(space, scene, {});
    const Periodic around = periodic_of(options.view, scene.box);
    for (Vec4d& body : scene.bodies.position_mass) {
        const Vec3d at = around.nearest(xyz(body)) - around.centre;
        body = {at.x, at.y, at.z, body.w};
    }
    if (app.count("--centre") == 0) options.settings.centre = AnalysisCentre::kOrigin;
}

int plot_scene(CLI::App& app, PlotOptions& options) {
    require_tree_options(app, options.kind == kTreeKind);
    if (options.kind == kTreeKind) {
        for (const std::string& path : options.outputs) file_kind(path);
        return plot_tree(options.scene.given.source, options.outputs, options.tree);
    }
    // Validate the options before the file is read.
    options.settings.kind = find_in_menu(analyses(), "plot", options.kind).id;
    require_read(app, options.settings);
    for (const std::string& path : options.outputs) file_kind(path);
    adopt_scene(options.scene, nullptr);
    apply_typed(app);
    for (const std::string& path : options.outputs) require_writable(path);
    for (std::string* field : {&options.settings.x_field, &options.settings.y_field, &options.settings.field})
        if (!field->empty()) load_also(options.scene.given, *field);
    load_for_kernels(options.scene.given, options.settings);
    Scene scene = options.scene.open();
    make_periodic(app, scene, options);
    Pool pool{options.threads, false};
    const AnalysisResult result = analyse(pool, scene, options.settings);
    if (options.outputs.empty()) to_stdout("{}", analysis_csv(result));
    for (const std::string& path : options.outputs) {
        const std::string title = fmt::format("{}: {}", scene.label, result.title);
        write_file(path, file_kind(path) == PlotFile::kSvg ? analysis_svg(result, title) : analysis_csv(result));
        to_stdout("wrote {}: {} of {} bodies{}\n", path, result.title, result.bodies, time_text(result));
    }
    return 0;
}

}  // namespace

Work declare_plot(CLI::App& app) {
    const auto options = std::make_shared<PlotOptions>();
    add_source(app, options->scene, Source::kRequired);
    app.add_option("KIND", options->kind,
                   fmt::format("What to plot: {}, or {} of a halo catalogue", ids(analyses()), kTreeKind))
        ->required();
    app.add_option("-o,--output", options->outputs,
                   "File to write, .svg or .csv, repeatable; without one the CSV goes to standard output");
    SettingOptions{app}.add(analysis_settings(), options->settings);
    for (const char* id : {"recentre", "box"}) SettingOptions{app}.add(setting(view_settings(), id), options->view);
    add_tree_options(app, options->tree);
    add_scene(app, options->scene);
    add_threads(app, options->threads);
    app.footer(
        "Lengths, masses and velocities are in the units of the scene, which the labels name where it has them. "
        "Examples:\n  orrery plot disc-galaxy rotation-curve -o curve.svg\n  orrery plot snap_040.hdf5 toomre-q --of "
        "disk -o q.svg -o q.csv\n  orrery plot plummer histogram-2d --x r --y v --scale log -o r_v.svg\n  orrery plot "
        "snap_040.hdf5 profile --x r --y-field Temperature -o t.svg\n  orrery plot tree_0_0_0.dat merger-tree -o "
        "tree.svg");
    return [options, &app] { return plot_scene(app, *options); };
}

}  // namespace orrery
