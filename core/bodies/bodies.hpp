// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/vec.hpp"
#include "core/bodies/cosmology.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

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
