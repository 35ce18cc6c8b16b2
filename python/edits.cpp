// SPDX-License-Identifier: MIT
// Changing, adding and removing bodies between two steps.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "python/shared_simulation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

/// Continues with other bodies, as after an edit in the window: engines drop their history.
void replace_bodies(Simulation& own, Scene scene) {
    Simulation next{{std::move(scene), own.now().steps, own.encounters().log().ledger}, own.engine_config()};
    next.set_reversed(own.now().reversed);
    own = std::move(next);
}

void set_state(SharedSimulation& self, const py::object& positions, const py::object& velocities,
               const py::object& masses) {
    const std::size_t n = self.count();
    std::vector<Vec3d> x, v;
    std::vector<double> m;
    if (!positions.is_none()) x = rows_of(positions, "positions", n);
    if (!velocities.is_none()) v = rows_of(velocities, "velocities", n);
    if (!masses.is_none()) m = numbers_of(masses, "masses", n);
    self.between_steps([&](Simulation& own) {
        Scene scene = present_scene(own);
        if (scene.bodies.size() != n) usage_error("the bodies were changed by another thread");
        for (std::size_t i = 0; i < n; ++i) {
            Vec4d& body = scene.bodies.position_mass[i];
            if (!x.empty()) body = {x[i].x, x[i].y, x[i].z, body.w};
            if (!m.empty()) body.w = m[i];
        }
        if (!v.empty()) scene.bodies.velocity = std::move(v);
        validate(scene.bodies, scene.id);
        replace_bodies(own, std::move(scene));
        self.start.reset();
    });
}

/// The bodies at these indices, in this order.
Bodies selected(const Bodies& from, const std::vector<std::uint32_t>& rows) {
    const auto column = [&]<class T>(const std::vector<T>& all) {
        std::vector<T> some;
        if (!all.empty())
            for (const std::uint32_t row : rows) some.push_back(all[row]);
        return some;
    };
    return {.position_mass = column(from.position_mass),
            .velocity = column(from.velocity),
            .names = column(from.names),
            .species = column(from.species),
            .ids = column(from.ids),
            .pinned = column(from.pinned),
            .charge = column(from.charge)};
}

/// Rows of N numbers, or a single row.
std::vector<Vec3d> rows_or_one(const py::object& given, const char* what) {
    const py::object array = py::module_::import("numpy").attr("asarray")(given);
    return rows_of(py::cast<int>(array.attr("ndim")) == 1 ? py::object{array.attr("reshape")(1, -1)} : array, what);
}

py::array add_bodies(SharedSimulation& self, const py::object& positions, const py::object& velocities,
                     const py::object& masses, const py::object& ids) {
    const std::vector<Vec3d> x = rows_or_one(positions, "positions");
    const std::size_t n = x.size();
    std::vector<Vec3d> v(n);
    if (!velocities.is_none()) v = rows_or_one(velocities, "velocities");
    if (v.size() != n) usage_error(fmt::format("velocities: expected {} rows as in positions, found {}", n, v.size()));
    const std::vector<double> m = numbers_or_one(masses, "masses", n);
    std::vector<std::uint64_t> new_ids;
    if (!ids.is_none()) new_ids = ids_of(ids, "ids", n);
    const std::size_t before = self.between_steps([&](Simulation& own) {
        Scene scene = present_scene(own);
        Bodies& bodies = scene.bodies;
        const std::size_t count = bodies.size();
        if (!bodies.charge.empty())
            usage_error("add: bodies of the law 'coulomb' have charges, which add() cannot set");
        if (!new_ids.empty() && bodies.ids.empty()) usage_error("ids: the bodies of this simulation have no ids");
        if (!bodies.ids.empty()) {
            std::uint64_t next = *std::ranges::max_element(bodies.ids) + 1;
            for (std::size_t i = 0; i < n; ++i) bodies.ids.push_back(new_ids.empty() ? next++ : new_ids[i]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            bodies.position_mass.push_back({x[i].x, x[i].y, x[i].z, m[i]});
            bodies.velocity.push_back(v[i]);
        }
        if (!bodies.names.empty()) bodies.names.resize(count + n);
        if (!bodies.species.empty()) bodies.species.resize(count + n, Species::kStars);
        validate(bodies, scene.id);
        replace_bodies(own, std::move(scene));
        self.start.reset();
        return count;
    });
    return py::module_::import("numpy").attr("arange")(before, before + n);
}

void remove_bodies(SharedSimulation& self, const py::object& indices, const py::object& ids) {
    if (indices.is_none() == ids.is_none()) usage_error("remove: expected either indices or ids");
    const py::object given = py::module_::import("numpy").attr("atleast_1d")(indices.is_none() ? ids : indices);
    const std::vector<std::uint64_t> wanted = ids_of(given, indices.is_none() ? "ids" : "indices", py::len(given));
    self.between_steps([&](Simulation& own) {
        Scene scene = present_scene(own);
        const std::size_t count = scene.bodies.size();
        std::vector<bool> gone(count, false);
        for (const std::uint64_t each : wanted) {
            std::size_t at = static_cast<std::size_t>(each);
            if (indices.is_none())
                at = static_cast<std::size_t>(std::ranges::find(scene.bodies.ids, each) - scene.bodies.ids.begin());
            if (at >= count || (indices.is_none() && scene.bodies.ids.empty()))
                usage_error(
                    fmt::format("remove: there is no body with {} {}", indices.is_none() ? "id" : "index", each));
            gone[at] = true;
        }
        std::vector<std::uint32_t> kept;
        for (std::size_t i = 0; i < count; ++i)
            if (!gone[i]) kept.push_back(static_cast<std::uint32_t>(i));
        if (kept.empty()) usage_error("remove: at least one body must remain");
        scene.bodies = selected(scene.bodies, kept);
        replace_bodies(own, std::move(scene));
        self.start.reset();
    });
}

}  // namespace

void bind_edits(py::class_<SharedSimulation, SimulationHandle>& type) {
    type.def(
        "set_state", set_state, py::kw_only(), py::arg("positions") = py::none(), py::arg("velocities") = py::none(),
        py::arg("masses") = py::none(),
        "Continues with the same number of bodies in another state: real numbers of shape (N, 3), (N, 3) and (N,); "
        "None: unchanged. Time and steps remain; engines drop their history, and earlier views keep their content. "
        "Raises as Scene() does, leaving the simulation unchanged.");
    type.def(
        "add", add_bodies, py::arg("positions"), py::arg("velocities") = py::none(), py::arg("masses") = 0.0,
        py::kw_only(), py::arg("ids") = py::none(),
        "Adds one body (rows of shape (3,)) or many (shape (n, 3)) after the others; masses: one number for all, or "
        "shape (n,); velocities None: at rest; ids None: the next free ones if bodies have ids. Returns the indices "
        "of the new bodies. Time and steps remain; earlier views keep their content, and `len(sim)` grows. Raises "
        "as Scene() does, leaving the simulation unchanged.");
    type.def("remove", remove_bodies, py::arg("indices") = py::none(), py::kw_only(), py::arg("ids") = py::none(),
             "Removes the bodies with these indices, or with these ids: one number or shape (n,). The indices of "
             "later bodies change, ids do not. Raises UsageError for a body that does not exist, and if none would be "
             "left, leaving the simulation unchanged.");
}

}  // namespace orrery::python
