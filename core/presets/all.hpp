// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/presets/placement.hpp"
#include "core/presets/presets.hpp"

namespace orrery {

// A file of presets has a function that returns their entries, and a line in presets.cpp. `config.bodies` is never 0.
// Presets of many bodies add them to a Placement, so that they can be made in stretches; the scene then has none.

// Sections of the menu.
inline constexpr std::string_view kGalaxies = "Galaxies", kClusters = "Clusters and haloes", kPlanetary = "Planets",
                                  kFewBodies = "Few bodies", kAtoms = "Atoms and ions";

/// A preset whose bodies are all in its scene.
template <Scene (*make)(const PresetConfig&)>
Scene in_memory(const PresetConfig& config, Placement& to) {
    Scene scene = make(config);
    to.add(std::exchange(scene.bodies, {}));
    return scene;
}

/// Three unit masses, G = 1, at (-1, 0), (1, 0) and (0, 0). The outer two have the velocity (vx, vy), the middle one -2
/// (vx, vy); after `period` they return to their initial positions.
struct PeriodicOrbit {
    double vx, vy, period;
};

/// Suvakov & Dmitrasinovic 2013, PRL 110, 114301, table I, in its order except for "butterfly IV". The paper gives four
/// to six digits; these values were refined by Newton's method until the orbit closed to 1e-10 in extended precision.
inline constexpr std::array kPeriodicOrbits{
    PeriodicOrbit{0.30689342046435943, 0.12550656701529109, 6.2346748387277233},   // butterfly-1
    PeriodicOrbit{0.39295549369617434, 0.097578968424349966, 7.0037096006330516},  // butterfly-2
    PeriodicOrbit{0.18427849915792545, 0.58718817219250437, 63.534353340500142},   // bumblebee
    PeriodicOrbit{0.46444517281806673, 0.39606001465281473, 14.894305175042114},   // moth-1
    PeriodicOrbit{0.43916591788795777, 0.45296764319125073, 28.669270915014596},   // moth-2
    PeriodicOrbit{0.40591556713513225, 0.23016312598028316, 13.867123435828648},   // butterfly-3
    PeriodicOrbit{0.38344351995032214, 0.37736369488762819, 25.839236356504345},   // moth-3
    PeriodicOrbit{0.083300071850497953, 0.12788925551976491, 10.464849525920701},  // goggles
    PeriodicOrbit{0.0805842255406527, 0.58883608977791141, 21.272337394614775},    // dragonfly
    PeriodicOrbit{0.55906425449178337, 0.34919156483240035, 55.502423388757229},   // yarn
    PeriodicOrbit{0.51393853746034939, 0.30473591934684159, 17.328834018617663},   // yin-yang-1a
    PeriodicOrbit{0.2827020904361844, 0.32720897152276536, 10.963303088114306},    // yin-yang-1b
    PeriodicOrbit{0.41682212972459722, 0.33033329783147221, 55.789327184512638},   // yin-yang-2a
    PeriodicOrbit{0.41734287472889525, 0.31310010418822785, 54.207998121421137},   // yin-yang-2b
};

Scene periodic_scene(const PeriodicOrbit& orbit);

/// The `count` sites of a face-centred cubic lattice (nearest neighbours 1 apart) that are nearest to the centre of an
/// octahedral hole, from the inside outward.
std::vector<Vec3d> face_centred_crystal(std::size_t count);

/// A site of rock salt: a simple cubic lattice, neighbours 1 apart and of opposite charge.
struct SaltSite {
    Vec3d at;
    double charge;  ///< ±1
};
/// The sites nearest to the centre of a cube, equally many of either charge; for an odd count one more is positive.
std::vector<SaltSite> rock_salt_crystal(std::size_t count);

}  // namespace orrery
