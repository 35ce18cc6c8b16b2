// SPDX-License-Identifier: MIT
#include "core/simulation/settings_of_scene.hpp"

#include <cstdint>
#include <type_traits>

#include "core/integrators/integrators.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

using S = SceneRequest;

constexpr unsigned kPlaces = place::kCommandLine | place::kSceneFile | place::kPanel;

/// A member whose zero or empty text means "not set".
template <auto Member>
SettingMember<S> zero_is_none() {
    SettingMember<S> whole = member<Member>();
    whole.get = [get = whole.get](const S& request) {
        using T = std::remove_cvref_t<decltype(request.*Member)>;
        return request.*Member == T{} ? SettingValue{} : get(request);
    };
    return whole;
}

std::vector<SceneSetting> scene_table() {
    SettingTable<S> add;
    add({.id = "bodies",
         .label = "Bodies",
         .doc = "number of bodies of a preset; default: its own",
         .kind = WholeKind{1, 1'000'000'000},
         .places = kPlaces},
        zero_is_none<&S::bodies>());
    add({.id = "seed",
         .label = "Seed",
         .doc = "seed of a preset's random numbers",
         .kind = WholeKind{0, INT64_MAX},
         .places = kPlaces},
        member<&S::seed>());
    add({.id = "sites",
         .label = "Sites",
         .doc = "where bodies of the preset zeldovich stand before they are displaced; default: lattice",
         .kind = choices_of(sites()),
         .places = kPlaces},
        zero_is_none<&S::sites>());
    add({.id = "displacements",
         .label = "Displaced",
         .doc =
             "to which order of perturbation theory bodies of the preset zeldovich are displaced; default: zeldovich",
         .kind = choices_of(displacements()),
         .places = kPlaces},
        zero_is_none<&S::displacements>());
    add({.id = "softening",
         .label = "Softening",
         .doc =
             "softening length ε: r² becomes r² + ε² in the force of a pair (Plummer), or as `law` says; default: the "
             "scene's own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::softening>());
    add({.id = "law",
         .label = "Law",
         .doc = "force of a pair: gravity with Plummer or spline softening, Lennard-Jones, or Coulomb; default: the "
                "scene's own",
         .kind = choices_of(pair_laws()),
         .places = kPlaces},
        zero_is_none<&S::law>());
    add({.id = "sigma",
         .label = "σ",
         .doc = "length σ of the repulsion of Lennard-Jones atoms, or of ions; default: the scene's own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::sigma>());
    add({.id = "cut_off",
         .label = "Cut-off / σ",
         .doc =
             "distance in units of σ from which on Lennard-Jones atoms exert no force; 0: none; default: the scene's "
             "own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::cut_off>());
    add({.id = "integrator",
         .label = "Integrator",
         .doc = "how a step is composed of kicks, drifts and force evaluations; default: the scene's own",
         .kind = choices_of(integrators()),
         .places = kPlaces},
        zero_is_none<&S::integrator>());
    add({.id = "adaptive",
         .label = "Adaptive",
         .doc = "limits steps to this fraction of the time scale of the closest pair, and to dt; 0: all steps are dt. "
                "For block steps: η of their criterion; 0: 0.01",
         .kind = RealKind{0, 1},
         .places = kPlaces},
        member<&S::adaptive>());
    add({.id = "encounters",
         .label = "Encounters",
         .doc = "what happens when bodies touch: pass, merge, bounce, or fall into those that accrete; default: the "
                "scene's own",
         .kind = choices_of(encounter_kinds()),
         .places = kPlaces},
        zero_is_none<&S::encounters>());
    add({.id = "body_density",
         .label = "Density",
         .doc = "mass by volume of bodies, from which their radii follow; default: the scene's own, or one by which a "
                "body of mean mass has the softening as its radius",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::body_density>());
    add({.id = "body_radius",
         .label = "Radius",
         .doc = "radius of bodies of the species boundary, and of all where no density is given; 0: by density; "
                "default: the scene's own",
         .kind = RealKind{0, 1e300},
         .places = kPlaces},
        member<&S::body_radius>());
    add({.id = "restitution",
         .label = "Restitution",
         .doc = "coefficient of a bounce: speed of separation over speed of approach; 1: elastic; default: the scene's "
                "own",
         .kind = RealKind{0, 1},
         .places = kPlaces},
        member<&S::restitution>());
    return std::move(add).all();
}

}  // namespace

std::span<const SceneSetting> scene_settings() {
    static const std::vector<SceneSetting> all = scene_table();
    return all;
}

}  // namespace orrery
