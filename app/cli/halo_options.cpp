// SPDX-License-Identifier: MIT
#include "app/cli/halo_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/text.hpp"
#include "core/catalogues/merger_tree.hpp"
#include "core/catalogues/scene_halos.hpp"

namespace orrery {

ShownHalos HaloOptions::open(const SceneRequest& scene) const {
    if (path.empty() && !lit.empty()) usage_error("--halo: give the catalogue of the halo, with --halos FILE");
    if (path.empty()) return {};
    std::vector<std::string> sources{scene.source};
    sources.insert(sources.end(), scene.more.begin(), scene.more.end());
    SceneHalos found = read_halos_of(path, sources);
    for (const std::string& note : found.catalogue.notes) to_stderr("orrery: note: {}\n", note);
    ShownHalos shown{.catalogue = std::make_shared<const HaloCatalogue>(std::move(found.catalogue)),
                     .circles = circles,
                     .time = found.time};
    if (lit.empty()) return shown;
    shown.lit = find_halo(*shown.catalogue, lit, found.time.value_or(shown.catalogue->times.size() - 1));
    HaloMembers members = members_in_scene(*shown.catalogue, shown.lit, sources);
    print_detail("halo {}: {} bodies, {}", lit, members.bodies.size(), name(members.by));
    shown.members = std::make_shared<const std::vector<std::uint32_t>>(std::move(members.bodies));
    if (shown.catalogue->has_tree())
        shown.line = std::make_shared<const std::vector<std::uint32_t>>(
            line_of(*shown.catalogue, Progenitors{*shown.catalogue}, shown.lit));
    return shown;
}

void resolve_centre(SpaceView& space, const Scene& scene, const ShownHalos& halos) {
    if (space.asked() && !(scene.box > 0) && !(space.box > 0))
        usage_error(fmt::format("{}: states no periodic box; give its edge with --box", scene.id));
    if (space.recentre.empty() || point_in(space.recentre)) return;
    if (space.recentre == kRecentreHalo) {
        if (halos.lit == kNoHalo) usage_error("--recentre halo: give the halo with --halos FILE --halo ID");
        space.recentre = text_of_point(halos.catalogue->halos[halos.lit].position);
        return;
    }
    std::uint64_t id = 0;
    read_number(std::string_view{space.recentre}.substr(kRecentreBody.size()), id);
    const Bodies& bodies = scene.bodies;
    const std::size_t row = bodies.ids.empty()
                                ? static_cast<std::size_t>(std::min<std::uint64_t>(id, bodies.size()))
                                : static_cast<std::size_t>(std::ranges::find(bodies.ids, id) - bodies.ids.begin());
    if (row == bodies.size())
        usage_error(fmt::format("--recentre {}: {} has no body with this id", space.recentre, scene.id));
    space.recentre = text_of_point(xyz(bodies.position_mass[row]));
}

void add_halos(CLI::App& app, HaloOptions& options) {
    const HelpGroup group{app, "View"};
    app.add_option("--halos", options.path, "Halo catalogue, drawn as circles with masses");
    app.add_option("--halo", options.lit, "Halo that is lit with its bodies: its id, or sub and the id of a subhalo");
    app.add_option("--halo-circles", options.circles, "Number of circles, of the heaviest haloes")
        ->check(CLI::Range(std::size_t{0}, ShownHalos::kMostCircles))
        ->capture_default_str();
}

}  // namespace orrery
