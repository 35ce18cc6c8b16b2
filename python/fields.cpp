// SPDX-License-Identifier: MIT
// Fields of snapshot files: lists of them, and their numbers as arrays.
#include "core/formats/fields.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings.hpp"

namespace orrery::python {
namespace {

py::list fields(const std::filesystem::path& path) {
    const std::vector<FieldInfo> found = [&] {
        const Unlocked unlocked;
        return fields_of(path);
    }();
    py::list all;
    for (const FieldInfo& field : found) {
        py::list species;
        for (std::size_t k = 0; k < kSpeciesCount; ++k)
            if (field.species[k]) species.append(std::string{name(static_cast<Species>(k))});
        using namespace py::literals;
        all.append(py::dict("name"_a = field.name, "unit"_a = field.unit, "doc"_a = field.what,
                            "components"_a = field.components, "bytes"_a = field.bytes, "whole"_a = field.whole,
                            "species"_a = species, "bodies"_a = field.bodies));
    }
    return all;
}

/// The part of each row that a name asks for.
std::vector<double> part_of(std::vector<double> rows, const FieldChoice& choice) {
    const std::size_t columns = choice.field.components;
    if (columns == 1) return rows;
    std::vector<double> numbers;
    for (std::size_t at = 0; at < rows.size(); at += columns) {
        double sum = 0;
        for (std::size_t k = 0; k < columns; ++k) sum += rows[at + k] * rows[at + k];
        numbers.push_back(choice.length ? std::sqrt(sum) : rows[at + choice.component]);
    }
    return numbers;
}

py::array read(const std::filesystem::path& path, const std::string& name) {
    FieldChoice choice;
    std::vector<double> numbers;
    bool whole = false;
    {
        const Unlocked unlocked;
        const std::vector<FieldInfo> all = fields_of(path);
        const FieldInfo* const named = choose_by_name(all, name);
        whole = named != nullptr;
        choice = whole ? FieldChoice{.field = *named} : choose_field(all, name, path.string());
        read_field(path, choice.field,
                   [&](std::span<const double> some) { numbers.insert(numbers.end(), some.begin(), some.end()); });
        if (!whole) numbers = part_of(std::move(numbers), choice);
    }
    const auto columns = whole ? static_cast<py::ssize_t>(choice.field.components) : 1;
    const auto rows = static_cast<py::ssize_t>(numbers.size()) / columns;
    if (columns == 1) return py::array_t<double>{rows, numbers.data()};
    return py::array_t<double>{{rows, columns}, numbers.data()};
}

}  // namespace

py::object field_of(const std::vector<BodyField>& fields, const std::string& name) {
    for (const BodyField& field : fields)
        if (field.name == name || name.empty())
            return py::array_t<float>{static_cast<py::ssize_t>(field.values->size()), field.values->data()};
    std::string names;
    for (const BodyField& field : fields) names += (names.empty() ? "" : ", ") + field.name;
    throw py::key_error(name + ": not loaded; loaded are: " + (names.empty() ? "none" : names));
}

void bind_fields(py::module_& module) {
    using namespace py::literals;
    module.def("fields", fields, "path"_a,
               "The fields of a snapshot file: a list of dict with name, unit, doc, components, bytes (of a number), "
               "whole (numbers), species that have it, and the number of bodies that have it. Reads only heads. Raises "
               "as load() does.");
    module.def("read_field", read, "path"_a, "name"_a,
               "The numbers of a field of a snapshot file by its name or short name, float64 of shape (N,), or (N, "
               "components); of `NAME[2]`, `NAME.x` and `|NAME|` one for each body. In the order of load(); NaN where "
               "the file has none, and for whole numbers beyond 2**53. "
               "Raises UsageError, with the names that there are, for an unknown one.");
}

}  // namespace orrery::python
