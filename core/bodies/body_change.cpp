// SPDX-License-Identifier: MIT
#include "core/bodies/body_change.hpp"

#include <limits>
#include <string>
#include <utility>

namespace orrery {
namespace {

using Kind = BodyChange::Kind;

template <class Value>
void change_column(const BodyChange& change, std::size_t count, bool had, bool has, Value unknown,
                   const std::vector<Value>& values, std::vector<Value>& column) {
    if (!has) return column.clear();
    if (!had) column.assign(count, unknown);
    if (change.kind == Kind::kErase) return erase_rows(column, change.rows);
    if (change.kind == Kind::kInsert) return insert_rows<Value>(column, change.rows, values);
    for (std::size_t k = 0; k < values.size(); ++k) column[change.rows[k]] = values[k];
}

template <class Value>
std::size_t bytes_in(const std::vector<Value>& column) {
    return column.size() * sizeof(Value);
}

std::size_t bytes_in(const Bodies& bodies) {
    std::size_t fields = 0;
    for (const BodyField& field : bodies.fields) fields += bytes_in(*field.values);
    return fields + bytes_in(bodies.position_mass) + bytes_in(bodies.velocity) + bytes_in(bodies.names) +
           bytes_in(bodies.species) + bytes_in(bodies.ids) + bytes_in(bodies.pinned) + bytes_in(bodies.charge);
}

/// Inserted bodies have the values that `change.after` holds for them, by the name of the field.
void change_fields(const BodyChange& change, std::vector<BodyField>& fields) {
    if (change.kind == Kind::kWrite) return;
    for (BodyField& field : fields) {
        std::vector<float> values = *field.values;
        if (change.kind == Kind::kErase) {
            erase_rows(values, change.rows);
        } else {
            const auto known = std::ranges::find(change.after.fields, field.name, &BodyField::name);
            const std::vector<float> unknown(known == change.after.fields.end() ? change.rows.size() : 0,
                                             std::numeric_limits<float>::quiet_NaN());
            insert_rows<float>(values, change.rows, unknown.empty() ? *known->values : unknown);
        }
        field = with_values(field, std::move(values));
    }
}

Kind reversed_kind(Kind kind) {
    return kind == Kind::kInsert ? Kind::kErase : kind == Kind::kErase ? Kind::kInsert : kind;
}

}  // namespace

LabelColumns label_columns(const Bodies& bodies) {
    return {!bodies.names.empty(), !bodies.species.empty(), !bodies.ids.empty(), !bodies.pinned.empty(),
            !bodies.charge.empty()};
}

BodyChange BodyChange::reversed() const& { return BodyChange{*this}.reversed(); }
BodyChange BodyChange::reversed() && {
    return {reversed_kind(kind), std::move(rows), std::move(after), std::move(before), has, had};
}

std::size_t BodyChange::bytes() const { return sizeof *this + bytes_in(rows) + bytes_in(before) + bytes_in(after); }

std::size_t count_after(const BodyChange& change, std::size_t count) {
    if (change.kind == Kind::kInsert) return count + change.rows.size();
    return change.kind == Kind::kErase ? count - change.rows.size() : count;
}

void erase(std::vector<std::uint32_t> rows, Bodies& bodies) {
    BodyChange change{.kind = BodyChange::Kind::kErase, .rows = std::move(rows), .had = label_columns(bodies)};
    change.has = change.had;
    apply(change, bodies);
}

void apply_labels(const BodyChange& change, std::size_t count, Bodies& labels) {
    const Bodies& to = change.after;
    const LabelColumns &had = change.had, &has = change.has;
    change_column(change, count, had.names, has.names, std::string{}, to.names, labels.names);
    change_column(change, count, had.species, has.species, Species::kHalo, to.species, labels.species);
    change_column(change, count, had.ids, has.ids, std::uint64_t{0}, to.ids, labels.ids);
    change_column(change, count, had.pinned, has.pinned, std::uint8_t{0}, to.pinned, labels.pinned);
    change_column(change, count, had.charge, has.charge, 0.0, to.charge, labels.charge);
    change_fields(change, labels.fields);
}

void apply(const BodyChange& change, Bodies& bodies) {
    apply_labels(change, bodies.size(), bodies);
    change_column(change, 0, true, true, Vec4d{}, change.after.position_mass, bodies.position_mass);
    change_column(change, 0, true, true, Vec3d{}, change.after.velocity, bodies.velocity);
}

}  // namespace orrery
