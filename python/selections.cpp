// SPDX-License-Identifier: MIT
// Selections of bodies: by a condition, by ids, by indices, or within a closed line over two expressions.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "core/base/error.hpp"
#include "core/formats/body_quantities.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/id_file.hpp"
#include "core/selection/body_set.hpp"
#include "core/selection/named_sets.hpp"
#include "python/shared_simulation.hpp"

namespace orrery::python {
namespace {

using SharedIds = std::shared_ptr<const std::vector<std::uint64_t>>;

/// `orrery.Selection`: a set of bodies, with the ids by which it is found in another state.
struct Selection {
    BodySet set;
    SharedIds ids;  // of all bodies; empty: they have none

    Identities identities() const { return {set.bodies(), *ids}; }
    /// The same bodies by their ids, or by their indices if there are no ids.
    BodySet among(const SharedIds& others, std::size_t bodies) const {
        if (others == ids || *others == *ids) return set;
        NamedSets sets;
        sets.store("selection", set, identities());
        return sets.set("selection", {bodies, *others});
    }
};

struct Wish {
    std::optional<std::string> condition;
    std::optional<std::vector<std::uint64_t>> ids;
    std::optional<std::vector<std::uint32_t>> indices;
    std::optional<std::vector<std::pair<double, double>>> within;
    std::string x, y;
};

Selection selected(const Scene& scene, const Wish& wish) {
    const std::size_t bodies = scene.bodies.size();
    const auto values = [&](const std::string& text) {
        BodyQuantities quantities{scene.bodies, {}, {}};
        return Expression{text}.evaluate(bodies, std::ref(quantities));
    };
    BodySet set = ~BodySet{bodies};
    if (wish.condition) set &= BodySet::of_values(values(*wish.condition));
    if (wish.indices) set &= BodySet::of_rows(bodies, *wish.indices);
    if (wish.ids) {
        NamedSet named{"ids", *wish.ids, false};
        std::ranges::sort(named.members);
        NamedSets sets;
        sets.store(std::move(named));
        set &= sets.set("ids", {bodies, scene.bodies.ids});
    }
    if (wish.within) {
        std::vector<OutlinePoint> corners;
        for (const auto& [x, y] : *wish.within) corners.push_back({x, y});
        const Outline outline{corners};
        const std::vector<float> xs = values(wish.x), ys = values(wish.y);
        Pool pool{0, false};
        set &= BodySet::where(pool, bodies, [&](std::size_t i) {
            return outline.holds(static_cast<double>(xs[i]), static_cast<double>(ys[i]));
        });
    }
    return {std::move(set), std::make_shared<const std::vector<std::uint64_t>>(scene.bodies.ids)};
}

template <class Combine>
Selection combined(const Selection& a, const Selection& b, const Combine& combine) {
    return {combine(a.set, b.among(a.ids, a.set.bodies())), a.ids};
}

void save(const Selection& self, const std::filesystem::path& path, const Scene* scene) {
    const Unlocked unlocked;
    if (path.extension() == ".ids") return write_file(path, ids_text(members_of(self.set, self.identities())));
    if (!scene) usage_error(fmt::format("{}: a snapshot needs the bodies: save(path, scene)", path.string()));
    const auto ids = std::make_shared<const std::vector<std::uint64_t>>(scene->bodies.ids);
    write_snapshot(scene_of(self.among(ids, scene->bodies.size()), *scene), path);
}

template <class Number>
py::array array_of(const std::vector<Number>& numbers) {
    return py::array_t<Number>{static_cast<py::ssize_t>(numbers.size()), numbers.data()};
}

constexpr const char* kSelect =
    "The bodies that satisfy all that is given, a Selection.\n\n"
    "condition: an expression over x, y, z, vx, vy, vz, m, r, v, species, id and the loaded fields: \"T > 1e5 & "
    "species "
    "== gas\". ids, indices: of bodies. within: corners (x, y) of a closed line, and x, y: the expressions on its "
    "axes. "
    "Raises UsageError for an expression or a name that is not valid.";

}  // namespace

void bind_selections(py::module_& module) {
    using namespace py::literals;
    py::class_<Selection>(
        module, "Selection",
        "A set of bodies. a & b, a | b, a - b and ~a combine sets, by the ids of their bodies if they "
        "have any. Made by select() of a Scene or a Simulation.")
        .def("__len__", [](const Selection& self) { return self.set.count(); })
        .def(
            "__and__",
            [](const Selection& a, const Selection& b) {
                return combined(a, b, [](const BodySet& one, const BodySet& two) { return one & two; });
            },
            "other"_a)
        .def(
            "__or__",
            [](const Selection& a, const Selection& b) {
                return combined(a, b, [](const BodySet& one, const BodySet& two) { return one | two; });
            },
            "other"_a)
        .def(
            "__sub__",
            [](const Selection& a, const Selection& b) {
                return combined(a, b, [](const BodySet& one, const BodySet& two) { return one - two; });
            },
            "other"_a)
        .def("__invert__",
             [](const Selection& self) {
                 return Selection{~self.set, self.ids};
             })
        .def_property_readonly(
            "indices", [](const Selection& self) { return array_of(self.set.rows()); },
            "Indices of the bodies, ascending, uint32.")
        .def_property_readonly(
            "ids",
            [](const Selection& self) -> py::object {
                if (self.ids->empty()) return py::none();
                return array_of(self.set.ids_in(*self.ids));
            },
            "Ids of the bodies, ascending, uint64; None if they have none.")
        .def_property_readonly(
            "mask",
            [](const Selection& self) {
                py::array_t<bool> mask{static_cast<py::ssize_t>(self.set.bodies())};
                for (std::size_t i = 0; i < self.set.bodies(); ++i)
                    mask.mutable_at(static_cast<py::ssize_t>(i)) = self.set.holds(i);
                return mask;
            },
            "True for the bodies of the set, bool of shape (N,).")
        .def(
            "save",
            [](const Selection& self, const std::filesystem::path& path, const SceneValue* scene) {
                save(self, path, scene ? &scene->scene : nullptr);
            },
            "path"_a, "scene"_a = py::none(),
            "Writes the ids as text if the path ends in .ids; otherwise these bodies of a scene as a snapshot in the "
            "format of the extension.");
    py::class_<SceneValue, SharedScene> scene = module.attr("Scene");
    using Texts = std::optional<std::string>;
    using Ids = std::optional<std::vector<std::uint64_t>>;
    using Indices = std::optional<std::vector<std::uint32_t>>;
    using Line = std::optional<std::vector<std::pair<double, double>>>;
    scene.def(
        "select",
        [](const SceneValue& self, Texts condition, Ids ids, Indices indices, Line within, std::string x,
           std::string y) {
            const Unlocked unlocked;
            return selected(self.scene, {std::move(condition), std::move(ids), std::move(indices), std::move(within),
                                         std::move(x), std::move(y)});
        },
        "condition"_a = py::none(), py::kw_only(), "ids"_a = py::none(), "indices"_a = py::none(),
        "within"_a = py::none(), "x"_a = "x", "y"_a = "y", kSelect);
    py::class_<SharedSimulation, SimulationHandle> simulation = module.attr("Simulation");
    simulation.def(
        "select",
        [](SharedSimulation& self, Texts condition, Ids ids, Indices indices, Line within, std::string x,
           std::string y) {
            const Wish wish{std::move(condition), std::move(ids), std::move(indices),
                            std::move(within),    std::move(x),   std::move(y)};
            return self.between_steps([&](Simulation& own) { return selected(present_scene(own), wish); });
        },
        "condition"_a = py::none(), py::kw_only(), "ids"_a = py::none(), "indices"_a = py::none(),
        "within"_a = py::none(), "x"_a = "x", "y"_a = "y", kSelect);
}

}  // namespace orrery::python
