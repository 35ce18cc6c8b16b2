// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/camera/periodic.hpp"
#include "app/render/color_modes.hpp"
#include "core/bodies/bodies.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

enum class DrawMode {
    kAuto,      ///< chosen by the number of bodies and the kind of GL
    kPoints,    ///< one soft sprite per body, blended by the rasteriser
    kSplat,     ///< a compute shader adds fixed-point light; bitwise identical for any order of bodies
    kSmoothed,  ///< kernels as wide as the distance to the k-th neighbour; also bitwise identical
};
enum class ToneMap { kAces, kReinhard, kClamp };
/// Determines white and the steepness of the response.
enum class ExposureBy {
    kPicture,  ///< percentiles of the light of bodies in the frame; for sprites the same as kBodies
    kBodies,   ///< the number of bodies and the area they cover
};

/// The direction across a slab of bodies.
enum class SliceAcross { kView, kX, kY, kZ };

/// How the bodies of a filter or a selection are drawn. Dimmed bodies have kDimmedLight of their light.
enum class MembersShown {
    kAll,     ///< as all others
    kAlone,   ///< without the others
    kBright,  ///< the others are dimmed
    kDimmed,
    kHidden,
};
inline constexpr float kDimmedLight = 0.03f;

/// Values of the colour scalar at the two ends of the colour map.
struct ScalarRange {
    double low = 0;
    double high = 1;
    friend bool operator==(const ScalarRange&, const ScalarRange&) = default;
};

/// How the cells of a tree engine are drawn over the bodies.
struct OctreeView {
    static constexpr int kDeepest = 21;  ///< deepest level of any tree: three bits of a 64-bit key per level
    bool on = false;
    int first = 0, last = kDeepest;  ///< levels drawn; 0: the root
    bool leaves_only = false;
    float opacity = 0.5f;  ///< 0 to 1
    friend bool operator==(const OctreeView&, const OctreeView&) = default;
};

/// Past positions of bodies, as lines that fade with age.
struct TrailView {
    static constexpr int kMostPoints = 1024;
    bool on = false;
    int points = 128;  ///< past positions kept for each body, 2 to kMostPoints
    int every = 1;     ///< minimum number of steps between two
    float opacity = 0.5f;
    friend bool operator==(const TrailView&, const TrailView&) = default;
};

/// A sky behind the bodies, infinitely far away: stars_pass.hpp.
struct StarView {
    static constexpr int kMostSeed = 1'000'000'000;
    bool on = false;
    int seed = 1;     ///< 0 to kMostSeed; the same number gives the same sky on every machine
    float light = 1;  ///< times the default, at which no star outshines a body; 0 to 4
    friend bool operator==(const StarView&, const StarView&) = default;
};

/// Aids for orientation.
struct GuideView {
    bool grid = false;      ///< in the orbital plane
    bool axes = false;      ///< x red, y green, z blue, from the scene's origin
    bool scale_bar = true;  ///< drawn as color_bar is; also the next
    bool physical = false;  ///< the scale bar of a cosmological snapshot shows physical lengths, not the file's
    bool time_stamp = false;
    bool labels = true;  ///< names of bodies, if they have any
    friend bool operator==(const GuideView&, const GuideView&) = default;
};

/// How a periodic box is drawn.
struct SpaceView {
    bool wrap = false;
    std::string recentre;  ///< see centre_of(); not empty: bodies are wrapped
    int tiles = 1;         ///< copies along each axis, at most Periodic::kMostTiles; above 1: bodies are wrapped
    double box = 0;        ///< edge; 0: as the file states
    bool asked() const { return wrap || !recentre.empty() || tiles > 1; }
    friend bool operator==(const SpaceView&, const SpaceView&) = default;
};
/// The point "X, Y, Z", commas or blanks between the numbers; empty: another text.
std::optional<Vec3d> point_in(std::string_view text);
/// The text of point_in().
std::string text_of_point(const Vec3d& point);
/// Texts of SpaceView::recentre that stand for the lit halo, and with an id behind it for a body.
inline constexpr std::string_view kRecentreHalo = "halo", kRecentreBody = "body ";

/// The species that are drawn, for scenes that state them.
struct ShownSpecies {
    bool gas = true, halo = true, disk = true, bulge = true, stars = true, boundary = true;

    std::bitset<kSpeciesCount> hidden() const {  ///< by Species
        const std::array all{gas, halo, disk, bulge, stars, boundary};
        std::bitset<kSpeciesCount> found;
        for (std::size_t i = 0; i < all.size(); ++i) found[i] = !all[i];
        return found;
    }
    friend bool operator==(const ShownSpecies&, const ShownSpecies&) = default;
};

/// All settings of the frame that the user can choose. The same settings, frame and camera give the same bytes.
struct ViewSettings {
    static constexpr int kMostNeighbours = 256, kMostContours = 20;
    DrawMode mode = DrawMode::kAuto;
    float size = 1;                 ///< relative to the automatic size; in `splat` bodies grow brighter, not wider
    int neighbours = 32;            ///< k of kSmoothed: 4 to kMostNeighbours
    bool smoothing_lengths = true;  ///< of kSmoothed: those of the file where it states them
    float mass_size = 0;  ///< a body's light is proportional to its mass to this power; 0: all are equally bright
    float exposure = 0;   ///< EV on top of the automatic exposure
    ExposureBy exposure_by = ExposureBy::kPicture;
    std::optional<double> white;  ///< light of bodies in a pixel drawn white; empty: chosen for each frame
    float stretch = 4;  ///< > 0: higher values brighten faint areas, towards 0 the response becomes linear; kPicture
                        ///< uses a quarter of it times the value from its percentiles
    float glow = 0.4f;  ///< share of the light that is scattered: 0 (and no glow pass runs) to 1
    ToneMap tone_map = ToneMap::kAces;
    float local_contrast = 0;          ///< 0 to 1: how strongly light is compared with that around it
    int contours = 0;                  ///< lines of equal light per decade: 0 (none) to kMostContours
    std::string color_map = "auto";    ///< id of color_maps(), or "auto": suits the colour mode
    std::string color_mode = "speed";  ///< id of color_modes()
    std::string color_field;           ///< name of the field for ColorBy::kField; empty: the first loaded
    ScaleChoice color_scale = ScaleChoice::kAuto;
    std::optional<ScalarRange> scalar_range;  ///< empty: 2nd to 98th percentile of the frame
    bool color_bar = true;                    ///< in the window, and in recordings with a legend
    float dust = 0;                           ///< factor of the optical depth of dust; 0: nothing absorbs
    bool dispersion = false;                  ///< colour by the spread of the quantity in a pixel instead of its mean
    double slice = 0;  ///< thickness of the slab through the target that is drawn, in lengths of the scene; 0: all
    SliceAcross slice_across = SliceAcross::kView;
    ShownSpecies species;
    MembersShown filter_as = MembersShown::kAlone;   ///< bodies that satisfy the filter
    MembersShown selection_as = MembersShown::kAll;  ///< picked bodies
    bool spheres = false;      ///< the largest bodies as spheres of their true size, if they have one
    double cloud_bodies = 0;   ///< maximum number of a cloud's bodies drawn, in millions; 0: suits the OpenGL renderer
    double cloud_spacing = 1;  ///< pixels between a cloud's bodies below which no finer level is read; 0: all are read
    TrailView trails;
    StarView stars;
    GuideView guides;
    OctreeView octree;
    SpaceView space;
    friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

/// The space of a scene with this box (Scene::box) as the settings show it.
Periodic periodic_of(const ViewSettings& view, double box);

struct DrawModeEntry {
    std::string_view id, label, doc;
    DrawMode mode;
};
std::span<const DrawModeEntry> draw_modes();

struct ExposureByEntry {
    std::string_view id, label, doc;
    ExposureBy by;
};
std::span<const ExposureByEntry> exposures();

struct SliceAcrossEntry {
    std::string_view id, label, doc;
    SliceAcross across;
};
std::span<const SliceAcrossEntry> slices();

struct MembersShownEntry {
    std::string_view id, label, doc;
    MembersShown as;
};
std::span<const MembersShownEntry> members_shown();

struct ToneMapEntry {
    std::string_view id, label, doc;
    ToneMap tone_map;
};
std::span<const ToneMapEntry> tone_maps();

/// How directions from the eye are mapped to positions in a frame.
enum class Lens {
    kFlat,      ///< central perspective with the camera's field of view
    kStereo,    ///< two perspectives side by side, for the left and the right eye
    kPanorama,  ///< all directions, longitude and latitude: equirectangular
    kDome,      ///< the hemisphere in front of the eye as a disc, with the angle from its centre as radius
};

struct LensEntry {
    std::string_view id, label, doc;
    Lens lens;
};
std::span<const LensEntry> lenses();

/// True if bodies, stars and trails can be drawn in central perspective.
constexpr bool is_flat(Lens lens) { return lens == Lens::kFlat || lens == Lens::kStereo; }

using ViewSetting = Setting<ViewSettings>;

/// Fields of a file that pictures with these settings need, for load_fields().
std::string fields_drawn(const ViewSettings& view);

/// All of ViewSettings except scalar_range, a pair of numbers, in the order of scene files.
std::span<const ViewSetting> view_settings();

}  // namespace orrery
