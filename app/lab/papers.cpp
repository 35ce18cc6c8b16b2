// SPDX-License-Identifier: MIT
#include "app/lab/papers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "assets/assets.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

using Figure = nlohmann::json;

const Figure& paper_figures() {
    static const Figure all = Figure::parse(assets::file("../bench/papers/figures.json"));
    return all;
}

std::string id_of(const Figure& figure) {
    const std::string seeds = figure.at("seeds");
    return fmt::format("{}:{}", seeds.substr(seeds.rfind(' ') + 1), figure.at("number").get<std::string>());
}

bool is(const Figure& figure, std::string_view wanted) {
    return wanted.find(':') == 3 && wanted.substr(4) == figure.at("number").get<std::string>() &&
           figure.at("seeds").get<std::string>().find(wanted.substr(0, 3)) != std::string::npos;
}

std::vector<const Figure*> figures_of(const std::vector<std::string>& ids) {
    std::vector<const Figure*> figures;
    for (const std::string& id : ids) {
        const std::size_t before = figures.size();
        for (const Figure& figure : paper_figures())
            if (id == "all" || is(figure, id)) figures.push_back(&figure);
        if (figures.size() == before)
            usage_error(fmt::format("no figure '{}': there are {}", id, fmt::join(paper_ids(), ", ")));
    }
    return figures;
}

template <class Value>
void add_once(std::vector<Value>& all, const Value& value) {
    if (std::ranges::find(all, value) == all.end()) all.push_back(value);
}

void add_panel(const Figure& panel, LabConfig& config) {
    const std::string axes = panel.at("axes");
    if (axes != "seconds")
        for (const Figure& curve : panel.value("curves", Figure::array())) {
            const std::string id = curve.at("id"), root = curve.at("root");
            if (!id.empty()) add_once(config.maps, id);
            if (!root.empty()) add_once(config.roots, root);
        }
    if (panel.at("experiment") != "edm") return;
    for (const int features : {1, 2, 3, 4})
        if (axes == "gain-features" || features == panel.value("dimensions", 0)) add_once(config.features, features);
}

}  // namespace

std::vector<std::string> paper_ids() {
    std::vector<std::string> ids;
    for (const Figure& figure : paper_figures()) ids.push_back(id_of(figure));
    return ids;
}

std::vector<PaperChoice> paper_choices() {
    std::vector<PaperChoice> choices;
    for (const Figure& figure : paper_figures())
        for (const auto& [experiment, config] : paper_needs({id_of(figure)}, {}))
            choices.push_back({id_of(figure), figure.at("title"), experiment, config});
    return choices;
}

std::map<std::string, LabConfig> paper_needs(const std::vector<std::string>& ids, const LabConfig& base) {
    std::map<std::string, LabConfig> needs;
    const auto config = [&](const std::string& experiment) -> LabConfig& {
        return needs.try_emplace(experiment, base).first->second;
    };
    const bool own_sizes = base.bodies.empty() && !base.quick;
    bool draws_programs = false;
    for (const Figure* figure : figures_of(ids)) {
        for (const Figure& row : figure->value("table", Figure::array())) {
            LabConfig& programs = config("programs");
            if (own_sizes) programs.bodies.push_back(row.at(1));
        }
        for (const Figure& panel : figure->value("panels", Figure::array())) {
            const std::string experiment = panel.at("experiment");
            draws_programs |= experiment == "programs";
            if (!experiment.empty()) add_panel(panel, config(experiment));
        }
    }
    if (const auto found = needs.find("programs"); found != needs.end() && own_sizes) {
        std::vector<std::uint32_t>& sizes = found->second.bodies;
        if (draws_programs) std::ranges::copy(lab_sizes(base, "programs"), std::back_inserter(sizes));
        std::ranges::sort(sizes);
        sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
    }
    return needs;
}

}  // namespace orrery
