// SPDX-License-Identifier: MIT
#include "app/cli/view_options.hpp"

#include <CLI/CLI.hpp>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

void add_trails(CLI::App& app, TrailView& trails) {
    app.add_flag("--trails,!--no-trails", trails.on, "Draw where bodies have been");
    app.add_option("--trail-points", trails.points, "Places of each body that are kept")
        ->check(CLI::Range(2, TrailView::kMostPoints))
        ->capture_default_str();
    app.add_option("--trail-every", trails.every, "Steps from one to the next, at least")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--trail-opacity", trails.opacity, "0 to 1")->check(CLI::Range(0.0, 1.0))->capture_default_str();
}

void add_stars(CLI::App& app, StarView& stars) {
    app.add_flag("--stars,!--no-stars", stars.on, "Draw a sky behind the bodies");
    app.add_option("--star-seed", stars.seed, "Which sky: the same number is the same sky")
        ->check(CLI::Range(0, StarView::kMostSeed))
        ->capture_default_str();
    app.add_option("--star-light", stars.light, "Of the sky's stars, times the usual one")
        ->check(CLI::Range(0.0, 4.0))
        ->capture_default_str();
}

void add_legend(CLI::App& app, ViewOptions& options) {
    ViewSettings& view = options.settings;
    app.add_flag("--legend,!--no-legend", options.legend,
                 "Colour bar, scale bar and names of bodies in the picture, and with --clock the time");
    app.add_flag("--color-bar,!--no-color-bar", view.color_bar, "Of the legend: what the colours mean");
    app.add_flag("--scale-bar,!--no-scale-bar", view.guides.scale_bar, "Of the legend: how long a length is");
    app.add_flag("--labels,!--no-labels", view.guides.labels, "Of the legend: names of bodies that have some");
    app.add_flag("--clock,!--no-clock", view.guides.time_stamp, "The simulated time; brings the legend");
}

}  // namespace

void add_view(CLI::App& app, ViewOptions& options) {
    ViewSettings& view = options.settings;
    add_legend(app, options);
    app.add_option("--mode", options.mode, "How bodies are drawn: " + ids(draw_modes()))->capture_default_str();
    app.add_option("--color-map", view.color_map,
                   "Colours: auto, as suits what they stand for, or " + ids(color_maps()))
        ->capture_default_str();
    app.add_option("--color-by,--color-mode", view.color_mode, "What they stand for: " + ids(color_modes()))
        ->capture_default_str();
    app.add_option("--tone-map", options.tone_map, "How light becomes brightness: " + ids(tone_maps()))
        ->capture_default_str();
    app.add_option("--exposure", view.exposure, "Stops of light on top of the automatic exposure")
        ->check(CLI::Range(-20.0, 20.0))
        ->capture_default_str();
    app.add_option("--glow", view.glow, "0 to 1")->check(CLI::Range(0.0, 1.0))->capture_default_str();
    app.add_option("--size", view.size, "Size of bodies, times the automatic one")
        ->check(CLI::Range(0.01, 100.0))
        ->capture_default_str();
    app.add_option("--stretch", view.stretch, "More lifts what is faint")
        ->check(CLI::Range(0.001, 1000.0))
        ->capture_default_str();
    app.add_option("--mass-size", view.mass_size,
                   "A body's light is proportional to its mass to this power; 0: all alike")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--white", view.white,
                   "Light of bodies in a pixel that is drawn white, through the whole film; without it, by the picture")
        ->check(CLI::PositiveNumber);
    add_trails(app, view.trails);
    add_stars(app, view.stars);
    app.add_flag("--grid", view.guides.grid, "Draw a grid in the orbital plane");
    app.add_flag("--axes", view.guides.axes, "Draw x, y and z from the scene's origin: red, green, blue");
    OctreeView& octree = view.octree;
    app.add_flag("--octree", octree.on, "Draw the cells of a tree engine over the bodies");
    app.add_option("--octree-first", octree.first, "First level of cells that is drawn; 0: the root")
        ->check(CLI::Range(0, OctreeView::kDeepest))
        ->capture_default_str();
    app.add_option("--octree-last", octree.last, "Last level of cells that is drawn")
        ->check(CLI::Range(0, OctreeView::kDeepest))
        ->capture_default_str();
    app.add_flag("--octree-leaves", octree.leaves_only, "Of the cells only the leaves");
    app.add_option("--octree-opacity", octree.opacity, "0 to 1")->check(CLI::Range(0.0, 1.0))->capture_default_str();
    app.add_option("--turn", options.turn, "Degrees by which the camera turns per second")
        ->check(CLI::Range(-3600.0, 3600.0))
        ->capture_default_str();
    app.add_option("--yaw", options.yaw, "Degrees about the vertical, of the first picture")
        ->check(CLI::Range(-360.0, 360.0))
        ->capture_default_str();
    app.add_option("--pitch", options.pitch, "Degrees above the horizontal plane")
        ->check(CLI::Range(-89.0, 89.0))
        ->capture_default_str();
    app.add_option("--zoom", options.zoom, "1: the scene fills the picture; more is nearer")
        ->check(CLI::Range(1e-3, 1e6))
        ->capture_default_str();
}

ViewSettings ViewOptions::checked() const {
    ViewSettings view = settings;
    view.mode = find_in_menu(draw_modes(), "drawing mode", mode).mode;
    view.tone_map = find_in_menu(tone_maps(), "tone map", tone_map).tone_map;
    color_map_for(view.color_map, color_mode(view.color_mode).by);
    return view;
}

void ViewOptions::adopt(const SceneFile& file) {
    settings = file.view;
    legend = file.record.legend;
    const auto id_of = [](auto menu, auto member, auto value) {
        for (const auto& entry : menu)
            if (entry.*member == value) return std::string{entry.id};
        return std::string{};
    };
    mode = id_of(draw_modes(), &DrawModeEntry::mode, file.view.mode);
    tone_map = id_of(tone_maps(), &ToneMapEntry::tone_map, file.view.tone_map);
    scene = file.camera;
    yaw = scene.yaw.value_or(yaw);
    pitch = scene.pitch.value_or(pitch);
    zoom = scene.zoom;
    turn = scene.turn;
}

OrbitCamera ViewOptions::camera(const FrameExtent& extent, double aspect) const {
    CameraSettings wanted = scene;
    wanted.yaw = yaw, wanted.pitch = pitch, wanted.zoom = zoom;
    return OrbitCamera{first_pose(wanted, CameraPose{}, extent, aspect)};
}

}  // namespace orrery
