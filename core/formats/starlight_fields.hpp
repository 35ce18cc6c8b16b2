// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/formats/fields.hpp"

namespace orrery {

// Fields that are computed from others of the file, for pictures of light and dust. A field of the same name in the
// file, or one that the user defines, takes their place.

/// Stands for the three fields kStarlightFields.
inline constexpr std::string_view kStarlight = "starlight";
/// An age in Gyr, if the file or the user states one, in place of the time of formation.
inline constexpr std::string_view kAgeInGyr = "age_Gyr";

/// True for kStarlight, kStarlightFields and kDustField.
bool is_derived(std::string_view name);
/// True if the fields of a file and the species of its bodies suffice for this derived field; its values may be
/// missing.
bool derivable(std::string_view name, const std::vector<FieldInfo>& fields, const Bodies& bodies);

/// The light of stars by age, metallicity and mass formed (otherwise mass), in units of the Sun's light in each band if
/// the file states its unit of mass: see starlight(). 0 for other bodies; NaN for stars without time of formation or
/// metallicity. Throws Error{kUsage} naming what the file lacks.
std::vector<BodyField> starlight_fields(const std::filesystem::path& path, const std::vector<FieldInfo>& fields,
                                        Scene& scene);
/// The absorbing area of gas in V, in the squared lengths of the file: kOpacity · mass · metallicity / kSolarMetals. 0
/// for other bodies. Throws as starlight_fields() does.
BodyField dust_field(const std::filesystem::path& path, const std::vector<FieldInfo>& fields, const Scene& scene);

}  // namespace orrery
