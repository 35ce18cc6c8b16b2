// SPDX-License-Identifier: MIT
#include "app/scene/edit_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace orrery {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();

std::string vector_text(Vec3d v) { return toml_text(glm::dvec3{v.x, v.y, v.z}); }
Vec3d read_vector(const SceneValue& value) {
    const glm::dvec3 v = value.vector();
    return {v.x, v.y, v.z};
}

std::string added_text(const NewBodies& add) {
    return fmt::format(", count = {}, mass = {}, radius = {}, position = {}, velocity = {}, normal = {}, seed = {}",
                       add.count, toml_text(add.mass), toml_text(add.radius), vector_text(add.position),
                       vector_text(add.velocity), vector_text(add.normal), add.seed);
}

const std::vector<std::string_view> kMembers{"do",       "bodies",   "by",     "factor", "count",   "mass", "radius",
                                             "position", "velocity", "normal", "seed",   "species", "name", "stroke"};

NewBodies read_added(const SceneValue& value) {
    NewBodies add;
    constexpr std::int64_t kMostWhole = std::numeric_limits<std::int64_t>::max();
    if (const auto count = value.member("count", kMembers))
        add.count = static_cast<std::uint32_t>(count->whole(1, std::numeric_limits<std::uint32_t>::max()));
    if (const auto mass = value.member("mass", kMembers)) add.mass = mass->real(0, kAny);
    if (const auto radius = value.member("radius", kMembers)) add.radius = radius->real(0, kAny);
    if (const auto position = value.member("position", kMembers)) add.position = read_vector(*position);
    if (const auto velocity = value.member("velocity", kMembers)) add.velocity = read_vector(*velocity);
    if (const auto normal = value.member("normal", kMembers)) add.normal = read_vector(*normal);
    if (const auto seed = value.member("seed", kMembers))
        add.seed = static_cast<std::uint64_t>(seed->whole(0, kMostWhole));
    return add;
}

Species read_species(const SceneValue& value) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kSpeciesCount; ++i) names.push_back(name(static_cast<Species>(i)));
    return static_cast<Species>(std::ranges::find(names, value.one_of(names)) - names.begin());
}

}  // namespace

std::string edit_text(const Edit& edit) {
    const EditEntry& entry = edit_kind(edit.kind);
    std::string text = fmt::format("{{ do = {}", toml_text(std::string{entry.id}));
    if (!entry.adds && !entry.brushes) text += fmt::format(", bodies = [{}]", fmt::join(edit.bodies, ", "));
    if (entry.shifts) text += ", by = " + vector_text(edit.by);
    if (entry.scales) text += ", factor = " + toml_text(edit.factor);
    if (entry.adds) text += added_text(edit.add);
    if (entry.brushes)
        text += fmt::format(", radius = {}, position = {}, normal = {}", toml_text(edit.add.radius),
                            vector_text(edit.add.position), vector_text(edit.add.normal));
    if (entry.sorts) text += ", species = " + toml_text(std::string{name(edit.species)});
    if (entry.names) text += ", name = " + toml_text(edit.name);
    if (edit.stroke != 0) text += fmt::format(", stroke = {}", edit.stroke);
    return text + " }";
}

Edit read_edit(const SceneValue& value) {
    std::vector<std::string_view> ids;
    for (const EditEntry& entry : edit_kinds()) ids.push_back(entry.id);
    const auto what = value.member("do", kMembers);
    if (!what) value.refuse("a table with the key 'do'");
    const std::string id = what->one_of(ids);
    const EditEntry& entry = *std::ranges::find(edit_kinds(), id, &EditEntry::id);
    Edit edit{.kind = entry.kind};
    if (const auto bodies = value.member("bodies", kMembers))
        for (const SceneValue& each : bodies->list())
            edit.bodies.push_back(static_cast<std::uint32_t>(each.whole(0, std::numeric_limits<std::uint32_t>::max())));
    if (const auto by = value.member("by", kMembers)) edit.by = read_vector(*by);
    if (const auto factor = value.member("factor", kMembers)) edit.factor = factor->real(0, kAny);
    if (entry.adds || entry.brushes) edit.add = read_added(value);
    if (const auto species = value.member("species", kMembers)) edit.species = read_species(*species);
    if (const auto called = value.member("name", kMembers)) edit.name = called->text();
    if (const auto stroke = value.member("stroke", kMembers))
        edit.stroke = static_cast<std::uint32_t>(stroke->whole(0, std::numeric_limits<std::uint32_t>::max()));
    return edit;
}

}  // namespace orrery
