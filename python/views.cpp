// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "python/arrays.hpp"
#include "python/device_array.hpp"
#include "python/shared_simulation.hpp"

namespace orrery::python {
namespace {

struct Seen {
    std::shared_ptr<const BodySystem> owner;
    BodyColumns columns;
};

Seen look_at(Simulation& simulation) {
    require_between_steps(simulation);
    simulation.system().wait();
    const auto columns = simulation.system().columns();
    if (!columns) usage_error("these bodies are distributed over several memories");
    return {simulation.system().shared_from_this(), *columns};
}

py::object array_at(const Seen& seen, View which) {
    const BodyColumns& at = seen.columns;
    const bool masses = which == View::kMasses;
    const std::size_t column = which == View::kVelocities ? 1 : which == View::kAccelerations ? 2 : 0;
    const void* const rows = column == 0 ? at.position_mass : column == 1 ? at.velocity : at.acceleration;
    if (at.backend == Backend::kCpu)
        return view_of(rows, at.count, at.precision, masses ? Part::kW : Part::kXyz, seen.owner, false);
    const std::size_t offset = masses ? 3 * (at.precision == Precision::kSingle ? sizeof(float) : sizeof(double)) : 0;
    return py::cast(DeviceArray{.data = static_cast<const std::byte*>(rows) + offset,
                                .count = at.count,
                                .precision = at.precision,
                                .rows = !masses,
                                .owner = seen.owner,
                                .column = column});
}

}  // namespace

/// Views are made once for each system, whose memory does not move.
py::object view_of(SharedSimulation& simulation, View which) {
    const Seen seen = which == View::kAccelerations ? simulation.slowly([](Simulation& own) {
        require_between_steps(own);
        evaluate_all(own);
        return look_at(own);
    })
                                                    : simulation.quickly(look_at);
    if (simulation.viewed != seen.owner.get()) {
        for (py::object& view : simulation.views) view = {};
        simulation.viewed = seen.owner.get();
    }
    py::object& view = simulation.views[static_cast<std::size_t>(which)];
    if (!view) view = array_at(seen, which);
    return view;
}

}  // namespace orrery::python
