// SPDX-License-Identifier: MIT
#include <array>

#include "core/physics/units.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"

namespace orrery {
namespace {

struct Planet {
    const char* name;
    double mass;
    Vec3d place, velocity;
};

// On 2023-11-12, about the barycentre, in the ecliptic of J2000: from the solar system snapshot in the examples of
// REBOUND (github.com/hannorein/rebound), taken from NASA JPL Horizons. Solar masses, AU, AU per 58.13 days.
constexpr std::array kPlanets{
    Planet{"Sun",
           0.9999999999950272,
           {-0.0081976321607773982, -0.0025487773561641888, 0.00021236231922344353},
           {0.00025930898641914741, -0.00043624249622237888, -2.1435088485727783e-06}},
    Planet{"Mercury",
           1.6601208254808336e-07,
           {0.027186441670548671, -0.46078259524842807, -0.040480536045330702},
           {1.3028856177908128, 0.20943974690272371, -0.10233324656533536}},
    Planet{"Venus",
           2.4478382877847711e-06,
           {-0.21147521810819872, 0.68669868811056145, 0.021407342145578597},
           {-1.1314496284937252, -0.33960744174822349, 0.060640403130262165}},
    Planet{"Earth",
           3.0404326489511185e-06,
           {0.62910669569854716, 0.75478072570315002, 0.00016625326113225628},
           {-0.78126400606635837, 0.63976678904360496, -3.258113113782415e-05}},
    Planet{"Mars",
           3.2271560828978514e-07,
           {-0.94661530848819375, -1.2289124878541089, -0.0024701687802880876},
           {0.67686512545763133, -0.42518329429309226, -0.025500358560430529}},
    Planet{"Jupiter",
           0.00095479190993667676,
           {3.7433980892943644, 3.2651711383486064, -0.097296557705965722},
           {-0.29321363281871649, 0.3513387792537645, 0.0051025273269734404}},
    Planet{"Saturn",
           0.00028588567002317289,
           {8.895226944475219, -3.970114941073831, -0.28513116522832049},
           {0.11406462698172096, 0.29552156499791815, -0.0096800614330956689}},
    Planet{"Uranus",
           4.3662496132004061e-05,
           {12.414504589459401, 15.184898370573423, -0.10443515903856238},
           {-0.17869134156287933, 0.13406414546020792, 0.0028128433972859292}},
    Planet{"Neptune",
           5.1513837726289569e-05,
           {29.826385144920735, -1.9485224879753125, -0.64725321614269915},
           {0.010689668488252514, 0.18317965185134386, -0.0040185904385662118}},
};

}  // namespace

/// Sun and planets; the Earth's mass includes the Moon's. G = 1 fixes the unit of time, see units.hpp.
Scene solar_system(const PresetConfig&) {
    Scene scene;
    for (const Planet& planet : kPlanets) {
        scene.bodies.add(planet.place, planet.velocity, planet.mass);
        scene.bodies.names.emplace_back(planet.name);
    }
    centre(scene.bodies);
    scene.days_per_time = kGaussianDays;
    scene.length_unit = "AU", scene.mass_unit = "M☉";
    scene.dt = 0.01;  // 150 steps per orbit of Mercury
    scene.steps_per_frame = 4;
    scene.integrator = "yoshida6";
    return scene;
}

}  // namespace orrery
