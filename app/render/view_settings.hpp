// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/bodies/bodies.hpp"

namespace orrery {

enum class DrawMode {
    kAuto,      ///< the renderer chooses by the number of bodies and by the kind of GL
    kPoints,    ///< one soft sprite per body, blended by the rasteriser
    kSplat,     ///< a compute shader adds fixed-point light; bitwise identical in any order of bodies
    kSmoothed,  ///< kernels as wide as the distance to the k-th neighbour; likewise
};
enum class ToneMap { kAces, kReinhard, kClamp };
/// From what white and the steepness of the response follow.
enum class ExposureBy {
    kPicture,  ///< the percentiles of the light of bodies in it; where they are sprites, as kBodies
    kBodies,   ///< the number of bodies and the area that they cover
};

/// What a slab of bodies lies across.
enum class SliceAcross { kView, kX, kY, kZ };

/// Values of the colour scalar at the two ends of the colour map.
struct ScalarRange {
    double low = 0;
    double high = 1;
    friend bool operator==(const ScalarRange&, const ScalarRange&) = default;
};

/// How the cells of a tree engine are drawn over the bodies.
struct OctreeView {
    static constexpr int kDeepest = 21;  ///< no tree has more levels below its root: three bits of a 64-bit key each
    bool on = false;
    int first = 0, last = kDeepest;  ///< levels that are drawn; 0: the root
    bool leaves_only = false;
    float opacity = 0.5f;  ///< 0 to 1
    friend bool operator==(const OctreeView&, const OctreeView&) = default;
};

/// Where bodies have been, as lines that fade backward.
struct TrailView {
    static constexpr int kMostPoints = 1024;
    bool on = false;
    int points = 128;  ///< past positions kept for each body, 2 to kMostPoints
    int every = 1;     ///< minimum steps between two
    float opacity = 0.5f;
    friend bool operator==(const TrailView&, const TrailView&) = default;
};

/// A sky behind the bodies, infinitely far away: sky.hpp.
struct StarView {
    static constexpr int kMostSeed = 1'000'000'000;
    bool on = false;
    int seed = 1;     ///< 0 to kMostSeed; the same number is the same sky everywhere
    float light = 1;  ///< times the default, at which no star outshines a body; 0 to 4
    friend bool operator==(const StarView&, const StarView&) = default;
};

/// What helps to see where one is.
struct GuideView {
    bool grid = false;      ///< in the orbital plane
    bool axes = false;      ///< x red, y green, z blue, from the scene's origin
    bool scale_bar = true;  ///< this and the next as color_bar
    bool time_stamp = false;
    bool labels = true;  ///< names of bodies, where they have some
    friend bool operator==(const GuideView&, const GuideView&) = default;
};

/// Which species are drawn, of scenes that state them.
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

/// All that the user can choose about the picture. The same settings, frame and camera give the same bytes.
struct ViewSettings {
    static constexpr int kMostNeighbours = 256, kMostContours = 20;
    DrawMode mode = DrawMode::kAuto;
    float size = 1;  ///< times the size chosen for the number of bodies; in `splat` bodies grow brighter, not wider
    int neighbours = 32;  ///< k of kSmoothed: 4 to kMostNeighbours
    float mass_size = 0;  ///< a body's light is proportional to its mass to this power; 0: all shine alike
    float exposure = 0;   ///< EV on top of the automatic exposure
    ExposureBy exposure_by = ExposureBy::kPicture;
    std::optional<double> white;  ///< light of bodies in a pixel that is drawn white; empty: chosen for each picture
    float stretch = 4;            ///< > 0: more lifts what is faint, towards 0 the response becomes linear; of kPicture
                                  ///< times a quarter of what its percentiles ask for
    float glow = 0.4f;            ///< share of the light that is scattered: 0 (and no glow pass runs) to 1
    ToneMap tone_map = ToneMap::kAces;
    float local_contrast = 0;                 ///< 0 to 1: how much light is compared with that around it
    int contours = 0;                         ///< lines of equal light per decade: 0 (none) to kMostContours
    std::string color_map = "auto";           ///< id of color_maps(), or "auto": what suits the colour mode
    std::string color_mode = "speed";         ///< id of color_modes()
    std::optional<ScalarRange> scalar_range;  ///< empty: 2nd to 98th percentile of the frame
    bool color_bar = true;                    ///< over the window's picture, and over recordings with a legend
    bool dispersion = false;                  ///< colour by the spread of the quantity in a pixel, not by its mean
    double slice = 0;                         ///< thickness of a slab through the target, outside of which nothing is
                                              ///< drawn, in lengths of the scene; 0: all of space is
    SliceAcross slice_across = SliceAcross::kView;
    ShownSpecies species;
    bool spheres = false;      ///< the largest bodies as spheres of their true size, where they have one
    double cloud_bodies = 0;   ///< of a cloud, millions that are drawn at most; 0: as many as suit the OpenGL renderer
    double cloud_spacing = 1;  ///< pixels between its bodies, below which nothing finer is read; 0: all bodies are
    TrailView trails;
    StarView stars;
    GuideView guides;
    OctreeView octree;
    friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

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

struct ToneMapEntry {
    std::string_view id, label, doc;
    ToneMap tone_map;
};
std::span<const ToneMapEntry> tone_maps();

}  // namespace orrery
