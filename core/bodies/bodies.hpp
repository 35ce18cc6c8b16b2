// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/vec.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// The expanding universe of a snapshot, 0 where it states none, and its convention: powers of the scale factor a and
/// of h by which numbers of the file are multiplied for physical lengths and peculiar velocities.
struct Cosmology {
    double omega = 0, lambda = 0;  ///< densities of matter and of the cosmological constant now
    double hubble = 0;             ///< h = H₀ / (100 km/s/Mpc)
    double scale_factor = 0;       ///< a; also of files that state no time
    double length_a = 0, length_h = 0, velocity_a = 0;

    bool known() const { return omega > 0 && hubble > 0; }
    bool flat() const { return known() && omega <= 1 && omega + lambda > 0.99 && omega + lambda < 1.01; }
    friend bool operator==(const Cosmology&, const Cosmology&) = default;
};

/// Peculiar speeds over those of the file; 0 if the universe does not expand. `scale_factor`: at the time shown, 0:
/// that of the file.
inline double peculiar_factor(const Cosmology& cosmology, double scale_factor) {
    const double a = scale_factor > 0 ? scale_factor : cosmology.scale_factor;
    return a > 0 && cosmology.scale_factor > 0 ? std::pow(a, cosmology.velocity_a) : 0;
}
/// Physical lengths over those of the file, as peculiar_factor().
inline double physical_factor(const Cosmology& cosmology, double scale_factor) {
    const double a = scale_factor > 0 ? scale_factor : cosmology.scale_factor, h = cosmology.hubble;
    if (!(a > 0) || !(cosmology.scale_factor > 0) || (cosmology.length_h != 0 && !(h > 0))) return 0;
    return std::pow(a, cosmology.length_a) * (cosmology.length_h != 0 ? std::pow(h, cosmology.length_h) : 1);
}

/// Gadget's convention (user guide of Gadget-2, section 7.2): comoving lengths in units with 1/h, peculiar velocities
/// over √a.
constexpr Cosmology gadget_convention(double omega, double lambda, double hubble, double a) {
    return {omega, lambda, hubble, a, 1, -1, 0.5};
}

/// The species of a body, numbered like Gadget's particle types (Springel 2005, MNRAS 364, 1105; user guide, table 2).
/// It does not affect gravity; formats preserve it.
enum class Species : std::uint8_t { kGas, kHalo, kDisk, kBulge, kStars, kBoundary };
inline constexpr std::size_t kSpeciesCount = 6;

/// One number per body that a snapshot states beyond mass, position and velocity. Copies share the values.
struct BodyField {
    std::string name;  ///< as in the file, with the component: "Temperature", "MagneticField[2]", "|Velocities|"
    std::string unit;  ///< for display; empty: none, or unknown
    std::shared_ptr<const std::vector<float>> values;  ///< NaN: the file has none for this body
    std::size_t missing = 0;                           ///< number of NaN
    bool whole = false;                                ///< whole numbers, which are not interpolated
};
/// The field that a filter makes: bodies with 0 are not drawn.
inline constexpr std::string_view kFilterField = "filter";
/// A field with these values, of which those that are not finite become NaN.
BodyField make_field(std::string name, std::string unit, std::vector<float> values, bool whole = false);
/// The same field of other bodies.
inline BodyField with_values(const BodyField& field, std::vector<float> values) {
    return make_field(field.name, field.unit, std::move(values), field.whole);
}

/// Bodies on the host in double precision: created by presets, stored in files, loaded into engines.
struct Bodies {
    std::vector<Vec4d> position_mass;  ///< x, y, z in the scene's unit of length; w = mass, 0 for test particles
    std::vector<Vec3d> velocity;       ///< one per body, length per unit of time
    std::vector<std::string> names;    ///< empty or one per body
    std::vector<Species> species;      ///< empty (unknown, treated as kHalo) or one per body
    std::vector<std::uint64_t> ids;    ///< empty or one per body; not always unique
    std::vector<std::uint8_t> pinned;  ///< empty or one per body: 1 if its position is fixed
    std::vector<double> charge;        ///< empty or one per body, signed; used only by PairLaw::kCoulomb
    std::vector<BodyField> fields{};   ///< each with one value per body

    std::size_t size() const noexcept { return position_mass.size(); }
    Species species_of(std::size_t i) const { return species.empty() ? Species::kHalo : species[i]; }
    void add(Vec3d position, Vec3d v, double mass) {
        position_mass.push_back({position.x, position.y, position.z, mass});
        velocity.push_back(v);
    }
};

/// Bodies with everything needed to simulate and display them.
struct Scene {
    std::string id;     ///< preset id or file name
    std::string label;  ///< for display
    Bodies bodies;
    Gravity gravity;
    double dt = 1e-3;                     ///< recommended step, in the scene's units of time
    std::string integrator = "leapfrog";  ///< recommended
    double adaptive = 0;                  ///< η of adaptive steps, see step_limit(); 0: all steps are dt
    EncounterRule encounters = {};        ///< what happens when bodies touch
    double time = 0;                      ///< of the state, in the scene's units
    double scale_factor = 0;              ///< of a cosmological snapshot: the scale factor a at `time`; 0: none
    Cosmology cosmology = {};             ///< of a cosmological snapshot; its scale factor is that of the file
    double box = 0;                       ///< edge of the periodic box from the origin on; 0: none
    double days_per_time = 0;             ///< length of the unit of time in days; 0: the scene has no physical units
    std::string length_unit, mass_unit;   ///< "AU", "M☉"; empty: scene units without a name
    int steps_per_frame = 1;              ///< recommended for recordings
    std::vector<std::string> notes;       ///< remarks of the reader for the user, one line each
};

/// The scale factor of the universe, also where the time is none; 0: it does not expand.
inline double expansion_of(const Scene& scene) {
    return scene.scale_factor > 0 ? scene.scale_factor : scene.cosmology.scale_factor;
}

std::string_view name(Species species);  ///< "gas", "halo", "disk", "bulge", "stars", "boundary"

/// Throws Error{kUsage} naming `source`, the first invalid body and the quantity: not finite, or a negative mass.
void validate(const Bodies& bodies, const std::string& source);
/// Same for the single body `index`.
void validate_body(const std::string& source, std::size_t index, const Vec4d& position_mass, const Vec3d& velocity);

}  // namespace orrery
