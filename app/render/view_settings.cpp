// SPDX-License-Identifier: MIT
#include "app/render/view_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace orrery {

std::span<const DrawModeEntry> draw_modes() {
    static constexpr auto menu = std::to_array<DrawModeEntry>({
        {"auto", "Automatic", "points for few bodies, splat for many", DrawMode::kAuto},
        {"points", "Points", "soft sprites, blended by the rasteriser", DrawMode::kPoints},
        {"splat", "Splat", "light accumulated in fixed point by a compute shader; fast for millions of bodies",
         DrawMode::kSplat},
        {"smoothed", "Smoothed",
         "projected density: the light of each body is spread over the distance to its k-th neighbour; mass density "
         "with size by mass 1",
         DrawMode::kSmoothed},
    });
    return menu;
}

std::span<const ExposureByEntry> exposures() {
    static constexpr auto menu = std::to_array<ExposureByEntry>({
        {"picture", "Picture", "percentiles of its light, so that a scene looks the same with any number of bodies",
         ExposureBy::kPicture},
        {"bodies", "Bodies", "the number of bodies and the area that they cover", ExposureBy::kBodies},
    });
    return menu;
}

std::span<const SliceAcrossEntry> slices() {
    static constexpr auto menu = std::to_array<SliceAcrossEntry>({
        {"view", "Line of sight", "turns with the camera", SliceAcross::kView},
        {"x", "x", "lies in y and z", SliceAcross::kX},
        {"y", "y", "lies in x and z", SliceAcross::kY},
        {"z", "z", "lies in the orbital plane, x and y", SliceAcross::kZ},
    });
    return menu;
}

std::span<const MembersShownEntry> members_shown() {
    static constexpr auto menu = std::to_array<MembersShownEntry>({
        {"all", "Like all others", "nothing is hidden or dimmed", MembersShown::kAll},
        {"alone", "Alone", "all others are hidden", MembersShown::kAlone},
        {"bright", "Bright", "all others are dimmed to 3 %", MembersShown::kBright},
        {"dimmed", "Dimmed", "they are dimmed to 3 %", MembersShown::kDimmed},
        {"hidden", "Hidden", "they are not drawn", MembersShown::kHidden},
    });
    return menu;
}

std::span<const ToneMapEntry> tone_maps() {
    static constexpr auto menu = std::to_array<ToneMapEntry>({
        {"aces", "ACES", "film-like: deep shadows, highlights roll off to white", ToneMap::kAces},
        {"reinhard", "Reinhard", "softer: x / (1 + x)", ToneMap::kReinhard},
        {"clamp", "None", "linear, clipped at white", ToneMap::kClamp},
    });
    return menu;
}

std::span<const LensEntry> lenses() {
    static constexpr auto menu = std::to_array<LensEntry>({
        {"flat", "Flat", "central perspective", Lens::kFlat},
        {"stereo", "Stereo", "two pictures side by side, the left eye's on the left; a thirtieth of the distance apart",
         Lens::kStereo},
        {"panorama", "Panorama",
         "all directions, 360 by 180 degrees (equirectangular), for frames twice as wide as high", Lens::kPanorama},
        {"dome", "Dome", "180 degrees about the direction of view as a disc (equidistant fisheye), for square frames",
         Lens::kDome},
    });
    return menu;
}

namespace {

using V = ViewSettings;

constexpr unsigned kRemembered = place::kDefault | place::kUserFile;
constexpr unsigned kOwnControl = place::kDefault & ~place::kPanel;  // for settings with a custom control in a panel

ChoiceKind color_map_choices() {
    ChoiceKind kind = choices_of(color_maps());
    kind.choices.insert(kind.choices.begin(), {kAutoColorMap, "Automatic", "the map that suits the quantity"});
    return kind;
}

bool smoothed(const V& view) { return view.mode == DrawMode::kSmoothed; }
bool dusty(const V& view) { return smoothed(view) && color_mode(view.color_mode).by == ColorBy::kStarlight; }
bool sliced(const V& view) { return view.slice > 0; }
bool with_scale(const V& view) { return view.guides.scale_bar; }
bool with_trails(const V& view) { return view.trails.on; }
bool with_stars(const V& view) { return view.stars.on; }

void add_light(SettingTable<V>& add) {
    add({.id = "mode",
         .label = "Drawing",
         .doc = "how bodies are drawn; automatic chooses by their number and the OpenGL renderer",
         .kind = choices_of(draw_modes()),
         .places = kRemembered},
        member<&V::mode>(draw_modes(), &DrawModeEntry::mode));
    add({.id = "size",
         .label = "Size",
         .doc = "size of bodies, relative to the automatic size",
         .kind = RealKind{0.01, 100, {.logarithmic = true}},
         .places = kRemembered},
        member<&V::size>());
    add({.id = "neighbours",
         .label = "Neighbours",
         .doc = "for `smoothed`: number k of neighbours; each body is spread over the distance to its k-th neighbour",
         .kind = WholeKind{.low = 4, .high = V::kMostNeighbours, .slider = {8, 128}},
         .places = kRemembered},
        member<&V::neighbours>(), smoothed);
    add({.id = "smoothing_lengths",
         .label = "Lengths of the file",
         .doc = "for `smoothed`: bodies for which the file states a smoothing length are spread over that",
         .kind = FlagKind{}},
        member<&V::smoothing_lengths>(), smoothed);
    add({.id = "mass_size",
         .label = "Size by mass",
         .doc = "a body's light is proportional to its mass to this power; 0: all are equally bright",
         .kind = RealKind{0, 1}},
        member<&V::mass_size>());
    add({.id = "exposure",
         .label = "Exposure",
         .doc = "exposure compensation; 1 EV doubles the light",
         .kind = RealKind{-20, 20, {.format = "%+.1f EV"}},
         .unit = "EV",
         .places = kRemembered},
        member<&V::exposure>());
    add({.id = "exposure_by",
         .label = "Auto-exposure by",
         .doc = "how white is chosen: by percentiles of the light, or by number and area of bodies",
         .kind = choices_of(exposures()),
         .places = kRemembered},
        member<&V::exposure_by>(exposures(), &ExposureByEntry::by));
    add({.id = "white",
         .label = "White",
         .doc = "light of a pixel that is drawn white, in units of the light of one body; without it, automatic",
         .kind = RealKind{.low = 0, .high = kUnlimited, .slider = {1e-2, 1e6, "%.3g", true}, .above_low = true},
         .places = kOwnControl},
        member<&V::white>());
    add({.id = "stretch",
         .label = "Stretch",
         .doc = "higher values brighten faint areas; towards 0 the picture becomes linear",
         .kind = RealKind{0.001, 1000, {.format = "%.3g", .logarithmic = true}},
         .places = kRemembered},
        member<&V::stretch>());
    add({.id = "glow",
         .label = "Glow",
         .doc = "glow around bright areas: share of the light that is scattered; 0: none",
         .kind = RealKind{0, 1},
         .places = kRemembered},
        member<&V::glow>());
    add({.id = "tone_map",
         .label = "Tone map",
         .doc = "tone mapping: how light is mapped to the brightness range of the screen",
         .kind = choices_of(tone_maps()),
         .places = kRemembered},
        member<&V::tone_map>(tone_maps(), &ToneMapEntry::tone_map));
    add({.id = "local_contrast",
         .label = "Local contrast",
         .doc =
             "how strongly light is compared with the light around it: shows arms and threads in bright surroundings",
         .kind = RealKind{0, 1},
         .places = kRemembered},
        member<&V::local_contrast>());
    add({.id = "contours",
         .label = "Contours",
         .doc = "number of lines of equal light per decade; 0: none",
         .kind = WholeKind{0, V::kMostContours},
         .places = kRemembered},
        member<&V::contours>());
    add({.id = "cloud_bodies",
         .label = "Bodies of a cloud",
         .doc = "maximum number of a cloud's bodies drawn, in millions; 0: as many as suit the OpenGL renderer",
         .kind = RealKind{0, 1000, {.format = "%.3g"}},
         .places = kOwnControl},
        member<&V::cloud_bodies>());
    add({.id = "cloud_spacing",
         .label = "Spacing of a cloud",
         .doc = "distance of bodies on the screen down to which a cloud is read; 0: all bodies",
         .kind = RealKind{0, 64, {.format = "%.3g"}},
         .unit = "pixels",
         .places = kOwnControl},
        member<&V::cloud_spacing>());
    add({.id = "color_map",
         .label = "Colour map",
         .doc = "colour map",
         .kind = color_map_choices(),
         .places = kRemembered & ~place::kPanel},
        member<&V::color_map>());
    add({.id = "color_mode",
         .label = "Colour by",
         .doc = "quantity shown by colour",
         .kind = choices_of(color_modes()),
         .flag = "color-by,color-mode",
         .places = kRemembered & ~place::kPanel},
        member<&V::color_mode>());
    add({.id = "color_field",
         .label = "Field",
         .doc = "the field shown by colour with `field`, by its name; default: the first that is loaded",
         .kind = TextKind{},
         .places = place::kCommandLine | place::kSceneFile},
        member<&V::color_field>());
    add({.id = "color_scale",
         .label = "Colour scale",
         .doc = "how values are spread over the colour map",
         .kind = choices_of(scale_choices())},
        member<&V::color_scale>(scale_choices(), &ScaleChoiceEntry::scale));
    add({.id = "dust",
         .label = "Dust",
         .doc = "for starlight in `smoothed` pictures: gas absorbs the light behind it; factor of the optical depth",
         .kind = RealKind{.low = 0, .high = 1000, .slider = {0, 10, "%.2f"}}},
        member<&V::dust>(), dusty);
    add({.id = "dispersion",
         .label = "Colour by spread",
         .doc = "colour shows how much the quantity differs among the bodies of a pixel, its standard deviation, not "
                "its mean",
         .kind = FlagKind{}},
        member<&V::dispersion>());
    add({.id = "slice",
         .label = "Slice",
         .doc = "only bodies in a slab of this thickness through the camera's target are drawn; 0: all bodies",
         .kind = RealKind{0, 1e300},
         .places = kOwnControl},
        member<&V::slice>());
    add({.id = "slice_across",
         .label = "Slice across",
         .doc = "direction across the slab: the line of sight, or an axis of the scene",
         .kind = choices_of(slices())},
        member<&V::slice_across>(slices(), &SliceAcrossEntry::across), sliced);
    add({.id = "color_bar",
         .label = "Colour bar",
         .doc = "colour bar with its values, in the lower right corner of the window and in the legend of a recording",
         .kind = FlagKind{}},
        member<&V::color_bar>());
}

/// A command line has one option for all of them, `--show-species`.
void add_species(SettingTable<V>& add) {
    constexpr unsigned kFiles = place::kSceneFile | place::kColumn;  // a panel offers only the species that occur
    const auto one = [&](std::string_view id, std::string_view label, std::string_view doc, SettingMember<V> member) {
        add({.id = id, .label = label, .doc = doc, .kind = FlagKind{}, .places = kFiles}, std::move(member));
    };
    one("show_gas", "Show gas", "bodies of the species gas are drawn", member<&V::species, &ShownSpecies::gas>());
    one("show_halo", "Show halo", "bodies of the species halo are drawn", member<&V::species, &ShownSpecies::halo>());
    one("show_disk", "Show disk", "bodies of the species disk are drawn", member<&V::species, &ShownSpecies::disk>());
    one("show_bulge", "Show bulge", "bodies of the species bulge are drawn",
        member<&V::species, &ShownSpecies::bulge>());
    one("show_stars", "Show stars", "bodies of the species stars are drawn",
        member<&V::species, &ShownSpecies::stars>());
    one("show_boundary", "Show boundary", "bodies of the species boundary are drawn",
        member<&V::species, &ShownSpecies::boundary>());
}

/// The page Selection has their controls.
void add_members(SettingTable<V>& add) {
    add({.id = "filter_as",
         .label = "Filter shows",
         .doc = "how bodies that satisfy the filter are drawn",
         .kind = choices_of(members_shown()),
         .places = kOwnControl},
        member<&V::filter_as>(members_shown(), &MembersShownEntry::as));
    add({.id = "selection_as",
         .label = "Selection shown",
         .doc = "how selected bodies are drawn, besides their outline",
         .kind = choices_of(members_shown()),
         .places = kOwnControl & ~place::kCommandLine},
        member<&V::selection_as>(members_shown(), &MembersShownEntry::as));
}

void add_trails_and_stars(SettingTable<V>& add) {
    add({.id = "trails",
         .label = "Trails",
         .doc = "past positions of bodies as fading lines; with many bodies, of every n-th one",
         .kind = FlagKind{}},
        member<&V::trails, &TrailView::on>());
    add({.id = "trail_points",
         .label = "Length",
         .doc = "number of past positions kept for each body",
         .kind = WholeKind{2, TrailView::kMostPoints}},
        member<&V::trails, &TrailView::points>(), with_trails);
    add({.id = "trail_every",
         .label = "Steps apart",
         .doc = "minimum number of steps between two positions of a trail",
         .kind = WholeKind{.low = 1, .high = 1'000'000, .slider = {1, 100}}},
        member<&V::trails, &TrailView::every>(), with_trails);
    add({.id = "trail_opacity", .label = "Trail light", .doc = "brightness of the trails", .kind = RealKind{0, 1}},
        member<&V::trails, &TrailView::opacity>(), with_trails);
    add({.id = "spheres",
         .label = "True size",
         .doc = "the sixteen largest bodies as spheres of their radius, where encounters give them one",
         .kind = FlagKind{}},
        member<&V::spheres>());
    add({.id = "stars",
         .label = "Stars",
         .doc = "generated sky infinitely far behind the bodies; it turns with the camera and has no mass; N(m) ~ "
                "10^(0.6 m), as for uniformly distributed stars (Hubble 1926)",
         .kind = FlagKind{}},
        member<&V::stars, &StarView::on>());
    add({.id = "star_seed",
         .label = "Sky",
         .doc = "seed of the sky: the same number gives the same sky",
         .kind = WholeKind{.low = 0, .high = StarView::kMostSeed, .slider = {0, 999}}},
        member<&V::stars, &StarView::seed>(), with_stars);
    add({.id = "star_light",
         .label = "Star light",
         .doc = "brightness of the stars; at 1 no star outshines a body",
         .kind = RealKind{0, 4}},
        member<&V::stars, &StarView::light>(), with_stars);
}

void add_guides(SettingTable<V>& add) {
    add({.id = "grid",
         .label = "Grid",
         .doc = "grid in the orbital plane, z = 0; its cells are a round number wide",
         .kind = FlagKind{}},
        member<&V::guides, &GuideView::grid>());
    add({.id = "axes",
         .label = "Axes",
         .doc = "axes from the scene's origin: x red, y green, z blue",
         .kind = FlagKind{}},
        member<&V::guides, &GuideView::axes>());
    add({.id = "scale_bar",
         .label = "Scale",
         .doc = "scale bar, valid at the distance of the camera target, in the window and in the legend of a recording",
         .kind = FlagKind{}},
        member<&V::guides, &GuideView::scale_bar>());
    add({.id = "scale_physical",
         .label = "Physical scale",
         .doc = "for cosmological snapshots, the scale bar shows physical lengths in place of those of the file",
         .kind = FlagKind{},
         .places = kOwnControl},
        member<&V::guides, &GuideView::physical>(), with_scale);
    add({.id = "time_stamp",
         .label = "Clock",
         .doc = "simulated time, in the window and in the legend of a recording",
         .kind = FlagKind{},
         .flag = "clock"},
        member<&V::guides, &GuideView::time_stamp>());
    add({.id = "labels",
         .label = "Names",
         .doc = "names of bodies that have one, such as planets, in the window and in the legend of a recording",
         .kind = FlagKind{}},
        member<&V::guides, &GuideView::labels>());
}

bool with_box(const V& view) { return view.space.asked(); }

bool is_centre(std::string_view text) {
    double id = 0;
    const bool body = text.starts_with(kRecentreBody) && read_number(text.substr(kRecentreBody.size()), id);
    return text.empty() || text == kRecentreHalo || body || point_in(text);
}

void add_space(SettingTable<V>& add) {
    add({.id = "wrap",
         .label = "Wrap",
         .doc = "bodies of a periodic box are drawn at their image nearest to the middle of the box",
         .kind = FlagKind{},
         .places = kOwnControl},
        member<&V::space, &SpaceView::wrap>());
    add({.id = "recentre",
         .label = "Recentre",
         .doc = "middle of a periodic box in place of its own; halo is the one of --halo",
         .kind = TextKind{"X,Y,Z, \"halo\" or \"body ID\"", is_centre, "1, -2.5, 3"},
         .places = kOwnControl},
        member<&V::space, &SpaceView::recentre>());
    add({.id = "tiles",
         .label = "Tiles",
         .doc = "copies of a periodic box along each axis",
         .kind = WholeKind{1, Periodic::kMostTiles},
         .places = kOwnControl},
        member<&V::space, &SpaceView::tiles>());
    add({.id = "box",
         .label = "Edge of the box",
         .doc = "edge of the periodic box, from the origin on, in lengths of the scene; 0: as the file states",
         .kind = RealKind{0, 1e300},
         .places = kOwnControl},
        member<&V::space, &SpaceView::box>(), with_box);
}

void add_octree(SettingTable<V>& add) {
    constexpr int deepest = OctreeView::kDeepest;
    add({.id = "octree",
         .label = "Octree",
         .doc = "the cells of a tree engine, coloured by level",
         .kind = FlagKind{},
         .key = "O",
         .places = kOwnControl},
        member<&V::octree, &OctreeView::on>());
    add({.id = "octree_first",
         .label = "First level",
         .doc = "first level of cells that is drawn; 0: the root",
         .kind = WholeKind{0, deepest},
         .places = kOwnControl},
        member<&V::octree, &OctreeView::first>());
    add({.id = "octree_last",
         .label = "Last level",
         .doc = "last level of cells that is drawn",
         .kind = WholeKind{0, deepest},
         .places = kOwnControl},
        member<&V::octree, &OctreeView::last>());
    add({.id = "octree_leaves",
         .label = "Leaves only",
         .doc = "only leaves, which hold the bodies",
         .kind = FlagKind{},
         .places = kOwnControl},
        member<&V::octree, &OctreeView::leaves_only>());
    add({.id = "octree_opacity",
         .label = "Opacity",
         .doc = "opacity of the cell edges",
         .kind = RealKind{0, 1},
         .places = kOwnControl},
        member<&V::octree, &OctreeView::opacity>());
}

}  // namespace

std::optional<Vec3d> point_in(std::string_view text) {
    std::string plain{text};
    std::ranges::replace(plain, ',', ' ');
    std::istringstream words{plain};
    std::array<double, 3> numbers{};
    std::string word;
    for (double& number : numbers)
        if (!(words >> word) || !read_number(word, number) || !std::isfinite(number)) return std::nullopt;
    return words >> word ? std::nullopt : std::optional{Vec3d{numbers[0], numbers[1], numbers[2]}};
}

std::string text_of_point(const Vec3d& point) { return fmt::format("{}, {}, {}", point.x, point.y, point.z); }

Periodic periodic_of(const ViewSettings& view, double box) {
    const SpaceView& space = view.space;
    const double edge = space.box > 0 ? space.box : box;
    if (!space.asked() || !(edge > 0)) return {};
    return {edge, point_in(space.recentre).value_or(Vec3d{edge / 2, edge / 2, edge / 2}),
            std::clamp(space.tiles, 1, Periodic::kMostTiles)};
}

std::string fields_drawn(const ViewSettings& view) {
    std::string list;
    if (smoothed(view) && view.smoothing_lengths) list = "h?";
    if (color_mode(view.color_mode).by == ColorBy::kStarlight)
        list += (list.empty() ? "" : ",") + std::string{"starlight?"};
    if (dusty(view) && view.dust > 0) list += ",dust";
    return list;
}

std::span<const ViewSetting> view_settings() {
    static const std::vector<ViewSetting> all = [] {
        SettingTable<V> add{"view"};
        add_light(add);
        add_species(add);
        add_members(add);
        add_trails_and_stars(add);
        add_guides(add);
        add_octree(add);
        add_space(add);
        return std::move(add).all();
    }();
    return all;
}

}  // namespace orrery
