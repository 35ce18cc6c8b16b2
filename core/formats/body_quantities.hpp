// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/expressions/expression.hpp"
#include "core/formats/fields.hpp"
#include "core/selection/named_sets.hpp"

namespace orrery {

/// The quantities of bodies by the names that expressions use: x, y, z, vx, vy, vz, m, r, v, species and id of the
/// bodies as they are now, their loaded fields, and further fields of their file.
class BodyQuantities {
public:
    /// `bodies` outlives it. `fields`: of their file; a loaded field has the unit that is stated there. `path`: the
    /// file, from which fields that are not loaded are read; empty: none are. `sets`: further names, 1 for their
    /// bodies.
    BodyQuantities(const Bodies& bodies, std::vector<FieldInfo> fields, std::filesystem::path path, NamedSets sets = {})
        : bodies_{bodies}, fields_{std::move(fields)}, path_{std::move(path)}, sets_{std::move(sets)} {}

    /// As FindQuantity. Throws Error{kUsage} for an unknown name, a field that is neither loaded nor may be read, and a
    /// set with the name of a field.
    Quantity operator()(const std::string& name, std::optional<int> component);
    std::size_t bodies() const { return bodies_.size(); }

private:
    double cgs_of(std::initializer_list<std::string_view> names) const;
    std::optional<Quantity> of_bodies(const std::string& name, std::optional<int> component) const;
    const BodyField* loaded(std::string_view name) const;
    std::optional<Quantity> of_sets(const std::string& name) const;

    const Bodies& bodies_;
    std::vector<FieldInfo> fields_;
    std::filesystem::path path_;
    NamedSets sets_;
    std::map<std::string, std::vector<float>> read_;
};

/// True for positions, velocities, masses and what follows from them, as opposed to labels and fields.
bool follows_motion(const Expression::Name& name);
/// The specification by which load_fields() finds the field that a name means; empty for quantities of bodies.
std::string field_wanted(const Expression::Name& name);
/// 1 for bodies that satisfy a condition and 0 for others, and for those that lack a value. Throws as
/// Expression::evaluate() does.
std::vector<float> satisfied(const Expression& condition, BodyQuantities quantities);

}  // namespace orrery
