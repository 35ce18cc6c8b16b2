// SPDX-License-Identifier: MIT
#include "core/selection/named_sets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/bodies/body_change.hpp"
#include "core/expressions/expression.hpp"

namespace orrery {
namespace {

void require_name(const std::string& name) {
    const auto unsuitable = [](char c) { return c == '`' || static_cast<unsigned char>(c) < ' '; };
    if (name.empty() || std::ranges::any_of(name, unsuitable))
        usage_error(fmt::format("selection \"{}\": a name needs at least one character, and no backquote", name));
}

}  // namespace

std::vector<std::uint64_t> members_of(const BodySet& set, const Identities& of) {
    if (!of.ids.empty()) return set.ids_in(of.ids);
    const std::vector<std::uint32_t> rows = set.rows();
    return {rows.begin(), rows.end()};
}

void NamedSets::store(const std::string& name, const BodySet& set, const Identities& of) {
    store({name, members_of(set, of), of.ids.empty()});
}

void NamedSets::store(NamedSet set) {
    require_name(set.name);
    const auto found = std::ranges::find(all_, set.name, &NamedSet::name);
    if (found == all_.end())
        all_.push_back(std::move(set));
    else
        *found = std::move(set);
}

void NamedSets::erase(std::string_view name) {
    std::erase_if(all_, [&](const NamedSet& set) { return set.name == name; });
}

bool NamedSets::has(std::string_view name) const {
    return std::ranges::find(all_, name, &NamedSet::name) != all_.end();
}

NamedSets NamedSets::named_in(std::string_view text) const {
    NamedSets some;
    for (const NamedSet& set : all_)
        if (text.find(set.name) != std::string_view::npos) some.all_.push_back(set);
    return some;
}

BodySet NamedSets::set(std::string_view name, const Identities& of) const {
    const auto found = std::ranges::find(all_, name, &NamedSet::name);
    if (found == all_.end()) {
        std::vector<std::string_view> names;
        for (const NamedSet& each : all_) names.push_back(each.name);
        usage_error(names.empty()
                        ? fmt::format("no selection has the name {}", name)
                        : fmt::format("no selection has the name {}; there are {}", name, fmt::join(names, ", ")));
    }
    if (!found->by_index) {
        if (of.ids.empty() && of.bodies > 0)
            usage_error(fmt::format("selection {}: it holds ids, and these bodies have none", name));
        return BodySet::of_ids(of.ids, found->members);
    }
    std::vector<std::uint32_t> rows;
    for (const std::uint64_t row : found->members) {
        if (row >= of.bodies)
            usage_error(fmt::format("selection {}: it holds index {}, and there are {} bodies", name, row, of.bodies));
        rows.push_back(static_cast<std::uint32_t>(row));
    }
    return BodySet::of_rows(of.bodies, rows);
}

BodySet NamedSets::combined(std::string_view expression, const Identities& of) const {
    const FindQuantity find = [&](const std::string& name, std::optional<int> component) -> Quantity {
        if (component) usage_error(fmt::format("selection {}: it has no components", name));
        return {[own = set(name, of)](std::size_t i) { return own.holds(i) ? 1.0 : 0.0; }, UnitPowers{}, 1};
    };
    return BodySet::of_values(Expression{expression, Expression::Constants::kNone}.evaluate(of.bodies, find));
}

Scene scene_of(const BodySet& set, const Scene& scene) {
    Scene some = scene;
    std::vector<std::uint32_t> others = (~set).rows();
    if (others.size() == set.bodies()) usage_error(fmt::format("{}: no body is selected", scene.id));
    erase(std::move(others), some.bodies);
    return some;
}

}  // namespace orrery
