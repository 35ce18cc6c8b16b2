// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

#include "app/picture/halo_marks.hpp"
#include "app/render/view_settings.hpp"
#include "core/simulation/scene_request.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// --halos FILE, --halo ID, --halo-circles N: haloes drawn over pictures.
struct HaloOptions {
    std::string path;  ///< of the catalogue; empty: none
    std::string lit;   ///< of find_halo(); empty: none
    std::size_t circles = ShownHalos::kDefaultCircles;

    /// Reads the catalogue for this scene; prints its notes on stderr. Without a path nothing is shown. Throws Error
    /// as read_halos_of() and members_in_scene() do.
    ShownHalos open(const SceneRequest& scene) const;
};
void add_halos(CLI::App& app, HaloOptions& options);

/// Replaces the text of SpaceView::recentre by the point that it stands for. Throws Error{kUsage} if there is no such
/// halo or body, or no box.
void resolve_centre(SpaceView& space, const Scene& scene, const ShownHalos& halos);

}  // namespace orrery
