// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// A field of smoothing lengths, and the radius of the kernel's support in units of them.
struct SmoothingField {
    std::string_view name;
    double support;
};
inline constexpr std::array kSmoothingFields{
    SmoothingField{"SmoothingLength", 1},  // Gadget, GIZMO, EAGLE: W = 0 from h on (Springel 2005, eq. 4)
    SmoothingField{"HSML", 1},
    SmoothingField{"Hsml", 1},
    SmoothingField{"SmoothingLengths", 1.825742},  // SWIFT, cubic spline: Dehnen & Aly 2012, MNRAS 425, 1068, table 1
    // TIPSY: W = 0 from 2h on (Wadsley, Stadel & Quinn 2004, New Astronomy 9, 137)
    SmoothingField{"hsmooth", 2},
};

/// Fields with the light of bodies in three bands, drawn as red, green and blue, and with their absorbing areas.
inline constexpr std::array<std::string_view, 3> kStarlightFields{"starlight_i", "starlight_r", "starlight_g"};
inline constexpr std::string_view kDustField = "dust";

/// True for the fields above, which are 0 for bodies that a snapshot lacks.
inline bool adds_light(std::string_view field) {
    return field == kDustField || std::ranges::find(kStarlightFields, field) != kStarlightFields.end();
}

/// The loaded fields that decide how bodies shine in pictures, one number per body; null: not loaded.
struct BodyOptics {
    using Numbers = std::shared_ptr<const std::vector<float>>;
    Numbers lengths;               ///< smoothing lengths; NaN or 0: unknown
    double support = 1;            ///< radius of a kernel's support over its length
    std::array<Numbers, 3> light;  ///< in kStarlightFields; NaN: unknown
    Numbers dust;                  ///< absorbing areas, in squared lengths of the scene
    bool shines() const {
        return std::ranges::all_of(light, [](const Numbers& band) { return band != nullptr; });
    }
    friend bool operator==(const BodyOptics&, const BodyOptics&) = default;
};

inline BodyOptics optics_of(std::span<const BodyField> fields) {
    const auto values = [&](std::string_view name) {
        const auto found = std::ranges::find(fields, name, &BodyField::name);
        return found == fields.end() ? nullptr : found->values;
    };
    BodyOptics optics{.dust = values(kDustField)};
    for (const SmoothingField& known : kSmoothingFields)
        if (!optics.lengths) optics.lengths = values(known.name), optics.support = known.support;
    for (std::size_t k = 0; k < optics.light.size(); ++k) optics.light[k] = values(kStarlightFields[k]);
    return optics;
}

}  // namespace orrery
