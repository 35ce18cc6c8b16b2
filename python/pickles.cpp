// SPDX-License-Identifier: MIT
// Scenes and simulations as plain Python values, bit for bit, for pickle and copy.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstring>

#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/physics/pair_law.hpp"
#include "python/shared_simulation.hpp"
#include "python/values.hpp"

namespace orrery::python {
namespace {

constexpr int kVersion = 1;

template <class T>
py::bytes bytes_of(const std::vector<T>& values) {
    return py::bytes{reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> values_of(const py::handle& given) {
    const std::string_view bytes = given.cast<py::bytes>();
    if (bytes.size() % sizeof(T) != 0) usage_error("pickled state: a column ends within a row");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

py::tuple plain(const Gravity& gravity) {
    return py::make_tuple(gravity.constant, gravity.softening, pair_law(gravity.law).id, gravity.sigma,
                          gravity.cut_off);
}
Gravity gravity_of(const py::handle& given) {
    const auto all = given.cast<py::tuple>();
    return {.constant = all[0].cast<double>(),
            .softening = all[1].cast<double>(),
            .law = pair_law(all[2].cast<std::string>()).value,
            .sigma = all[3].cast<double>(),
            .cut_off = all[4].cast<double>()};
}

py::dict plain(const Bodies& bodies) {
    py::dict all;
    all["position_mass"] = bytes_of(bodies.position_mass);
    all["velocity"] = bytes_of(bodies.velocity);
    all["names"] = bodies.names;
    all["species"] = bytes_of(bodies.species);
    all["ids"] = bytes_of(bodies.ids);
    all["charge"] = bytes_of(bodies.charge);
    py::list fields;
    for (const BodyField& field : bodies.fields)
        fields.append(py::make_tuple(field.name, field.unit, bytes_of(*field.values), field.whole));
    all["fields"] = fields;
    return all;
}
Bodies bodies_of_plain(const py::dict& all) {
    Bodies bodies{.position_mass = values_of<Vec4d>(all["position_mass"]),
                  .velocity = values_of<Vec3d>(all["velocity"]),
                  .names = all["names"].cast<std::vector<std::string>>(),
                  .species = values_of<Species>(all["species"]),
                  .ids = values_of<std::uint64_t>(all["ids"]),
                  .charge = values_of<double>(all["charge"])};
    const std::size_t n = bodies.size();
    const auto fits = [n](std::size_t size) { return size == 0 || size == n; };
    bool sound = n > 0 && bodies.velocity.size() == n && fits(bodies.names.size()) && fits(bodies.species.size()) &&
                 fits(bodies.ids.size()) && fits(bodies.charge.size());
    if (all.contains("fields"))
        for (const py::handle each : all["fields"]) {
            const auto field = each.cast<py::tuple>();
            bodies.fields.push_back(make_field(field[0].cast<std::string>(), field[1].cast<std::string>(),
                                               values_of<float>(field[2]), field[3].cast<bool>()));
            sound = sound && bodies.fields.back().values->size() == n;
        }
    for (const Species each : bodies.species) sound = sound && static_cast<std::size_t>(each) < kSpeciesCount;
    if (!sound) usage_error("pickled state: columns have different lengths");
    return bodies;
}

py::dict plain(const Scene& scene) {
    py::dict all;
    all["id"] = scene.id, all["label"] = scene.label;
    all["bodies"] = plain(scene.bodies), all["gravity"] = plain(scene.gravity);
    all["dt"] = scene.dt, all["integrator"] = scene.integrator, all["adaptive"] = scene.adaptive;
    all["time"] = scene.time, all["scale_factor"] = scene.scale_factor, all["days_per_time"] = scene.days_per_time;
    all["length_unit"] = scene.length_unit, all["mass_unit"] = scene.mass_unit;
    all["steps_per_frame"] = scene.steps_per_frame, all["notes"] = scene.notes;
    return all;
}
Scene bare_scene_of(const py::dict& all) {
    return {.id = all["id"].cast<std::string>(),
            .label = all["label"].cast<std::string>(),
            .bodies = bodies_of_plain(all["bodies"]),
            .gravity = gravity_of(all["gravity"]),
            .dt = all["dt"].cast<double>(),
            .integrator = all["integrator"].cast<std::string>(),
            .adaptive = all["adaptive"].cast<double>(),
            .time = all["time"].cast<double>(),
            .scale_factor = all.contains("scale_factor") ? all["scale_factor"].cast<double>() : 0,
            .days_per_time = all["days_per_time"].cast<double>(),
            .length_unit = all["length_unit"].cast<std::string>(),
            .mass_unit = all["mass_unit"].cast<std::string>(),
            .steps_per_frame = all["steps_per_frame"].cast<int>(),
            .notes = all["notes"].cast<std::vector<std::string>>()};
}

py::dict plain(const EngineConfig& engine) { return dict_of(engine_settings(), engine, EngineConfig{}); }
EngineConfig engine_of_state(const py::handle& given) {
    return config_of(engine_settings(), EngineConfig{}, given.cast<py::dict>());
}

/// The part that render() uses.
py::dict plain(const Look& look) {
    py::dict all;
    all["view"] = dict_of(view_settings(), look.view, ViewSettings{});
    all["camera"] = dict_of(camera_settings(), look.camera, CameraSettings{});
    if (const auto& range = look.view.scalar_range) all["scalar_range"] = py::make_tuple(range->low, range->high);
    if (const auto& target = look.camera.target) all["target"] = py::make_tuple(target->x, target->y, target->z);
    return all;
}
Look look_of_state(const py::handle& given) {
    const auto all = given.cast<py::dict>();
    Look look{.view = config_of(view_settings(), ViewSettings{}, all["view"]),
              .camera = config_of(camera_settings(), CameraSettings{}, all["camera"])};
    if (all.contains("scalar_range")) {
        const auto range = all["scalar_range"].cast<std::pair<double, double>>();
        look.view.scalar_range = ScalarRange{range.first, range.second};
    }
    if (all.contains("target")) {
        const auto target = all["target"].cast<std::tuple<double, double, double>>();
        look.camera.target = glm::dvec3{std::get<0>(target), std::get<1>(target), std::get<2>(target)};
    }
    return look;
}

py::tuple plain(const KeptAccuracy& kept) {
    const Acceptance& a = kept.acceptance;
    return py::make_tuple(a.factor, a.error, a.power, a.base_factor, a.base_error, static_cast<int>(a.limit), kept.next,
                          kept.gap);
}
KeptAccuracy accuracy_of(const py::handle& given) {
    const auto all = given.cast<py::tuple>();
    const int limit = all[5].cast<int>();
    if (limit < 0 || limit > static_cast<int>(AcceptanceLimit::kFinest)) usage_error("pickled state: invalid limit");
    return {.acceptance = {.factor = all[0].cast<double>(),
                           .error = all[1].cast<double>(),
                           .power = all[2].cast<double>(),
                           .base_factor = all[3].cast<double>(),
                           .base_error = all[4].cast<double>(),
                           .limit = static_cast<AcceptanceLimit>(limit)},
            .next = all[6].cast<std::uint64_t>(),
            .gap = all[7].cast<std::uint64_t>()};
}

py::dict plain(const Snapshot& state) {
    py::dict all;
    all["bodies"] = bytes_of(state.bodies.bytes);
    all["steps"] = state.steps, all["moment"] = state.moment, all["time"] = state.time;
    all["forces_fresh"] = state.forces_fresh, all["history_key"] = state.history_key;
    all["evaluated"] = state.evaluated ? py::object{plain(*state.evaluated)} : py::object{py::none()};
    all["accuracy"] = plain(state.accuracy);
    all["engine"] = plain(state.engine), all["gravity"] = plain(state.gravity);
    return all;
}
Snapshot snapshot_of(const py::dict& all, std::size_t count) {
    Snapshot state{.bodies = {},
                   .steps = all["steps"].cast<std::int64_t>(),
                   .moment = all["moment"].cast<std::uint64_t>(),
                   .time = all["time"].cast<double>(),
                   .forces_fresh = all["forces_fresh"].cast<bool>(),
                   .history_key = all["history_key"].cast<std::uint64_t>(),
                   .accuracy = accuracy_of(all["accuracy"]),
                   .engine = engine_of_state(all["engine"]),
                   .gravity = gravity_of(all["gravity"])};
    if (!all["evaluated"].is_none()) state.evaluated = gravity_of(all["evaluated"]);
    state.bodies = {
        .precision = of_state(state.engine.precision), .count = count, .bytes = values_of<std::byte>(all["bodies"])};
    const std::size_t row = state.bodies.precision == Precision::kSingle ? sizeof(Vec4f) : sizeof(Vec4d);
    if (state.bodies.bytes.size() != (state.engine.compensated ? 5 : 3) * count * row)
        usage_error("pickled state: columns and bodies have different lengths");
    return state;
}

void require_version(const py::dict& all) {
    if (!all.contains("version") || all["version"].cast<int>() != kVersion)
        usage_error("pickled state: made by another version of Orrery");
}

}  // namespace

py::dict state_of(const SceneValue& value) {
    py::dict all;
    all["version"] = kVersion;
    all["scene"] = plain(value.scene);
    all["engine"] = plain(value.engine), all["engine_given"] = value.engine_given;
    all["look"] = plain(value.look);
    return all;
}

SceneValue scene_of_state(const py::dict& state) {
    require_version(state);
    return {.scene = bare_scene_of(state["scene"]),
            .engine = engine_of_state(state["engine"]),
            .engine_given = state["engine_given"].cast<bool>(),
            .look = look_of_state(state["look"])};
}

py::dict state_of(SharedSimulation& simulation) {
    const Checkpoint checkpoint = simulation.between_steps([](Simulation& own) {
        Checkpoint now = checkpoint_of(own, {});
        now.scene.bodies = own.system().bodies();
        return now;
    });
    py::dict all;
    all["version"] = kVersion;
    all["scene"] = plain(checkpoint.scene);
    all["state"] = plain(checkpoint.state);
    all["reversed"] = checkpoint.reversed;
    all["look"] = plain(simulation.look());
    return all;
}

SimulationHandle simulation_of_state(const py::dict& state) {
    require_version(state);
    Checkpoint checkpoint{
        .scene = bare_scene_of(state["scene"]), .state = {}, .reversed = state["reversed"].cast<bool>(), .run = {}};
    checkpoint.state = snapshot_of(state["state"], checkpoint.scene.bodies.size());
    Look look = look_of_state(state["look"]);
    const Unlocked unlocked;
    require_own_threads();
    mark_threads();
    return std::make_shared<SharedSimulation>(resume(std::move(checkpoint)), std::move(look));
}

}  // namespace orrery::python
