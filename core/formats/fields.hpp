// SPDX-License-Identifier: MIT
#pragma once
#include <bitset>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/expressions/expression.hpp"

namespace orrery {

// Fields are the numbers that a snapshot states for each body: "Temperature", "Metallicity", but also "Velocities". A
// format lists them without reading them; those that the user names are read into Bodies::fields, 4 bytes per body
// each.

/// A field of a file.
struct FieldInfo {
    std::string name;  ///< in the file
    std::string unit;  ///< for display; empty: not stated, or a plain number
    std::string what;  ///< its meaning, one line; empty: unknown
    std::uint64_t components = 1;
    std::uint64_t bytes = 4;                  ///< of a number
    bool whole = false;                       ///< whole numbers
    std::bitset<kSpeciesCount> species = {};  ///< that have it; empty: the file states no species
    std::uint64_t bodies = 0;                 ///< that have it
    std::optional<UnitPowers> powers = {};    ///< of its unit; empty: unknown
    double cgs = 0;                           ///< the unit in cgs and K; 0: unknown
};

/// The names of units, as "kpc", "10¹⁰M☉", "km/s"; empty where unknown.
struct UnitWords {
    std::string length, mass, velocity;
};
/// "a^-3 h^2 10¹⁰M☉/kpc^3"; empty for a plain number, or if a name that is needed is empty.
std::string unit_text(const UnitPowers& powers, const UnitWords& words);

/// Receives the numbers of consecutive bodies, `components` for each, NaN where the file has none.
using TakeNumbers = std::function<void(std::span<const double> numbers)>;

/// How a format reads fields. Both throw as read_snapshot() does.
struct FieldReaders {
    std::vector<FieldInfo> (*list)(const std::filesystem::path&);
    /// Reads all bodies in the order of FormatEntry::read(). Whole numbers beyond 2^53, which a double does not hold,
    /// are NaN.
    void (*read)(const std::filesystem::path&, const FieldInfo& field, const TakeNumbers& take);
};

/// The fields of a snapshot, in the order of the file; empty if its format has none. Throws as read_snapshot() does.
std::vector<FieldInfo> fields_of(const std::filesystem::path& path);
/// Names that choose_field() accepts: scalars by their names, vectors with their lengths and components, of which 32
/// are listed. Empty if the path is not a readable snapshot; compressed files are not unpacked for it.
std::vector<std::string> names_of_fields(const std::filesystem::path& path);
void read_field(const std::filesystem::path& path, const FieldInfo& field, const TakeNumbers& take);

/// A requested quantity: a field, one of its components, or the length of a vector.
struct FieldChoice {
    FieldInfo field;
    std::uint64_t component = 0;
    bool length = false;
    std::string name;  ///< "MagneticField[2]", "|MagneticField|"
};
/// Chooses by a specification: the name of a field, as in the file or in any case, or a short one of kShortNames;
/// `name[i]` and `name.x`, `.y`, `.z` for a component; `|name|` for the length. A field of three components alone is
/// its length. Throws Error{kUsage} naming `source` if there is none, with the fields that there are, or for a
/// component that the field does not have.
FieldChoice choose_field(const std::vector<FieldInfo>& fields, std::string_view wanted, const std::string& source);

/// The numbers of a choice in single precision; those that are not finite there are counted, not replaced.
struct ReadNumbers {
    std::vector<float> values;
    std::size_t rounded = 0;    ///< whole numbers that a float does not hold
    std::size_t overflown = 0;  ///< numbers beyond the range of a float
};
/// Throws as read_field() does, and Error{kUsage} unless the field has a row for each of the bodies.
ReadNumbers read_choice(const std::filesystem::path& path, const FieldChoice& choice, std::size_t bodies);

/// The field with this name, as choose_field() finds it; null: none.
const FieldInfo* choose_by_name(const std::vector<FieldInfo>& fields, std::string_view name);

/// A short name, and the names of that quantity in files.
struct ShortName {
    std::string_view name;
    std::span<const std::string_view> in_files;
};
std::span<const ShortName> short_names();

/// Splits at commas outside of brackets; without spaces around the parts.
std::vector<std::string> split_fields(std::string_view list);

/// True if a comma-separated list computes a field with this name: "NAME = EXPRESSION".
bool defines(std::string_view list, std::string_view name);

/// Reads the fields of a comma-separated list into scene.bodies.fields, and adds notes on numbers that were rounded.
/// The scene has the bodies of `path`. An empty list reads nothing. `NAME = EXPRESSION` computes a field from others
/// and from x, y, z, vx, vy, vz, m, r, v, species and id, see Expression; its unit is checked and derived where units
/// are known. A name with `?` is left out if the file does not have the field. Derived fields: starlight_fields.hpp.
/// Throws Error as read_snapshot() does and choose_field(), and kEnvironment if memory is insufficient.
void load_fields(const std::filesystem::path& path, std::string_view list, Scene& scene);
/// Adds the field kFilterField: 1 for bodies that satisfy the condition, an Expression, and 0 for others. An empty
/// condition adds nothing. An empty path: the bodies are of no file. Throws as load_fields() does.
void load_filter(const std::filesystem::path& path, const std::string& condition, Scene& scene);
/// Removes bodies that do not satisfy the condition. Throws Error{kUsage} if none does.
void keep_only(const std::filesystem::path& path, const std::string& condition, Scene& scene);

}  // namespace orrery
