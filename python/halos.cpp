// SPDX-License-Identifier: MIT
// Halo catalogues as structured arrays.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalogues/catalogue_formats.hpp"
#include "core/catalogues/scene_halos.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// A row of the array.
struct HaloRow {
    std::uint64_t id;
    bool subhalo;
    std::int64_t host, descendant;
    std::uint64_t members;
    std::array<double, 3> position, velocity;
    double mass, radius, scale_factor;
    std::int32_t snapshot;
};

namespace {

std::int64_t row_or_none(std::uint32_t index) { return index == kNoHalo ? -1 : static_cast<std::int64_t>(index); }

HaloCatalogue opened_halos(const std::filesystem::path& path, const std::optional<std::filesystem::path>& snapshot) {
    if (!snapshot) return read_catalogue(path.string());
    return read_halos_of(path.string(), std::vector{snapshot->string()}).catalogue;
}

py::array_t<HaloRow> halos(const std::filesystem::path& path, const std::optional<std::filesystem::path>& snapshot) {
    const HaloCatalogue catalogue = [&] {
        const Unlocked unlocked;
        return opened_halos(path, snapshot);
    }();
    py::array_t<HaloRow> rows{static_cast<py::ssize_t>(catalogue.halos.size())};
    HaloRow* row = rows.mutable_data();
    for (std::size_t i = 0; i < catalogue.halos.size(); ++i, ++row) {
        const Halo& halo = catalogue.halos[i];
        const Vec3d &x = halo.position, &v = halo.velocity;
        *row = {.id = halo.id,
                .subhalo = halo.kind == HaloKind::kSubhalo,
                .host = row_or_none(halo.host),
                .descendant = catalogue.has_tree() ? row_or_none(catalogue.descendants[i]) : -1,
                .members = halo.members,
                .position = {x.x, x.y, x.z},
                .velocity = {v.x, v.y, v.z},
                .mass = halo.mass,
                .radius = halo.radius,
                .scale_factor = halo.scale_factor,
                .snapshot = halo.snapshot};
    }
    return rows;
}

py::array_t<std::uint32_t> halo_members(const std::filesystem::path& path, std::size_t row,
                                        const std::filesystem::path& snapshot) {
    HaloMembers members;
    {
        const Unlocked unlocked;
        const std::vector sources{snapshot.string()};
        const HaloCatalogue catalogue = read_halos_of(path.string(), sources).catalogue;
        if (row >= catalogue.halos.size())
            throw py::index_error{"row " + std::to_string(row) + ": the catalogue has " +
                                  std::to_string(catalogue.halos.size()) + " haloes"};
        members = members_in_scene(catalogue, static_cast<std::uint32_t>(row), sources);
    }
    return py::array_t<std::uint32_t>{static_cast<py::ssize_t>(members.bodies.size()), members.bodies.data()};
}

}  // namespace

void bind_halos(py::module_& module) {
    using namespace py::literals;
    PYBIND11_NUMPY_DTYPE(HaloRow, id, subhalo, host, descendant, members, position, velocity, mass, radius,
                         scale_factor, snapshot);
    module.def("halos", halos, "path"_a, "snapshot"_a = std::nullopt,
               "A halo catalogue or merger tree, or a pattern of several files, as a structured array: id, subhalo, "
               "host and descendant (rows; -1: none), members, position, velocity, mass, radius, scale_factor (0: not "
               "stated) and snapshot (-1: not stated); NaN where the file states no number. With a snapshot, values "
               "are in its units. Raises UsageError for malformed files and for the catalogue of another snapshot.");
    module.def("halo_members", halo_members, "path"_a, "row"_a, "snapshot"_a,
               "Indices of the bodies of a halo, a row of halos(), in its snapshot, in the order of load(); those "
               "within its radius if the catalogue lists none. Raises UsageError as halos() does, and IndexError.");
}

}  // namespace orrery::python
